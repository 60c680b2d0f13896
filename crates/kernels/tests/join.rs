//! Joined layers against burn's own operations.

use std::sync::Arc;

use burn::module::Module;
use burn::tensor::{Device, Distribution, Tensor};
use genvp_kernels::{Activation, GatherPlan, Norm, NormConfig, fallback, join};

fn learning() -> Device {
    Device::flex().autodiff()
}

fn leaf<const D: usize>(shape: [usize; D]) -> Tensor<D> {
    Tensor::random(shape, Distribution::Normal(0.2, 1.0), &learning()).require_grad()
}

/// Largest difference, relative to the largest value.
fn apart<const D: usize>(a: &Tensor<D>, b: &Tensor<D>) -> f32 {
    let size = b.clone().abs().max().into_scalar::<f32>().max(1e-3);
    (a.clone() - b.clone()).abs().max().into_scalar::<f32>() / size
}

fn assert_close<const D: usize>(what: &str, a: &Tensor<D>, b: &Tensor<D>) {
    assert_eq!(a.dims(), b.dims(), "{what}");
    assert!(apart(a, b) < 5e-5, "{what} differ by {}", apart(a, b));
}

/// Rows of three places to outputs that add up none, one, two, three or four of them; the
/// first row is nobody's.
fn plan_of(rows: usize, outputs: usize) -> Arc<GatherPlan> {
    let wants = |output: usize, row: usize| {
        row > 0 && (row + 3 * output).is_multiple_of(rows / (1 + output % 5).min(rows) + 1)
    };
    Arc::new(GatherPlan::new(rows, 3, outputs, |row| row * 3 / rows, wants))
}

struct Leaves {
    x: Tensor<4>,
    weights: Tensor<3>,
    offset: Tensor<3>,
    norm: Norm,
}

fn leaves(b: usize, s: usize, rows: usize, i: usize, o: usize, offsets: usize) -> Leaves {
    Leaves {
        x: leaf([b, s, rows, i]),
        weights: leaf([3, i, o]),
        offset: leaf([s, offsets, o]),
        norm: NormConfig::new(o).init(&learning()),
    }
}

#[test]
fn results_gradients_and_statistics_agree_with_burns() {
    for (b, s, rows, outputs, i, o) in
        [(1, 1, 3, 2, 1, 1), (3, 2, 7, 11, 5, 16), (9, 8, 16, 40, 24, 128), (5, 4, 40, 72, 64, 33)]
    {
        for own in [1, outputs] {
            let plan = plan_of(rows, outputs);
            let Leaves { x, weights, offset, norm } = leaves(b, s, rows, i, o, own);
            let other = norm.clone();
            let name = format!("b {b} rows {rows} outputs {outputs} i {i} o {o} offsets {own}");
            let y = join(
                x.clone(),
                weights.clone(),
                offset.clone(),
                &plan,
                &norm,
                Activation::LeakyRelu(0.1),
            );
            let z = fallback::join(x.clone(), weights.clone(), offset.clone(), &plan);
            let z = other.forward(z, Activation::LeakyRelu(0.1));
            assert_close(&format!("results of {name}"), &y, &z);
            let (a, b) = (norm.running_var.value(), other.running_var.value());
            assert_close(&format!("variances of {name}"), &a, &b);
            let r = Tensor::random(y.dims(), Distribution::Normal(0.0, 1.0), &learning());
            let (dy, dz) = ((y * r.clone()).sum().backward(), (z * r).sum().backward());
            let of = "a leaf has a gradient";
            let dx = (x.grad(&dy).expect(of), x.grad(&dz).expect(of));
            assert_close(&format!("dx of {name}"), &dx.0, &dx.1);
            let dw = (weights.grad(&dy).expect(of), weights.grad(&dz).expect(of));
            assert_close(&format!("dw of {name}"), &dw.0, &dw.1);
            let d = (offset.grad(&dy).expect(of), offset.grad(&dz).expect(of));
            assert_close(&format!("doffset of {name}"), &d.0, &d.1);
            let d = (norm.gamma.grad(&dy).expect(of), other.gamma.grad(&dz).expect(of));
            assert_close(&format!("dgamma of {name}"), &d.0, &d.1);
        }
    }
}

#[test]
fn solving_agrees_with_burns() {
    let plan = plan_of(10, 21);
    let Leaves { x, weights, offset, norm } = leaves(4, 8, 10, 24, 50, 1);
    let norm = norm.valid();
    let (x, weights, offset) =
        (x.without_autodiff(), weights.without_autodiff(), offset.without_autodiff());
    let z = fallback::join(x.clone(), weights.clone(), offset.clone(), &plan);
    let z = norm.forward(z, Activation::Relu);
    assert_close("results", &join(x, weights, offset, &plan, &norm, Activation::Relu), &z);
}

#[test]
fn gradients_are_bit_identical_on_any_number_of_threads() {
    let plan = plan_of(16, 40);
    let Leaves { x, weights, offset, norm } = leaves(20, 8, 16, 24, 40, 40);
    let run = || {
        let (weights_, offset_) = (weights.clone(), offset.clone());
        let y = join(x.clone(), weights_, offset_, &plan, &norm.clone(), Activation::Relu);
        let grads = y.clone().square().sum().backward();
        let of = "a leaf has a gradient";
        (
            y.into_data(),
            x.grad(&grads).expect(of).into_data(),
            weights.grad(&grads).expect(of).into_data(),
        )
    };
    let first = run();
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        assert!(first == pool.expect("a small pool can be made").install(run), "{threads} threads");
    }
}
