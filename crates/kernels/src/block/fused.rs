//! Running a block as one operation where the device allows it.

use burn::tensor::Tensor;

use crate::cpu::Slope;
use crate::flex::{self, Call};
use crate::{Activation, Norm};

/// Runs convolution, norm and activation as one operation, or returns `None`
/// where they have to be composed. `call.slope` is set here.
pub(super) fn run<const D: usize>(
    mut call: Call<D>,
    norm: Option<&Norm>,
    activation: Activation,
) -> Option<Tensor<D>> {
    let known = activation.slope();
    call.slope = known.unwrap_or(Slope::NONE);
    let y = match norm {
        None => flex::convolution(call)?,
        Some(norm) => norm.run(
            &call.x.device(),
            call.rows(),
            |terms, mean, variance| flex::convolution_norm_eval(&call, terms, mean, variance),
            |terms| flex::convolution_norm(&call, terms),
        )?,
    };
    Some(if known.is_some() { y } else { activation.apply(y) })
}
