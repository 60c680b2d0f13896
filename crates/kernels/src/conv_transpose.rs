//! Transposed convolution.

use burn::tensor::Tensor;

use crate::fallback;

/// Transposed convolution of channels-last images with a square kernel: the
/// gradient of [`conv2d`](crate::conv2d) with respect to its input.
///
/// `y[n, s*i + a - p, s*j + b - p, o] += sum_c x[n, i, j, c] * w[a, b, o, c]`
///
/// # Shapes
/// * `x`: `[n, h, w, ci]`
/// * `weight`: `[k, k, co, ci]` (output channels first, as in the convolution it is the gradient of)
/// * `bias`: `[co]`
/// * output: `[n, (h - 1) * s + k - 2p, (w - 1) * s + k - 2p, co]`
///
/// # Panics
/// When the shapes do not fit each other, or the output would be empty.
pub fn conv_transpose2d(
    x: Tensor<4>,
    weight: Tensor<4>,
    bias: Option<Tensor<1>>,
    stride: usize,
    padding: usize,
) -> Tensor<4> {
    fallback::conv_transpose2d(x, weight, bias, stride, padding)
}
