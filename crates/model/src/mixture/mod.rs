//! From the experts' predictions to one rule matrix (paper, appendix "mixture of experts").

mod argmax;
mod neural;
mod product;
mod weighted;

pub use neural::{NeuralMixture, neural_loss};

use burn::tensor::{Tensor, activation};
use serde::{Deserialize, Serialize};

use crate::expert::Predictions;

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
                weighted::average(activation::softmax(logits, 4), &predictions.kind_weights())
            }
            Self::Avg => weighted::average(
                activation::softmax(logits, 4),
                &vec![1.0; predictions.kinds().len()],
            ),
            Self::ArgmaxAvg => argmax::one_hot(Self::Avg.mix(logits, predictions)),
            Self::Prod => product::product(logits),
            Self::ArgmaxProd => argmax::one_hot(product::product(logits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PuzzleConfig;
    use crate::noise::Noise;
    use burn::tensor::Device;

    #[test]
    fn every_mixture_is_a_rule_matrix() {
        let puzzle = PuzzleConfig {
            rows: 2,
            columns: 3,
            candidates: 4,
            attributes: 10,
            rules: 6,
            layouts: 0,
        };
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
