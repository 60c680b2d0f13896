//! What training minimises.

use burn::tensor::{Tensor, activation};

use genvp_puzzle::relations::codes::CODES;

use super::RelationModel;
use super::chance::Chance;
use super::courses::Form;
use super::generate::{grids_of_truth, rules_to_host};
use super::sets::{ATTRIBUTES, VALUES, value_sets};
use crate::batch::PuzzleBatch;
use crate::error::to_host;
use crate::loss::{LossConfig, LossTerms, PredictedRules, Term, squared_error, value_error};
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
        if !config.rule_free {
            self.generative_terms(&mut terms, batch, config, noise);
        }
        terms
    }

    /// The terms of the generative half, which learns from the true values of panels.
    fn generative_terms(
        &self,
        terms: &mut LossTerms,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) {
        let Some(told) = &batch.values else { return };
        if let (true, Some(decoder)) = (config.wants(Term::Reconstruction), &self.decoder)
            && batch.has_pixels()
        {
            let drawn = decoder.forward(told.clone());
            terms.set(Term::Reconstruction, squared_error(drawn, batch.images(), batch.len()));
        }
        let labels = batch.rules().filter(|labels| labels.known.is_none());
        if let (true, Some(writer), Some(labels)) = (config.wants(Term::ZO), &self.writer, labels) {
            let p = &self.config.puzzle;
            // What cannot be read from the device shows in a term that is not finite.
            let codes = to_host(batch.right(told.clone())).unwrap_or_default();
            let rules = rules_to_host(labels.right()).unwrap_or_default();
            let puzzles = codes.chunks_exact(p.panels() * CODES);
            let puzzles = puzzles.zip(rules.chunks_exact(p.attributes));
            let grids: Vec<_> = puzzles
                .flat_map(|(codes, rules)| grids_of_truth(Form::of(p), codes, rules))
                .collect();
            terms.set(Term::ZO, writer.cost(&grids, &mut Chance(noise), &told.device()));
        }
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
