//! How the panels of a row differ, whatever they show.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_kernels::LinearBlock;

use super::compare::context_pairs;
use super::zero_one;
use crate::config::PuzzleConfig;
use crate::image::plain_linear;
use crate::mlp::{Mlp, hidden_layers};

/// What is added up of the three panels of a row: 0 where two are alike, where the steps are
/// equal, where the third is the sum, or the difference, of the others.
const COMBINATIONS: [[f32; 3]; 6] = [
    [1.0, -1.0, 0.0],
    [0.0, 1.0, -1.0],
    [1.0, 0.0, -1.0],
    [1.0, -2.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, -1.0],
];

/// Panels of a row, as many as [`COMBINATIONS`] are about.
pub(super) const PANELS: usize = 3;

/// A block is read in so many ways, each with distances of its own: in one values may lie on a
/// line, in another all equally far apart.
const VIEWS: usize = 4;

/// A distance d² is seen as d² / (d² + s) for each of these: how far apart things are may not tell
/// which attribute they are values of, only whether they are the same.
const SCALES: [f32; 3] = [0.03, 0.3, 3.0];

/// Embeds rows, and pairs of rows, by distances between their panels alone.
///
/// A network that sees nothing but distances cannot tell attributes apart: what "constant" looks
/// like, learned from one, is known of all.
#[derive(Module, Debug)]
pub struct Differences {
    /// A block of the common width to all views.
    pub views: LinearBlock,
    /// Embeds a panel for the comparison of rows as sets, all views.
    pub members: Mlp,
    /// From the distances within a row, and which panel is missing, to its embedding.
    pub row: Vec<LinearBlock>,
    /// From the distances between two rows to the embedding of the pair.
    pub pair: Vec<LinearBlock>,
}

impl Differences {
    pub(super) fn new(code: usize, hidden: usize, relation: usize, device: &Device) -> Self {
        let seen = VIEWS * SCALES.len();
        let width = VIEWS * (code / VIEWS).max(1);
        let row = [seen * COMBINATIONS.len() + 1 + PANELS, hidden, hidden, relation];
        Self {
            views: plain_linear(code, width, device),
            members: Mlp::new(&[code, hidden, width], true, device),
            row: hidden_layers(&row, true, device),
            pair: hidden_layers(&[seen * 2, hidden, relation], true, device),
        }
    }

    /// Every row with nothing missing and with each panel missing, then every two rows.
    ///
    /// # Shapes
    /// `[b, S, P, code]` -> `[b, S, (M - 1 + C) (1 + N), o]`, `[b, S, pairs, o]`, in the order of
    /// [`Compare`](super::Compare)
    pub fn forward(&self, codes: Tensor<4>, puzzle: &PuzzleConfig) -> (Tensor<4>, Tensor<4>) {
        let rows = rows_of(self.views.forward(codes.clone()), puzzle);
        let members = rows_of(self.members.forward(codes), puzzle);
        (self.embed_rows(&rows), self.embed_pairs(&rows, members, puzzle))
    }

    /// # Shapes
    /// `[b, S, rows, N, v] -> [b, S, rows (1 + N), o]`
    fn embed_rows(&self, rows: &Tensor<5>) -> Tensor<4> {
        let [b, s, count, _, _] = rows.dims();
        let device = rows.device();
        let added = COMBINATIONS.map(|weights| distances(combined(rows, weights)));
        let per_combination = VIEWS * SCALES.len();
        let width = COMBINATIONS.len() * per_combination;
        let distances = Tensor::cat(added.to_vec(), 3);
        // A distance is known where no panel that it is about is missing.
        let known = zero_one(1 + PANELS, width, &device, |missing, number| {
            missing == 0 || COMBINATIONS[number / per_combination][missing - 1] == 0.0
        });
        let masked = distances.unsqueeze_dim::<5>(3) * known.unsqueeze::<5>();
        let which = zero_one(1 + PANELS, 1 + PANELS, &device, |missing, own| missing == own);
        let which = which.unsqueeze::<5>().repeat(&[b, s, count, 1, 1]);
        let x = Tensor::cat(vec![masked, which], 4);
        let x = x.reshape([b, s, count * (1 + PANELS), width + 1 + PANELS]);
        self.row.iter().fold(x, |x, layer| layer.forward(x))
    }

    /// # Shapes
    /// `rows`, `members` `[b, S, rows, N, v] -> [b, S, pairs, o]`
    fn embed_pairs(
        &self,
        rows: &Tensor<5>,
        members: Tensor<5>,
        puzzle: &PuzzleConfig,
    ) -> Tensor<4> {
        let sets = members.sum_dim(3).squeeze_dim::<4>(3);
        let steps = combined(rows, COMBINATIONS[0]);
        let apart = |t: Tensor<4>| distances(pairs_of(t, puzzle));
        let x = Tensor::cat(vec![apart(sets), apart(steps)], 3);
        self.pair.iter().fold(x, |x, layer| layer.forward(x))
    }
}

/// The panels of every context row, then of the last row with each candidate.
///
/// # Shapes
/// `[b, S, P, v] -> [b, S, M - 1 + C, N, v]`
fn rows_of(panels: Tensor<4>, puzzle: &PuzzleConfig) -> Tensor<5> {
    let [b, s, _, v] = panels.dims();
    let (m, n, c) = (puzzle.rows, puzzle.columns, puzzle.candidates);
    let context = panels.clone().narrow(2, 0, (m - 1) * n).reshape([b, s, m - 1, n, v]);
    let begun = panels.clone().narrow(2, (m - 1) * n, n - 1).reshape([b, s, 1, n - 1, v]);
    let last = panels.narrow(2, m * n - 1, c).reshape([b, s, c, 1, v]);
    let last = Tensor::cat(vec![begun.repeat_dim(2, c), last], 3);
    Tensor::cat(vec![context, last], 2)
}

/// The panels of rows, weighted and added up.
///
/// # Shapes
/// `[b, S, rows, N, v] -> [b, S, rows, v]`
fn combined(rows: &Tensor<5>, weights: [f32; PANELS]) -> Tensor<4> {
    let used = weights.into_iter().enumerate().filter(|(_, weight)| *weight != 0.0);
    let parts = used.map(|(panel, weight)| {
        rows.clone().narrow(3, panel, 1).squeeze_dim::<4>(3).mul_scalar(weight)
    });
    parts.reduce(|a, b| a + b).expect("every combination has panels")
}

/// Every two context rows, then every context row with each version of the last row: their difference.
///
/// # Shapes
/// `[b, S, rows, v] -> [b, S, pairs, v]`
fn pairs_of(rows: Tensor<4>, puzzle: &PuzzleConfig) -> Tensor<4> {
    let (m, c) = (puzzle.rows, puzzle.candidates);
    let row = |i: usize| rows.clone().narrow(2, i, 1);
    let last = rows.clone().narrow(2, m - 1, c);
    let in_context = context_pairs(m).into_iter().map(|(i, j)| row(i) - row(j));
    let with_last = (0..m - 1).map(|i| last.clone() - row(i));
    Tensor::cat(in_context.chain(with_last).collect(), 2)
}

/// The mean square of every view, at every scale.
///
/// # Shapes
/// `[b, S, n, v] -> [b, S, n, VIEWS · scales]`
fn distances(apart: Tensor<4>) -> Tensor<4> {
    let [b, s, n, v] = apart.dims();
    let square = apart.square().reshape([b, s, n, VIEWS, v / VIEWS]).mean_dim(4);
    let square = square.reshape([b, s, n, VIEWS]);
    let at_scale = |&scale: &f32| square.clone() / square.clone().add_scalar(scale);
    Tensor::cat(SCALES.iter().map(at_scale).collect(), 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::Noise;

    fn puzzle() -> PuzzleConfig {
        PuzzleConfig::unnamed([3, 3], 2, [2, 3])
    }

    fn largest(t: Tensor<4>) -> f32 {
        t.abs().max().into_scalar::<f32>()
    }

    #[test]
    fn adding_the_same_to_all_panels_changes_no_distance_between_them() {
        let device = Device::flex();
        let rows = Noise::seeded(1).normal([2, 4, 4, 3, 8], &device).unwrap();
        for weights in &COMBINATIONS[..4] {
            let (before, after) =
                (combined(&rows, *weights), combined(&rows.clone().add_scalar(3.0), *weights));
            assert!(largest(distances(before) - distances(after)) < 1e-4, "{weights:?}");
        }
    }

    #[test]
    fn a_distance_to_a_missing_panel_is_not_seen() {
        let device = Device::flex();
        let differences = Differences::new(8, 16, 8, &device);
        let codes = Noise::seeded(2).normal::<4>([1, 1, 10, 8], &device).unwrap();
        // Panel 1 of the first row is another one.
        let other = codes.clone().narrow(2, 0, 1).add_scalar(5.0);
        let other = Tensor::cat(vec![other, codes.clone().narrow(2, 1, 9)], 2);
        let (one, _) = differences.forward(codes, &puzzle());
        let (two, _) = differences.forward(other, &puzzle());
        let apart = |missing: usize| {
            largest(one.clone().narrow(2, missing, 1) - two.clone().narrow(2, missing, 1))
        };
        assert!(apart(0) > 1e-3 && apart(2) > 1e-3 && apart(3) > 1e-3);
        assert!(apart(1) < 1e-6, "panel 1 is missing");
    }

    #[test]
    fn rows_that_hold_the_same_in_another_order_are_pairs_of_equal_sets() {
        let members = Tensor::<1>::from_floats([1.0, 2.0, 5.0, 5.0, 1.0, 2.0], &Device::flex());
        let members = members.reshape([1, 1, 2, 3, 1]).repeat_dim(4, VIEWS);
        let sets = members.sum_dim(3).squeeze_dim::<4>(3);
        assert!(largest(distances(sets.clone().narrow(2, 0, 1) - sets.narrow(2, 1, 1))) < 1e-6);
    }
}
