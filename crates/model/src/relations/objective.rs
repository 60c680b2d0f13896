//! What training minimises.

use burn::tensor::{Tensor, activation};

use super::RelationModel;
use super::sets::{ATTRIBUTES, VALUES, value_sets};
use crate::batch::PuzzleBatch;
use crate::loss::{LossConfig, LossTerms, PredictedRules, Term, value_error};
use crate::noise::Noise;

/// The terms that the experts are asked for.
pub(super) const EXPERT_TERMS: [Term; 6] = [
    Term::RulePrior,
    Term::Supervised,
    Term::ContrastGlobal,
    Term::ContrastLocal,
    Term::Ranking,
    Term::Mixture,
];

impl RelationModel {
    /// How far what is read is from what panels show, where that is told, and the terms of the experts:
    /// on what is read, or with `symbolic_only` set on what panels are told to show.
    pub(super) fn objective(
        &self,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) -> LossTerms {
        let mut terms = LossTerms::default();
        let b = batch.len();
        let told = batch.values.clone().filter(|_| !config.rule_free);
        let shares = if config.symbolic_only {
            told
        } else if batch.has_pixels() {
            let odds = self.reader.forward(batch.images());
            if let (true, Some(told)) = (config.wants(Term::Values), told) {
                terms.set(Term::Values, value_error(odds.clone(), told, b));
            }
            Some(activation::sigmoid(odds))
        } else {
            None
        };
        if let (true, Some(shares)) = (config.wants_any(&EXPERT_TERMS), shares) {
            self.expert_terms(&mut terms, value_sets(shares), batch, config, noise);
        }
        terms
    }

    /// # Shapes
    /// `sets` `[b · P, A, V]`
    fn expert_terms(
        &self,
        terms: &mut LossTerms,
        sets: Tensor<3>,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) {
        let puzzle = &self.config.puzzle;
        let sets = match noise.normal(sets.dims(), &sets.device()) {
            Some(spread) => sets + spread.mul_scalar(self.config.experts.sigma),
            None => sets,
        };
        let sets = sets.reshape([batch.len(), puzzle.inputs(), ATTRIBUTES, VALUES]);
        let logits = self.experts.logits(sets);
        let labels = batch.rules().filter(|_| !config.rule_free);
        let predicted = PredictedRules::new(logits, puzzle);
        predicted.set_terms(terms, labels, self.mixture.as_ref(), config);
    }
}
