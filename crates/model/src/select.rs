//! Choosing the answer.

use burn::tensor::Tensor;

use crate::error::{ModelError, to_host};

/// How well one candidate completes the puzzle. It depends on the context and that candidate alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The mass of active rules, `Σ_k (1 − p_k,none)`; or the learned mixture's score.
    pub active: f32,
    /// How sure the rule matrix is, `Σ_k ln max_j p_kj`; it decides between equals.
    pub certainty: f32,
}

/// The soft count of active rules: the paper's "largest set of active rules".
///
/// # Shapes
/// `[b, C, K_R, N_R] -> [b, C]`
pub fn active_mass(mixed: Tensor<4>) -> Tensor<2> {
    let [b, c, k, _] = mixed.dims();
    let none = mixed.clone().narrow(3, 0, 1).reshape([b, c, k]);
    none.neg().add_scalar(1.0).sum_dim(2).squeeze_dim(2)
}

/// The log-probability of the most likely rule matrix.
///
/// # Shapes
/// `[b, C, K_R, N_R] -> [b, C]`
pub fn certainty(mixed: Tensor<4>) -> Tensor<2> {
    let [b, c, k, _] = mixed.dims();
    // The floor keeps the logarithm of a probability that underflowed finite.
    let best = mixed.max_dim(3).reshape([b, c, k]).clamp_min(1e-30).log();
    best.sum_dim(2).squeeze_dim(2)
}

/// Reads the scores off the device.
///
/// # Shapes
/// `[b, C]` each
///
/// # Errors
/// When the device fails to hand them over.
pub fn read_scores(active: Tensor<2>, certainty: Tensor<2>) -> Result<Vec<Vec<Score>>, ModelError> {
    let candidates = active.dims()[1];
    let (active, certainty) = (to_host(active)?, to_host(certainty)?);
    let scores = active.into_iter().zip(certainty);
    let scores = scores.map(|(active, certainty)| Score { active, certainty }).collect::<Vec<_>>();
    Ok(scores.chunks(candidates.max(1)).map(<[Score]>::to_vec).collect())
}

/// The best candidate: most active mass, then most certain, then first. A score
/// that is not a number never wins over one that is.
pub fn best(scores: &[Score]) -> usize {
    let worth = |x: f32| if x.is_nan() { f32::NEG_INFINITY } else { x };
    let better = |a: &Score, b: &Score| {
        (worth(a.active), worth(a.certainty)) > (worth(b.active), worth(b.certainty))
    };
    (0..scores.len()).fold(0, |best, i| if better(&scores[i], &scores[best]) { i } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(active: f32, certainty: f32) -> Score {
        Score { active, certainty }
    }

    #[test]
    fn the_candidate_with_the_most_rules_wins() {
        assert_eq!(best(&[score(1.0, 0.0), score(3.0, -9.0), score(2.0, 0.0)]), 1);
    }

    #[test]
    fn ties_go_to_the_more_certain_then_to_the_first() {
        assert_eq!(best(&[score(3.0, -2.0), score(3.0, -1.0), score(3.0, -1.0)]), 1);
    }

    #[test]
    fn nan_never_wins() {
        assert_eq!(best(&[score(f32::NAN, 0.0), score(-5.0, f32::NAN), score(-5.0, -3.0)]), 2);
        assert_eq!(best(&[score(f32::NAN, 0.0); 3]), 0);
        assert_eq!(best(&[]), 0);
    }
}
