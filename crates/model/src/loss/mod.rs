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
pub use elbo::{kl_rows, kl_sum, squared_error, surprise};
pub use rule_free::{ranking, rule_prior};
pub use supervised::supervised;
pub use terms::{Contrast, LossConfig, LossTerms, LossWeights, Term};

use burn::tensor::Tensor;

use crate::batch::{PuzzleBatch, RuleLabels};
use crate::genvp::Genvp;
use crate::latent::split;
use crate::mixture::MixtureKind;
use crate::noise::Noise;
use crate::select::active_mass;
use crate::values::value_error;

/// What is learned from, and how.
struct Lesson<'a> {
    /// For a rule-free objective nothing but the images.
    batch: PuzzleBatch,
    config: &'a LossConfig,
}

impl<'a> Lesson<'a> {
    fn new(batch: &PuzzleBatch, config: &'a LossConfig) -> Self {
        let batch = if config.rule_free { batch.without_labels() } else { batch.clone() };
        Self { batch, config }
    }

    fn labels(&self) -> Option<&RuleLabels> {
        self.batch.rules.as_ref()
    }
}

impl Genvp {
    /// All terms of the objective for a batch whose candidate 0 is right.
    ///
    /// Terms that need labels are absent where there are none, and the generative path is
    /// then given the predicted rules instead of the true ones. With `rule_free` set,
    /// nothing of the batch but its images is used. Terms whose weight is 0 are left out,
    /// and with them the work they would cost.
    ///
    /// Where a batch tells what is in its panels, the posterior of Z is known: p(X|Z)
    /// and p(Z_o|Z_r) learn from draws of that one, and q(Z|X) learns to say the same.
    /// With `blind` set the experts learn from such draws too, and no panel is looked at.
    pub fn losses(&self, batch: &PuzzleBatch, config: &LossConfig, noise: &mut Noise) -> LossTerms {
        let mut terms = self.told_losses(batch, config, noise);
        terms.join(self.seen_losses(batch, config, noise));
        if let (true, Some(z_o), Some(rest)) =
            (config.weights.z != 0.0, terms.get(Term::ZO), terms.get(Term::ZIrrelevant))
        {
            // Z_o and Z_o-bar are slices of Z, so KL(q(Z|X) || p(Z|Z_o, Z_o-bar)) is the two together.
            terms.set(Term::Z, z_o + rest);
        }
        terms
    }

    /// Whether [`told_losses`](Self::told_losses) and [`seen_losses`](Self::seen_losses) both have
    /// something to say, and together say all that [`losses`](Self::losses) does: those who have
    /// the time of two can then ask for both at once.
    pub fn losses_come_apart(&self, batch: &PuzzleBatch, config: &LossConfig) -> bool {
        let lesson = Lesson::new(batch, config);
        let wanted = || Term::ALL.into_iter().filter(|term| config.wants(*term));
        config.weights.z == 0.0
            && !config.blind
            && batch.has_pixels()
            && wanted().any(|term| self.is_told(&lesson, term))
            && wanted().any(|term| !self.is_told(&lesson, term))
    }

    /// The terms for which no panel has to be looked at, as the batch tells what is in them.
    pub fn told_losses(
        &self,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) -> LossTerms {
        let mut terms = LossTerms::default();
        self.told_terms(&mut terms, &Lesson::new(batch, config), noise);
        terms
    }

    /// The terms for which the panels have to be looked at.
    pub fn seen_losses(
        &self,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) -> LossTerms {
        let (lesson, mut terms) = (Lesson::new(batch, config), LossTerms::default());
        let wanted = |term: &Term| config.wants(*term) && !self.is_told(&lesson, *term);
        if !config.blind && batch.has_pixels() && Term::ALL.iter().any(wanted) {
            self.seen_terms(&mut terms, &lesson, noise);
        }
        terms
    }

    /// Whether a term is one of those for which nothing has to be looked at.
    fn is_told(&self, lesson: &Lesson<'_>, term: Term) -> bool {
        let (batch, labels) = (&lesson.batch, lesson.labels());
        if self.config().values.is_none() || batch.values.is_none() {
            return false;
        }
        match term {
            Term::Reconstruction => batch.has_pixels() && batch.irrelevant.is_some(),
            Term::ZO => {
                self.writer.is_some() && labels.is_some_and(|labels| labels.known.is_none())
            }
            _ => false,
        }
    }

    /// The terms that need no look at the panels, from what the batch tells about them.
    fn told_terms(&self, terms: &mut LossTerms, lesson: &Lesson<'_>, noise: &mut Noise) {
        let (Lesson { batch, config }, labels) = (lesson, lesson.labels());
        let (Some(values), Some(shares)) = (&self.config().values, &batch.values) else { return };
        let b = batch.len();
        let (p, latent) = (&self.config().puzzle, &self.config().latent);
        let mut codes = |shares: Tensor<3>| {
            let codes = shares.mul_scalar(2.0).sub_scalar(1.0);
            match noise.normal(codes.dims(), &codes.device()) {
                Some(spread) => codes + spread.mul_scalar(values.sigma),
                None => codes,
            }
        };
        let right = self.right(shares.clone(), b);
        let tells = |term| config.wants(term) && self.is_told(lesson, term);
        if let (true, Some(irrelevant)) = (tells(Term::Reconstruction), &batch.irrelevant) {
            let codes = codes(right.clone());
            let z = Tensor::cat(vec![codes, self.right(irrelevant.clone(), b)], 2);
            let drawn = self.decode(z.reshape([b * p.panels(), latent.panel()]));
            terms.set(Term::Reconstruction, squared_error(drawn, self.right_images(batch), b));
        }
        let all =
            config.blind.then(|| codes(shares.clone().reshape([b, p.inputs(), latent.relevant])));
        if let (true, Some(writer), Some(rules)) = (tells(Term::ZO), &self.writer, labels) {
            // Z_r as it is when imagining, drawn from the rules: all it tells is the rules.
            let prior = self.experts.prior_z_r(rules.right(), batch.layout.clone());
            let z_r = prior.sample(noise);
            let layout = batch.layout_or_none(p.layouts);
            terms.set(Term::ZO, writer.cost(right, z_r, layout, noise));
        }
        if let Some(z_o) = all {
            self.expert_terms(terms, z_o, lesson, noise);
        }
    }

    /// The terms for which the panels must be looked at, and those of the generative
    /// path that could not be told.
    fn seen_terms(&self, terms: &mut LossTerms, lesson: &Lesson<'_>, noise: &mut Noise) {
        let Lesson { batch, config } = lesson;
        let (p, latent) = (&self.config().puzzle, &self.config().latent);
        let (b, panels) = (batch.len(), p.panels());
        let weights = &config.weights;
        let (z, odds) = self.encode_coded(batch.images());
        let sample = z.sample(noise);
        if let (true, Some(odds), Some(shares)) = (weights.values != 0.0, odds, &batch.values) {
            terms.set(Term::Values, value_error(odds.mul_scalar(2.0), shares.clone(), b));
        }
        if weights.reconstruction != 0.0 && !self.is_told(lesson, Term::Reconstruction) {
            let z = self.right(sample.clone(), b).reshape([b * panels, latent.panel()]);
            let drawn = self.decode(z);
            terms.set(Term::Reconstruction, squared_error(drawn, self.right_images(batch), b));
        }
        let (z_o, irrelevant) = split(&z.map(|t| self.right(t, b)), latent.relevant);
        if weights.z_irrelevant != 0.0 || weights.z != 0.0 {
            let term = match &batch.irrelevant {
                Some(told) => surprise(&irrelevant, self.right(told.clone(), b)),
                None => kl_sum(irrelevant.kl_standard()),
            };
            terms.set(Term::ZIrrelevant, term);
        }
        let z_o_sample =
            sample.reshape([b, p.inputs(), latent.panel()]).narrow(2, 0, latent.relevant);
        if config.asks_experts(self.writer.is_some()) {
            let z_r = self.expert_terms(terms, z_o_sample, lesson, noise);
            if weights.z_o + weights.z != 0.0 && self.writer.is_none() {
                let prior = self.prior_z_o(z_r, batch.layout.clone());
                terms.set(Term::ZO, kl_sum(z_o.kl(&prior)));
            }
        }
    }

    /// The terms of the experts and of rules; gives a sample of Z_r of the right puzzle.
    ///
    /// # Shapes
    /// `[b, P, K_Zo] -> [b, K_Zr]`
    fn expert_terms(
        &self,
        terms: &mut LossTerms,
        z_o: Tensor<3>,
        lesson: &Lesson<'_>,
        noise: &mut Noise,
    ) -> Tensor<2> {
        let (Lesson { batch, config }, labels) = (lesson, lesson.labels());
        let (b, weights) = (batch.len(), &config.weights);
        let inference = self.infer(z_o, noise);
        let mixed = MixtureKind::WeightedAvg.mix(inference.logits.clone(), &self.predictions());
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
        let told = self.is_told(lesson, Term::ZO) && config.wants(Term::ZO);
        if let (true, Some(writer), Some(shares), false) =
            (weights.z_o + weights.z != 0.0, &self.writer, &batch.values, told)
        {
            let z_r = self.experts.prior_z_r(rules, batch.layout.clone()).sample(noise);
            let layout = batch.layout_or_none(self.config().puzzle.layouts);
            let shares = self.right(shares.clone(), b);
            terms.set(Term::ZO, writer.cost(shares, z_r, layout, noise));
        }
        if weights.rule_prior != 0.0 {
            terms.set(Term::RulePrior, rule_prior(mixed.clone().narrow(1, 0, 1)));
        }
        if config.rule_free && weights.ranking != 0.0 {
            terms.set(Term::Ranking, ranking(active_mass(mixed)));
        }
        if let Some(labels) = labels {
            self.label_terms(terms, inference.logits, labels, config);
        }
        candidate_0(inference.z_r_sample)
    }

    /// The panels of the right puzzle: the context, and candidate 0 behind it.
    ///
    /// # Shapes
    /// `[b · P, k] -> [b, MN, k]`
    fn right(&self, panels: Tensor<2>, b: usize) -> Tensor<3> {
        let (p, width) = (&self.config().puzzle, panels.dims()[1]);
        panels.reshape([b, p.inputs(), width]).narrow(1, 0, p.panels())
    }

    /// # Shapes
    /// `[b · MN, h, w, 1]`
    fn right_images(&self, batch: &PuzzleBatch) -> Tensor<4> {
        let [n, h, w, c] = batch.images.dims();
        let right = self.right(batch.images().reshape([n, h * w * c]), batch.len());
        right.reshape([batch.len() * self.config().puzzle.panels(), h, w, c])
    }

    fn label_terms(
        &self,
        terms: &mut LossTerms,
        logits: Tensor<5>,
        labels: &RuleLabels,
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
