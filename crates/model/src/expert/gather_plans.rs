//! Which panels make up a row, and which rows an expert looks at.

use std::sync::Arc;

use genvp_kernels::GatherPlan;

use crate::config::PuzzleConfig;

/// What the joined layers of the experts add up, for one shape of puzzle.
#[derive(Clone, Debug)]
pub(super) struct ExpertGatherPlans {
    /// Panels to rows: every context row, then the last row with each candidate; each with
    /// nothing missing, panel 1 missing, …
    pub(super) columns: Arc<GatherPlan>,
    /// Rows to completed puzzles (eq. 1).
    pub(super) full: Arc<GatherPlan>,
    /// The same with each panel missing (eq. 2).
    pub(super) context: Arc<GatherPlan>,
    /// The same with each row missing (eq. 3).
    pub(super) partial_rows: Arc<GatherPlan>,
    /// Row latents, of which there are none with a panel missing, to completed puzzles (eq. 4).
    pub(super) row_latents: Arc<GatherPlan>,
}

impl ExpertGatherPlans {
    pub(super) fn new(puzzle: &PuzzleConfig) -> Self {
        let (m, n) = (puzzle.rows, puzzle.columns);
        let rows = |masks, versions, wants: &dyn Fn(usize, usize) -> Option<usize>| {
            Arc::new(rows(puzzle, masks, versions, wants))
        };
        Self {
            columns: Arc::new(columns(puzzle)),
            full: rows(1 + n, 1, &|_, _| Some(0)),
            context: rows(1 + n, m * n, &|panel, i| {
                Some(if panel / n == i { 1 + panel % n } else { 0 })
            }),
            partial_rows: rows(1 + n, m, &|row, i| (row != i).then_some(0)),
            row_latents: rows(1, 1, &|_, _| Some(0)),
        }
    }
}

fn columns(puzzle: &PuzzleConfig) -> GatherPlan {
    let (m, n, c) = (puzzle.rows, puzzle.columns, puzzle.candidates);
    let last = m * n - 1;
    // The candidates all stand in the last column.
    let column = |panel: usize| panel.min(last) % n;
    GatherPlan::new(last + c, n, (m - 1 + c) * (1 + n), column, |output, panel| {
        let (row, missing) = (output / (1 + n), output % (1 + n));
        // The last row holds its context panels and its own candidate.
        let in_row =
            if panel < last { panel / n == row.min(m - 1) } else { panel - last + m - 1 == row };
        in_row && missing != column(panel) + 1
    })
}

/// Rows of `masks` versions each to `versions` versions of every completed puzzle:
/// `wants(version, i)` is what row i of the grid has missing, or nothing to blank the row.
fn rows(
    puzzle: &PuzzleConfig,
    masks: usize,
    versions: usize,
    wants: &dyn Fn(usize, usize) -> Option<usize>,
) -> GatherPlan {
    let (m, c) = (puzzle.rows, puzzle.candidates);
    // Each context row has a place of its own, all versions of the last row share one.
    let place = |row: usize| (row / masks).min(m - 1);
    GatherPlan::new((m - 1 + c) * masks, m, versions * c, place, |output, row| {
        let (version, candidate) = (output / c, output % c);
        // The last row of the grid is the one with this candidate.
        let of_grid = |i: usize| if i == m - 1 { m - 1 + candidate } else { i };
        (0..m).any(|i| row / masks == of_grid(i) && wants(version, i) == Some(row % masks))
    })
}
