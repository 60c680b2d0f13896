//! Flex's own tensors inside burn's.

use burn::backend::autodiff::ops::NodeGuard;
use burn::backend::{Autodiff, BackendTypes, Flex};
use burn::tensor::{DType, Tensor, TensorData};

/// A tensor of the Flex device.
pub(super) type FlexTensor = <Flex as BackendTypes>::FloatTensorPrimitive;

/// The Flex device with gradients.
pub(super) type FlexAutodiff = Autodiff<Flex>;

/// Contiguous `f32`s, or `None` for another number type.
fn contiguous(tensor: FlexTensor) -> Option<FlexTensor> {
    if tensor.dtype() != DType::F32 {
        return None;
    }
    Some(if tensor.as_slice::<f32>().is_some() { tensor } else { tensor.to_contiguous() })
}

/// The inside of a tensor on the plain Flex device.
pub(super) fn plain<const D: usize>(tensor: &Tensor<D>) -> Option<FlexTensor> {
    contiguous(tensor.clone().try_into_primitive::<Flex>().ok()?)
}

/// The inside of a tensor on the Flex device with gradients, and its node in
/// the graph. A tensor without gradients counts as a constant, as it does in
/// burn's operations.
pub(super) fn tracked<const D: usize>(tensor: &Tensor<D>) -> Option<(FlexTensor, NodeGuard)> {
    let tensor = tensor.clone();
    let tensor = if tensor.device().is_autodiff() { tensor } else { Tensor::from_inner(tensor) };
    let (inside, node) = tensor.try_into_primitive::<FlexAutodiff>().ok()?.into_parts();
    Some((contiguous(inside)?, node))
}

/// A gradient, made contiguous.
pub(super) fn gradient(tensor: FlexTensor) -> FlexTensor {
    if tensor.as_slice::<f32>().is_some() { tensor } else { tensor.to_contiguous() }
}

/// The floats of a contiguous tensor.
pub(super) fn floats(tensor: &FlexTensor) -> &[f32] {
    tensor.as_slice().expect("made contiguous f32 when it was taken in")
}

/// A tensor of the given shape.
pub(super) fn tensor<const D: usize>(values: Vec<f32>, shape: [usize; D]) -> FlexTensor {
    FlexTensor::from_data(TensorData::new(values, shape))
}
