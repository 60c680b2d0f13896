//! From the experts' predictions to one rule matrix (paper, appendix "mixture of experts").

mod neural;

pub use neural::{NeuralMixture, neural_loss};

use burn::tensor::{Tensor, activation};
use serde::{Deserialize, Serialize};

use crate::expert::{Predictions, per_prediction};
use crate::loss::Term;

/// How the experts' predictions become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MixtureKind {
    /// The mean of the four kinds' means (eq. "weighted avg").
    #[default]
    WeightedAvg,
    /// The mean of all predictions (eq. "avg").
    Avg,
    /// The mean of all predictions, then the most likely rule of each row as a one-hot.
    ArgmaxAvg,
    /// The normalised product of all predictions.
    Prod,
    /// The product, then the most likely rule of each row as a one-hot.
    ArgmaxProd,
    /// A small network scores the candidates from all predictions; its rule
    /// matrix is the weighted average.
    Nn,
}

impl MixtureKind {
    /// All six, in the paper's order.
    pub const ALL: [Self; 6] =
        [Self::WeightedAvg, Self::Avg, Self::ArgmaxAvg, Self::Prod, Self::ArgmaxProd, Self::Nn];

    /// One rule matrix from all predictions, every row a distribution over rules.
    ///
    /// # Shapes
    /// `[E, b, C, K_R, N_R]` (logits) -> `[b, C, K_R, N_R]`
    pub fn mix(self, logits: Tensor<5>, predictions: &Predictions) -> Tensor<4> {
        match self {
            Self::WeightedAvg | Self::Nn => {
                average(activation::softmax(logits, 4), &predictions.kind_weights())
            }
            Self::Avg => {
                average(activation::softmax(logits, 4), &vec![1.0; predictions.kinds().len()])
            }
            Self::ArgmaxAvg => one_hot(Self::Avg.mix(logits, predictions)),
            Self::Prod => product(logits),
            Self::ArgmaxProd => one_hot(product(logits)),
        }
    }

    /// Those of an objective's terms that a model with this mixture has: [`Term::Mixture`] is the
    /// learned mixture's only.
    pub(crate) fn terms_of(self, terms: &[Term]) -> Vec<Term> {
        let has = |term: &Term| *term != Term::Mixture || self == Self::Nn;
        terms.iter().copied().filter(has).collect()
    }
}

/// `Σ_e w_e p_e / Σ_e w_e`.
///
/// # Shapes
/// `[E, b, C, K_R, N_R] -> [b, C, K_R, N_R]`
fn average(probabilities: Tensor<5>, weights: &[f32]) -> Tensor<4> {
    let total: f32 = weights.iter().sum();
    let weights = per_prediction(weights, &probabilities.device());
    (probabilities * weights).sum_dim(0).squeeze_dim::<4>(0).div_scalar(total)
}

/// `softmax(Σ_e ln p_e)`: the product of all predictions, each row scaled to sum to 1
/// (the paper leaves it unscaled; a row of R is a distribution, and fourteen
/// factors would underflow).
///
/// # Shapes
/// `[E, b, C, K_R, N_R]` (logits) -> `[b, C, K_R, N_R]`
fn product(logits: Tensor<5>) -> Tensor<4> {
    let sum = activation::log_softmax(logits, 4).sum_dim(0).squeeze_dim::<4>(0);
    activation::softmax(sum, 3)
}

/// Every row as the one-hot of its most likely rule. It has no gradient.
///
/// # Shapes
/// `[b, C, K_R, N_R] -> [b, C, K_R, N_R]`
fn one_hot(probabilities: Tensor<4>) -> Tensor<4> {
    let rules = probabilities.dims()[3];
    let best = probabilities.argmax(3).squeeze_dim::<3>(3);
    best.one_hot::<4>(rules).float()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PuzzleConfig;
    use crate::noise::Noise;
    use burn::tensor::Device;

    #[test]
    fn every_mixture_is_a_rule_matrix() {
        let puzzle = PuzzleConfig::unnamed([2, 3], 4, [10, 6]);
        let logits =
            Noise::seeded(3).normal([puzzle.predictions(), 2, 4, 10, 6], &Device::flex()).unwrap();
        for kind in MixtureKind::ALL {
            let mixed = kind.mix(logits.clone().mul_scalar(30.0), &Predictions::new(&puzzle));
            assert_eq!(mixed.dims(), [2, 4, 10, 6]);
            let sums = mixed.sum_dim(3).into_data().try_to_vec::<f32>().unwrap();
            assert!(sums.iter().all(|s| (s - 1.0).abs() < 1e-4), "{kind:?}");
        }
    }
}
