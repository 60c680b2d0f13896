//! Files through a model, from pixels to answers.

use genvp_data::Note;
use genvp_data::inputs::{Block, Entry, FoundPuzzles, PuzzleStream};
use genvp_puzzle::family::{RuleLabels, Stratum};

use crate::{InferError, Solution, Solver, worker_pool};

/// What is known of a puzzle besides its pixels, for the report. The model never sees it.
#[derive(Clone, Debug)]
pub struct SolvedFile {
    /// Its file.
    pub file: String,
    /// What it is counted under.
    pub stratum: Option<Stratum>,
    /// The right choice, where the file says it.
    pub target: Option<usize>,
    /// The rules, where the file says them.
    pub rules: Option<RuleLabels>,
    /// What was left out or reinterpreted in its file.
    pub notes: Vec<Note>,
}

/// A puzzle and its solution, or what is wrong with the file.
pub type Outcome = Result<(SolvedFile, Solution), InferError>;

/// Puzzles that are ready for the model: what is known of each, or what is wrong with it, and the
/// pixels of those that could be read.
struct Ready {
    files: Vec<Result<SolvedFile, InferError>>,
    ink: Vec<f32>,
}

/// Solves everything that was found, in its order, and hands the outcomes to `each`, `batch` at a
/// time. On a CPU every core reads and solves batches of its own; otherwise one batch is read while
/// another is solved. A few batches are in memory, however many files there are. Files of families
/// that the model is not for are errors that say so.
///
/// # Errors
/// When the model or the device fails, or when `each` does; what is wrong with a file is
/// its outcome.
pub fn solve_all<E: From<InferError>>(
    found: FoundPuzzles,
    solver: &Solver<'_>,
    batch: usize,
    mut each: impl FnMut(Outcome) -> Result<(), E>,
) -> Result<(), E> {
    // Few files are shared out evenly; how many rows a table has is not known before it is read.
    let even = |count: u64| (count as usize).div_ceil(worker_pool::count()).max(1);
    let few = found.files.map_or(batch, |count| batch.min(even(count)));
    let mut stream = PuzzleStream::of(found.sources);
    if !solver.model().is_on_cpu() {
        let mut read = || stream.block(batch).map(|block| read(block, solver));
        let mut next = read();
        while let Some(ready) = next {
            let (outcomes, following) = rayon::join(|| solve(ready, solver), &mut read);
            next = following;
            outcomes?.into_iter().try_for_each(&mut each)?;
        }
        return Ok(());
    }
    worker_pool::in_order(
        || stream.block(few),
        |block| solve(read(block, solver), solver),
        |outcomes| outcomes?.into_iter().try_for_each(&mut each),
    )
}

fn read(block: Block, solver: &Solver<'_>) -> Ready {
    let mut ink = Vec::with_capacity(block.count() * solver.inks());
    let entries = block.read_for(solver.family(), |file| {
        // The panels at the model's size are all that is kept of a file.
        let start = ink.len();
        ink.resize(start + solver.inks(), 0.0);
        solver.write_ink(&file.sheet.pixels, file.sheet.side, &mut ink[start..]);
        (file.sheet.stratum, file.sheet.target, file.labels)
    });
    let files = entries.into_iter().map(|Entry { file, notes, made, .. }| match made? {
        Ok((stratum, target, rules)) => Ok(SolvedFile { file, stratum, target, rules, notes }),
        Err(other) => Err(InferError::OtherFamily {
            file,
            model: solver.model().card().name().to_owned(),
            wanted: solver.family().id(),
            found: other.id(),
        }),
    });
    Ready { files: files.collect(), ink }
}

fn solve(Ready { files, ink }: Ready, solver: &Solver<'_>) -> Result<Vec<Outcome>, InferError> {
    let mut solved = solver.solve_ink(ink)?.into_iter();
    // Every puzzle that could be read has its pixels in the batch.
    let outcome = |file: Result<SolvedFile, InferError>| {
        Ok((file?, solved.next().expect("one solution for each puzzle")))
    };
    Ok(files.into_iter().map(outcome).collect())
}
