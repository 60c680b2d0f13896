//! The pointwise function that ends a block.

use burn::config::Config;
use burn::tensor::{Tensor, activation};

/// The pointwise function that ends a block.
#[derive(Config, Debug, Copy, PartialEq)]
pub enum Activation {
    /// `f(x) = x`
    None,
    /// `f(x) = max(x, 0)`; a NaN stays a NaN.
    Relu,
    /// `f(x) = x` for `x > 0`, else `slope * x` with a slope in `[0, 1)`.
    LeakyRelu(f64),
    /// `f(x) = 1 / (1 + exp(-x))`
    Sigmoid,
}

impl Activation {
    /// Applies the function with burn's operations.
    ///
    /// # Shapes
    /// any -> the same
    pub fn apply<const D: usize>(self, x: Tensor<D>) -> Tensor<D> {
        match self {
            Self::None => x,
            Self::Relu => activation::relu(x),
            Self::LeakyRelu(slope) => activation::leaky_relu(x, slope),
            Self::Sigmoid => activation::sigmoid(x),
        }
    }
}
