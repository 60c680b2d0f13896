//! Changing tensors in place.

use burn::backend::Flex;
use burn::tensor::Tensor;
use rayon::prelude::*;

use super::primitive::{FlexTensor, floats, gradient, plain};

/// Whether the kernels can work on a tensor.
pub(crate) fn is_plain_f32<const D: usize>(tensor: &Tensor<D>) -> bool {
    plain(tensor).is_some()
}

/// Floats a task works on.
const TASK: usize = 1 << 14;

/// Passes the same part of three tensors and of `other` to `change`, until all
/// of them have been seen. Memory that nobody else holds is changed in place.
///
/// # Panics
/// When one of them is not [plain](is_plain_f32).
pub(crate) fn update<const D: usize>(
    tensors: [Tensor<D>; 3],
    other: Tensor<D>,
    change: impl Fn([&mut [f32]; 3], &[f32]) + Sync + Send,
) -> [Tensor<D>; 3] {
    let flex = "checked by the caller to be plain";
    let own = |tensor: Tensor<D>| -> FlexTensor {
        let inside = tensor.try_into_primitive::<Flex>().expect(flex);
        // A view of a part of a larger storage is copied out of it.
        let whole = inside.storage::<f32>().len() == floats_of(&inside);
        if whole && inside.is_contiguous() { inside } else { inside.to_contiguous() }
    };
    let other = gradient(other.try_into_primitive::<Flex>().expect(flex));
    let mut tensors = tensors.map(own);
    let [a, b, c] = tensors.each_mut().map(|tensor| tensor.storage_mut::<f32>());
    a.par_chunks_mut(TASK)
        .zip(b.par_chunks_mut(TASK))
        .zip(c.par_chunks_mut(TASK))
        .zip(floats(&other).par_chunks(TASK))
        .for_each(|(((a, b), c), other)| change([a, b, c], other));
    tensors.map(Tensor::from_primitive::<Flex>)
}

fn floats_of(tensor: &FlexTensor) -> usize {
    tensor.layout().num_elements()
}
