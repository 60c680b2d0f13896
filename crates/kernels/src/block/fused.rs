//! Running a block as one operation where the device allows it.

use burn::tensor::Tensor;

use crate::cpu::Slope;
use crate::flex::{self, Call, NormTerms};
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
        Some(norm) => with_norm(call, norm)?,
    };
    Some(if known.is_some() { y } else { activation.apply(y) })
}

fn with_norm<const D: usize>(call: Call<D>, norm: &Norm) -> Option<Tensor<D>> {
    let (gamma, beta) = (norm.gamma.val(), norm.beta.val());
    let terms = NormTerms { gamma: &gamma, beta: &beta, epsilon: norm.epsilon };
    if !norm.in_training(&call.x.device()) {
        let (mean, variance) = (norm.running_mean.value(), norm.running_var.value());
        return flex::convolution_norm_eval(call, &terms, &mean, &variance);
    }
    let (y, mean, variance) = flex::convolution_norm(call, &terms)?;
    let rows = y.dims()[..D - 1].iter().product();
    norm.record(mean, variance, rows);
    Some(y)
}
