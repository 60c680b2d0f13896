//! Solving with a model.

use std::io::{Write, stdout};
use std::path::PathBuf;

use genvp_data::inputs::{self, FoundPuzzles, PuzzleSource};
use genvp_infer::pipeline::{self, SolvedFile};
use genvp_infer::{Solution, Solver};
use genvp_puzzle::family::{Family, families};

use super::Solve;
use super::explain;
use super::summary::{Summary, verdict};
use crate::console::Console;
use crate::failure::{Answer, Failure};

impl Solve {
    /// Solves everything that was found with a model.
    pub(super) fn learned(
        &self,
        found: FoundPuzzles,
        solver: &Solver<'_>,
        console: &Console,
    ) -> Result<Answer, Failure> {
        let with_confidence = !self.json || self.confidence || self.explain;
        let solver = solver.clone().with_confidence(with_confidence).with_experts(self.explain);
        if self.confidence && !solver.family().has_layouts() {
            console.warn("how sure answers are was not fitted for models of this family");
        }
        let progress = console.progress("solving", found.count.unwrap_or(0));
        let mut summary = Summary::default();
        let mut out = stdout().lock();
        pipeline::solve_all(found, &solver, self.batch.get(), |outcome| {
            progress.add(1);
            match outcome {
                Ok((file, solution)) => {
                    console.file_notes(&file.file, &file.notes);
                    summary.add(file.stratum, solution.answer, file.target);
                    self.print(&mut out, &file, &solution)
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
        file: &SolvedFile,
        solution: &Solution,
    ) -> Result<(), Failure> {
        if self.json {
            let line = genvp_infer::json::solution(file, solution, self.explain);
            return Ok(writeln!(out, "{line}")?);
        }
        let verdict = verdict(solution.answer, file.target);
        let sure = solution.confidence.map(|c| format!(", {:.0} % sure", 100.0 * c.value));
        let sure = sure.unwrap_or_default();
        writeln!(out, "{}: choice {}{verdict}{sure}", file.file, solution.answer + 1)?;
        if self.explain { explain::print(out, solution) } else { Ok(()) }
    }
}

/// All puzzles among some paths, for a model, as those of a family if a user names one. Where the
/// model takes files of other families, too, these are counted before anything is solved.
pub fn puzzles_for(
    solver: &Solver<'_>,
    family: Option<&'static dyn Family>,
    paths: &[PathBuf],
    console: &Console,
) -> Result<FoundPuzzles, Failure> {
    if !solver.family().has_layouts() || family.is_some() {
        return Ok(inputs::stream_all(paths)?.as_family(family));
    }
    let sources = inputs::gather_all(paths)?;
    warn_of_other_families(&sources, solver, console);
    Ok(sources.into())
}

/// Warns of files that are named as those of another family, and may have the same form: pixels
/// alone do not show that the model never learned their rules.
fn warn_of_other_families(sources: &[PuzzleSource], solver: &Solver<'_>, console: &Console) {
    let (own, model) = (solver.family(), solver.model().card().name());
    for family in families().iter().filter(|family| family.id() != own.id()) {
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
