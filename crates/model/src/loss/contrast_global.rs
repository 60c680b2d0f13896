//! The global masked contrastive term (eq. 6 and 7).

use burn::tensor::{Tensor, activation};

use crate::batch::RuleLabels;
use crate::expert::{Predictions, per_prediction};

/// −G: `G = 1/B Σ_b 1/(B−1) Σ_{i≠b} g(P_b, P_i)` for every prediction of the right
/// puzzles; a mean over the positions of a kind, summed over the four kinds.
/// A batch of one puzzle has nothing to contrast: 0.
///
/// The sum over all other puzzles is taken in closed form. With r = R_b, p = R̂_b
/// and S = Σ_{i≠b} R_i of n puzzles, cell by cell
/// `Σ_i g = S (1 − r)(p − 1)² + (n − S) r p² − S r (p − 1)²`.
///
/// # Shapes
/// `[E, b, C, K_R, N_R] -> [1]`
pub fn contrast_global(
    logits: Tensor<5>,
    labels: &RuleLabels,
    predictions: &Predictions,
) -> Tensor<1> {
    let [_, b, _, attributes, _] = logits.dims();
    let device = logits.device();
    if b < 2 {
        return Tensor::zeros([1], &device);
    }
    let p = activation::softmax(logits.narrow(2, 0, 1).squeeze_dim::<4>(2), 3);
    let known = match &labels.known {
        Some(known) => known.clone().narrow(1, 0, 1).reshape([b, attributes, 1]),
        None => Tensor::ones([b, attributes, 1], &device),
    };
    // Unknown rows of R are all 0, and counted nowhere.
    let r = labels.one_hot.clone().narrow(1, 0, 1).squeeze_dim::<3>(1) * known.clone();
    let others = r.clone().sum_dim(0) - r.clone();
    let count = known.clone().sum_dim(0) - known.clone();
    let toward = others.clone() * (known - r.clone().mul_scalar(2.0));
    let away = (count - others) * r;
    let g = (p.clone() - 1.0).square() * toward.unsqueeze() + p.square() * away.unsqueeze();
    let weights = per_prediction::<4>(&predictions.kind_weights(), &device);
    (g * weights).sum().div_scalar(-((b * (b - 1)) as f32))
}
