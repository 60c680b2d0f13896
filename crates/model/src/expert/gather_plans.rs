//! Which panels make up a row, and which rows an expert looks at.

use std::sync::Arc;

use genvp_kernels::GatherPlan;

use super::compare::context_pairs;
use crate::config::PuzzleConfig;

/// What the joined layers of the experts add up, for one shape of puzzle.
#[derive(Clone, Debug)]
pub(crate) struct ExpertGatherPlans {
    /// Panels to rows: every context row, then the last row with each candidate; each with
    /// nothing missing, panel 1 missing, …
    pub(crate) columns: Arc<GatherPlan>,
    /// Rows to completed puzzles (eq. 1).
    pub(crate) full: Arc<GatherPlan>,
    /// The same with each panel missing (eq. 2).
    pub(crate) context: Arc<GatherPlan>,
    /// The same with each row missing (eq. 3).
    pub(crate) partial_rows: Arc<GatherPlan>,
    /// Row latents, of which there are none with a panel missing, to completed puzzles (eq. 4).
    pub(crate) row_latents: Arc<GatherPlan>,
}

impl ExpertGatherPlans {
    /// With `pairs`, behind the rows come comparisons of two of them each
    /// (see [`Compare`](super::Compare)); an expert gets those of rows that it sees whole.
    pub(crate) fn new(puzzle: &PuzzleConfig, pairs: bool) -> Self {
        let (m, n) = (puzzle.rows, puzzle.columns);
        let rows = |masks, versions, wants: &dyn Fn(usize, usize) -> Option<usize>| {
            Arc::new(rows(puzzle, masks, versions, pairs && masks > 1, wants))
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
/// With `pairs`, comparisons of rows follow: every two context rows, then every context row with
/// each version of the last one.
fn rows(
    puzzle: &PuzzleConfig,
    masks: usize,
    versions: usize,
    pairs: bool,
    wants: &dyn Fn(usize, usize) -> Option<usize>,
) -> GatherPlan {
    let (m, c) = (puzzle.rows, puzzle.candidates);
    let in_context = context_pairs(m);
    let rows = (m - 1 + c) * masks;
    // Both rows of a comparison, by their places in the grid, and whose choice is the last one.
    let pair = |part: usize| match in_context.get(part) {
        Some(&(i, j)) => (part, i, j, None),
        None => {
            let (i, candidate) = ((part - in_context.len()) / c, (part - in_context.len()) % c);
            (in_context.len() + i, i, m - 1, Some(candidate))
        }
    };
    let count = if pairs { in_context.len() + (m - 1) * c } else { 0 };
    let places = if pairs { m + in_context.len() + m - 1 } else { m };
    // Each context row has a place of its own, all versions of the last row share one.
    let place = |part: usize| {
        if part < rows { (part / masks).min(m - 1) } else { m + pair(part - rows).0 }
    };
    GatherPlan::new(rows + count, places, versions * c, place, |output, part| {
        let (version, candidate) = (output / c, output % c);
        if part >= rows {
            let (_, i, j, of) = pair(part - rows);
            let whole = |row| wants(version, row) == Some(0);
            return whole(i) && whole(j) && of.is_none_or(|of| of == candidate);
        }
        // The last row of the grid is the one with this candidate.
        let of_grid = |i: usize| if i == m - 1 { m - 1 + candidate } else { i };
        (0..m).any(|i| part / masks == of_grid(i) && wants(version, i) == Some(part % masks))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_of_rows_come_behind_the_rows() {
        let puzzle = PuzzleConfig::unnamed([3, 3], 8, [12, 5]);
        let plans = ExpertGatherPlans::new(&puzzle, true);
        let plain = ExpertGatherPlans::new(&puzzle, false);
        assert_eq!((plain.full.positions(), plans.full.positions()), (3, 6));
        // 10 rows with nothing or one of three panels missing, then 1 + 8 + 8 pairs.
        assert_eq!((plain.full.rows(), plans.full.rows()), (40, 57));
        assert_eq!(plans.row_latents.rows(), plain.row_latents.rows());
    }
}
