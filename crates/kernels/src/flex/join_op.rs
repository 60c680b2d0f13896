//! Joins with batch norm and activation as one operation.

use std::sync::Arc;

use burn::backend::Flex;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::tensor::Tensor;

use super::NormTerms;
use super::conv_op::{reciprocal_roots, scale_and_shift};
use super::primitive::{FlexAutodiff, FlexTensor, floats, gradient, plain, tensor, tracked};
use crate::cpu::join::{GatherPlan, JoinShape, join, join_and_measure, join_backward};
use crate::cpu::{Affine, NormBackward, RowSource, Slope, apply_affine};

/// What a join works on: `x [n, S, rows, i]`, `weights [positions, i, o]`, `offset [S, 1 or
/// outputs, o]`.
pub(crate) struct JoinCall<'a> {
    pub(crate) x: &'a Tensor<4>,
    pub(crate) weights: &'a Tensor<3>,
    pub(crate) offset: &'a Tensor<3>,
    pub(crate) plan: &'a Arc<GatherPlan>,
    pub(crate) slope: Slope,
}

impl JoinCall<'_> {
    fn shape(&self) -> JoinShape {
        let ([n, s, _, i], [_, _, o]) = (self.x.dims(), self.weights.dims());
        let [offsets, outputs, _] = self.offset.dims();
        JoinShape { items: n * s, offsets, own_offsets: outputs > 1, i, o }
    }

    fn result(&self) -> [usize; 4] {
        let ([n, s, _, _], [_, _, o]) = (self.x.dims(), self.weights.dims());
        [n, s, self.plan.outputs(), o]
    }
}

/// With the batch's statistics: result, mean and biased variance.
pub(crate) fn join_norm(
    call: &JoinCall<'_>,
    norm: &NormTerms<'_>,
) -> Option<(Tensor<4>, Tensor<1>, Tensor<1>)> {
    let (shape, result) = (call.shape(), call.result());
    let ((x, x_node), (w, w_node)) = (tracked(call.x)?, tracked(call.weights)?);
    let (offset, offset_node) = tracked(call.offset)?;
    let ((gamma, gamma_node), (beta, beta_node)) = (tracked(norm.gamma)?, tracked(norm.beta)?);
    let (u, stats) = join_and_measure(&shape, call.plan, floats(&x), floats(&w), floats(&offset));
    let (mean, variance) = (stats.mean(), stats.variance());
    let rstd = reciprocal_roots(&variance, norm.epsilon);
    let (scale, shift) = scale_and_shift(floats(&gamma), floats(&beta), &mean, &rstd);
    let y = tensor(apply_affine(&u, &scale, &shift, call.slope), result);
    let constant =
        |values| Tensor::from_inner(Tensor::from_primitive::<Flex>(tensor(values, [shape.o])));
    let (seen_mean, seen_variance) = (constant(mean.clone()), constant(variance));
    let parents = [x_node, w_node, offset_node, gamma_node, beta_node];
    let y = match JoinOp.prepare::<NoCheckpointing>(parents).compute_bound().stateful() {
        OpsKind::Tracked(prepared) => {
            let state = State {
                shape,
                plan: call.plan.clone(),
                shapes: (call.x.dims(), call.weights.dims(), call.offset.dims()),
                u: tensor(u, result),
                x,
                w,
                gamma,
                beta,
                mean,
                rstd,
                slope: call.slope,
            };
            prepared.finish(state, y)
        }
        OpsKind::UnTracked(prepared) => prepared.finish(y),
    };
    Some((Tensor::from_primitive::<FlexAutodiff>(y), seen_mean, seen_variance))
}

/// With given statistics, without gradients.
pub(crate) fn join_norm_eval(
    call: &JoinCall<'_>,
    norm: &NormTerms<'_>,
    mean: &Tensor<1>,
    variance: &Tensor<1>,
) -> Option<Tensor<4>> {
    let (x, w, offset) = (plain(call.x)?, plain(call.weights)?, plain(call.offset)?);
    let (gamma, beta) = (plain(norm.gamma)?, plain(norm.beta)?);
    let (mean, variance) = (plain(mean)?, plain(variance)?);
    let rstd = reciprocal_roots(floats(&variance), norm.epsilon);
    let (scale, shift) = scale_and_shift(floats(&gamma), floats(&beta), floats(&mean), &rstd);
    let then = Affine { scale: Some(scale), shift, slope: call.slope };
    let y = join(&call.shape(), call.plan, floats(&x), floats(&w), floats(&offset), &then);
    Some(Tensor::from_primitive::<Flex>(tensor(y, call.result())))
}

#[derive(Clone, Debug)]
struct State {
    shape: JoinShape,
    plan: Arc<GatherPlan>,
    shapes: ([usize; 4], [usize; 3], [usize; 3]),
    u: FlexTensor,
    x: FlexTensor,
    w: FlexTensor,
    gamma: FlexTensor,
    beta: FlexTensor,
    mean: Vec<f32>,
    rstd: Vec<f32>,
    slope: Slope,
}

/// The operation in burn's graph. Parents: rows, weights, offset, gamma, beta.
#[derive(Debug)]
struct JoinOp;

impl Backward<Flex, 5> for JoinOp {
    type State = State;

    fn backward(self, ops: Ops<State, 5>, grads: &mut Gradients, _: &mut Checkpointer) {
        let dy = gradient(grads.consume::<Flex>(&ops.node));
        let dy = floats(&dy);
        let State { shape, plan, shapes, u, x, w, gamma, beta, mean, rstd, slope } = ops.state;
        let (u, gamma, beta) = (floats(&u), floats(&gamma), floats(&beta));
        let norm = NormBackward::new(dy, u, gamma, beta, &mean, &rstd, slope, None);
        let [x_node, w_node, offset_node, gamma_node, beta_node] = ops.parents;
        let offsets = shapes.2.iter().product();
        let du = RowSource::Normed { dy, u, norm: &norm };
        let found = join_backward(&shape, &plan, floats(&x), floats(&w), offsets, du);
        if let Some(node) = x_node {
            grads.register::<Flex>(node.id, tensor(found.x, shapes.0));
        }
        if let Some(node) = w_node {
            grads.register::<Flex>(node.id, tensor(found.w, shapes.1));
        }
        if let Some(node) = offset_node {
            grads.register::<Flex>(node.id, tensor(found.offset, shapes.2));
        }
        for (node, values) in [(gamma_node, norm.dgamma), (beta_node, norm.dbeta)] {
            if let Some(node) = node {
                let c = values.len();
                grads.register::<Flex>(node.id, tensor(values, [c]));
            }
        }
    }
}
