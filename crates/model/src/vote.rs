//! A majority vote among the choices: how often the answer is found without the question.

use burn::module::Module;
use burn::tensor::Device;
use serde::{Deserialize, Serialize};

use crate::architecture::{ArchitectureConfig, PuzzleModel};
use crate::batch::{BatchShape, PuzzleBatch};
use crate::config::{ConfigError, PuzzleConfig};
use crate::error::ModelError;
use crate::select::Score;
use crate::solve::Solved;

/// See [`Vote`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoteConfig {
    /// The puzzles that are voted on.
    pub puzzle: PuzzleConfig,
}

/// Takes the choice that agrees most with the other choices, attribute by attribute, as each
/// family of puzzles counts it; the first of those that tie. It has no weights, looks at no pixels
/// and never sees the question: an accuracy that does not exceed its own says nothing about rules.
#[derive(Module, Debug)]
pub struct Vote {
    #[module(skip)]
    config: VoteConfig,
}

impl ArchitectureConfig for VoteConfig {
    type Model = Vote;

    fn puzzle(&self) -> &PuzzleConfig {
        &self.puzzle
    }

    fn batch_shape(&self) -> BatchShape {
        BatchShape { size: None, ..BatchShape::of_pixels(self.puzzle, 0) }
    }

    fn problems(&self) -> Vec<String> {
        self.puzzle.problems()
    }

    fn fixed_supervision(&self) -> Option<&'static str> {
        Some("nothing")
    }

    fn build(&self, _device: &Device) -> Result<Vote, ConfigError> {
        Ok(Vote { config: self.clone() })
    }
}

impl Vote {
    /// What this model is made of.
    pub fn config(&self) -> &VoteConfig {
        &self.config
    }
}

impl PuzzleModel for Vote {
    fn puzzle(&self) -> &PuzzleConfig {
        &self.config.puzzle
    }

    fn batch_shape(&self) -> BatchShape {
        self.config.batch_shape()
    }

    fn solve(&self, batch: &PuzzleBatch) -> Result<Solved, ModelError> {
        let voted = batch
            .voted
            .as_ref()
            .ok_or(ModelError::Cannot { what: "solve puzzles whose choices were not voted on" })?;
        let score = |&voted: &bool| Score { active: f32::from(u8::from(voted)), certainty: 0.0 };
        let puzzles = voted.chunks_exact(self.config.puzzle.candidates);
        Ok(Solved::of_scores(puzzles.map(|own| own.iter().map(score).collect()).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelConfig, PuzzleData};

    fn model() -> ModelConfig {
        let puzzle = PuzzleConfig::unnamed([2, 3], 4, [10, 6]);
        VoteConfig { puzzle }.into()
    }

    #[test]
    fn the_first_of_the_choices_with_the_most_votes_wins() {
        let device = Device::flex();
        let model = model().init(&device).unwrap();
        let voted = vec![false, false, true, false, false, true, false, true];
        let data = PuzzleData { voted: Some(voted), ..PuzzleData::default() };
        let batch = PuzzleBatch::new(&model.batch_shape(), data, &device).unwrap();
        let solved = model.solve(&batch).unwrap();
        assert_eq!(solved.answers(), [2, 1], "the first of those that tie");
        assert!(solved.rules().is_err());
    }

    #[test]
    fn what_a_vote_cannot_do_is_said() {
        let device = Device::flex();
        let model = model().init(&device).unwrap();
        let data = PuzzleData { pixels: vec![0.5; 9], ..PuzzleData::default() };
        assert!(PuzzleBatch::new(&model.batch_shape(), data, &device).is_err());
        let error = model.redraw(burn::tensor::Tensor::zeros([1, 1], &device)).unwrap_err();
        assert_eq!(error.to_string(), "this model cannot draw panels");
    }
}
