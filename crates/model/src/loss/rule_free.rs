//! Training without rule labels: from images and the right answer's place.

use burn::tensor::{Tensor, activation};

use crate::expert::{Predictions, per_prediction};
use crate::select::active_mass;

/// A wrong choice that breaks one rule has 1 less of active mass at most. So many times that is
/// what the softmax over the candidates sees: with 1 its loss could not fall below ln(1 + 7/e).
const SHARPNESS: f32 = 10.0;

/// L_R with p(R) uniform: `Σ_k (Σ_j p_kj ln p_kj + ln N_R)` of the mixed rule matrix
/// of the right puzzle, a mean over puzzles.
///
/// # Shapes
/// `[b, 1, K_R, N_R] -> [1]`
pub fn rule_prior(mixed: Tensor<4>) -> Tensor<1> {
    let [b, c, attributes, rules] = mixed.dims();
    // p ln p goes to 0 with p; the floor keeps its gradient finite.
    let entropy = (mixed.clone() * mixed.clamp_min(1e-12).log()).sum().div_scalar((b * c) as f32);
    entropy + attributes as f32 * (rules as f32).ln()
}

/// Cross-entropy of a softmax over the candidates' active mass, where candidate
/// 0 is right: the right puzzle shall have more rules than the wrong ones. Every prediction that
/// sees the candidate is asked on its own; a mean over the positions of a kind, then over the
/// kinds by how many of them see it.
///
/// # Shapes
/// `[E, b, C, K_R, N_R] -> [1]`
pub fn ranking(logits: Tensor<5>, predictions: &Predictions) -> Tensor<1> {
    let [e, b, c, attributes, rules] = logits.dims();
    let said = activation::softmax(logits, 4).reshape([e * b, c, attributes, rules]);
    let active = active_mass(said).mul_scalar(SHARPNESS);
    let right = activation::log_softmax(active, 1).narrow(1, 0, 1).reshape([e, b]);
    let (weights, device) = (predictions.seeing_weights(), right.device());
    let total = weights.iter().sum::<f32>() * b as f32;
    (right * per_prediction::<2>(&weights, &device)).sum().div_scalar(-total)
}
