//! The modules: what they count, keep, freeze and save.

use burn::module::Module;
use burn::tensor::{Device, Distribution, Tensor, TensorData, Tolerance};
use genvp_kernels::{
    Activation, ConvBlock, ConvBlockConfig, LinearBlock, LinearBlockConfig, NormConfig,
    parameter_count,
};

fn plain() -> Device {
    Device::flex()
}

fn learning() -> Device {
    Device::flex().autodiff()
}

fn random<const D: usize>(shape: [usize; D], device: &Device) -> Tensor<D> {
    Tensor::random(shape, Distribution::Normal(0.3, 1.0), device)
}

fn close(a: TensorData, b: TensorData) {
    a.assert_approx_eq::<f32>(&b, Tolerance::rel_abs(1e-4, 1e-5));
}

#[test]
fn parameters_are_weights_biases_gammas_and_betas_and_nothing_else() {
    let conv = ConvBlockConfig::new([3, 8], 4).init(&plain());
    assert_eq!(parameter_count(&conv), 3 * 8 * 16 + 8 + 8 + 8);
    let bare = ConvBlockConfig::new([3, 8], 4).with_norm(false).init(&plain());
    assert_eq!(parameter_count(&bare), 3 * 8 * 16 + 8);
    let linear = LinearBlockConfig::new([5, 7]).with_norm(true).init(&plain());
    assert_eq!(parameter_count(&linear), 5 * 7 + 7 + 7 + 7);
}

#[test]
fn weights_start_within_the_bounds_pytorch_uses() {
    let conv: ConvBlock = ConvBlockConfig::new([32, 8], 4).init(&plain());
    let transposed: ConvBlock =
        ConvBlockConfig::new([8, 32], 4).with_transposed(true).init(&plain());
    for block in [conv, transposed] {
        let bound = 1.0 / (32.0f32 * 16.0).sqrt();
        let largest = block.weight.val().abs().max().into_scalar::<f32>();
        assert!(largest <= bound && largest > 0.9 * bound, "{largest} of {bound}");
    }
}

#[test]
fn a_strided_block_and_its_transpose_undo_each_others_shape() {
    let x = random([3, 8, 8, 2], &plain());
    let down = ConvBlockConfig::new([2, 5], 4).with_stride(2).with_padding(1);
    let up = ConvBlockConfig::new([5, 2], 4).with_stride(2).with_padding(1).with_transposed(true);
    let y = down.init(&plain()).forward(x.clone());
    assert_eq!(y.dims(), [3, 4, 4, 5]);
    assert_eq!(up.init(&plain()).forward(y).dims(), x.dims());
}

#[test]
fn running_statistics_follow_the_batches_as_in_pytorch() {
    let norm = NormConfig::new(1).init(&learning());
    let x = Tensor::<2>::from_floats([[1.0], [3.0], [8.0]], &learning());
    let y = norm.forward(x, Activation::None);
    // mean 4, biased variance 26/3, unbiased 13
    let root = (26.0f32 / 3.0 + 1e-5).sqrt();
    close(y.into_data(), TensorData::from([[-3.0 / root], [-1.0 / root], [4.0 / root]]));
    close(norm.running_mean.value().into_data(), TensorData::from([0.4f32]));
    close(norm.running_var.value().into_data(), TensorData::from([0.9f32 + 1.3]));
}

#[test]
fn evaluation_uses_the_running_statistics_and_keeps_them() {
    let norm = NormConfig::new(2).init(&learning());
    norm.forward(random([16, 2], &learning()), Activation::None);
    let valid = norm.valid();
    let (mean, var) = (valid.running_mean.value(), valid.running_var.value());
    let x = random([5, 2], &plain());
    let y = valid.forward(x.clone(), Activation::None);
    let by_hand = (x - mean.clone().unsqueeze()) / var.add_scalar(1e-5).sqrt().unsqueeze();
    close(y.into_data(), by_hand.into_data());
    close(valid.running_mean.value().into_data(), mean.into_data());
}

#[test]
fn a_frozen_norm_neither_uses_nor_records_the_batch() {
    let norm = NormConfig::new(2).init(&learning()).freeze();
    let x = random([4, 2], &learning());
    let y = norm.forward(x.clone(), Activation::None);
    y.into_data().assert_approx_eq::<f32>(&x.into_data(), Tolerance::rel_abs(1e-4, 1e-4));
    close(norm.running_mean.value().into_data(), TensorData::from([0.0f32, 0.0]));
}

#[test]
fn a_batch_of_one_row_normalises_to_beta_and_leaves_the_running_variance() {
    let norm = NormConfig::new(2).init(&learning());
    let y = norm.forward(Tensor::<2>::from_floats([[5.0, -7.0]], &learning()), Activation::None);
    close(y.into_data(), TensorData::from([[0.0f32, 0.0]]));
    close(norm.running_mean.value().into_data(), TensorData::from([0.5f32, -0.7]));
    close(norm.running_var.value().into_data(), TensorData::from([1.0f32, 1.0]));
}

#[test]
fn an_empty_batch_leaves_the_running_statistics() {
    let block = LinearBlockConfig::new([3, 2]).with_norm(true).init(&learning());
    assert_eq!(block.forward(random([0, 3], &learning())).dims(), [0, 2]);
    let norm = block.norm.expect("configured with a norm");
    close(norm.running_mean.value().into_data(), TensorData::from([0.0f32, 0.0]));
    close(norm.running_var.value().into_data(), TensorData::from([1.0f32, 1.0]));
}

#[test]
fn a_clone_keeps_its_own_running_statistics() {
    let norm = NormConfig::new(2).init(&learning());
    let snapshot = norm.clone();
    norm.forward(random([8, 2], &learning()), Activation::None);
    close(snapshot.running_mean.value().into_data(), TensorData::from([0.0f32, 0.0]));
}

#[test]
fn a_saved_and_loaded_block_answers_the_same() {
    let block = ConvBlockConfig::new([2, 3], 3).init(&learning());
    block.forward(random([4, 6, 6, 2], &learning()));
    let x = random([2, 6, 6, 2], &plain());
    let saved = block.valid();
    let before = saved.forward(x.clone()).into_data();
    let fresh = ConvBlockConfig::new([2, 3], 3).init(&plain());
    let loaded = fresh.load_record(block.into_record());
    assert_eq!(loaded.forward(x).into_data(), before);
}

#[test]
fn a_linear_block_treats_leading_axes_as_rows() {
    let block: LinearBlock = LinearBlockConfig::new([4, 3]).init(&plain());
    let x = random([2, 5, 4], &plain());
    let whole = block.forward(x.clone()).reshape([10, 3]);
    let rows = block.forward(x.reshape([10, 4]));
    assert_eq!(whole.into_data(), rows.into_data());
}
