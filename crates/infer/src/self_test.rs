//! A model tried on a few puzzles, to see that it works at all.

use genvp_data::Images;
use genvp_puzzle::family::{Family, PuzzleSpec, Sheet};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Layout, Set, render};

use crate::error::InferError;
use crate::family_solver::FamilySolver;
use crate::model::Model;
use crate::solver::Solver;

/// The seed of the puzzles: neither training nor examinations use it.
const SEED: u64 = 0x5e1f_7e57;

/// What came of a self-test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfTest {
    /// Puzzles asked, as many of every layout or regime.
    pub asked: usize,
    /// Puzzles answered right.
    pub right: usize,
    /// Whether every score and probability is a finite number.
    pub finite: bool,
    /// Whether a puzzle alone gets the answer that it gets among others.
    pub steady: bool,
}

/// Fresh puzzles with their answers, `each` of every layout, as a model gets them.
///
/// # Errors
/// When one cannot be made.
pub fn fresh_puzzles(set: Set, each: u64, seed: u64) -> Result<Vec<(Images, u8)>, InferError> {
    let mut puzzles = Vec::new();
    for layout in Layout::ALL {
        let maker = Maker::new(Request::new(set, layout))?;
        for index in 0..each {
            let puzzle = maker.puzzle(seed, index)?;
            puzzles.push((Images::new(render::SIDE, render::puzzle(&puzzle)), puzzle.target));
        }
    }
    Ok(puzzles)
}

impl Model {
    /// Solves `each` fresh puzzles of every layout of I-RAVEN, or of every regime of the model's
    /// family.
    ///
    /// # Errors
    /// When the model solves no puzzles from their pixels, or the device fails.
    pub fn self_test(&self, each: u64) -> Result<SelfTest, InferError> {
        match self.family() {
            Some(family) if family.id() != Raven.id() => self.test_of_family(family, each),
            _ => self.test_of_raven(each),
        }
    }

    fn test_of_family(
        &self,
        family: &'static dyn Family,
        each: u64,
    ) -> Result<SelfTest, InferError> {
        let solver = FamilySolver::new(self)?;
        let mut sheets: Vec<Sheet> = Vec::new();
        for stratum in family.strata() {
            let maker = family.generator(&PuzzleSpec::new(stratum))?;
            for index in 0..each {
                sheets.push(maker.puzzle(SEED, index)?.sheet());
            }
        }
        let solved = solver.solve(&sheets.iter().collect::<Vec<_>>())?;
        let mut test = SelfTest { asked: sheets.len(), right: 0, finite: true, steady: true };
        for (solution, sheet) in solved.iter().zip(&sheets) {
            test.right += usize::from(Some(solution.answer) == sheet.target);
            test.finite &= solution.scores.iter().all(|s| s.active.is_finite())
                && solution.rules().rows().all(|(_, row)| row.iter().all(|p| p.is_finite()));
        }
        for (solution, sheet) in solved.iter().zip(&sheets).take(1) {
            let again = solver.solve(&[sheet])?;
            test.steady = again.iter().all(|own| own.answer == solution.answer);
        }
        Ok(test)
    }

    fn test_of_raven(&self, each: u64) -> Result<SelfTest, InferError> {
        let solver = Solver::new(self)?;
        let puzzles = fresh_puzzles(Set::IRaven, each, SEED)?;
        let mut test = SelfTest { asked: puzzles.len(), right: 0, finite: true, steady: true };
        for (block, some) in puzzles.chunks(Solver::BATCH).enumerate() {
            let images: Vec<&Images> = some.iter().map(|(images, _)| images).collect();
            let solutions = solver.solve(&images)?;
            for (solution, (_, target)) in solutions.iter().zip(some) {
                test.right += usize::from(solution.answer == usize::from(*target));
                test.finite &= solution.scores.iter().all(|s| s.active.is_finite())
                    && solution.rules().rows().iter().flatten().all(|p| p.is_finite());
            }
            if block == 0 {
                let again = solver.solve(&images[..1])?;
                test.steady &= again[0].answer == solutions[0].answer;
            }
        }
        Ok(test)
    }
}
