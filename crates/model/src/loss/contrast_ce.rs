//! The alternative to the printed contrast: cross-entropy on R⁻.

use burn::tensor::Tensor;

use super::supervised::cross_entropy;
use crate::batch::RuleLabels;
use crate::expert::{Predictions, per_prediction};

/// `Σ_kinds mean_positions Σ_k −ln p_k(R⁻_k)`, a mean over negatives and puzzles.
///
/// Predictions that cannot see the candidate keep R; as they say the same of
/// every candidate, the supervised term holds them already and they are left
/// out here. Without negatives the term is 0.
///
/// # Shapes
/// `[E, b, C, K_R, N_R] -> [1]`
pub fn contrast_ce(logits: Tensor<5>, labels: &RuleLabels, predictions: &Predictions) -> Tensor<1> {
    let [_, b, c, _, _] = logits.dims();
    let device = logits.device();
    if c < 2 {
        return Tensor::zeros([1], &device);
    }
    let wrong = cross_entropy(logits, labels, 1, c - 1);
    let weights = per_prediction(&predictions.seeing_weights(), &device);
    (wrong * weights).sum().div_scalar((b * (c - 1)) as f32)
}
