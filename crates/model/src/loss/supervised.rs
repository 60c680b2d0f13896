//! L_sup: what the experts should say of the right puzzle.

use burn::tensor::{Tensor, activation};

use crate::batch::RuleTargets;
use crate::expert::{Predictions, per_prediction};

/// `Σ_kinds mean_positions Σ_k −ln p_k(R_k)` of the right puzzle (candidate 0), a
/// mean over puzzles; rules that are not known do not count.
///
/// # Shapes
/// `[E, b, C, K_R, N_R] -> [1]`
pub fn supervised(logits: Tensor<5>, labels: &RuleTargets, predictions: &Predictions) -> Tensor<1> {
    let wrong = cross_entropy(logits, labels, 0, 1);
    let (b, device) = (wrong.dims()[1], wrong.device());
    let weights = per_prediction(&predictions.kind_weights(), &device);
    (wrong * weights).sum().div_scalar(b as f32)
}

/// `−ln p_k(R_k)` for `count` candidates from `start` on, 0 where R_k is not known.
///
/// # Shapes
/// `[E, b, C, K_R, N_R] -> [E, b, count, K_R]`
pub(crate) fn cross_entropy(
    logits: Tensor<5>,
    labels: &RuleTargets,
    start: usize,
    count: usize,
) -> Tensor<4> {
    let log_p = activation::log_softmax(logits.narrow(2, start, count), 4);
    let wanted = labels.one_hot.clone().narrow(1, start, count).unsqueeze_dim::<5>(0);
    let wrong = (log_p * wanted).sum_dim(4).squeeze_dim::<4>(4).neg();
    match &labels.known {
        Some(known) => wrong * known.clone().narrow(1, start, count).unsqueeze_dim(0),
        None => wrong,
    }
}

impl RuleTargets {
    /// The right puzzle's rules.
    ///
    /// # Shapes
    /// `[b, K_R, N_R]`
    pub(crate) fn right(&self) -> Tensor<3> {
        self.one_hot.clone().narrow(1, 0, 1).squeeze_dim::<3>(1)
    }

    /// The right puzzle's rules where there are labels, else the mixed prediction of it.
    ///
    /// # Shapes
    /// `mixed` `[b, C, K_R, N_R] -> [b, K_R, N_R]`
    pub(crate) fn right_or_predicted(labels: Option<&Self>, mixed: &Tensor<4>) -> Tensor<3> {
        let predicted = mixed.clone().narrow(1, 0, 1).squeeze_dim::<3>(1);
        match labels {
            Some(labels) => labels.right_or(predicted),
            None => predicted,
        }
    }

    /// The right puzzle's rules where they are known, else those given.
    ///
    /// # Shapes
    /// `[b, K_R, N_R] -> [b, K_R, N_R]`
    fn right_or(&self, otherwise: Tensor<3>) -> Tensor<3> {
        let right = self.right();
        match &self.known {
            Some(known) => {
                let known = known.clone().narrow(1, 0, 1).swap_dims(1, 2);
                right * known.clone() + otherwise * known.neg().add_scalar(1.0)
            }
            None => right,
        }
    }
}
