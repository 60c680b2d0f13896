//! Linear layer.

use burn::tensor::Tensor;

use crate::cpu::forward::Way;
use crate::cpu::{Geometry, Slope};
use crate::fallback;
use crate::flex::{self, Call};

/// `y = x w + b`
///
/// # Shapes
/// * `x`: `[n, i]`
/// * `weight`: `[i, o]`
/// * `bias`: `[o]`
/// * output: `[n, o]`
pub fn linear(x: Tensor<2>, weight: Tensor<2>, bias: Option<Tensor<1>>) -> Tensor<2> {
    let ([n, i], [wi, o]) = (x.dims(), weight.dims());
    assert!(i == wi, "{i} features multiplied with weights for {wi}");
    let call = Call {
        way: Way::Down,
        geo: Geometry::linear(n, i, o),
        x: &x,
        weight: &weight,
        bias: bias.as_ref(),
        slope: Slope::NONE,
    };
    match flex::convolution(call) {
        Some(y) => y,
        None => fallback::linear(x, weight, bias),
    }
}
