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

use burn::tensor::{Tensor, activation};

use super::Genvp;
use crate::batch::{PuzzleBatch, RuleTargets};
use crate::latent::split;
use crate::latent_model::LatentModel;
use crate::loss::{LossConfig, LossTerms, PredictedRules, Term, kl_rows, kl_sum, squared_error};
use crate::noise::Noise;

/// The terms that panels are enough for.
pub(super) const PANEL_TERMS: [Term; 3] = [Term::Reconstruction, Term::ZIrrelevant, Term::Layout];

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
        let mut terms = LossTerms::default();
        if !config.wants_any(&PANEL_TERMS) && !config.wants_any(&PUZZLE_TERMS) {
            return terms;
        }
        let batch = &if config.rule_free { batch.without_labels() } else { batch.clone() };
        let weights = &config.weights;
        let (p, latent) = (&self.config.puzzle, &self.config.latent);
        let b = batch.len();

        // Z ~ q(Z|X), of all panels that come with the puzzles.
        let layout = batch.layout().filter(|_| config.wants(Term::Layout));
        let (z, shown) = self.encode_with_layouts(batch.images(), p.inputs(), layout.clone());
        if let (Some(shown), Some(layout)) = (shown, layout) {
            let panels = layout.repeat_dim(1, p.inputs()).reshape(shown.dims());
            let right = (activation::log_softmax(shown, 1) * panels).sum();
            terms.set(Term::Layout, right.div_scalar(-((b * p.inputs()) as f32)));
        }
        let sample = z.sample(noise);

        // L_rec, of the right puzzle.
        if weights.reconstruction != 0.0 {
            let z = batch.right(sample.clone()).reshape([b * p.panels(), latent.panel()]);
            let drawn = self.decode(z);
            terms.set(Term::Reconstruction, squared_error(drawn, batch.right_images(), b));
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
            if weights.z_o + weights.z != 0.0 {
                let prior = self.prior_z_o(z_r, batch.layout());
                terms.set(Term::ZO, kl_sum(z_o.kl(&prior)));
            }
        }
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
        let candidate_0 = |t: Tensor<3>| t.narrow(1, 0, 1).squeeze_dim::<2>(1);

        // Z_r ~ q(Z_r|Z_o) and q(R|·) of the puzzles completed by every candidate.
        let inference = self.experts.infer(z_o, noise);
        let predicted = PredictedRules::new(inference.logits, &self.config.puzzle);

        // L_Zr: the prior is given the true rules where they are known.
        if config.weights.z_r != 0.0 {
            let rules = RuleTargets::right_or_predicted(batch.rules(), &predicted.mixed);
            let prior = self.experts.prior_z_r(rules, batch.layout());
            terms.set(Term::ZR, kl_rows(&inference.z_r.map(candidate_0), &prior));
        }
        predicted.set_terms(terms, batch.rules(), self.mixture.as_ref(), config);
        candidate_0(inference.z_r_sample)
    }
}
