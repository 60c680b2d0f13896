//! What training minimises: the negative of the paper's objective ("The Objective Function"), term by term.
//!
//! ```text
//! max  ELBO(X, R) - L_sup + β_G G + β_L L
//! ELBO = β₁ E[log p(X|Z)]                                  L_rec
//!      - β₂ KL(q(R|Z_o, Z_r) || p(R))                      L_R
//!      - β₃ KL(q(Z_o-bar|Z) || N(0, I))                    L_Zo-bar
//!      - β₄ KL(q(Z_o|Z) || p(Z_o|Z_r))                     L_Zo
//!      - β₅ KL(q(Z_r|Z_o) || p(Z_r|R))                     L_Zr
//!      - β₆ KL(q(Z|X) || p(Z|Z_o, Z_o-bar))                L_Z
//! ```

use burn::tensor::Tensor;

use super::Genvp;
use crate::architecture::ArchitectureConfig;
use crate::batch::{PuzzleBatch, RuleTargets};
use crate::imagination;
use crate::latent::{Gaussian, split};
use crate::loss::{
    LossConfig, LossTerms, PredictedRules, Term, kl_sum, reconstruction, row_divergence,
};
use crate::noise::Noise;

/// The terms that panels are enough for.
pub(super) const PANEL_TERMS: [Term; 2] = [Term::Reconstruction, Term::ZIrrelevant];

/// The terms that need the experts; the ranking of candidates is for training without rule labels.
pub(super) const PUZZLE_TERMS: [Term; 9] = [
    Term::RulePrior,
    Term::ZO,
    Term::ZR,
    Term::Z,
    Term::Supervised,
    Term::ContrastGlobal,
    Term::ContrastLocal,
    Term::Ranking,
    Term::Mixture,
];

impl Genvp {
    /// From the pixels of a batch, whose candidate 0 is right, to the terms.
    pub(super) fn objective(
        &self,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) -> LossTerms {
        if !config.wants_any(&self.config.terms()) {
            return LossTerms::default();
        }
        let batch = &if config.rule_free { batch.without_labels() } else { batch.clone() };
        // L_rec and L_Zo of a model that imagines by values of its own.
        let own = self.imagination.as_ref();
        let mut imagined = LossTerms::default();
        if let Some(own) = own.filter(|_| config.wants_any(&imagination::TERMS)) {
            own.set_terms(&mut imagined, &self.encoder, &self.experts, batch, config, noise);
        }
        let mut others = self.config.terms();
        others.retain(|term| own.is_none() || !imagination::TERMS.contains(term));
        if !config.wants_any(&others) {
            return imagined;
        }
        let weights = &config.weights;
        let (p, latent) = (&self.config.puzzle, &self.config.latent);
        let b = batch.len();

        // Z ~ q(Z|X), of all panels that come with the puzzles.
        let (output, mut terms) = self.encoder.learn(batch, config);
        let z = Gaussian::from_output(output, latent.log_var);
        let sample = z.sample(noise);

        // L_rec, of the right puzzle.
        if weights.reconstruction != 0.0 && own.is_none() {
            let z = batch.right(sample.clone());
            terms.set(Term::Reconstruction, reconstruction(self, z, batch));
        }

        // L_Zo-bar.
        let (z_o, irrelevant) = split(&z.map(|t| batch.right(t)), latent.relevant);
        if weights.z_irrelevant != 0.0 || weights.z != 0.0 {
            terms.set(Term::ZIrrelevant, kl_sum(irrelevant.kl_standard()));
        }

        // L_R, L_Zr, L_sup and contrast; then L_Zo.
        if config.wants_any(&PUZZLE_TERMS) {
            let all = sample.reshape([b, p.inputs(), latent.panel()]).narrow(2, 0, latent.relevant);
            let z_r = self.rules_and_rows(&mut terms, all, batch, config, noise);
            if weights.z_o + weights.z != 0.0 && own.is_none() {
                let prior = self.prior_z_o(z_r, batch.layout());
                terms.set(Term::ZO, kl_sum(z_o.kl(&prior)));
            }
        }
        terms.join(imagined);
        terms.add_z(weights);
        terms
    }

    /// The terms of the puzzle level; gives a sample of Z_r of the right puzzle.
    ///
    /// # Shapes
    /// `[b, P, K_Zo] -> [b, K_Zr]`
    fn rules_and_rows(
        &self,
        terms: &mut LossTerms,
        z_o: Tensor<3>,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) -> Tensor<2> {
        // Z_r ~ q(Z_r|Z_o) and q(R|·) of the puzzles completed by every candidate.
        let inference = self.experts.infer(z_o, noise);
        let predicted = PredictedRules::new(inference.logits.clone(), &self.config.puzzle);

        // L_Zr: the prior is given the true rules where they are known.
        if config.weights.z_r != 0.0 {
            let rules = RuleTargets::right_or_predicted(batch.rules(), &predicted.mixed);
            terms.set(Term::ZR, row_divergence(self, &inference, rules, batch));
        }
        predicted.set_terms(terms, batch.rules(), self.mixture.as_ref(), config);
        inference.z_r_sample.narrow(1, 0, 1).squeeze_dim(1)
    }
}
