//! The terms of what the experts say: L_R, L_sup, contrast and ranking.

use burn::tensor::{Tensor, activation};

use super::{
    Contrast, LossConfig, LossTerms, Term, contrast_ce, contrast_global, contrast_local, ranking,
    rule_prior, supervised,
};
use crate::batch::RuleTargets;
use crate::config::PuzzleConfig;
use crate::expert::Predictions;
use crate::mixture::{MixtureKind, NeuralMixture, neural_loss};

/// What the experts predict of a batch, as training sees it.
pub(crate) struct PredictedRules {
    /// Every prediction, unnormalised `[E, b, C, K_R, N_R]`.
    logits: Tensor<5>,
    /// Their weighted average `[b, C, K_R, N_R]`, whatever the model solves by: the other mixtures are
    /// for models that are trained already.
    pub mixed: Tensor<4>,
    predictions: Predictions,
}

impl PredictedRules {
    /// # Shapes
    /// `[E, b, C, K_R, N_R]`
    pub fn new(logits: Tensor<5>, puzzle: &PuzzleConfig) -> Self {
        let predictions = Predictions::new(puzzle);
        let mixed = MixtureKind::WeightedAvg.mix(logits.clone(), &predictions);
        Self { logits, mixed, predictions }
    }

    /// Sets every wanted term that depends on the experts' predictions and the rules alone; `network`
    /// is that of the learned mixture.
    pub fn set_terms(
        self,
        terms: &mut LossTerms,
        labels: Option<&RuleTargets>,
        network: Option<&NeuralMixture>,
        config: &LossConfig,
    ) {
        let Self { logits, mixed, predictions } = self;
        let weights = &config.weights;
        if let (true, Some(network)) = (weights.mixture != 0.0, network) {
            // Only the network learns from this term, not the experts whose words it weighs.
            let said = activation::softmax(logits.clone().detach(), 4);
            terms.set(Term::Mixture, neural_loss(network.scores(said)));
        }
        if weights.rule_prior != 0.0 {
            terms.set(Term::RulePrior, rule_prior(mixed.clone().narrow(1, 0, 1)));
        }
        if config.rule_free && weights.ranking != 0.0 {
            terms.set(Term::Ranking, ranking(logits.clone(), &predictions));
        }
        let Some(labels) = labels else { return };
        if weights.supervised != 0.0 {
            terms.set(Term::Supervised, supervised(logits.clone(), labels, &predictions));
        }
        let (global, local) = (weights.contrast_global != 0.0, weights.contrast_local != 0.0);
        match config.contrast {
            Contrast::Ce if local => {
                terms.set(Term::ContrastLocal, contrast_ce(logits, labels, &predictions));
            }
            Contrast::Paper => {
                if global {
                    let term = contrast_global(logits.clone(), labels, &predictions);
                    terms.set(Term::ContrastGlobal, term);
                }
                if local {
                    terms.set(Term::ContrastLocal, contrast_local(logits, labels, &predictions));
                }
            }
            Contrast::Ce | Contrast::None => {}
        }
    }
}
