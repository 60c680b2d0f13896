//! The contrastive terms: the paper's global and local ones (eq. 6-8), and the alternative to both,
//! cross-entropy on R⁻.

use burn::tensor::{Tensor, activation};

use super::supervised::cross_entropy;
use crate::batch::RuleTargets;
use crate::expert::{Predictions, per_prediction};

/// The masked distance that both contrastive terms are made of (eq. 6):
/// `g = ‖M ⊙ (R̂₁ − R₂)‖² − ‖M̄ ⊙ (R̂₁ − R₂)‖²` row by row of R, where M marks the
/// cells in which R₁ and R₂ differ and M̄ those in which both are 1.
///
/// # Shapes
/// three of `[…, K_R, N_R]` that broadcast -> `[…, K_R, 1]`
pub fn masked_distance<const D: usize>(
    predicted: Tensor<D>,
    first: Tensor<D>,
    second: Tensor<D>,
) -> Tensor<D> {
    // Cells are 0 or 1: the squared difference is M, the product M̄.
    let mask = (first.clone() - second.clone()).square() - first * second.clone();
    ((predicted - second).square() * mask).sum_dim(D - 1)
}

/// The global masked contrastive term (eq. 7),
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
    labels: &RuleTargets,
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

/// The local masked contrastive term (eq. 8),
/// −L: `L = Σ_{i∈[A]} g(P⁻_i, P)` for every prediction of the puzzles completed by
/// a negative; a mean over the positions of a kind, summed over the four kinds,
/// a mean over puzzles. Without negatives the term is 0.
///
/// A prediction that cannot see the candidate cannot know it is wrong: its R⁻ stays R.
///
/// # Shapes
/// `[E, b, C, K_R, N_R] -> [1]`
pub fn contrast_local(
    logits: Tensor<5>,
    labels: &RuleTargets,
    predictions: &Predictions,
) -> Tensor<1> {
    let [_, b, c, _, _] = logits.dims();
    let device = logits.device();
    if c < 2 {
        return Tensor::zeros([1], &device);
    }
    let predicted = activation::softmax(logits.narrow(2, 1, c - 1), 4);
    let right = labels.one_hot.clone().narrow(1, 0, 1).unsqueeze_dim::<5>(0);
    let negative = labels.one_hot.clone().narrow(1, 1, c - 1).unsqueeze_dim::<5>(0);
    let (all, seeing) = (predictions.kind_weights(), predictions.seeing_weights());
    let blind = all.iter().zip(&seeing).map(|(a, s)| a - s).collect::<Vec<_>>();
    let own = masked_distance(predicted.clone(), negative, right.clone())
        * per_prediction(&seeing, &device);
    let kept = masked_distance(predicted, right.clone(), right) * per_prediction(&blind, &device);
    let g = own + kept;
    let g = match &labels.known {
        // A row counts where it is known of the right puzzle and of the negative.
        Some(known) => {
            let both = known.clone().narrow(1, 0, 1) * known.clone().narrow(1, 1, c - 1);
            g * both.unsqueeze_dim::<4>(0).unsqueeze_dim::<5>(4)
        }
        None => g,
    };
    g.sum().div_scalar(-(b as f32))
}

/// The alternative to the printed contrast, cross-entropy on R⁻:
/// `Σ_kinds mean_positions Σ_k −ln p_k(R⁻_k)`, a mean over negatives and puzzles.
///
/// Predictions that cannot see the candidate keep R; as they say the same of
/// every candidate, the supervised term holds them already and they are left
/// out here. Without negatives the term is 0.
///
/// # Shapes
/// `[E, b, C, K_R, N_R] -> [1]`
pub fn contrast_ce(
    logits: Tensor<5>,
    labels: &RuleTargets,
    predictions: &Predictions,
) -> Tensor<1> {
    let [_, b, c, _, _] = logits.dims();
    let device = logits.device();
    if c < 2 {
        return Tensor::zeros([1], &device);
    }
    let wrong = cross_entropy(logits, labels, 1, c - 1);
    let weights = per_prediction(&predictions.seeing_weights(), &device);
    (wrong * weights).sum().div_scalar((b * (c - 1)) as f32)
}
