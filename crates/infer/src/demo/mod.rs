//! The whole story in a minute: puzzles solved and explained, of RAVEN's layouts and of PGM and VAD, one
//! completed, one of every layout imagined, on a page that needs nothing from outside.
//!
//! Nothing is chosen by how it turned out: puzzles are those of fixed numbers of the seed, and of every
//! drawing the first is shown.

mod other_families;
mod page;

use std::time::Instant;

use genvp_puzzle::family::{AnyPuzzle, FamilyError, Sheet};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::raven::{FORM, Raven};
use genvp_puzzle::{Layout, Puzzle, PuzzleError, RuleMatrix, Set};

use crate::complete::{Gap, Protocol, verdict};
use crate::imagine::{Artist, Drawing, ImagineError, Imagined, RuleSampler};
use crate::judge::{Verdict, stress::pictures};
use crate::{InferError, Model, Solution, Solver};

pub use other_families::SolvedOther;
pub use page::html;

/// Puzzles of each layout that are solved.
pub const SOLVED: usize = 3;
/// Answers that are drawn for the puzzle with a gap.
pub const ANSWERS: u64 = 4;
/// Why there is no demonstration.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// A puzzle could not be made.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    /// A puzzle of another family could not be made.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// The model cannot solve.
    #[error(transparent)]
    Infer(#[from] InferError),
    /// The model cannot draw.
    #[error(transparent)]
    Imagine(#[from] ImagineError),
}

/// A puzzle with what the model makes of it.
#[derive(Debug)]
pub struct SolvedPuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The model's answer.
    pub solution: Solution,
}

impl SolvedPuzzle {
    /// Whether the answer is right.
    pub fn is_right(&self) -> bool {
        self.solution.answer == usize::from(self.puzzle.target)
    }
}

/// A puzzle with a gap and the answers drawn for it.
#[derive(Debug)]
pub struct CompletedPuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// What was drawn, with what the judge says by the puzzle's own rules.
    pub answers: Vec<(Drawing, Verdict)>,
}

/// Everything that the page shows.
#[derive(Debug)]
pub struct Story {
    /// The model's name.
    pub model: String,
    /// Puzzles of every layout, solved.
    pub solved: Vec<SolvedPuzzle>,
    /// One puzzle of each other family, solved by the model in the box for it.
    pub others: Vec<SolvedOther>,
    /// One puzzle, completed several times.
    pub completed: CompletedPuzzle,
    /// One imagined puzzle of every layout, drawn once.
    pub imagined: Vec<Imagined>,
    /// How long the model took, in seconds.
    pub seconds: f64,
}

impl Story {
    /// Lets a model solve, complete and imagine.
    ///
    /// # Errors
    /// When the model is for other puzzles, or its device fails.
    pub fn tell(model: &Model, seed: u64, step: &dyn Fn()) -> Result<Self, DemoError> {
        let start = Instant::now();
        let solver = Solver::of_family(model, &Raven)?;
        let artist = Artist::new(model.genvp(), model.device())?;
        let mut solved = Vec::new();
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(Set::IRaven, layout))?;
            let puzzles: Vec<Puzzle> = (0..SOLVED as u64)
                .map(|index| maker.puzzle(seed, index))
                .collect::<Result<_, _>>()?;
            let sheets: Vec<Sheet> = puzzles.iter().map(AnyPuzzle::sheet).collect();
            let solutions = solver.solve(&sheets.iter().collect::<Vec<_>>())?;
            solved.extend(
                puzzles
                    .into_iter()
                    .zip(solutions)
                    .map(|(puzzle, solution)| SolvedPuzzle { puzzle, solution }),
            );
            step();
        }
        let others = other_families::solve(seed, model.device(), step)?;
        let completed = complete(&artist, seed)?;
        step();
        let mut imagined = Vec::new();
        for layout in Layout::ALL {
            let sampler = RuleSampler::new(layout, RuleMatrix::free(), seed)?;
            imagined.push(sampler.imagine(&artist, 0)?);
            step();
        }
        let model = model.card().name().to_owned();
        let seconds = start.elapsed().as_secs_f64();
        Ok(Self { model, solved, others, completed, imagined, seconds })
    }

    /// How many steps [`Story::tell`] takes.
    pub const STEPS: u64 = 17;

    /// Right answers.
    pub fn right(&self) -> usize {
        self.solved.iter().filter(|s| s.is_right()).count()
    }

    /// Imagined puzzles in which every rule holds.
    pub fn coherent(&self) -> usize {
        self.imagined.iter().filter(|i| i.verdict.agrees()).count()
    }

    /// The story in a few lines.
    pub fn summary(&self) -> String {
        let answers = &self.completed.answers;
        let good = answers.iter().filter(|(_, verdict)| verdict.agrees()).count();
        let other = |own: &SolvedOther| {
            let right = if own.is_right() { "right" } else { "wrong" };
            format!(", one of {} {right}", own.puzzle.family().id().to_uppercase())
        };
        format!(
            "solved     {} of {} puzzles{}\ncompleted  {good} of {} answers keep every rule\n\
             imagined   {} of {} puzzles keep every rule",
            self.right(),
            self.solved.len(),
            self.others.iter().map(other).collect::<String>(),
            answers.len(),
            self.coherent(),
            self.imagined.len()
        )
    }
}

/// Beyond those that are solved.
const COMPLETED: u64 = 100;

fn complete(artist: &Artist<'_>, seed: u64) -> Result<CompletedPuzzle, DemoError> {
    let maker = Maker::new(Request::new(Set::IRaven, Layout::DistributeFour))?;
    let missing = std::array::from_fn(|i| i + 1 == FORM.panels());
    let puzzle = maker.puzzle(seed, COMPLETED)?;
    let gap = Gap::new(pictures(&puzzle), missing)?;
    let rules = RuleMatrix::from_columns(&RuleMatrix::of(&puzzle.rules).columns());
    let mut answers = Vec::new();
    for sample in 0..ANSWERS {
        let done = artist.complete(&gap, Protocol::Honest, seed, sample)?;
        let said = verdict(&done.drawing, puzzle.layout, rules)?;
        answers.push((done.drawing, said));
    }
    Ok(CompletedPuzzle { puzzle, answers })
}
