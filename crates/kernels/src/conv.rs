//! Convolution.

use burn::tensor::Tensor;

use crate::cpu::forward::Way;
use crate::cpu::{Geometry, Slope};
use crate::fallback;
use crate::flex::{self, Call};

/// Convolution of channels-last images with a square kernel.
///
/// `y[n, i, j, o] = b[o] + sum_{a, b, c} x[n, s*i + a - p, s*j + b - p, c] * w[a, b, c, o]`
///
/// # Shapes
/// * `x`: `[n, h, w, ci]`
/// * `weight`: `[k, k, ci, co]`
/// * `bias`: `[co]`
/// * output: `[n, (h + 2p - k) / s + 1, (w + 2p - k) / s + 1, co]`
///
/// # Panics
/// When the shapes do not fit each other, or the padded image is smaller than the kernel.
pub fn conv2d(
    x: Tensor<4>,
    weight: Tensor<4>,
    bias: Option<Tensor<1>>,
    stride: usize,
    padding: usize,
) -> Tensor<4> {
    let call = Call {
        way: Way::Down,
        geo: Geometry::conv(x.dims(), weight.dims(), stride, padding),
        x: &x,
        weight: &weight,
        bias: bias.as_ref(),
        slope: Slope::NONE,
    };
    match flex::convolution(call) {
        Some(y) => y,
        None => fallback::conv2d(x, weight, bias, stride, padding),
    }
}
