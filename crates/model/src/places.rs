//! Lists of places as tensors.

use burn::tensor::{Device, Int, Tensor, TensorData};

/// Places to select, in order.
///
/// # Shapes
/// `-> [places]`
pub(crate) fn indices(places: &[usize], device: &Device) -> Tensor<1, Int> {
    let places: Vec<i64> = places.iter().map(|&place| place as i64).collect();
    let count = places.len();
    Tensor::from_data(TensorData::new(places, [count]), device)
}
