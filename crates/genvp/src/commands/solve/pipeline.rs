//! Files through the model: one batch is read while another is solved.

use genvp_data::{DataError, StoredPuzzle};
use genvp_infer::{InferError, Solution, Solver};
use genvp_puzzle::{Layout, RuleMatrix};

use crate::inputs::{Entry, Source, Stream};

/// What is known of a puzzle besides its pixels, for the report.
pub struct Puzzle {
    /// Its file.
    pub file: String,
    /// The layout that its folder is named after.
    pub layout: Option<Layout>,
    /// The right choice, where the file says it. The model never sees it.
    pub target: Option<u8>,
    /// The rules, where the file says them. The model never sees them.
    pub rules: Option<RuleMatrix>,
}

/// A puzzle and its solution, or what is wrong with the file.
pub type Outcome = Result<(Puzzle, Solution), DataError>;

/// A batch that is ready for the model.
#[derive(Default)]
struct Batch {
    puzzles: Vec<Result<Puzzle, DataError>>,
    ink: Vec<f32>,
}

/// Solves all sources in their order, `batch` at a time, and hands the outcomes
/// to `each`. Two batches are in memory, however many files there are.
pub fn solve_all<E: From<InferError>>(
    sources: &[Source],
    solver: &Solver<'_>,
    batch: usize,
    mut each: impl FnMut(Outcome) -> Result<(), E>,
) -> Result<(), E> {
    let mut stream = Stream::new(sources);
    let mut read = || read_batch(&mut stream, solver, batch);
    let mut next = read();
    while !next.puzzles.is_empty() {
        let Batch { puzzles, ink } = next;
        let (solved, following) = rayon::join(|| solver.solve_ink(ink), &mut read);
        next = following;
        let mut solved = solved?.into_iter();
        for puzzle in puzzles {
            match puzzle {
                // Every puzzle that could be read has its pixels in the batch.
                Ok(puzzle) => {
                    let solution = solved.next().expect("one solution for each puzzle");
                    each(Ok((puzzle, solution)))?;
                }
                Err(error) => each(Err(error))?,
            }
        }
    }
    Ok(())
}

fn read_batch(stream: &mut Stream<'_>, solver: &Solver<'_>, most: usize) -> Batch {
    let entries = stream.block(most, |stored: StoredPuzzle, _| {
        let ink = solver.ink(&[&stored.images]);
        (stored.target, stored.rules(), ink)
    });
    let mut batch = Batch::default();
    for Entry { file, layout, made } in entries {
        let puzzle = made.map(|(target, rules, ink)| {
            batch.ink.extend_from_slice(&ink);
            Puzzle { file, layout, target, rules }
        });
        batch.puzzles.push(puzzle);
    }
    batch
}
