//! Results and gradients of the kernels against burn's own operations and
//! against finite differences.

use burn::tensor::{Device, Distribution, Tensor, TensorData};
use genvp_kernels::{
    Activation, batch_norm_eval, batch_norm_train, conv_transpose2d, conv2d, fallback, linear,
};

/// Kernel, stride, padding and image side.
const SHAPES: [(usize, usize, usize, usize); 12] = [
    (4, 2, 1, 8),
    (4, 2, 1, 6),
    (4, 1, 0, 4),
    (4, 1, 0, 6),
    (1, 1, 0, 5),
    (1, 2, 0, 5),
    (3, 1, 1, 5),
    (3, 2, 1, 7),
    (4, 4, 0, 8),
    (4, 4, 0, 9),
    (7, 2, 3, 11),
    (2, 3, 1, 7),
];

fn learning() -> Device {
    Device::flex().autodiff()
}

fn random<const D: usize>(shape: [usize; D], device: &Device) -> Tensor<D> {
    Tensor::random(shape, Distribution::Normal(0.2, 1.0), device)
}

fn leaf<const D: usize>(shape: [usize; D]) -> Tensor<D> {
    random(shape, &learning()).require_grad()
}

/// Largest difference, relative to the largest value.
fn apart<const D: usize>(a: Tensor<D>, b: Tensor<D>) -> f32 {
    let size = b.clone().abs().max().into_scalar::<f32>().max(1e-3);
    (a - b).abs().max().into_scalar::<f32>() / size
}

fn assert_close<const D: usize>(what: &str, a: Tensor<D>, b: Tensor<D>) {
    assert_eq!(a.dims(), b.dims(), "{what}");
    let apart = apart(a, b);
    assert!(apart < 2e-5, "{what} differ by {apart}");
}

type Conv = fn(Tensor<4>, Tensor<4>, Option<Tensor<1>>, usize, usize) -> Tensor<4>;

/// Same results and gradients from both functions.
fn same(ours: Conv, theirs: Conv, x: [usize; 4], w: [usize; 4], co: usize, s: usize, p: usize) {
    let name = format!("x {x:?} w {w:?} stride {s} padding {p}");
    let (x, w, b) = (leaf(x), leaf(w), leaf([co]));
    let run = |f: Conv| f(x.clone(), w.clone(), Some(b.clone()), s, p);
    let (y, z) = (run(ours), run(theirs));
    assert_close(&format!("results of {name}"), y.clone(), z.clone());
    let r = random(y.dims(), &learning());
    let (dy, dz) = ((y * r.clone()).sum().backward(), (z * r).sum().backward());
    let of = "a leaf has a gradient";
    let dx = (x.grad(&dy).expect(of), x.grad(&dz).expect(of));
    assert_close(&format!("dx of {name}"), dx.0, dx.1);
    let dw = (w.grad(&dy).expect(of), w.grad(&dz).expect(of));
    assert_close(&format!("dw of {name}"), dw.0, dw.1);
    let db = (b.grad(&dy).expect(of), b.grad(&dz).expect(of));
    assert_close(&format!("db of {name}"), db.0, db.1);
}

#[test]
fn convolutions_agree_with_burns() {
    for (k, s, p, side) in SHAPES {
        for (n, ci, co) in [(1, 1, 5), (3, 5, 16), (7, 16, 33), (5, 32, 70), (2, 3, 128)] {
            let x = [n, side, side + 1, ci];
            same(conv2d, fallback::conv2d, x, [k, k, ci, co], co, s, p);
        }
    }
}

#[test]
fn transposed_convolutions_agree_with_burns() {
    for (k, s, p, side) in SHAPES {
        let side = side.div_ceil(s);
        for (n, ci, co) in [(1, 5, 1), (3, 16, 5), (7, 33, 16), (5, 70, 32), (2, 128, 3)] {
            if (side - 1) * s + k <= 2 * p {
                continue;
            }
            let x = [n, side, side + 1, ci];
            same(conv_transpose2d, fallback::conv_transpose2d, x, [k, k, co, ci], co, s, p);
        }
    }
}

#[test]
fn a_kernel_as_large_as_the_image_agrees_with_burns() {
    same(conv2d, fallback::conv2d, [9, 4, 4, 48], [4, 4, 48, 64], 64, 1, 0);
    same(conv_transpose2d, fallback::conv_transpose2d, [9, 1, 1, 64], [4, 4, 48, 64], 48, 1, 0);
}

#[test]
fn many_weights_and_many_images_agree_with_burns() {
    // More weights than one task keeps a copy of, more rows than one group.
    same(conv2d, fallback::conv2d, [3, 8, 8, 96], [4, 4, 96, 112], 112, 2, 1);
    same(conv_transpose2d, fallback::conv_transpose2d, [3, 4, 4, 112], [4, 4, 96, 112], 96, 2, 1);
    same(conv2d, fallback::conv2d, [37, 16, 16, 8], [4, 4, 8, 24], 24, 2, 1);
    same(conv_transpose2d, fallback::conv_transpose2d, [37, 8, 8, 24], [4, 4, 8, 24], 8, 2, 1);
    // Few rows, many columns: cut by columns.
    same(conv2d, fallback::conv2d, [11, 4, 4, 96], [4, 4, 96, 200], 200, 1, 0);
    same(conv_transpose2d, fallback::conv_transpose2d, [11, 1, 1, 200], [4, 4, 96, 200], 96, 1, 0);
}

#[test]
fn linear_layers_agree_with_burns() {
    for (n, i, o) in [(1, 1, 1), (5, 3, 2), (64, 17, 40), (300, 130, 100), (33, 600, 520)] {
        let (x, w, b) = (leaf([n, i]), leaf([i, o]), leaf([o]));
        let y = linear(x.clone(), w.clone(), Some(b.clone()));
        let z = fallback::linear(x.clone(), w.clone(), Some(b.clone()));
        assert_close("results", y.clone(), z.clone());
        let r = random(y.dims(), &learning());
        let (dy, dz) = ((y * r.clone()).sum().backward(), (z * r).sum().backward());
        let of = "a leaf has a gradient";
        assert_close("dx", x.grad(&dy).expect(of), x.grad(&dz).expect(of));
        assert_close("dw", w.grad(&dy).expect(of), w.grad(&dz).expect(of));
        assert_close("db", b.grad(&dy).expect(of), b.grad(&dz).expect(of));
    }
}

#[test]
fn batch_norms_agree_with_burns() {
    for act in [Activation::None, Activation::Relu, Activation::LeakyRelu(0.1), Activation::Sigmoid]
    {
        for shape in [[2, 1, 1, 1], [3, 5, 4, 7], [6, 9, 11, 32]] {
            let c = shape[3];
            let (x, g, b) = (leaf(shape), leaf([c]), leaf([c]));
            let ours = batch_norm_train(x.clone(), g.clone(), b.clone(), 1e-5, act);
            let theirs = fallback::batch_norm_train(x.clone(), g.clone(), b.clone(), 1e-5, act);
            assert_close("mean", ours.mean, theirs.mean);
            assert_close("variance", ours.variance, theirs.variance);
            assert_close("results", ours.output.clone(), theirs.output.clone());
            let r = random(shape, &learning());
            let dy = (ours.output * r.clone()).sum().backward();
            let dz = (theirs.output * r).sum().backward();
            let of = "a leaf has a gradient";
            if shape[0] > 2 {
                assert_close("dx", x.grad(&dy).expect(of), x.grad(&dz).expect(of));
            }
            assert_close("dgamma", g.grad(&dy).expect(of), g.grad(&dz).expect(of));
            assert_close("dbeta", b.grad(&dy).expect(of), b.grad(&dz).expect(of));
        }
    }
}

#[test]
fn batch_norm_with_given_statistics_agrees_with_burns() {
    let device = Device::flex();
    let [x, g, b, m] = [[4, 3, 3, 6]; 4].map(|shape| random(shape, &device));
    let row = |t: Tensor<4>| t.slice([0..1, 0..1, 0..1, 0..6]).reshape([6]);
    let (g, b, m) = (row(g), row(b), row(m));
    let v = m.clone() * m.clone() + 0.1;
    for act in [Activation::None, Activation::Relu, Activation::LeakyRelu(0.2), Activation::Sigmoid]
    {
        let all = (x.clone(), g.clone(), b.clone(), m.clone(), v.clone());
        let (x, g, b, m, v) = all.clone();
        let ours = batch_norm_eval(x, g, b, m, v, 1e-5, act);
        let (x, g, b, m, v) = all;
        let theirs = fallback::batch_norm_eval(x, g, b, m, v, 1e-5, act);
        assert_close("results", ours, theirs);
    }
}

/// `sum r * f(x)` must change by its gradient when x changes a little.
fn matches_finite_differences<const D: usize>(
    what: &str,
    at: TensorData,
    f: impl Fn(Tensor<D>) -> Tensor<4>,
) {
    let x = Tensor::<D>::from_data(at, &learning()).require_grad();
    let y = f(x.clone());
    let r = random(y.dims(), &learning());
    let gradient = x.grad(&(y * r.clone()).sum().backward()).expect("a leaf has a gradient");
    let direction = random(x.dims(), &Device::flex());
    let step = 1e-2;
    let value = |sign: f32| {
        let moved = x.clone().inner() + direction.clone() * (sign * step);
        let y = f(Tensor::from_inner(moved)).inner();
        let products = (y * r.clone().inner()).into_data();
        products.iter::<f32>().map(f64::from).sum::<f64>()
    };
    let measured = (value(1.0) - value(-1.0)) / (2.0 * f64::from(step));
    let products = (gradient.clone() * direction.clone()).into_data();
    let computed = products.iter::<f32>().map(f64::from).sum::<f64>();
    let size = f64::from(gradient.abs().sum().into_scalar::<f32>()).sqrt().max(1.0);
    assert!(
        (measured - computed).abs() < 2e-2 * size,
        "{what}: gradient says {computed}, differences say {measured}"
    );
}

#[test]
fn gradients_match_finite_differences() {
    for (k, s, p, side) in SHAPES {
        let (n, ci, co) = (3, 4, 6);
        let x = random([n, side, side, ci], &learning()).into_data();
        let w = random([k, k, ci, co], &learning()).into_data();
        let constant = |data: &TensorData| Tensor::<4>::from_data(data.clone(), &learning());
        let name = format!("kernel {k} stride {s} padding {p}");
        matches_finite_differences(&format!("dx, {name}"), x.clone(), |x| {
            conv2d(x, constant(&w), None, s, p)
        });
        matches_finite_differences(&format!("dw, {name}"), w.clone(), |w| {
            conv2d(constant(&x), w, None, s, p)
        });
        let z = random([n, side, side, co], &learning()).into_data();
        if (side - 1) * s + k > 2 * p {
            matches_finite_differences(&format!("transposed dx, {name}"), z.clone(), |z| {
                conv_transpose2d(z, constant(&w), None, s, p)
            });
            matches_finite_differences(&format!("transposed dw, {name}"), w, |w| {
                conv_transpose2d(constant(&z), w, None, s, p)
            });
        }
    }
    // No kinks for the differences to step over: a smooth activation.
    let x = random([5, 4, 4, 6], &learning()).into_data();
    matches_finite_differences("batch norm", x, |x| {
        let c = [6];
        let (g, b) = (Tensor::ones(c, &learning()) * 0.7, Tensor::ones(c, &learning()) * 0.1);
        batch_norm_train(x, g, b, 1e-5, Activation::None).output
    });
}
