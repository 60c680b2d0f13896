//! Pictures made of objects against burn's own operations.

use std::sync::Arc;

use burn::tensor::{Device, Distribution, Tensor};
use genvp_kernels::{Cutout, Layer, compose, fallback};

fn learning() -> Device {
    Device::flex().autodiff()
}

fn leaf(shape: [usize; 2]) -> Tensor<2> {
    Tensor::random(shape, Distribution::Normal(0.2, 1.0), &learning()).require_grad()
}

fn assert_close<const D: usize>(what: &str, a: &Tensor<D>, b: &Tensor<D>) {
    assert_eq!(a.dims(), b.dims(), "{what}");
    let size = b.clone().abs().max().into_scalar::<f32>().max(1e-3);
    let apart = (a.clone() - b.clone()).abs().max().into_scalar::<f32>() / size;
    assert!(apart < 2e-5, "{what} differ by {apart}");
}

/// Objects of `side` x `side` pixels on panels of `h` x `w`, some of them over the edge and some
/// over each other.
fn layer(panels: &[usize], side: usize, [h, w]: [usize; 2]) -> Layer {
    let cutouts = panels.iter().enumerate().map(|(i, &panel)| {
        let (top, left) = ((i * 5) % h, (i * 7) % w);
        let pixel = |at: usize| match (top + at / side, left + at % side) {
            (y, x) if y < h && x < w => (y * w + x) as u32,
            _ => Cutout::BEYOND,
        };
        Cutout { panel, pixels: (0..side * side).map(pixel).collect() }
    });
    let cutouts = Arc::new(cutouts.collect());
    Layer { drawn: leaf([panels.len(), side * side]), there: leaf([panels.len(), 1]), cutouts }
}

#[test]
fn ink_and_gradients_agree_with_burns() {
    let size = [9, 13];
    let many: Vec<usize> = (0..40).map(|i| i / 2).collect();
    for (n, layers) in [
        (3, vec![]),
        (3, vec![layer(&[0, 2, 2], 4, size)]),
        (21, vec![layer(&many, 9, size), layer(&[4, 4, 4, 20], 3, size)]),
    ] {
        let paper = leaf([n, size[0] + size[1]]);
        let y = compose(paper.clone(), size, layers.clone());
        let z = fallback::compose(paper.clone(), size, layers.clone());
        assert_close("ink", &y, &z);
        let r = Tensor::random(y.dims(), Distribution::Normal(0.0, 1.0), &learning());
        let (dy, dz) = ((y * r.clone()).sum().backward(), (z * r).sum().backward());
        for (what, leaf) in layers
            .iter()
            .flat_map(|layer| [("drawn", &layer.drawn), ("there", &layer.there)])
            .chain([("paper", &paper)])
        {
            let of = "a leaf has a gradient";
            assert_close(what, &leaf.grad(&dy).expect(of), &leaf.grad(&dz).expect(of));
        }
    }
}

#[test]
#[should_panic(expected = "in the order of 3 panels")]
fn objects_out_of_order_are_refused() {
    compose(leaf([3, 8]), [4, 4], vec![layer(&[2, 0], 2, [4, 4])]);
}
