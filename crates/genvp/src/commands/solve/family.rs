//! Solving puzzles of PGM and VAD with a model of theirs.

use std::io::{Write, stdout};

use genvp_data::inputs::{FoundPuzzles, PuzzleStream};
use genvp_infer::json::lost_family_rules;
use genvp_infer::{FamilyFile, FamilySolution, FamilySolver, KINDS, Model};

use super::Solve;
use super::summary::{Summary, verdict};
use crate::console::Console;
use crate::failure::{Answer, Failure};

impl Solve {
    /// Solves all sources with a model of their family.
    pub(super) fn of_family(
        &self,
        found: FoundPuzzles,
        model: &Model,
        console: &Console,
    ) -> Result<Answer, Failure> {
        let solver = FamilySolver::new(model)?.with_experts(self.explain);
        if self.confidence {
            console.warn("how sure answers are was not fitted for models of this family");
        }
        let progress = console.progress("solving", found.count.unwrap_or(0));
        let mut summary = Summary::default();
        let mut out = stdout().lock();
        let mut stream = PuzzleStream::of(found.sources);
        solver.solve_all(&mut stream, self.batch.get(), |outcome| {
            progress.add(1);
            match outcome {
                Ok((file, solution)) => {
                    console.file_notes(&file.file, &file.notes);
                    summary.add(file.stratum, solution.answer, file.target);
                    self.print_of_family(&mut out, &file, &solution)
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

    fn print_of_family(
        &self,
        out: &mut impl Write,
        file: &FamilyFile,
        solution: &FamilySolution,
    ) -> Result<(), Failure> {
        if self.json {
            let line = genvp_infer::json::family_solution(file, solution, self.explain);
            return Ok(writeln!(out, "{line}")?);
        }
        let verdict = verdict(solution.answer, file.target);
        writeln!(out, "{}: choice {}{verdict}", file.file, solution.answer + 1)?;
        if self.explain { explain(out, solution) } else { Ok(()) }
    }
}

fn explain(out: &mut impl Write, solution: &FamilySolution) -> Result<(), Failure> {
    for (attribute, rule, probability) in solution.rules().rules() {
        writeln!(out, "  rule    {attribute}={rule} ({:.0} %)", 100.0 * probability)?;
    }
    write!(out, "  active rules seen by")?;
    for kind in KINDS {
        write!(out, " {kind:>11}")?;
    }
    writeln!(out, " {:>7}", "all")?;
    for (choice, score) in solution.scores.iter().enumerate() {
        let mark = if choice == solution.answer { '>' } else { ' ' };
        write!(out, "{mark} choice {}            ", choice + 1)?;
        for (_, tables) in &solution.kinds {
            write!(out, " {:>11.2}", tables[choice].active())?;
        }
        let reason = if choice == solution.answer {
            "keeps the most rules".to_owned()
        } else {
            let lost = lost_family_rules(solution, choice);
            let none = "loses no single rule, but is less certain".to_owned();
            if lost.is_empty() { none } else { format!("loses {}", lost.join("; ")) }
        };
        writeln!(out, " {:>7.2}  {reason}", score.active)?;
    }
    Ok(())
}
