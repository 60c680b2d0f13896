//! The order of the experts' predictions.

use burn::tensor::{Device, Tensor};

use crate::config::PuzzleConfig;

/// The four kinds of experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpertKind {
    /// From all panels (eq. 1).
    Full,
    /// With this panel missing (eq. 2), counted from 0.
    Context(usize),
    /// With this row missing (eq. 3), counted from 0.
    PartialRows(usize),
    /// From the row latents Z_r (eq. 4).
    RowLatents,
}

/// The predictions of a puzzle of some shape, in the order in which tensors hold them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictions {
    rows: usize,
    panels: usize,
}

impl Predictions {
    /// The predictions for puzzles of this shape.
    pub fn new(puzzle: &PuzzleConfig) -> Self {
        Self { rows: puzzle.rows, panels: puzzle.panels() }
    }

    /// Every prediction's kind, in order.
    pub fn kinds(&self) -> Vec<ExpertKind> {
        let mut kinds = vec![ExpertKind::Full];
        kinds.extend((0..self.panels).map(ExpertKind::Context));
        kinds.extend((0..self.rows).map(ExpertKind::PartialRows));
        kinds.push(ExpertKind::RowLatents);
        kinds
    }

    /// A short name, with panels and rows counted from 1: `full`, `context-9`, `rows-without-3`, `row-latents`.
    pub fn name(kind: ExpertKind) -> String {
        match kind {
            ExpertKind::Full => "full".into(),
            ExpertKind::Context(panel) => format!("context-{}", panel + 1),
            ExpertKind::PartialRows(row) => format!("rows-without-{}", row + 1),
            ExpertKind::RowLatents => "row-latents".into(),
        }
    }

    /// Whether a prediction can tell one candidate from another: those that
    /// miss the last panel or the last row cannot.
    pub fn sees_candidate(&self, kind: ExpertKind) -> bool {
        kind != ExpertKind::Context(self.panels - 1)
            && kind != ExpertKind::PartialRows(self.rows - 1)
    }

    /// How much each prediction counts when every kind counts 1 in all.
    pub fn kind_weights(&self) -> Vec<f32> {
        let weight = |kind| match kind {
            ExpertKind::Full | ExpertKind::RowLatents => 1.0,
            ExpertKind::Context(_) => 1.0 / self.panels as f32,
            ExpertKind::PartialRows(_) => 1.0 / self.rows as f32,
        };
        self.kinds().into_iter().map(weight).collect()
    }

    /// [`kind_weights`](Self::kind_weights) with those that are blind to the candidate at 0.
    pub fn seeing_weights(&self) -> Vec<f32> {
        let seeing = |(kind, weight)| if self.sees_candidate(kind) { weight } else { 0.0 };
        self.kinds().into_iter().zip(self.kind_weights()).map(seeing).collect()
    }
}

/// One number for each prediction.
///
/// # Shapes
/// `[E, 1, …]`
pub(crate) fn per_prediction<const D: usize>(weights: &[f32], device: &Device) -> Tensor<D> {
    let mut shape = [1; D];
    shape[0] = weights.len();
    Tensor::<1>::from_floats(weights, device).reshape(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raven() -> PuzzleConfig {
        PuzzleConfig::unnamed([3, 3], 8, [12, 5])
    }

    #[test]
    fn a_raven_puzzle_gets_fourteen_predictions_and_two_are_blind() {
        let predictions = Predictions::new(&raven());
        let kinds = predictions.kinds();
        assert_eq!(kinds.len(), raven().predictions());
        let blind = kinds.iter().filter(|&&k| !predictions.sees_candidate(k));
        let blind: Vec<_> = blind.map(|&k| Predictions::name(k)).collect();
        assert_eq!(blind, ["context-9", "rows-without-3"]);
    }

    #[test]
    fn every_kind_of_expert_has_the_same_say() {
        let weights = Predictions::new(&raven()).kind_weights();
        assert!((weights.iter().sum::<f32>() - 4.0).abs() < 1e-6);
    }
}
