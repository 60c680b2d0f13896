//! Odd inputs and odd devices.

use burn::module::Module;
use burn::tensor::{Device, Distribution, Tensor};
use genvp_kernels::{
    Activation, ConvBlockConfig, LinearBlockConfig, batch_norm_train, conv_transpose2d, conv2d,
    depth_to_space, linear, space_to_depth,
};

fn plain() -> Device {
    Device::flex()
}

fn learning() -> Device {
    Device::flex().autodiff()
}

fn random<const D: usize>(shape: [usize; D], device: &Device) -> Tensor<D> {
    Tensor::random(shape, Distribution::Normal(0.2, 1.0), device)
}

/// Differences are small beside the largest value.
fn close<const D: usize>(a: Tensor<D>, b: Tensor<D>) {
    let size = b.clone().abs().max().into_scalar::<f32>().max(1.0);
    let apart = (a - b).abs().max().into_scalar::<f32>() / size;
    assert!(apart < 5e-5, "differ by {apart}");
}

#[test]
fn views_of_larger_tensors_are_read_as_what_they_show() {
    let wide = random([4, 9, 8, 6], &plain());
    let view = wide.slice([1..3, 1..9, 0..8, 2..5]).swap_dims(1, 2);
    let copy = Tensor::<4>::from_data(view.to_data(), &plain());
    let w = random([5, 3, 4, 4], &plain()).permute([2, 3, 1, 0]);
    let w_copy = Tensor::<4>::from_data(w.to_data(), &plain());
    close(conv2d(view.clone(), w, None, 2, 1), conv2d(copy.clone(), w_copy, None, 2, 1));
    let m = random([3, 7], &plain());
    let rows = view.clone().reshape([2 * 64, 3]);
    close(linear(rows.clone(), m.clone(), None), rows.matmul(m));
}

#[test]
fn only_tracked_tensors_get_gradients() {
    let w = random([4, 4, 3, 5], &learning()).require_grad();
    let b = random([5], &learning()).require_grad();
    let x = random([2, 8, 8, 3], &learning());
    let grads = conv2d(x.clone(), w.clone(), Some(b.clone()), 2, 1).sum().backward();
    assert!(w.grad(&grads).is_some() && b.grad(&grads).is_some() && x.grad(&grads).is_none());

    let x = x.require_grad();
    let w = random([4, 4, 3, 5], &learning());
    let grads = conv2d(x.clone(), w.clone(), None, 2, 1).sum().backward();
    assert!(x.grad(&grads).is_some() && w.grad(&grads).is_none());
}

#[test]
fn an_input_without_gradients_may_meet_weights_with_them() {
    let w = random([3, 5], &learning()).require_grad();
    let x = random([4, 3], &plain());
    let grads = linear(x.clone(), w.clone(), None).sum().backward();
    let by_hand = x.sum_dim(0).reshape([3, 1]).repeat_dim(1, 5);
    close(w.grad(&grads).expect("tracked"), by_hand);
}

#[test]
fn other_devices_compute_the_same_with_burns_operations() {
    // With gradient checkpointing the kernels step aside, as on a GPU.
    let other = Device::flex().autodiff().gradient_checkpointing();
    for transposed in [false, true] {
        for activation in [Activation::Relu, Activation::LeakyRelu(0.2), Activation::Sigmoid] {
            let config = ConvBlockConfig::new([3, 5], 4).with_stride(2).with_padding(1);
            let config = config.with_transposed(transposed).with_activation(activation);
            let ours = config.init(&learning());
            let theirs = config.init(&other).load_record(ours.clone().into_record());
            let x = random([3, 8, 8, 3], &plain());
            let on = |device: &Device| Tensor::<4>::from_data(x.to_data(), device).require_grad();
            let (x1, x2) = (on(&learning()), on(&other));
            let (y1, y2) = (ours.forward(x1.clone()), theirs.forward(x2.clone()));
            close(y1.clone().inner(), y2.clone().inner());
            let r = random(y1.dims(), &plain());
            let weigh = |y: Tensor<4>, device: &Device| {
                (y * Tensor::from_data(r.to_data(), device)).sum().backward()
            };
            let (g1, g2) = (weigh(y1, &learning()), weigh(y2, &other));
            close(x1.grad(&g1).expect("tracked"), x2.grad(&g2).expect("tracked"));
            close(
                ours.weight.grad(&g1).expect("tracked"),
                theirs.weight.grad(&g2).expect("tracked"),
            );
            let stats = |block: &genvp_kernels::ConvBlock| {
                let norm = block.norm.as_ref().expect("configured with a norm");
                (norm.running_mean.value().inner(), norm.running_var.value().inner())
            };
            let ((m1, v1), (m2, v2)) = (stats(&ours), stats(&theirs));
            close(m1, m2);
            close(v1, v2);
            close(ours.valid().forward(x.clone()), theirs.valid().forward(x));
        }
    }
}

#[test]
fn nan_and_infinity_pass_through() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let x = Tensor::<4>::full([2, 8, 8, 3], bad, &learning()).require_grad();
        for transposed in [false, true] {
            for norm in [false, true] {
                let config = ConvBlockConfig::new([3, 5], 4).with_stride(2).with_padding(1);
                let block = config.with_transposed(transposed).with_norm(norm).init(&learning());
                let y = block.forward(x.clone());
                let grads = y.clone().sum().backward();
                assert!(x.grad(&grads).is_some());
                if norm {
                    assert!(y.into_data().iter::<f32>().all(f32::is_nan));
                } else if bad.is_nan() {
                    assert!(y.into_data().iter::<f32>().any(f32::is_nan));
                }
            }
        }
    }
    let x = Tensor::<2>::from_floats([[f32::NAN, f32::NEG_INFINITY, f32::INFINITY]], &plain());
    let one = Tensor::<2>::from_floats([[1.0, 0., 0.], [0., 1., 0.], [0., 0., 1.]], &plain());
    let block = LinearBlockConfig::new([3, 3]).with_bias(false).init(&plain());
    let y = Activation::Relu.apply(x.clone());
    assert_eq!(y.into_data().iter::<f32>().skip(1).collect::<Vec<_>>(), [0.0, f32::INFINITY]);
    // A NaN or infinity times 0 is NaN, so every sum of that row is.
    assert!(block.forward(x.matmul(one)).into_data().iter::<f32>().all(f32::is_nan));
}

#[test]
fn one_image_and_no_image_are_batches_too() {
    for n in [0, 1] {
        let x = random([n, 8, 8, 3], &learning()).require_grad();
        let w = random([4, 4, 3, 5], &learning()).require_grad();
        let y = conv2d(x.clone(), w.clone(), None, 2, 1);
        assert_eq!(y.dims(), [n, 4, 4, 5]);
        let z = conv_transpose2d(y, w.clone(), None, 2, 1);
        assert_eq!(z.dims(), [n, 8, 8, 3]);
        let grads = z.sum().backward();
        assert_eq!(x.grad(&grads).expect("tracked").dims(), [n, 8, 8, 3]);
        assert_eq!(w.grad(&grads).expect("tracked").dims(), [4, 4, 3, 5]);
    }
}

#[test]
fn a_single_row_has_no_variance_and_gives_no_gradient_to_its_input() {
    let x = random([1, 6], &learning()).require_grad();
    let gamma = random([6], &learning()).require_grad();
    let beta = random([6], &learning()).require_grad();
    let normed = batch_norm_train(x.clone(), gamma, beta.clone(), 1e-5, Activation::None);
    close(normed.variance.inner(), Tensor::zeros([6], &plain()));
    let grads = normed.output.sum().backward();
    let largest = x.grad(&grads).expect("tracked").abs().max().into_scalar::<f32>();
    assert!(largest < 1e-3, "{largest}");
    close(beta.grad(&grads).expect("tracked"), Tensor::ones([6], &plain()));
}

#[test]
fn depth_and_space_change_places_and_back() {
    let x = random([2, 3, 5, 12], &plain());
    let y = depth_to_space(x.clone(), 2);
    assert_eq!(y.dims(), [2, 6, 10, 3]);
    // Pixel (2*1 + 1, 2*4 + 0) takes channels ((1*2 + 0) * 3 ..) of pixel (1, 4).
    let from = x.clone().slice([1..2, 1..2, 4..5, 6..9]).reshape([3]);
    close(y.clone().slice([1..2, 3..4, 8..9, 0..3]).reshape([3]), from);
    assert_eq!(space_to_depth(y, 2).into_data(), x.into_data());
}
