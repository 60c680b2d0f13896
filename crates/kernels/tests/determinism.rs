//! The same numbers, bit for bit, however often and on however many threads.

use burn::tensor::{Device, Distribution, Tensor, TensorData};
use genvp_kernels::{Activation, ConvBlock, ConvBlockConfig};

fn random<const D: usize>(shape: [usize; D]) -> TensorData {
    Tensor::<D>::random(shape, Distribution::Normal(0.1, 1.0), &Device::flex()).into_data()
}

/// Result, gradients and recorded statistics of a block.
fn everything(block: &ConvBlock, x: &TensorData, r: &TensorData) -> Vec<TensorData> {
    let device = Device::flex().autodiff();
    let block = block.clone();
    let x = Tensor::<4>::from_data(x.clone(), &device).require_grad();
    let y = block.forward(x.clone());
    let grads = (y.clone() * Tensor::from_data(r.clone(), &device)).sum().backward();
    let norm = block.norm.as_ref().expect("configured with a norm");
    vec![
        y.into_data(),
        x.grad(&grads).expect("tracked").into_data(),
        block.weight.grad(&grads).expect("tracked").into_data(),
        norm.gamma.grad(&grads).expect("tracked").into_data(),
        norm.beta.grad(&grads).expect("tracked").into_data(),
        norm.running_mean.value().into_data(),
        norm.running_var.value().into_data(),
    ]
}

#[test]
fn results_and_gradients_are_bit_identical_on_any_number_of_threads() {
    let device = Device::flex().autodiff();
    let small = ConvBlockConfig::new([8, 24], 4).with_stride(2).with_padding(1);
    let large = ConvBlockConfig::new([96, 112], 4).with_stride(2).with_padding(1);
    let up = ConvBlockConfig::new([24, 8], 4).with_stride(2).with_padding(1).with_transposed(true);
    let wide = ConvBlockConfig::new([64, 160], 4).with_activation(Activation::LeakyRelu(0.1));
    for (config, x, y) in [
        (small, [45, 16, 16, 8], [45, 8, 8, 24]),
        (large, [5, 8, 8, 96], [5, 4, 4, 112]),
        (up, [45, 8, 8, 24], [45, 16, 16, 8]),
        (wide, [13, 4, 4, 64], [13, 1, 1, 160]),
    ] {
        let block = config.init(&device);
        let (x, r) = (random(x), random(y));
        let first = everything(&block, &x, &r);
        for threads in [1, 2, 3, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("a small pool can be made");
            let again = pool.install(|| everything(&block, &x, &r));
            assert!(first == again, "{threads} threads change the result of {config:?}");
        }
    }
}
