//! Lists of indices as tensors.

use burn::tensor::{Device, Int, Tensor, TensorData};

/// Indices to select, in order.
///
/// # Shapes
/// `-> [indices]`
pub(crate) fn indices(indices: &[usize], device: &Device) -> Tensor<1, Int> {
    let indices: Vec<i64> = indices.iter().map(|&index| index as i64).collect();
    let count = indices.len();
    Tensor::from_data(TensorData::new(indices, [count]), device)
}
