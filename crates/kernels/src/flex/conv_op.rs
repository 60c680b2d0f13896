//! Convolution (either way, or a linear layer) with bias, batch norm and
//! activation as one operation.
//!
//! Forward: `u = conv(x, w)`, then `y = act(u + b)` or, with a batch norm,
//! `y = act(gamma * (u - mean) * rstd + beta)`. The bias shifts the batch's mean
//! by itself and cancels out of `y`; it shows in the returned mean, and its
//! gradient is exactly 0.
//!
//! Backward: `du` as in [`NormBackward`], worked out chunk by chunk where the
//! gradients of input and weights need it.

use burn::backend::Flex;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, NodeGuard, Ops, OpsKind};
use burn::tensor::Tensor;

use super::primitive::{FlexAutodiff, FlexTensor, floats, gradient, plain, tensor, tracked};
use crate::cpu::backward::{Wanted, backward, sum_rows};
use crate::cpu::forward::{Way, convolve, convolve_and_measure, convolve_only};
use crate::cpu::{Affine, Geometry, NormBackward, RowSource, Slope, apply_affine};

/// What a convolution works on. `D` is 4 for images, 2 for a linear layer.
pub(crate) struct Call<'a, const D: usize> {
    pub(crate) way: Way,
    pub(crate) geo: Geometry,
    pub(crate) x: &'a Tensor<D>,
    pub(crate) weight: &'a Tensor<D>,
    pub(crate) bias: Option<&'a Tensor<1>>,
    pub(crate) slope: Slope,
}

/// The batch norm's part.
pub(crate) struct NormTerms<'a> {
    pub(crate) gamma: &'a Tensor<1>,
    pub(crate) beta: &'a Tensor<1>,
    pub(crate) epsilon: f64,
}

impl<const D: usize> Call<'_, D> {
    fn autodiff(&self, others: &[&Tensor<1>]) -> bool {
        let is = |tensor: &Tensor<1>| tensor.device().is_autodiff();
        self.x.device().is_autodiff()
            || self.weight.device().is_autodiff()
            || self.bias.is_some_and(is)
            || others.iter().any(|tensor| is(tensor))
    }

    /// Shape of the result.
    fn shape(&self) -> [usize; D] {
        let whole = match self.way {
            Way::Down => self.geo.coarse_shape(),
            Way::Up => self.geo.fine_shape(),
        };
        let mut shape = [0; D];
        shape[0] = whole[0];
        shape[1..].copy_from_slice(&whole[5 - D..]);
        shape
    }

    fn channels(&self) -> usize {
        self.shape()[D - 1]
    }

    /// Rows of channels in the result.
    pub(crate) fn rows(&self) -> usize {
        self.shape()[..D - 1].iter().product()
    }
}

/// `act(conv(x) + b)`
pub(crate) fn convolution<const D: usize>(call: Call<D>) -> Option<Tensor<D>> {
    let shape = call.shape();
    let then = |bias: Option<&FlexTensor>| Affine {
        scale: None,
        shift: bias.map_or_else(|| vec![0.0; call.channels()], |bias| floats(bias).to_vec()),
        slope: call.slope,
    };
    let forward = |x: &FlexTensor, w: &FlexTensor, bias: Option<&FlexTensor>| {
        let (x, w) = (RowSource::Plain(floats(x)), floats(w));
        let y = if bias.is_none() && call.slope == Slope::NONE {
            convolve_only(call.way, &call.geo, x, w)
        } else {
            convolve(call.way, &call.geo, x, w, &then(bias))
        };
        tensor(y, shape)
    };
    if !call.autodiff(&[]) {
        let (x, w) = (plain(call.x)?, plain(call.weight)?);
        let bias = call.bias.map(plain).map_or(Some(None), |bias| bias.map(Some))?;
        return Some(Tensor::from_primitive::<Flex>(forward(&x, &w, bias.as_ref())));
    }
    let ((x, x_node), (w, w_node)) = (tracked(call.x)?, tracked(call.weight)?);
    let bias = call.bias.map(tracked).map_or(Some(None), |bias| bias.map(Some))?;
    let y = forward(&x, &w, bias.as_ref().map(|(bias, _)| bias));
    let saved = if call.slope == Slope::NONE {
        Saved::Nothing
    } else {
        Saved::Result { y: y.clone(), slope: call.slope }
    };
    let state = State {
        way: call.way,
        geo: call.geo,
        x_shape: call.x.dims(),
        w_shape: call.weight.dims(),
        x,
        w,
        has_bias: bias.is_some(),
        saved,
    };
    Some(match bias {
        Some((_, bias_node)) => register([x_node, w_node, bias_node], state, y),
        None => register([x_node, w_node], state, y),
    })
}

/// `act(norm(conv(x) + b))` with the batch's statistics: result, mean and biased variance.
pub(crate) fn convolution_norm<const D: usize>(
    call: &Call<D>,
    norm: &NormTerms,
) -> Option<(Tensor<D>, Tensor<1>, Tensor<1>)> {
    let shape = call.shape();
    let c = call.channels();
    let ((x, x_node), (w, w_node)) = (tracked(call.x)?, tracked(call.weight)?);
    let ((gamma, gamma_node), (beta, beta_node)) = (tracked(norm.gamma)?, tracked(norm.beta)?);
    let bias = call.bias.map(tracked).map_or(Some(None), |bias| bias.map(Some))?;
    let (u, stats) =
        convolve_and_measure(call.way, &call.geo, RowSource::Plain(floats(&x)), floats(&w));
    let (mean, variance) = (stats.mean(), stats.variance());
    let rstd = reciprocal_roots(&variance, norm.epsilon);
    let (scale, shift) = scale_and_shift(floats(&gamma), floats(&beta), &mean, &rstd);
    let y = tensor(apply_affine(&u, &scale, &shift, call.slope), shape);
    let seen = match &bias {
        Some((bias, _)) => mean.iter().zip(floats(bias)).map(|(m, b)| m + b).collect(),
        None => mean.clone(),
    };
    let constant = |values| Tensor::from_inner(Tensor::from_primitive::<Flex>(tensor(values, [c])));
    let (u, slope) = (tensor(u, shape), call.slope);
    let saved = SavedNorm { u, gamma, beta, mean, rstd, slope };
    let state = State {
        way: call.way,
        geo: call.geo,
        x_shape: call.x.dims(),
        w_shape: call.weight.dims(),
        x,
        w,
        has_bias: bias.is_some(),
        saved: Saved::Norm(Box::new(saved)),
    };
    let y = match bias {
        Some((_, bias_node)) => {
            register([x_node, w_node, bias_node, gamma_node, beta_node], state, y)
        }
        None => register([x_node, w_node, gamma_node, beta_node], state, y),
    };
    Some((y, constant(seen), constant(variance)))
}

/// `act(norm(conv(x) + b))` with given statistics, without gradients.
pub(crate) fn convolution_norm_eval<const D: usize>(
    call: &Call<D>,
    norm: &NormTerms,
    mean: &Tensor<1>,
    variance: &Tensor<1>,
) -> Option<Tensor<D>> {
    if call.autodiff(&[norm.gamma, norm.beta, mean, variance]) {
        return None;
    }
    let (x, w, gamma, beta) =
        (plain(call.x)?, plain(call.weight)?, plain(norm.gamma)?, plain(norm.beta)?);
    let (mean, variance) = (plain(mean)?, plain(variance)?);
    let rstd = reciprocal_roots(floats(&variance), norm.epsilon);
    let (scale, mut shift) = scale_and_shift(floats(&gamma), floats(&beta), floats(&mean), &rstd);
    if let Some(bias) = call.bias {
        let bias = plain(bias)?;
        for ((shift, scale), bias) in shift.iter_mut().zip(&scale).zip(floats(&bias)) {
            *shift += scale * bias;
        }
    }
    let then = Affine { scale: Some(scale), shift, slope: call.slope };
    let y = convolve(call.way, &call.geo, RowSource::Plain(floats(&x)), floats(&w), &then);
    Some(Tensor::from_primitive::<Flex>(tensor(y, call.shape())))
}

/// `1 / sqrt(variance + epsilon)`
pub(super) fn reciprocal_roots(variance: &[f32], epsilon: f64) -> Vec<f32> {
    variance.iter().map(|v| (1.0 / (f64::from(*v) + epsilon).sqrt()) as f32).collect()
}

/// `gamma * rstd` and `beta - mean * gamma * rstd`
pub(super) fn scale_and_shift(
    gamma: &[f32],
    beta: &[f32],
    mean: &[f32],
    rstd: &[f32],
) -> (Vec<f32>, Vec<f32>) {
    let scale: Vec<f32> = gamma.iter().zip(rstd).map(|(g, r)| g * r).collect();
    let shift = beta.iter().zip(mean).zip(&scale).map(|((b, m), s)| b - m * s).collect();
    (scale, shift)
}

/// What the backward pass needs besides input and weights.
#[derive(Clone, Debug)]
enum Saved {
    /// No activation.
    Nothing,
    /// The activated result.
    Result { y: FlexTensor, slope: Slope },
    /// What a batch norm needs.
    Norm(Box<SavedNorm>),
}

/// The batch norm's input, parameters and statistics.
#[derive(Clone, Debug)]
struct SavedNorm {
    u: FlexTensor,
    gamma: FlexTensor,
    beta: FlexTensor,
    mean: Vec<f32>,
    rstd: Vec<f32>,
    slope: Slope,
}

#[derive(Clone, Debug)]
struct State<const D: usize> {
    way: Way,
    geo: Geometry,
    x: FlexTensor,
    w: FlexTensor,
    x_shape: [usize; D],
    w_shape: [usize; D],
    has_bias: bool,
    saved: Saved,
}

/// The operation in burn's graph. Parents: input, weights, the bias if there
/// is one, and gamma and beta if there is a batch norm.
#[derive(Debug)]
struct ConvOp<const D: usize>;

fn register<const D: usize, const N: usize>(
    parents: [NodeGuard; N],
    state: State<D>,
    y: FlexTensor,
) -> Tensor<D> {
    let prepared = ConvOp::<D>.prepare::<NoCheckpointing>(parents).compute_bound().stateful();
    Tensor::from_primitive::<FlexAutodiff>(match prepared {
        OpsKind::Tracked(prepared) => prepared.finish(state, y),
        OpsKind::UnTracked(prepared) => prepared.finish(y),
    })
}

impl<const D: usize, const N: usize> Backward<Flex, N> for ConvOp<D> {
    type State = State<D>;

    fn backward(self, ops: Ops<State<D>, N>, grads: &mut Gradients, _: &mut Checkpointer) {
        let dy = gradient(grads.consume::<Flex>(&ops.node));
        let dy = floats(&dy);
        let State { way, geo, x, w, x_shape, w_shape, has_bias, saved } = ops.state;
        let mut parents = ops.parents.into_iter();
        let mut parent = || parents.next().flatten();
        let (x_node, w_node) = (parent(), parent());
        let bias_node = if has_bias { parent() } else { None };

        let norm;
        let source = match &saved {
            Saved::Nothing => RowSource::Plain(dy),
            Saved::Result { y, slope } => RowSource::Activated { dy, y: floats(y), slope: *slope },
            Saved::Norm(saved) => {
                let SavedNorm { u, gamma, beta, mean, rstd, slope } = saved.as_ref();
                let (gamma, beta) = (floats(gamma), floats(beta));
                norm = NormBackward::new(dy, floats(u), gamma, beta, mean, rstd, *slope, None);
                let c = gamma.len();
                for values in [&norm.dgamma, &norm.dbeta] {
                    if let Some(node) = parent() {
                        grads.register::<Flex>(node.id, tensor(values.clone(), [c]));
                    }
                }
                RowSource::Normed { dy, u: floats(u), norm: &norm }
            }
        };
        if let Some(node) = bias_node {
            let c = match way {
                Way::Down => geo.co,
                Way::Up => geo.ci,
            };
            let db = match saved {
                Saved::Norm(_) => vec![0.0; c],
                _ => sum_rows(source, c),
            };
            grads.register::<Flex>(node.id, tensor(db, [c]));
        }
        let wanted = Wanted { input: x_node.is_some(), weight: w_node.is_some() };
        let found = backward(way, &geo, floats(&x), floats(&w), source, wanted);
        if let (Some(node), Some(dw)) = (w_node, found.weight) {
            grads.register::<Flex>(node.id, tensor(dw, w_shape));
        }
        if let (Some(node), Some(dx)) = (x_node, found.input) {
            grads.register::<Flex>(node.id, tensor(dx, x_shape));
        }
    }
}
