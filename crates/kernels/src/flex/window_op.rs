//! Convolutions of maps whose pixels repeat, with batch norm and activation, as one operation.
//!
//! As in [`conv_op`](super::conv_op), the bias cancels out of a batch norm by the batch's own
//! statistics: it shows in the returned mean, and its gradient is exactly 0.

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
use crate::cpu::distinct::{self, PATCH, RowIndex};
use crate::cpu::{Affine, NormBackward, RowSource, Size, Slope, Windows, apply_affine};

/// What such a convolution works on.
pub(crate) struct WindowCall<'a> {
    /// The different pixels `[pixels, i]`.
    pub(crate) x: &'a Tensor<2>,
    /// `[taps * i, o]`
    pub(crate) weight: &'a Tensor<2>,
    /// `[o]`
    pub(crate) bias: &'a Tensor<1>,
    pub(crate) windows: &'a Arc<Windows>,
    pub(crate) slope: Slope,
}

impl WindowCall<'_> {
    fn size(&self) -> Size {
        Size { i: self.x.dims()[1], o: self.weight.dims()[1] }
    }
}

/// `act(norm(conv(x) + b))` with the batch's statistics: the result `[windows, o]`, mean and
/// biased variance.
pub(crate) fn window_norm(
    call: &WindowCall<'_>,
    norm: &NormTerms<'_>,
) -> Option<(Tensor<2>, Tensor<1>, Tensor<1>)> {
    let (size, windows) = (call.size(), call.windows);
    let ((x, x_node), (w, w_node)) = (tracked(call.x)?, tracked(call.weight)?);
    let (bias, bias_node) = tracked(call.bias)?;
    let ((gamma, gamma_node), (beta, beta_node)) = (tracked(norm.gamma)?, tracked(norm.beta)?);
    let (u, stats) = windows.convolve_and_measure(floats(&x), floats(&w), size);
    let (mean, variance) = (stats.mean(), stats.variance());
    let rstd = reciprocal_roots(&variance, norm.epsilon);
    let (scale, shift) = scale_and_shift(floats(&gamma), floats(&beta), &mean, &rstd);
    let y = tensor(apply_affine(&u, &scale, &shift, call.slope), [windows.len(), size.o]);
    let constant =
        |values| Tensor::from_inner(Tensor::from_primitive::<Flex>(tensor(values, [size.o])));
    let seen = mean.iter().zip(floats(&bias)).map(|(m, b)| m + b).collect();
    let (seen_mean, seen_variance) = (constant(seen), constant(variance));
    let parents = [x_node, w_node, bias_node, gamma_node, beta_node];
    let y = match WindowOp.prepare::<NoCheckpointing>(parents).compute_bound().stateful() {
        OpsKind::Tracked(prepared) => {
            let u = tensor(u, [windows.len(), size.o]);
            let (windows, slope) = (windows.clone(), call.slope);
            prepared.finish(State { size, windows, u, x, w, gamma, beta, mean, rstd, slope }, y)
        }
        OpsKind::UnTracked(prepared) => prepared.finish(y),
    };
    Some((Tensor::from_primitive::<FlexAutodiff>(y), seen_mean, seen_variance))
}

/// The same with given statistics, without gradients.
pub(crate) fn window_norm_eval(
    call: &WindowCall<'_>,
    norm: &NormTerms<'_>,
    mean: &Tensor<1>,
    variance: &Tensor<1>,
) -> Option<Tensor<2>> {
    let (x, w, bias) = (plain(call.x)?, plain(call.weight)?, plain(call.bias)?);
    let (gamma, beta) = (plain(norm.gamma)?, plain(norm.beta)?);
    let (mean, variance) = (plain(mean)?, plain(variance)?);
    let rstd = reciprocal_roots(floats(&variance), norm.epsilon);
    let (scale, mut shift) = scale_and_shift(floats(&gamma), floats(&beta), floats(&mean), &rstd);
    for ((shift, scale), bias) in shift.iter_mut().zip(&scale).zip(floats(&bias)) {
        *shift += scale * bias;
    }
    let then = Affine { scale: Some(scale), shift, slope: call.slope };
    let y = call.windows.convolve(floats(&x), floats(&w), call.size(), &then);
    let shape = [call.windows.len(), call.size().o];
    Some(Tensor::from_primitive::<Flex>(tensor(y, shape)))
}

/// The different patches of images that need no gradient, and which of them is where.
///
/// # Shapes
/// `[n, h, w, 1] -> [patches, pixels of a patch]`
pub(crate) fn distinct_patches(images: &Tensor<4>, most: usize) -> Option<(Tensor<2>, RowIndex)> {
    let size = [images.dims()[1], images.dims()[2]];
    let find = |images: &FlexTensor| {
        let (rows, row_index) = distinct::patches(floats(images), size, most)?;
        let shape = [rows.len() / (PATCH * PATCH), PATCH * PATCH];
        Some((Tensor::from_primitive::<Flex>(tensor(rows, shape)), row_index))
    };
    if !images.device().is_autodiff() {
        return find(&plain(images)?);
    }
    let (images, node) = tracked(images)?;
    // Only an operation that is about to be recorded can tell whether anybody wants a gradient.
    let asked = NotRecorded.prepare::<NoCheckpointing>([node]).compute_bound().stateful();
    if matches!(asked, OpsKind::<_, Flex, _, _, 1>::Tracked(_)) {
        return None;
    }
    let (rows, row_index) = find(&images)?;
    Some((Tensor::from_inner(rows), row_index))
}

#[derive(Clone, Debug)]
struct State {
    size: Size,
    windows: Arc<Windows>,
    u: FlexTensor,
    x: FlexTensor,
    w: FlexTensor,
    gamma: FlexTensor,
    beta: FlexTensor,
    mean: Vec<f32>,
    rstd: Vec<f32>,
    slope: Slope,
}

/// The operation in burn's graph. Parents: pixels, weights, bias, gamma, beta.
#[derive(Debug)]
struct WindowOp;

impl Backward<Flex, 5> for WindowOp {
    type State = State;

    fn backward(self, ops: Ops<State, 5>, grads: &mut Gradients, _: &mut Checkpointer) {
        let dy = gradient(grads.consume::<Flex>(&ops.node));
        let dy = floats(&dy);
        let State { size, windows, u, x, w, gamma, beta, mean, rstd, slope } = ops.state;
        let (u, gamma, beta) = (floats(&u), floats(&gamma), floats(&beta));
        let counts = Some(windows.counts());
        let norm = NormBackward::new(dy, u, gamma, beta, &mean, &rstd, slope, counts);
        let [x_node, w_node, bias_node, gamma_node, beta_node] = ops.parents;
        let du = RowSource::Normed { dy, u, norm: &norm };
        let (x, w) = (floats(&x), floats(&w));
        let Size { i, o } = size;
        let found = windows.backward(x, w, size, du, x_node.is_some());
        if let (Some(node), Some(dx)) = (x_node, found.input) {
            grads.register::<Flex>(node.id, tensor(dx, [x.len() / i.max(1), i]));
        }
        if let Some(node) = w_node {
            grads.register::<Flex>(node.id, tensor(found.weight, [w.len() / o.max(1), o]));
        }
        for (node, values) in
            [(bias_node, vec![0.0; o]), (gamma_node, norm.dgamma), (beta_node, norm.dbeta)]
        {
            if let Some(node) = node {
                grads.register::<Flex>(node.id, tensor(values, [o]));
            }
        }
    }
}

/// Never recorded.
#[derive(Debug)]
struct NotRecorded;

impl Backward<Flex, 1> for NotRecorded {
    type State = ();

    fn backward(self, _: Ops<(), 1>, _: &mut Gradients, _: &mut Checkpointer) {}
}
