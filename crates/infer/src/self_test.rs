//! A model tried on a few puzzles, to see that it works at all.

use genvp_puzzle::family::{Family, PuzzleSpec, Sheet, Stratum};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Layout, Set};

use crate::error::InferError;
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

/// Fresh puzzles of RAVEN's family with their answers, `each` of every layout of a set.
///
/// # Errors
/// When one cannot be made.
pub fn fresh_puzzles(set: Set, each: u64, seed: u64) -> Result<Vec<Sheet>, InferError> {
    let strata = Layout::ALL.map(|layout| Raven::stratum(set, layout));
    fresh_of(&Raven, &strata, each, seed)
}

fn fresh_of(
    family: &dyn Family,
    strata: &[Stratum],
    each: u64,
    seed: u64,
) -> Result<Vec<Sheet>, InferError> {
    let mut sheets = Vec::new();
    for &stratum in strata {
        let maker = family.generator(&PuzzleSpec::new(stratum))?;
        for index in 0..each {
            sheets.push(maker.puzzle(seed, index)?.sheet());
        }
    }
    Ok(sheets)
}

impl Model {
    /// Solves `each` fresh puzzles of every layout of I-RAVEN, or of every regime of the model's
    /// family.
    ///
    /// # Errors
    /// When the model solves no puzzles from their pixels, or the device fails.
    pub fn self_test(&self, each: u64) -> Result<SelfTest, InferError> {
        let solver = Solver::new(self)?;
        let sheets = if solver.family().has_layouts() {
            fresh_puzzles(Set::IRaven, each, SEED)?
        } else {
            fresh_of(solver.family(), &solver.family().strata(), each, SEED)?
        };
        let mut test = SelfTest { asked: sheets.len(), right: 0, finite: true, steady: true };
        for (block, some) in sheets.chunks(Solver::BATCH).enumerate() {
            let some: Vec<&Sheet> = some.iter().collect();
            let solutions = solver.solve(&some)?;
            for (solution, sheet) in solutions.iter().zip(&some) {
                test.right += usize::from(Some(solution.answer) == sheet.target);
                test.finite &= solution.scores.iter().all(|s| s.active.is_finite())
                    && solution.rules().cells().iter().all(|p| p.is_finite());
            }
            if block == 0 {
                let again = solver.solve(&some[..1])?;
                test.steady &= again[0].answer == solutions[0].answer;
            }
        }
        Ok(test)
    }
}
