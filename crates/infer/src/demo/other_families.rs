//! One puzzle of every family without layouts, answered by the model in the box for it.

use burn::tensor::Device;
use genvp_puzzle::family::{AnyPuzzle, PuzzleSpec, Split, families};

use super::DemoError;
use crate::{Model, Solution, Solver};

/// A puzzle of another family with what the model for it says.
#[derive(Debug)]
pub struct SolvedOther {
    /// The puzzle.
    pub puzzle: Box<dyn AnyPuzzle>,
    /// The model's answer.
    pub solution: Solution,
    /// The model's name.
    pub model: String,
}

impl SolvedOther {
    /// Whether the answer is right.
    pub fn is_right(&self) -> bool {
        self.solution.answer == self.puzzle.target()
    }
}

/// The first test puzzle of the first regime of each such family.
pub(super) fn solve(
    seed: u64,
    device: &Device,
    step: &dyn Fn(),
) -> Result<Vec<SolvedOther>, DemoError> {
    let mut solved = Vec::new();
    for &family in families().iter().filter(|family| !family.has_layouts()) {
        let model = Model::open(Model::solver_of(family)?, device)?;
        let spec = PuzzleSpec { split: Some(Split::Test), ..PuzzleSpec::new(family.strata()[0]) };
        let puzzle = family.generator(&spec)?.puzzle(seed, 0)?;
        let solutions = Solver::of_family(&model, family)?.solve(&[&puzzle.sheet()])?;
        let model = model.card().name().to_owned();
        let own = solutions.into_iter();
        solved.extend(own.zip([puzzle]).map(|(solution, puzzle)| SolvedOther {
            puzzle,
            solution,
            model: model.clone(),
        }));
        step();
    }
    Ok(solved)
}
