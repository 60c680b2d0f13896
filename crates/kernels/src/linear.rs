//! Linear layer.

use burn::tensor::Tensor;

use crate::fallback;

/// `y = x w + b`
///
/// # Shapes
/// * `x`: `[n, i]`
/// * `weight`: `[i, o]`
/// * `bias`: `[o]`
/// * output: `[n, o]`
pub fn linear(x: Tensor<2>, weight: Tensor<2>, bias: Option<Tensor<1>>) -> Tensor<2> {
    fallback::linear(x, weight, bias)
}
