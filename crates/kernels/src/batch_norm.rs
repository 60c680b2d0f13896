//! Batch norm fused with the activation that follows it.

use burn::tensor::Tensor;

use crate::{Activation, fallback, flex};

/// What [`batch_norm_train`] returns.
#[derive(Debug)]
pub struct BatchNormed<const D: usize> {
    /// The normalised and activated input, of the input's shape.
    pub output: Tensor<D>,
    /// The batch mean `[c]`, detached.
    pub mean: Tensor<1>,
    /// The biased batch variance `[c]`, detached.
    pub variance: Tensor<1>,
}

/// Batch norm with the statistics of this batch, then the activation.
///
/// `y = act(gamma * (x - mean) / sqrt(var + eps) + beta)`, mean and (biased)
/// variance over all axes but the last. With one row only, the variance is 0
/// and the output is `act(beta)`.
///
/// # Shapes
/// * `x`: `[..., c]`
/// * `gamma`, `beta`: `[c]`
pub fn batch_norm_train<const D: usize>(
    x: Tensor<D>,
    gamma: Tensor<1>,
    beta: Tensor<1>,
    epsilon: f64,
    activation: Activation,
) -> BatchNormed<D> {
    let normed = match activation.slope() {
        Some(slope) => flex::norm_train(&x, &gamma, &beta, epsilon, slope),
        None => None,
    };
    normed.unwrap_or_else(|| fallback::batch_norm_train(x, gamma, beta, epsilon, activation))
}

/// Batch norm with given statistics, then the activation.
///
/// `y = act(gamma * (x - mean) / sqrt(variance + eps) + beta)`
///
/// # Shapes
/// * `x`: `[..., c]`
/// * `gamma`, `beta`, `mean`, `variance`: `[c]`
pub fn batch_norm_eval<const D: usize>(
    x: Tensor<D>,
    gamma: Tensor<1>,
    beta: Tensor<1>,
    mean: Tensor<1>,
    variance: Tensor<1>,
    epsilon: f64,
    activation: Activation,
) -> Tensor<D> {
    let normed = match activation.slope() {
        Some(slope) => flex::norm_eval(&x, [&gamma, &beta, &mean, &variance], epsilon, slope),
        None => None,
    };
    normed.unwrap_or_else(|| {
        fallback::batch_norm_eval(x, gamma, beta, mean, variance, epsilon, activation)
    })
}
