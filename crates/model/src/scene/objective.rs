//! What training minimises, in two parts: the terms that the true values of scenes are enough
//! for, and those that the encoder's reading of the panels enters.

use burn::tensor::{Tensor, TensorData};

use super::{Condition, SceneGenvp};
use crate::architecture::LossPart;
use crate::batch::{PuzzleBatch, RuleTargets};
use crate::latent::{Gaussian, split};
use crate::loss::{
    LossConfig, LossTerms, PredictedRules, Term, kl_sum, reconstruction, row_divergence,
    value_error,
};
use crate::noise::Noise;

/// The terms of this objective.
pub(super) const TERMS: [Term; 12] = [
    Term::Reconstruction,
    Term::RulePrior,
    Term::ZIrrelevant,
    Term::ZO,
    Term::ZR,
    Term::Z,
    Term::Supervised,
    Term::ContrastGlobal,
    Term::ContrastLocal,
    Term::Ranking,
    Term::Values,
    Term::Mixture,
];

/// The terms that the experts are asked for. That of Z_o is not: p(Z_o|Z_r) learns with Z_r drawn
/// from the rules.
const EXPERT_TERMS: [Term; 7] = [
    Term::RulePrior,
    Term::ZR,
    Term::Supervised,
    Term::ContrastGlobal,
    Term::ContrastLocal,
    Term::Ranking,
    Term::Mixture,
];

/// Whether some term needs pictures.
pub(super) fn needs_pixels(config: &LossConfig) -> bool {
    let sight = |term: Term| match term {
        Term::ZO => false,
        Term::Reconstruction => true,
        _ => !config.symbolic_only,
    };
    TERMS.into_iter().any(|term| sight(term) && config.wants(term))
}

/// What is learned from, and how.
struct TrainBatch<'a> {
    /// For a rule-free objective nothing but the images.
    batch: PuzzleBatch,
    config: &'a LossConfig,
}

impl<'a> TrainBatch<'a> {
    fn new(batch: &PuzzleBatch, config: &'a LossConfig) -> Self {
        let batch = if config.rule_free { batch.without_labels() } else { batch.clone() };
        Self { batch, config }
    }

    /// The part that a term belongs to.
    fn part_of(&self, term: Term) -> LossPart {
        let batch = &self.batch;
        let supervised = batch.values.is_some()
            && match term {
                Term::Reconstruction => batch.has_pixels() && batch.irrelevant.is_some(),
                Term::ZO => batch.rules().is_some_and(|labels| labels.known.is_none()),
                _ => false,
            };
        if supervised { LossPart::SupervisedLatents } else { LossPart::FromPixels }
    }

    /// Whether a term counts, and belongs to a part.
    fn wants(&self, part: LossPart, term: Term) -> bool {
        self.config.wants(term) && self.part_of(term) == part
    }

    /// Whether a part has any term.
    fn has(&self, part: LossPart) -> bool {
        TERMS.into_iter().any(|term| self.wants(part, term))
    }

    /// Whether panels are read.
    fn reads_pixels(&self) -> bool {
        !self.config.symbolic_only && self.batch.has_pixels()
    }
}

impl SceneGenvp {
    pub(super) fn has_two_parts(&self, batch: &PuzzleBatch, config: &LossConfig) -> bool {
        let train = TrainBatch::new(batch, config);
        config.weights.z == 0.0
            && train.reads_pixels()
            && train.has(LossPart::SupervisedLatents)
            && train.has(LossPart::FromPixels)
    }

    pub(super) fn part_of_objective(
        &self,
        part: LossPart,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) -> LossTerms {
        let train = TrainBatch::new(batch, config);
        let mut terms = LossTerms::default();
        match part {
            LossPart::SupervisedLatents => self.supervised_terms(&mut terms, &train, noise),
            LossPart::FromPixels if train.reads_pixels() && train.has(part) => {
                self.pixel_terms(&mut terms, &train, noise);
            }
            LossPart::FromPixels => {}
        }
        terms
    }

    /// The terms that need no panel to be read. With `symbolic_only` set the experts learn from
    /// draws around the true codes too.
    fn supervised_terms(&self, terms: &mut LossTerms, train: &TrainBatch<'_>, noise: &mut Noise) {
        let TrainBatch { batch, config } = train;
        let Some(shares) = &batch.values else { return };
        let b = batch.len();
        let (p, latent) = (&self.config.puzzle, &self.config.latent);
        let mut codes = |shares: Tensor<3>| {
            let codes = shares.mul_scalar(2.0).sub_scalar(1.0);
            match noise.normal(codes.dims(), &codes.device()) {
                Some(spread) => codes + spread.mul_scalar(self.config.values.sigma),
                None => codes,
            }
        };
        let right = batch.right(shares.clone());
        let wants = |term| train.wants(LossPart::SupervisedLatents, term);
        if let (true, Some(irrelevant)) = (wants(Term::Reconstruction), &batch.irrelevant) {
            let codes = codes(right.clone());
            let z = Tensor::cat(vec![codes, batch.right(irrelevant.clone())], 2);
            terms.set(Term::Reconstruction, reconstruction(self, z, batch));
        }
        let all = config
            .symbolic_only
            .then(|| codes(shares.clone().reshape([b, p.inputs(), latent.relevant])));
        if let (true, Some(labels)) = (wants(Term::ZO), batch.rules()) {
            terms.set(Term::ZO, self.value_cost(right, labels.right(), batch, noise));
        }
        if let Some(z_o) = all {
            self.expert_terms(terms, z_o, train, noise);
        }
    }

    /// The terms that the encoder's reading of the panels enters.
    fn pixel_terms(&self, terms: &mut LossTerms, train: &TrainBatch<'_>, noise: &mut Noise) {
        let TrainBatch { batch, config } = train;
        let (p, latent, weights) = (&self.config.puzzle, &self.config.latent, &config.weights);
        let b = batch.len();
        let (z, odds) = self.encode_with_odds(batch.images());
        let sample = z.sample(noise);
        if let (true, Some(shares)) = (weights.values != 0.0, &batch.values) {
            terms.set(Term::Values, value_error(odds.mul_scalar(2.0), shares.clone(), b));
        }
        if train.wants(LossPart::FromPixels, Term::Reconstruction) {
            let z = batch.right(sample.clone());
            terms.set(Term::Reconstruction, reconstruction(self, z, batch));
        }
        if weights.z_irrelevant != 0.0 || weights.z != 0.0 {
            let (_, irrelevant) = split(&z.map(|t| batch.right(t)), latent.relevant);
            let term = match &batch.irrelevant {
                Some(truth) => gaussian_nll(&irrelevant, batch.right(truth.clone())),
                None => kl_sum(irrelevant.kl_standard()),
            };
            terms.set(Term::ZIrrelevant, term);
        }
        if config.wants_any(&EXPERT_TERMS) {
            let all = sample.reshape([b, p.inputs(), latent.panel()]).narrow(2, 0, latent.relevant);
            self.expert_terms(terms, all, train, noise);
        }
    }

    /// The terms of the experts and of rules.
    ///
    /// # Shapes
    /// `[b, P, K_Zo]`
    fn expert_terms(
        &self,
        terms: &mut LossTerms,
        z_o: Tensor<3>,
        train: &TrainBatch<'_>,
        noise: &mut Noise,
    ) {
        let TrainBatch { batch, config } = train;
        let weights = &config.weights;
        let inference = self.experts.infer(z_o, noise);
        let predicted = PredictedRules::new(inference.logits.clone(), &self.config.puzzle);
        let rules = RuleTargets::right_or_predicted(batch.rules(), &predicted.mixed);
        if weights.z_r != 0.0 {
            terms.set(Term::ZR, row_divergence(self, &inference, rules.clone(), batch));
        }
        let done = train.wants(LossPart::SupervisedLatents, Term::ZO);
        if let (true, Some(shares), false) = (weights.z_o + weights.z != 0.0, &batch.values, done) {
            let right = batch.right(shares.clone());
            terms.set(Term::ZO, self.value_cost(right, rules, batch, noise));
        }
        predicted.set_terms(terms, batch.rules(), self.mixture.as_ref(), config);
    }

    /// L_Zo of the right puzzle's values, with Z_r as it is when imagining: drawn from the rules,
    /// so that the rules are all it says.
    ///
    /// # Shapes
    /// `shares` `[b, MN, K_Zo]`, `rules` `[b, K_R, N_R] -> [1]`
    fn value_cost(
        &self,
        shares: Tensor<3>,
        rules: Tensor<3>,
        batch: &PuzzleBatch,
        noise: &mut Noise,
    ) -> Tensor<1> {
        let z_r = self.experts.prior_z_r(rules, batch.layout()).sample(noise);
        let layout = batch.layout_or_none(self.config.puzzle.layouts);
        let parameters = self.writer.told(batch.parameters.as_ref(), batch.len(), &z_r.device());
        let parameters: Vec<Tensor<3>> =
            parameters.into_iter().map(|told| sometimes(told, noise)).collect();
        let condition = Condition { z_r: &z_r, layout: &layout, parameters: &parameters };
        self.writer.cost(shares, &condition, noise)
    }
}

/// How often the parameter of a rule is told: what is never left out is missed when a puzzle is
/// completed, where nobody knows it.
const TOLD: f32 = 0.75;

/// Leaves out the parameters of some rules, each as a whole.
///
/// # Shapes
/// `[b, C, numbers] -> [b, C, numbers]`
fn sometimes(told: Tensor<3>, noise: &mut Noise) -> Tensor<3> {
    let [b, c, _] = told.dims();
    let Some(draws) = noise.uniform(b * c) else { return told };
    let keep: Vec<f32> = draws.iter().map(|&draw| f32::from(u8::from(draw < TOLD))).collect();
    let keep = Tensor::<3>::from_data(TensorData::new(keep, [b, c, 1]), &told.device());
    told * keep
}

/// L_Zo-bar where Z_o-bar is known: `−ln q(Z_o-bar|X)` up to a constant,
/// `½ Σ (ln σ² + (z − μ)² / σ²)`, a mean over puzzles.
///
/// # Shapes
/// `[b, n, K_Zo-bar]` twice -> `[1]`
fn gaussian_nll(q: &Gaussian<3>, truth: Tensor<3>) -> Tensor<1> {
    let gap = (truth - q.mean.clone()).square() * q.log_var.clone().neg().exp();
    kl_sum((gap + q.log_var.clone()).mul_scalar(0.5))
}
