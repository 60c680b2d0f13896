//! The local masked contrastive term (eq. 6 and 8).

use burn::tensor::{Tensor, activation};

use super::contrast_mask::masked_distance;
use crate::batch::RuleLabels;
use crate::expert::{Predictions, per_prediction};

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
    labels: &RuleLabels,
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
