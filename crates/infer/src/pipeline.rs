//! Files through the model, from pixels to answers.

use genvp_data::inputs::{Block, Entry, PuzzleSource, PuzzleStream};
use genvp_data::{DataError, Note};
use genvp_puzzle::{Layout, RuleMatrix};

use crate::{InferError, Solution, Solver, worker_pool};

/// What is known of a puzzle besides its pixels, for the report.
#[derive(Clone, Debug)]
pub struct SolvedFile {
    /// Its file.
    pub file: String,
    /// The layout that its folder is named after.
    pub layout: Option<Layout>,
    /// The right choice, where the file says it. The model never sees it.
    pub target: Option<u8>,
    /// The rules, where the file says them. The model never sees them.
    pub rules: Option<RuleMatrix>,
    /// What was left out or reinterpreted in its file.
    pub notes: Vec<Note>,
}

/// A puzzle and its solution, or what is wrong with the file.
pub type Outcome = Result<(SolvedFile, Solution), DataError>;

/// Puzzles that are ready for the model.
struct Ready {
    entries: Vec<Entry<(Option<u8>, Option<RuleMatrix>)>>,
    ink: Vec<f32>,
}

/// Solves all sources in their order and hands the outcomes to `each`, `batch` at a time. On a CPU
/// every core reads and solves batches of its own; otherwise one batch is read while another is
/// solved. A few batches are in memory, however many files there are.
///
/// # Errors
/// When the model or the device fails, or when `each` does; what is wrong with a file is
/// its outcome.
pub fn solve_all<E: From<InferError>>(
    sources: &[PuzzleSource],
    solver: &Solver<'_>,
    batch: usize,
    mut each: impl FnMut(Outcome) -> Result<(), E>,
) -> Result<(), E> {
    let mut stream = PuzzleStream::new(sources);
    if !solver.is_on_cpu() {
        let mut read = || stream.block(batch).map(|block| read(block, solver));
        let mut next = read();
        while let Some(ready) = next {
            let (outcomes, following) = rayon::join(|| solve(ready, solver), &mut read);
            next = following;
            outcomes?.into_iter().try_for_each(&mut each)?;
        }
        return Ok(());
    }
    // Few files are shared out evenly; how many rows a table has is not known before it is read.
    let tables = sources.iter().any(PuzzleSource::is_table);
    let even = sources.len().div_ceil(worker_pool::count()).max(1);
    let batch = if tables { batch } else { batch.min(even) };
    worker_pool::in_order(
        || stream.block(batch),
        |block| solve(read(block, solver), solver),
        |outcomes| outcomes?.into_iter().try_for_each(&mut each),
    )
}

fn read(block: Block, solver: &Solver<'_>) -> Ready {
    let mut ink = Vec::with_capacity(block.count() * solver.inks());
    let entries = block.read_here(|stored| {
        let start = ink.len();
        ink.resize(start + solver.inks(), 0.0);
        solver.write_ink(&stored.images, &mut ink[start..]);
        (stored.target, stored.rules())
    });
    Ready { entries, ink }
}

fn solve(Ready { entries, ink }: Ready, solver: &Solver<'_>) -> Result<Vec<Outcome>, InferError> {
    let mut solved = solver.solve_ink(ink)?.into_iter();
    let outcome = |Entry { file, layout, notes, made }: Entry<_>| {
        let (target, rules) = made?;
        // Every puzzle that could be read has its pixels in the batch.
        let solution = solved.next().expect("one solution for each puzzle");
        Ok((SolvedFile { file, layout, target, rules, notes }, solution))
    };
    Ok(entries.into_iter().map(outcome).collect())
}
