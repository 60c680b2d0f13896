//! What solving gives; and from latents to answers: infer, mix, score. Every model with rule experts
//! solves by this file.

use burn::tensor::{Tensor, activation};

use crate::config::PuzzleConfig;
use crate::error::ModelError;
use crate::expert::{Experts, Predictions};
use crate::latent::{Gaussian, split};
use crate::latent_model::LatentModel;
use crate::mixture::{MixtureKind, NeuralMixture};
use crate::noise::Noise;
use crate::select::{self, Score};

/// What a model makes of a batch of puzzles.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Every candidate's score `[b][C]`.
    pub scores: Vec<Vec<Score>>,
    /// The rules of each completed puzzle, for models that name rules.
    rules: Option<SolvedRules>,
    /// q(Z|X) of all panels `[b · P, K]`, for models with latents.
    pub z: Option<Gaussian<2>>,
    /// How far the question shows each layout, -1 to 1 `[b, L]`, for models that say it.
    pub layout: Option<Tensor<2>>,
}

/// The rules that a model sees in puzzles, each completed by every candidate.
#[derive(Clone, Debug)]
pub struct SolvedRules {
    /// The rule matrix of each completed puzzle `[b, C, K_R, N_R]`: probabilities. Where there are
    /// experts, their mixture.
    pub mixed: Tensor<4>,
    experts: Option<SolvedExperts>,
}

/// What rule experts say of puzzles, each completed by every candidate.
#[derive(Clone, Debug)]
pub struct SolvedExperts {
    /// Unnormalised log-probabilities of the rules by every prediction `[E, b, C, K_R, N_R]`.
    pub logits: Tensor<5>,
    predictions: Predictions,
}

impl Solved {
    /// Scores alone.
    pub fn of_scores(scores: Vec<Vec<Score>>) -> Self {
        Self { scores, rules: None, z: None, layout: None }
    }

    /// Scores and the rules of each completed puzzle, for models that name rules without experts.
    ///
    /// # Shapes
    /// `rules` `[b, C, K_R, N_R]`
    pub fn with_rules(self, rules: Tensor<4>) -> Self {
        Self { rules: Some(SolvedRules { mixed: rules, experts: None }), ..self }
    }

    /// The chosen candidate of each puzzle.
    pub fn answers(&self) -> Vec<usize> {
        self.scores.iter().map(|scores| select::best(scores)).collect()
    }

    /// The rules of each completed puzzle.
    ///
    /// # Errors
    /// When the model does not name rules.
    pub fn rules(&self) -> Result<&SolvedRules, ModelError> {
        self.rules.as_ref().ok_or(ModelError::Cannot { what: "name rules" })
    }
}

impl SolvedRules {
    /// What the experts say.
    ///
    /// # Errors
    /// When the model has none.
    pub fn experts(&self) -> Result<&SolvedExperts, ModelError> {
        self.experts.as_ref().ok_or(ModelError::Cannot { what: "say what experts see" })
    }
}

impl SolvedExperts {
    /// The scores by another mixture than the model's own. Without a `network`, the learned
    /// mixture scores as the weighted average does.
    ///
    /// # Errors
    /// When the device fails.
    pub fn scores_by(
        &self,
        mixture: MixtureKind,
        network: Option<&NeuralMixture>,
    ) -> Result<Vec<Vec<Score>>, ModelError> {
        let logits = &self.logits;
        let mixed = mixture.mix(logits.clone(), &self.predictions);
        score(logits, &mixed, mixture, network)
    }

    /// Every single prediction's scores `[E][b][C]`, as if it were alone.
    ///
    /// # Errors
    /// When the device fails.
    pub fn scores_per_expert(&self) -> Result<Vec<Vec<Vec<Score>>>, ModelError> {
        let probabilities = self.probabilities();
        let one = |e| {
            let own = probabilities.clone().narrow(0, e, 1).squeeze_dim::<4>(0);
            select::read_scores(select::active_mass(own.clone()), select::certainty(own))
        };
        (0..self.predictions.kinds().len()).map(one).collect()
    }

    /// Every single prediction `[E, b, C, K_R, N_R]`.
    pub fn probabilities(&self) -> Tensor<5> {
        activation::softmax(self.logits.clone(), 4)
    }

    /// The order of the predictions.
    pub fn predictions(&self) -> &Predictions {
        &self.predictions
    }
}

/// The rule side of a model: experts and their mixture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleSide<'a> {
    puzzle: &'a PuzzleConfig,
    /// K_Zo, the numbers of Z that rules act on; they come first.
    relevant: usize,
    experts: &'a Experts,
    mixture: MixtureKind,
    /// The learned mixture, for models that use one.
    network: Option<&'a NeuralMixture>,
}

impl<'a> RuleSide<'a> {
    /// That of a model.
    pub fn of(model: &'a dyn LatentModel) -> Self {
        let (mixture, network) = model.mixture();
        let (puzzle, relevant) = (model.puzzle(), model.latent().relevant);
        Self { puzzle, relevant, experts: model.experts(), mixture, network }
    }

    /// Scores every candidate from q(Z|X) of all panels, with means for samples.
    ///
    /// # Shapes
    /// `z` `[b · P, K]`
    pub fn solve(&self, z: Gaussian<2>) -> Result<Solved, ModelError> {
        let (inputs, relevant) = (self.puzzle.inputs(), self.relevant);
        let (z_o, _) = split(&z, relevant);
        let puzzles = z_o.mean.dims()[0] / inputs;
        let z_o = z_o.mean.reshape([puzzles, inputs, relevant]);
        let inference = self.experts.infer(z_o, &mut Noise::mean());
        let solved = solve_logits(inference.logits, self.puzzle, self.mixture, self.network)?;
        Ok(Solved { z: Some(z), ..solved })
    }

    /// The mixed rule matrices of complete puzzles, from the means of q(Z|X) of their panels.
    ///
    /// # Shapes
    /// `means` `[b · MN, K] -> [b, K_R, N_R]`
    pub fn rules(&self, means: Tensor<2>) -> Tensor<3> {
        let (panels, relevant) = (self.puzzle.panels(), self.relevant);
        let puzzles = means.dims()[0] / panels;
        let z_o = means.narrow(1, 0, relevant).reshape([puzzles, panels, relevant]);
        let inference = self.experts.infer(as_inputs(z_o, self.puzzle), &mut Noise::mean());
        rules_of_logits(inference.logits, self.puzzle, self.mixture)
    }
}

/// Complete puzzles as experts expect them, with all candidates: the last panel is each of these.
///
/// # Shapes
/// `[b, MN, ..] -> [b, P, ..]`
pub(crate) fn as_inputs<const D: usize>(panels: Tensor<D>, puzzle: &PuzzleConfig) -> Tensor<D> {
    let context = puzzle.context();
    let last = panels.clone().narrow(1, context, 1).repeat_dim(1, puzzle.candidates);
    Tensor::cat(vec![panels.narrow(1, 0, context), last], 1)
}

/// The mixed rule matrices of complete puzzles, whose candidates are all the same.
///
/// # Shapes
/// `[E, b, C, K_R, N_R] -> [b, K_R, N_R]`
pub(crate) fn rules_of_logits(
    logits: Tensor<5>,
    puzzle: &PuzzleConfig,
    mixture: MixtureKind,
) -> Tensor<3> {
    let mixed = mixture.mix(logits, &Predictions::new(puzzle));
    mixed.narrow(1, 0, 1).squeeze_dim(1)
}

/// Mixes what experts said and scores every candidate.
///
/// # Shapes
/// `[E, b, C, K_R, N_R]`
pub(crate) fn solve_logits(
    logits: Tensor<5>,
    puzzle: &PuzzleConfig,
    mixture: MixtureKind,
    network: Option<&NeuralMixture>,
) -> Result<Solved, ModelError> {
    let predictions = Predictions::new(puzzle);
    let mixed = mixture.mix(logits.clone(), &predictions);
    let scores = score(&logits, &mixed, mixture, network)?;
    let experts = Some(SolvedExperts { logits, predictions });
    let rules = Some(SolvedRules { mixed, experts });
    Ok(Solved { scores, rules, z: None, layout: None })
}

/// The scores of mixed rule matrices: by the active mass, or by the learned mixture's network.
fn score(
    logits: &Tensor<5>,
    mixed: &Tensor<4>,
    mixture: MixtureKind,
    network: Option<&NeuralMixture>,
) -> Result<Vec<Vec<Score>>, ModelError> {
    let active = match (network, mixture) {
        (Some(network), MixtureKind::Nn) => network.scores(activation::softmax(logits.clone(), 4)),
        _ => select::active_mass(mixed.clone()),
    };
    select::read_scores(active, select::certainty(mixed.clone()))
}
