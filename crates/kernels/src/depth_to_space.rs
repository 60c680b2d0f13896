//! Moving channels into pixels and back (channels-last pixel shuffle).

use burn::tensor::Tensor;

/// Spreads groups of `s * s` channel blocks over an `s x s` square of pixels.
///
/// `y[n, s*i + a, s*j + b, c] = x[n, i, j, (a*s + b) * c_out + c]`
///
/// # Shapes
/// `[n, h, w, s*s*c] -> [n, s*h, s*w, c]`
///
/// # Panics
/// When the channels are not a multiple of `s * s`.
pub fn depth_to_space(x: Tensor<4>, s: usize) -> Tensor<4> {
    let [n, h, w, c] = x.dims();
    assert!(s > 0 && c % (s * s) == 0, "{c} channels do not split into {s}x{s} pixels");
    let c = c / (s * s);
    x.reshape([n, h, w, s, s, c]).permute([0, 1, 3, 2, 4, 5]).reshape([n, h * s, w * s, c])
}

/// Gathers every `s x s` square of pixels into the channels of one: the
/// inverse of [`depth_to_space`].
///
/// # Shapes
/// `[n, s*h, s*w, c] -> [n, h, w, s*s*c]`
///
/// # Panics
/// When height or width is not a multiple of `s`.
pub fn space_to_depth(x: Tensor<4>, s: usize) -> Tensor<4> {
    let [n, h, w, c] = x.dims();
    assert!(s > 0 && h % s == 0 && w % s == 0, "{h}x{w} pixels do not split into {s}x{s} squares");
    let (h, w) = (h / s, w / s);
    x.reshape([n, h, s, w, s, c]).permute([0, 1, 3, 2, 4, 5]).reshape([n, h, w, s * s * c])
}
