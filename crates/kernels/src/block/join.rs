//! A first layer over several rows, whose products many outputs share.

use std::sync::Arc;

use burn::tensor::Tensor;

use crate::cpu::join::GatherPlan;
use crate::flex::{self, JoinCall};
use crate::{Activation, Norm, fallback};

/// `act(norm(offset + sum_{row in plan} x[row] W[position(row)]))`.
///
/// This is a linear layer on concatenated (and partly blanked) rows. Written as a sum, a row is
/// multiplied once however many outputs it belongs to.
///
/// # Shapes
/// * `x`: `[b, S, rows, i]`
/// * `weights`: `[positions, i, o]`
/// * `offset`: `[S, 1 or outputs, o]`
/// * output: `[b, S, outputs, o]`
///
/// # Panics
/// When the shapes do not fit each other.
pub fn join(
    x: Tensor<4>,
    weights: Tensor<3>,
    offset: Tensor<3>,
    plan: &Arc<GatherPlan>,
    norm: &Norm,
    activation: Activation,
) -> Tensor<4> {
    let ([_, s, rows, i], [positions, wi, o]) = (x.dims(), weights.dims());
    let [offsets, outputs, width] = offset.dims();
    assert!(
        i == wi && o == width && rows == plan.rows() && positions == plan.positions(),
        "rows {:?} joined through weights {:?} with offset {:?}",
        x.dims(),
        weights.dims(),
        offset.dims(),
    );
    assert!(
        offsets == s && (outputs == 1 || outputs == plan.outputs()),
        "offset {:?} for {s} slots and {} outputs",
        offset.dims(),
        plan.outputs(),
    );
    if let Some(slope) = activation.slope() {
        let call = JoinCall { x: &x, weights: &weights, offset: &offset, plan, slope };
        let y = norm.run(
            &x.device(),
            x.dims()[0] * s * plan.outputs(),
            |terms, mean, variance| flex::join_norm_eval(&call, terms, mean, variance),
            |terms| flex::join_norm(&call, terms),
        );
        if let Some(y) = y {
            return y;
        }
    }
    norm.forward(fallback::join(x, weights, offset, plan), activation)
}
