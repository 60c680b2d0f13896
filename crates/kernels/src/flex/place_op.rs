//! Rows put in several places, and the different patches of images.

use std::sync::Arc;

use burn::backend::Flex;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::tensor::Tensor;

use super::primitive::{FlexAutodiff, FlexTensor, floats, gradient, plain, tensor, tracked};
use crate::cpu::{Windows, distinct};

/// The different patches of images that need no gradient, and which of them is where.
///
/// # Shapes
/// `[n, h, w, 1] -> [patches, side * side]`
pub(crate) fn distinct_patches(
    images: &Tensor<4>,
    side: usize,
    most: usize,
) -> Option<(Tensor<2>, Vec<u32>)> {
    let size = [images.dims()[1], images.dims()[2]];
    let find = |images: &FlexTensor| {
        let (rows, places) = distinct::patches(floats(images), size, side, most)?;
        let count = rows.len() / (side * side);
        Some((Tensor::from_primitive::<Flex>(tensor(rows, [count, side * side])), places))
    };
    if !images.device().is_autodiff() {
        return find(&plain(images)?);
    }
    let (images, node) = tracked(images)?;
    // Only an operation that is about to be recorded can tell whether anybody wants a gradient.
    let asked = PlaceOp.prepare::<NoCheckpointing>([node]).compute_bound().stateful();
    if matches!(asked, OpsKind::<_, Flex, _, _, 1>::Tracked(_)) {
        return None;
    }
    let (rows, places) = find(&images)?;
    Some((Tensor::from_inner(rows), places))
}

/// `y[i] = x[places[i]]`
///
/// # Shapes
/// `[rows, c] -> [places, c]`
pub(crate) fn placed(x: &Tensor<2>, places: Vec<u32>) -> Option<Tensor<2>> {
    let [rows, c] = x.dims();
    let count = places.len();
    let windows = Windows::new(1, places, vec![1.0; count]);
    let place = |x: &FlexTensor| tensor(windows.place(floats(x), c), [count, c]);
    if !x.device().is_autodiff() {
        return Some(Tensor::from_primitive::<Flex>(place(&plain(x)?)));
    }
    let (x, node) = tracked(x)?;
    let y = place(&x);
    let prepared = PlaceOp.prepare::<NoCheckpointing>([node]).compute_bound().stateful();
    Some(Tensor::from_primitive::<FlexAutodiff>(match prepared {
        OpsKind::Tracked(prepared) => {
            prepared.finish(State { windows: Arc::new(windows), rows, c }, y)
        }
        OpsKind::UnTracked(prepared) => prepared.finish(y),
    }))
}

#[derive(Clone, Debug)]
struct State {
    windows: Arc<Windows>,
    rows: usize,
    c: usize,
}

/// The operation in burn's graph. Parent: the rows.
#[derive(Debug)]
struct PlaceOp;

impl Backward<Flex, 1> for PlaceOp {
    type State = State;

    fn backward(self, ops: Ops<State, 1>, grads: &mut Gradients, _: &mut Checkpointer) {
        let dy = gradient(grads.consume::<Flex>(&ops.node));
        let State { windows, rows, c } = ops.state;
        if let [Some(node)] = ops.parents {
            let dx = windows.scatter(floats(&dy), c, rows);
            grads.register::<Flex>(node.id, tensor(dx, [rows, c]));
        }
    }
}
