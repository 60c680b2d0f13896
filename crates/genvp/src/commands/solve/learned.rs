//! Solving with the model.

use std::io::{Write, stdout};

use genvp_infer::{Model, Solution, Solver};
use genvp_puzzle::Set;
use genvp_puzzle::family::{Family, families};
use genvp_puzzle::raven::Raven;

use super::Solve;
use super::explain;
use super::summary::{Summary, verdict};
use crate::console::Console;
use crate::failure::{Answer, Failure};
use genvp_data::inputs::PuzzleSource;
use genvp_infer::pipeline::{self, SolvedFile};

impl Solve {
    /// Solves all sources with a model.
    pub(super) fn learned(
        &self,
        sources: &[PuzzleSource],
        model: &Model,
        console: &Console,
    ) -> Result<Answer, Failure> {
        let with_confidence = !self.json || self.confidence || self.explain;
        let solver =
            Solver::new(model)?.with_confidence(with_confidence).with_experts(self.explain);
        warn_of_other_families(sources, model.card().name(), console);
        let progress = console.progress("solving", sources.len() as u64);
        let mut summary = Summary::default();
        let mut out = stdout().lock();
        pipeline::solve_all(sources, &solver, self.batch.get(), |outcome| {
            progress.add(1);
            match outcome {
                Ok((puzzle, solution)) => {
                    console.file_notes(&puzzle.file, &puzzle.notes);
                    let stratum = puzzle.layout.map(|layout| Raven::stratum(Set::Raven, layout));
                    let target = puzzle.target.map(usize::from);
                    summary.add(stratum, solution.answer, target);
                    self.print(&mut out, &puzzle, &solution)
                }
                Err(error) if self.skip_bad => {
                    summary.bad += 1;
                    console.warn(&format!("skipped: {error}"));
                    Ok(())
                }
                Err(error) => Err(error.into()),
            }
        })?;
        progress.finish();
        if self.json {
            summary.print_json(&mut out, self.skip_bad)?;
        } else {
            summary.print(&mut out)?;
        }
        Ok(if summary.n == 0 { Answer::No } else { Answer::Yes })
    }

    fn print(
        &self,
        out: &mut impl Write,
        puzzle: &SolvedFile,
        solution: &Solution,
    ) -> Result<(), Failure> {
        let sure = solution.confidence.map(|c| c.value);
        if self.json {
            let line = genvp_infer::json::solution(puzzle, solution, self.explain);
            return Ok(writeln!(out, "{line}")?);
        }
        writeln!(
            out,
            "{}: choice {}{}, {:.0} % sure",
            puzzle.file,
            solution.answer + 1,
            verdict(solution.answer, puzzle.target.map(usize::from)),
            100.0 * sure.unwrap_or_default()
        )?;
        if self.explain { explain::print(out, solution) } else { Ok(()) }
    }
}

/// Warns of files that are named as those of another family, and may have the same form: pixels
/// alone do not show that the model never learned their rules.
pub fn warn_of_other_families(sources: &[PuzzleSource], model: &str, console: &Console) {
    for family in families().iter().filter(|family| family.id() != Raven.id()) {
        let is_named = |source: &&PuzzleSource| {
            source.named_family().is_some_and(|named| named.id() == family.id())
        };
        let count = sources.iter().filter(is_named).count();
        if count > 0 {
            let id = family.id();
            console.warn(&format!(
                "files named as puzzles of {id}: {count}; {model} knows the rules of RAVEN only, so its answers and confidence mean nothing for them (genvp solve --exact solves {id})"
            ));
        }
    }
}
