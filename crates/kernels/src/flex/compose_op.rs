//! Objects laid over paper as one operation.

use std::sync::Arc;

use burn::backend::Flex;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, NodeGuard, Ops, OpsKind};
use burn::tensor::Tensor;

use super::primitive::{FlexAutodiff, FlexTensor, floats, gradient, plain, tensor, tracked};
use crate::Layer;
use crate::cpu::compose::{Cutout, Objects, compose, compose_backward};

/// See [`crate::compose`].
pub(crate) fn composition(
    paper: &Tensor<2>,
    size: [usize; 2],
    layers: &[Layer],
) -> Option<Tensor<4>> {
    if layers.len() > 2 {
        return None;
    }
    let [n, _] = paper.dims();
    let shape = [n, size[0], size[1], 1];
    let on = |tensor: &Tensor<2>| tensor.device().is_autodiff();
    if !on(paper) && !layers.iter().any(|layer| on(&layer.drawn) || on(&layer.there)) {
        let paper = plain(paper)?;
        let kept = layers.iter().map(|layer| {
            let (drawn, there) = (plain(&layer.drawn)?, plain(&layer.there)?);
            Some(Kept { drawn, there, cutouts: layer.cutouts.clone() })
        });
        let kept = kept.collect::<Option<Vec<_>>>()?;
        let ink = compose(floats(&paper), size, &views(&kept));
        return Some(Tensor::from_primitive::<Flex>(tensor(ink, shape)));
    }
    let (paper, paper_node) = tracked(paper)?;
    let mut nodes = vec![paper_node];
    let mut kept = Vec::new();
    for layer in layers {
        let ((drawn, drawn_node), (there, there_node)) =
            (tracked(&layer.drawn)?, tracked(&layer.there)?);
        nodes.extend([drawn_node, there_node]);
        kept.push(Kept { drawn, there, cutouts: layer.cutouts.clone() });
    }
    let y = tensor(compose(floats(&paper), size, &views(&kept)), shape);
    match nodes.len() {
        1 => register::<1>(nodes, size, kept, y),
        3 => register::<3>(nodes, size, kept, y),
        5 => register::<5>(nodes, size, kept, y),
        _ => None,
    }
}

fn views(kept: &[Kept]) -> Vec<Objects<'_>> {
    kept.iter()
        .map(|Kept { drawn, there, cutouts }| Objects {
            drawn: floats(drawn),
            there: floats(there),
            cutouts,
        })
        .collect()
}

fn register<const N: usize>(
    nodes: Vec<NodeGuard>,
    size: [usize; 2],
    layers: Vec<Kept>,
    y: FlexTensor,
) -> Option<Tensor<4>> {
    let parents: [NodeGuard; N] = nodes.try_into().ok()?;
    let prepared = ComposeOp.prepare::<NoCheckpointing>(parents).compute_bound().stateful();
    Some(Tensor::from_primitive::<FlexAutodiff>(match prepared {
        OpsKind::Tracked(prepared) => prepared.finish(State { size, layers, y: y.clone() }, y),
        OpsKind::UnTracked(prepared) => prepared.finish(y),
    }))
}

/// What is kept of a layer.
#[derive(Clone, Debug)]
struct Kept {
    drawn: FlexTensor,
    there: FlexTensor,
    cutouts: Arc<Vec<Cutout>>,
}

#[derive(Clone, Debug)]
struct State {
    size: [usize; 2],
    layers: Vec<Kept>,
    y: FlexTensor,
}

/// The operation in burn's graph. Parents: the paper, then what is drawn and how much of it is
/// there, layer by layer.
#[derive(Debug)]
struct ComposeOp;

impl<const N: usize> Backward<Flex, N> for ComposeOp {
    type State = State;

    fn backward(self, ops: Ops<State, N>, grads: &mut Gradients, _: &mut Checkpointer) {
        let dy = gradient(grads.consume::<Flex>(&ops.node));
        let State { size, layers, y } = ops.state;
        let found = compose_backward(floats(&y), floats(&dy), size, &views(&layers));
        let [h, w] = size;
        let n = floats(&y).len() / (h * w).max(1);
        let mut parents = ops.parents.into_iter();
        let mut put = |values: Vec<f32>, shape: [usize; 2]| {
            if let Some(Some(node)) = parents.next() {
                grads.register::<Flex>(node.id, tensor(values, shape));
            }
        };
        put(found.paper, [n, h + w]);
        for (drawn, there) in found.layers {
            let objects = there.len();
            let pixels = drawn.len() / objects.max(1);
            put(drawn, [objects, pixels]);
            put(there, [objects, 1]);
        }
    }
}
