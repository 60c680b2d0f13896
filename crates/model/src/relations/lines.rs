//! What the lines of a puzzle show of each value.

use burn::module::{Module, Param};
use burn::nn::Initializer;
use burn::tensor::{Device, Tensor};
use genvp_kernels::LinearBlock;

use super::RelationExpertConfig;
use super::sets::{ATTRIBUTES, VALUES};
use crate::config::PuzzleConfig;
use crate::expert::{ExpertGatherPlans, Join};
use crate::mlp::hidden_layers;

/// One relation network for all lines, attributes and values.
///
/// For every value it sees which panels of the line have it, and which have one of the values just
/// below: enough to tell whether XOR, OR, AND or a progression holds as far as this value goes. A
/// relation that is learned on some values so holds for all.
#[derive(Module, Debug)]
pub struct LineNetwork {
    /// The first layer, over the panels of a line; it may be told the attribute.
    pub panels: Join,
    /// What it adds for "no panel missing", "panel 1 missing", … `[1 + N, o]`.
    pub missing: Param<Tensor<2>>,
    /// The second layer, to what a line shows of one value.
    pub relation: Vec<LinearBlock>,
    #[module(skip)]
    window: usize,
    #[module(skip)]
    lines: usize,
}

impl LineNetwork {
    pub(super) fn new(
        puzzle: &PuzzleConfig,
        config: &RelationExpertConfig,
        device: &Device,
    ) -> Self {
        let RelationExpertConfig { window, relation, line, .. } = *config;
        let missing = Initializer::Uniform { min: -0.1, max: 0.1 };
        Self {
            panels: Join::new(puzzle.columns, window, relation, config.told_attributes(), device),
            missing: missing.init([1 + puzzle.columns, relation], device),
            relation: hidden_layers(&[relation, line], true, device),
            window,
            lines: puzzle.rows - 1 + puzzle.candidates,
        }
    }

    /// Every context row, then the last row with each candidate; each with no panel missing, panel 1
    /// missing, … (the lines of `plans.columns`).
    ///
    /// # Shapes
    /// `[b, P, A, V] -> [b, V · A, (M - 1 + C) (1 + N), line]`
    pub(super) fn forward(&self, sets: Tensor<4>, plans: &ExpertGatherPlans) -> Tensor<4> {
        let missing = self.missing.val().repeat_dim(0, self.lines);
        let joined = self.panels.forward(self.windows(sets), &plans.columns, Some(missing));
        self.relation.iter().fold(joined, |x, layer| layer.forward(x))
    }

    /// For every value the shares of itself and of the values below it.
    ///
    /// # Shapes
    /// `[b, P, A, V] -> [b, V · A, P, window]`
    fn windows(&self, sets: Tensor<4>) -> Tensor<4> {
        let [b, panels, attributes, values] = sets.dims();
        // Below the lowest value there is nothing.
        let below = Tensor::full([b, panels, attributes, self.window - 1], -1.0, &sets.device());
        let sets = Tensor::cat(vec![below, sets], 3);
        let shifted = (0..self.window).map(|step| sets.clone().narrow(3, step, values));
        let windows = Tensor::stack::<5>(shifted.collect(), 4);
        windows.permute([0, 3, 2, 1, 4]).reshape([b, values * attributes, panels, self.window])
    }
}

/// Adds up what lines or puzzles show of all values. As the numbers of a value are not negative,
/// a sum is small only where no value objects.
///
/// # Shapes
/// `[b, V · A, n, k] -> [b, A, n, k]`
pub(super) fn over_values(x: Tensor<4>) -> Tensor<4> {
    let [b, _, n, k] = x.dims();
    x.reshape([b, VALUES, ATTRIBUTES, n, k]).sum_dim(1).squeeze_dim(1)
}
