//! The experts of square matrices, whose relations run along rows or along columns.

use std::sync::Arc;

use burn::module::Module;
use burn::tensor::{Device, Int, Tensor, TensorData};
use genvp_kernels::{GatherPlan, LinearBlock};

use super::RelationExpertConfig;
use super::heads::to_rule_matrix;
use super::lines::{LineNetwork, over_values};
use super::sets::ATTRIBUTES;
use crate::config::PuzzleConfig;
use crate::expert::{ExpertGatherPlans, Join};
use crate::image::plain_linear;
use crate::mlp::Mlp;

/// One set of networks reads a matrix along its rows and, transposed, along its columns. A rule
/// holds if it holds along either, so what speaks for it is added up:
/// `p(rule) ∝ Σ_axes exp(evidence along the axis)`, with that of "none" fixed at 1.
#[derive(Module, Debug)]
pub struct MatrixExperts {
    /// What each line shows of each value.
    pub lines: LineNetwork,
    /// From all lines (eq. 1).
    pub full: ValueHead,
    /// With a panel missing (eq. 2).
    pub context: ValueHead,
    /// With a line missing (eq. 3): a row along rows, a column along columns.
    pub partial_rows: ValueHead,
    /// A line's summary over all values, the row latents.
    pub summary: LinearBlock,
    /// The first layer of the head that sees summaries only (eq. 4).
    pub row_latents: Join,
    /// Its other layers.
    pub row_latents_rest: Mlp,
    #[module(skip)]
    plans: ExpertGatherPlans,
    #[module(skip)]
    puzzle: PuzzleConfig,
    #[module(skip)]
    along_columns: bool,
}

/// Compares the lines of a puzzle value by value, adds up over values, and says what is seen.
#[derive(Module, Debug)]
pub struct ValueHead {
    /// The first layer, over the lines.
    pub lines: Join,
    /// The other layers, after values are added up.
    pub rest: Mlp,
}

impl ValueHead {
    fn new(
        puzzle: &PuzzleConfig,
        config: &RelationExpertConfig,
        rules: usize,
        device: &Device,
    ) -> Self {
        let RelationExpertConfig { line, hidden, .. } = *config;
        Self {
            lines: Join::new(puzzle.rows, line, hidden, config.told_attributes(), device),
            rest: Mlp::new(&[hidden, hidden, rules], true, device),
        }
    }

    /// # Shapes
    /// `[b, V · A, lines, line] -> [b, A, outputs, rules]`
    fn forward(&self, lines: Tensor<4>, plan: &Arc<GatherPlan>) -> Tensor<4> {
        self.rest.forward(over_values(self.lines.forward(lines, plan, None)))
    }
}

impl MatrixExperts {
    pub(super) fn new(
        puzzle: &PuzzleConfig,
        config: &RelationExpertConfig,
        device: &Device,
    ) -> Self {
        let RelationExpertConfig { line, hidden, .. } = *config;
        let head = || ValueHead::new(puzzle, config, puzzle.rules, device);
        Self {
            lines: LineNetwork::new(puzzle, config, device),
            full: head(),
            context: head(),
            partial_rows: head(),
            summary: plain_linear(line, line, device),
            row_latents: Join::new(puzzle.rows, line, hidden, config.told_attributes(), device),
            row_latents_rest: Mlp::new(&[hidden, hidden, puzzle.rules], true, device),
            plans: ExpertGatherPlans::new(puzzle, false),
            puzzle: *puzzle,
            along_columns: config.along_columns,
        }
    }

    /// q(R|·) of every puzzle completed by each of its candidates.
    ///
    /// # Shapes
    /// `[b, P, A, V] -> [E, b, C, K_R, N_R]`
    pub fn logits(&self, sets: Tensor<4>) -> Tensor<5> {
        let either = if self.along_columns {
            self.along_both(sets)
        } else {
            evidence(self.along_rows(sets))
        };
        let [e, b, c, a, _] = either.dims();
        let none = Tensor::zeros([e, b, c, a, 1], &either.device());
        to_rule_matrix(Tensor::cat(vec![none, either], 4), self.puzzle.attributes)
    }

    /// What speaks for each rule along rows and along columns, added up.
    ///
    /// # Shapes
    /// `[b, P, A, V] -> [E, b, C, A, N_R - 1]`
    fn along_both(&self, sets: Tensor<4>) -> Tensor<5> {
        let b = sets.dims()[0];
        let columns = sets.clone().select(1, self.transposed_inputs(&sets.device()));
        let said = self.along_rows(Tensor::cat(vec![sets, columns], 0));
        let rows = evidence(said.clone().narrow(1, 0, b));
        let columns = evidence(said.narrow(1, b, b));
        let columns = columns.clone().select(0, self.transposed_predictions(&columns.device()));
        log_sum_exp(rows, columns)
    }

    /// What the heads say along rows.
    ///
    /// # Shapes
    /// `[b, P, A, V] -> [E, b, C, A, N_R]`
    fn along_rows(&self, sets: Tensor<4>) -> Tensor<5> {
        let b = sets.dims()[0];
        let (c, rules) = (self.puzzle.candidates, self.puzzle.rules);
        let lines = self.lines.forward(sets, &self.plans);
        let full = self.full.forward(lines.clone(), &self.plans.full);
        let context = self.context.forward(lines.clone(), &self.plans.context);
        let partial = self.partial_rows.forward(lines.clone(), &self.plans.partial_rows);
        let latents =
            self.row_latents.forward(self.summaries(lines), &self.plans.row_latents, None);
        let latents = self.row_latents_rest.forward(latents);
        let said = Tensor::cat(vec![full, context, partial, latents], 2);
        let e = said.dims()[2] / c;
        said.reshape([b, ATTRIBUTES, e, c, rules]).permute([2, 0, 3, 1, 4])
    }

    /// The summary of every line with no panel missing.
    ///
    /// # Shapes
    /// `[b, V · A, lines · (1 + N), line] -> [b, A, lines, line]`
    fn summaries(&self, lines: Tensor<4>) -> Tensor<4> {
        let [b, slots, versions, width] = lines.dims();
        let masks = 1 + self.puzzle.columns;
        let whole = lines.reshape([b, slots, versions / masks, masks * width]).narrow(3, 0, width);
        self.summary.forward(over_values(whole))
    }

    /// Which panel stands where in the transposed puzzle.
    fn transposed_inputs(&self, device: &Device) -> Tensor<1, Int> {
        let p = &self.puzzle;
        let places = (0..p.inputs()).map(|i| if i < p.panels() { transposed(i, p) } else { i });
        indices(places, device)
    }

    /// Which prediction of the transposed puzzle misses the same panel; lines stay: the first column
    /// is missing where the first row is.
    fn transposed_predictions(&self, device: &Device) -> Tensor<1, Int> {
        let p = &self.puzzle;
        let of =
            |e: usize| if (1..=p.panels()).contains(&e) { 1 + transposed(e - 1, p) } else { e };
        indices((0..p.predictions()).map(of), device)
    }
}

/// The place of a panel in the transposed matrix.
fn transposed(panel: usize, puzzle: &PuzzleConfig) -> usize {
    panel % puzzle.columns * puzzle.rows + panel / puzzle.columns
}

fn indices(places: impl Iterator<Item = usize>, device: &Device) -> Tensor<1, Int> {
    let places: Vec<i64> = places.map(|place| place as i64).collect();
    let count = places.len();
    Tensor::from_data(TensorData::new(places, [count]), device)
}

/// What speaks for each rule, beside none.
///
/// # Shapes
/// `[.., N_R] -> [.., N_R - 1]`
fn evidence(logits: Tensor<5>) -> Tensor<5> {
    let rules = logits.dims()[4];
    logits.clone().narrow(4, 1, rules - 1) - logits.narrow(4, 0, 1)
}

/// `ln(exp a + exp b)`, without overflow.
fn log_sum_exp(a: Tensor<5>, b: Tensor<5>) -> Tensor<5> {
    let gap = (a.clone() - b.clone()).abs();
    // max(a, b) = (a + b + |a - b|) / 2
    (a + b + gap.clone()).mul_scalar(0.5) + gap.neg().exp().log1p()
}
