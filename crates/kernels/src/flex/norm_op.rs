//! Batch norm and activation as one operation, where they follow something
//! other than a convolution.

use burn::backend::Flex;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::tensor::Tensor;

use super::conv_op::{reciprocal_roots, scale_and_shift};
use super::primitive::{FlexAutodiff, FlexTensor, floats, gradient, plain, tensor, tracked};
use crate::BatchNormed;
use crate::cpu::backward::compute;
use crate::cpu::{NormBackward, RowSource, Slope, apply_affine, batch_stats};

/// `act(norm(x))` with the batch's statistics, for training only.
pub(crate) fn norm_train<const D: usize>(
    x: &Tensor<D>,
    gamma: &Tensor<1>,
    beta: &Tensor<1>,
    epsilon: f64,
    slope: Slope,
) -> Option<BatchNormed<D>> {
    if !x.device().is_autodiff() && !gamma.device().is_autodiff() && !beta.device().is_autodiff() {
        return None;
    }
    let shape = x.dims();
    let c = shape[D - 1];
    let ((x, x_node), (gamma, gamma_node), (beta, beta_node)) =
        (tracked(x)?, tracked(gamma)?, tracked(beta)?);
    let stats = batch_stats(floats(&x), c);
    let (mean, variance) = (stats.mean(), stats.variance());
    let rstd = reciprocal_roots(&variance, epsilon);
    let (scale, shift) = scale_and_shift(floats(&gamma), floats(&beta), &mean, &rstd);
    let y = tensor(apply_affine(floats(&x), &scale, &shift, slope), shape);
    let parents = [x_node, gamma_node, beta_node];
    let prepared = NormOp::<D>.prepare::<NoCheckpointing>(parents).compute_bound().stateful();
    let constant = |values| Tensor::from_inner(Tensor::from_primitive::<Flex>(tensor(values, [c])));
    let (seen_mean, seen_variance) = (constant(mean.clone()), constant(variance));
    let output = match prepared {
        OpsKind::Tracked(prepared) => {
            prepared.finish(State { x, gamma, beta, mean, rstd, slope, shape }, y)
        }
        OpsKind::UnTracked(prepared) => prepared.finish(y),
    };
    Some(BatchNormed {
        output: Tensor::from_primitive::<FlexAutodiff>(output),
        mean: seen_mean,
        variance: seen_variance,
    })
}

/// `act(norm(x))` with given statistics, without gradients.
pub(crate) fn norm_eval<const D: usize>(
    x: &Tensor<D>,
    [gamma, beta, mean, variance]: [&Tensor<1>; 4],
    epsilon: f64,
    slope: Slope,
) -> Option<Tensor<D>> {
    let shape = x.dims();
    let (x, gamma, beta) = (plain(x)?, plain(gamma)?, plain(beta)?);
    let (mean, variance) = (plain(mean)?, plain(variance)?);
    let rstd = reciprocal_roots(floats(&variance), epsilon);
    let (scale, shift) = scale_and_shift(floats(&gamma), floats(&beta), floats(&mean), &rstd);
    let y = apply_affine(floats(&x), &scale, &shift, slope);
    Some(Tensor::from_primitive::<Flex>(tensor(y, shape)))
}

#[derive(Clone, Debug)]
struct State<const D: usize> {
    x: FlexTensor,
    gamma: FlexTensor,
    beta: FlexTensor,
    mean: Vec<f32>,
    rstd: Vec<f32>,
    slope: Slope,
    shape: [usize; D],
}

/// The operation in burn's graph. Parents: input, gamma, beta.
#[derive(Debug)]
struct NormOp<const D: usize>;

impl<const D: usize> Backward<Flex, 3> for NormOp<D> {
    type State = State<D>;

    fn backward(self, ops: Ops<State<D>, 3>, grads: &mut Gradients, _: &mut Checkpointer) {
        let dy = gradient(grads.consume::<Flex>(&ops.node));
        let dy = floats(&dy);
        let State { x, gamma, beta, mean, rstd, slope, shape } = ops.state;
        let [x_node, gamma_node, beta_node] = ops.parents;
        let u = floats(&x);
        let (gamma, beta) = (floats(&gamma), floats(&beta));
        let norm = NormBackward::new(dy, u, gamma, beta, &mean, &rstd, slope, None);
        let c = mean.len();
        if let Some(node) = x_node {
            let dx = compute(RowSource::Normed { dy, u, norm: &norm }, c);
            grads.register::<Flex>(node.id, tensor(dx, shape));
        }
        if let Some(node) = gamma_node {
            grads.register::<Flex>(node.id, tensor(norm.dgamma, [c]));
        }
        if let Some(node) = beta_node {
            grads.register::<Flex>(node.id, tensor(norm.dbeta, [c]));
        }
    }
}
