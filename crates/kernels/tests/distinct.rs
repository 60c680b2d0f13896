//! Maps of which only the different pixels are kept: the same results as with all of them.

use std::sync::{Mutex, PoisonError};

use burn::module::{Module, ModuleVisitor, Param};
use burn::tensor::{Device, Distribution, Tensor, TensorData};
use genvp_kernels::{
    ConvBlock, ConvBlockConfig, DistinctMap, LinearBlock, LinearBlockConfig, Norm,
};

fn learning() -> Device {
    Device::flex().autodiff()
}

/// Images of patches of 4x4 pixels, of which there are only a few.
fn drawings(n: usize, side: usize, kinds: usize) -> TensorData {
    let mut state = 12345u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let patches: Vec<[f32; 16]> =
        (0..kinds).map(|k| std::array::from_fn(|_| (k.min(1) * next(5)) as f32 / 4.0)).collect();
    let mut pixels = vec![0.0; n * side * side];
    for image in pixels.chunks_mut(side * side) {
        for (top, left) in (0..side / 4).flat_map(|y| (0..side / 4).map(move |x| (4 * y, 4 * x))) {
            // Every other place is blank.
            let patch = &patches[next(2) * next(kinds)];
            for (i, &ink) in patch.iter().enumerate() {
                image[(top + i / 4) * side + left + i % 4] = ink;
            }
        }
    }
    TensorData::new(pixels, [n, side, side, 1])
}

#[derive(Module, Debug)]
struct Network {
    maps: Vec<ConvBlock>,
    last: LinearBlock,
}

/// A device has one generator for all threads: only one network draws its weights at a time.
static DRAWING: Mutex<()> = Mutex::new(());

struct Draw;

impl ModuleVisitor for Draw {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let _ = param.val();
    }
}

/// Always the same one: with other weights a sum may be so near to 0 that rounding decides
/// whether a ReLU lets it through.
fn network(side: usize, device: &Device) -> Network {
    let _drawing = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
    device.seed(3);
    let halve =
        |from, to| ConvBlockConfig::new([from, to], 3).with_stride(2).with_padding(1).init(device);
    let stem = ConvBlockConfig::new([1, 7], 4).with_stride(4).init(device);
    let flat = (side / 16) * (side / 16) * 33;
    let last = LinearBlockConfig::new([flat, 50]).with_norm(true).init(device);
    let network = Network { maps: vec![stem, halve(7, 40), halve(40, 33)], last };
    // Weights are drawn at their first use: use them before another network draws.
    network.visit(&mut Draw);
    network
}

fn all(network: &Network, images: Tensor<4>) -> Tensor<2> {
    let map = network.maps.iter().fold(images, |x, block| block.forward(x));
    network.last.forward(map.flatten::<2>(1, 3))
}

fn different(network: &Network, images: &Tensor<4>) -> Tensor<2> {
    let patches = DistinctMap::patches(images).expect("drawings repeat themselves");
    let map = network.maps.iter().try_fold(patches, |map, block| block.forward_distinct(map));
    map.and_then(|map| network.last.forward_distinct(map)).expect("plain blocks on the CPU")
}

/// Largest difference, relative to the largest value.
fn apart<const D: usize>(a: &Tensor<D>, b: &Tensor<D>) -> f32 {
    let size = b.clone().abs().max().into_scalar::<f32>().max(1e-3);
    (a.clone() - b.clone()).abs().max().into_scalar::<f32>() / size
}

#[test]
fn results_gradients_and_statistics_are_those_of_the_whole_map() {
    // Norms over few rows make rounding larger: an error would be a hundred times these bounds.
    for (n, side, kinds) in [(6, 16, 4), (9, 32, 9), (40, 32, 30)] {
        let ours = network(side, &learning());
        let theirs = ours.clone();
        let images = Tensor::<4>::from_data(drawings(n, side, kinds), &learning());
        let (y, z) = (different(&ours, &images), all(&theirs, images));
        assert!(apart(&y, &z) < 5e-4, "results of {n} images differ by {}", apart(&y, &z));
        let waves = (0..y.dims().iter().product::<usize>()).map(|i| (i as f32 * 1.7).sin());
        let r = TensorData::new(waves.collect::<Vec<f32>>(), y.dims());
        let r = Tensor::<2>::from_data(r, &learning());
        let (dy, dz) = ((y * r.clone()).sum().backward(), (z * r).sum().backward());
        let of = "a parameter has a gradient";
        let same = |a: &Norm, b: &Norm| {
            for (a, b) in [
                (a.gamma.grad(&dy).expect(of), b.gamma.grad(&dz).expect(of)),
                (a.beta.grad(&dy).expect(of), b.beta.grad(&dz).expect(of)),
            ] {
                assert!(apart(&a, &b) < 2e-3, "the norm's gradients differ by {}", apart(&a, &b));
            }
            for (a, b) in [
                (a.running_mean.value(), b.running_mean.value()),
                (a.running_var.value(), b.running_var.value()),
            ] {
                assert!(apart(&a, &b) < 1e-4, "statistics differ by {}", apart(&a, &b));
            }
        };
        for (ours, theirs) in ours.maps.iter().zip(&theirs.maps) {
            let dw = (ours.weight.grad(&dy).expect(of), theirs.weight.grad(&dz).expect(of));
            assert!(apart(&dw.0, &dw.1) < 2e-3, "dw differ by {}", apart(&dw.0, &dw.1));
            same(ours.norm.as_ref().expect("a norm"), theirs.norm.as_ref().expect("a norm"));
        }
        let (ours, theirs) = (&ours.last, &theirs.last);
        let dw = (ours.weight.grad(&dy).expect(of), theirs.weight.grad(&dz).expect(of));
        assert!(apart(&dw.0, &dw.1) < 2e-3, "dw differ by {}", apart(&dw.0, &dw.1));
        same(ours.norm.as_ref().expect("a norm"), theirs.norm.as_ref().expect("a norm"));
    }
}

#[test]
fn gradients_are_bit_identical_on_any_number_of_threads() {
    let network = network(32, &learning());
    let images = drawings(40, 32, 30);
    let run = || {
        let network = network.clone();
        let y = different(&network, &Tensor::from_data(images.clone(), &learning()));
        let grads = y.clone().square().sum().backward();
        let dw = |block: &ConvBlock| block.weight.grad(&grads).expect("tracked").into_data();
        (y.into_data(), network.maps.iter().map(dw).collect::<Vec<_>>())
    };
    let first = run();
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        assert!(first == pool.expect("a small pool can be made").install(run), "{threads} threads");
    }
}

#[test]
fn solving_gives_the_results_of_the_whole_map() {
    let blocks = network(32, &learning()).valid();
    let images = Tensor::<4>::from_data(drawings(9, 32, 12), &Device::flex());
    let (y, z) = (different(&blocks, &images), all(&blocks, images));
    assert!(apart(&y, &z) < 1e-4, "{}", apart(&y, &z));
}

#[test]
fn an_image_gives_the_same_bits_in_any_company() {
    let blocks = network(32, &learning()).valid();
    let images = Tensor::<4>::from_data(drawings(9, 32, 12), &Device::flex());
    let together = different(&blocks, &images);
    for image in 0..9 {
        let alone = different(&blocks, &images.clone().narrow(0, image, 1));
        assert_eq!(alone.into_data(), together.clone().narrow(0, image, 1).into_data());
    }
}

#[test]
fn what_does_not_repeat_itself_or_needs_a_gradient_is_left_alone() {
    let noise = Tensor::<4>::random([2, 16, 16, 1], Distribution::Default, &Device::flex());
    assert!(DistinctMap::patches(&noise).is_none());
    let drawn = Tensor::<4>::from_data(drawings(2, 16, 2), &learning());
    assert!(DistinctMap::patches(&drawn).is_some());
    assert!(DistinctMap::patches(&drawn.clone().require_grad()).is_none());
    assert!(DistinctMap::patches(&drawn.require_grad().mul_scalar(0.5)).is_none());
    let uneven = Tensor::<4>::zeros([2, 18, 16, 1], &Device::flex());
    assert!(DistinctMap::patches(&uneven).is_none());
    let coloured = Tensor::<4>::zeros([2, 16, 16, 3], &Device::flex());
    assert!(DistinctMap::patches(&coloured).is_none());
}
