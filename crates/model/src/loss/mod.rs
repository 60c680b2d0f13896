//! What training minimises, term by term.
//!
//! Every term is a mean over the puzzles of a batch. The paper maximises; here
//! all signs are turned, so that smaller is better for every term.

mod contrast_ce;
mod contrast_global;
mod contrast_local;
mod contrast_mask;
mod elbo;
mod rule_free;
mod supervised;
mod terms;

pub use contrast_ce::contrast_ce;
pub use contrast_global::contrast_global;
pub use contrast_local::contrast_local;
pub use contrast_mask::masked_distance;
pub use elbo::{kl_rows, kl_sum, squared_error};
pub use rule_free::{ranking, rule_prior};
pub use supervised::supervised;
pub use terms::{Contrast, LossConfig, LossTerms, LossWeights, Term};

use burn::tensor::Tensor;

use crate::batch::PuzzleBatch;
use crate::genvp::Genvp;
use crate::latent::split;
use crate::mixture::MixtureKind;
use crate::noise::Noise;
use crate::select::active_mass;
use crate::values::value_error;

impl Genvp {
    /// All terms of the objective for a batch whose candidate 0 is right.
    ///
    /// Terms that need labels are absent where there are none; without labels,
    /// or when `rule_free` is set, the generative path is given the predicted
    /// rules instead of the true ones. Terms whose weight is 0 are left out,
    /// and with them the work they would cost.
    pub fn losses(&self, batch: &PuzzleBatch, config: &LossConfig, noise: &mut Noise) -> LossTerms {
        let (p, latent) = (&self.config().puzzle, &self.config().latent);
        let (b, panels) = (batch.len(), p.panels());
        let weights = &config.weights;
        let (z, odds) = self.encode_coded(batch.images());
        let sample = z.sample(noise);
        let by_puzzle = |t: Tensor<2>, width: usize| t.reshape([b, p.inputs(), width]);
        let z_o_sample = by_puzzle(sample.clone(), latent.panel()).narrow(2, 0, latent.relevant);
        let inference = self.infer(z_o_sample.clone(), noise);
        let mixed = MixtureKind::WeightedAvg.mix(inference.logits.clone(), &self.predictions());
        let labels = batch.rules.as_ref().filter(|_| !config.rule_free);

        let mut terms = LossTerms::default();
        if let (true, Some(odds), Some(shares)) = (weights.values != 0.0, odds, &batch.values) {
            terms.set(Term::Values, value_error(odds.mul_scalar(2.0), shares.clone(), b));
        }
        // The right puzzle: the context, and candidate 0 behind it.
        let right = |t: Tensor<3>| t.narrow(1, 0, panels);
        if weights.reconstruction != 0.0 {
            let z = right(by_puzzle(sample, latent.panel())).reshape([b * panels, latent.panel()]);
            let [_, h, w, c] = batch.images.dims();
            let wanted = batch.images().reshape([b, p.inputs(), h * w * c]).narrow(1, 0, panels);
            terms.set(
                Term::Reconstruction,
                squared_error(self.decode(z), wanted.reshape([b * panels, h, w, c]), b),
            );
        }
        let (z_o, irrelevant) =
            split(&z.map(|t| right(by_puzzle(t, latent.panel()))), latent.relevant);
        if weights.z_irrelevant != 0.0 || weights.z != 0.0 {
            terms.set(Term::ZIrrelevant, kl_sum(irrelevant.kl_standard()));
        }
        let candidate_0 = |t: Tensor<3>| t.narrow(1, 0, 1).squeeze_dim::<2>(1);
        let predicted = mixed.clone().narrow(1, 0, 1).squeeze_dim::<3>(1);
        let rules = match labels {
            Some(labels) => labels.right_or(predicted),
            None => predicted,
        };
        if weights.z_r != 0.0 {
            let prior = self.experts.prior_z_r(rules.clone(), batch.layout.clone());
            terms.set(Term::ZR, kl_rows(&inference.z_r.map(candidate_0), &prior));
        }
        match (&self.writer, &batch.values) {
            _ if weights.z_o == 0.0 && weights.z == 0.0 => {}
            (Some(writer), Some(shares)) => {
                // Z_r as it is when imagining, drawn from the rules: all it tells is the rules.
                let z_r = self.experts.prior_z_r(rules, batch.layout.clone()).sample(noise);
                let shares = right(by_puzzle(shares.clone(), latent.relevant));
                let layout = batch.layout.clone();
                let layout = layout.unwrap_or_else(|| Tensor::zeros([b, p.layouts], &z_r.device()));
                terms.set(Term::ZO, writer.cost(shares, z_r, layout, noise));
            }
            (Some(_), None) => {}
            (None, _) => {
                let prior =
                    self.prior_z_o(candidate_0(inference.z_r_sample.clone()), batch.layout.clone());
                terms.set(Term::ZO, kl_sum(z_o.kl(&prior)));
            }
        }
        if let (true, Some(z_o), Some(rest)) =
            (weights.z != 0.0, terms.get(Term::ZO), terms.get(Term::ZIrrelevant))
        {
            // Z_o and Z_o-bar are slices of Z, so KL(q(Z|X) || p(Z|Z_o, Z_o-bar)) is the two together.
            terms.set(Term::Z, z_o + rest);
        }
        if weights.rule_prior != 0.0 {
            terms.set(Term::RulePrior, rule_prior(mixed.clone().narrow(1, 0, 1)));
        }
        if config.rule_free && weights.ranking != 0.0 {
            terms.set(Term::Ranking, ranking(active_mass(mixed)));
        }
        if let Some(labels) = labels {
            self.label_terms(&mut terms, inference.logits, labels, config);
        }
        terms
    }

    fn label_terms(
        &self,
        terms: &mut LossTerms,
        logits: Tensor<5>,
        labels: &crate::batch::RuleLabels,
        config: &LossConfig,
    ) {
        let predictions = self.predictions();
        let weights = &config.weights;
        if weights.supervised != 0.0 {
            terms.set(Term::Supervised, supervised(logits.clone(), labels, &predictions));
        }
        match config.contrast {
            Contrast::None => {}
            Contrast::Ce => {
                if weights.contrast_local != 0.0 {
                    terms.set(Term::ContrastLocal, contrast_ce(logits, labels, &predictions));
                }
            }
            Contrast::Paper => {
                if weights.contrast_global != 0.0 {
                    terms.set(
                        Term::ContrastGlobal,
                        contrast_global(logits.clone(), labels, &predictions),
                    );
                }
                if weights.contrast_local != 0.0 {
                    terms.set(Term::ContrastLocal, contrast_local(logits, labels, &predictions));
                }
            }
        }
    }
}
