//! Transposed convolution.

use burn::tensor::Tensor;

use crate::cpu::forward::Way;
use crate::cpu::{Geometry, Slope};
use crate::fallback;
use crate::flex::{self, Call};

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
    let call = Call {
        way: Way::Up,
        geo: Geometry::transposed(x.dims(), weight.dims(), stride, padding),
        x: &x,
        weight: &weight,
        bias: bias.as_ref(),
        slope: Slope::NONE,
    };
    match flex::convolution(call) {
        Some(y) => y,
        None => fallback::conv_transpose2d(x, weight, bias, stride, padding),
    }
}
