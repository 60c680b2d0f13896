//! Solving without a model: the scene is read, and its rules are reasoned about.

use std::io::{Write, stdout};

use genvp_data::inputs::{Entry, Found, PuzzleStream};
use genvp_puzzle::family::{ExactSolution, Explanation, Family, Stratum};
use serde_json::json;

use super::Solve;
use super::summary::{Summary, verdict};
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::strata;

/// Puzzles in a block: many enough for all threads, few enough for memory.
const BLOCK: usize = 256;

/// A solved file.
struct Solved {
    family: &'static dyn Family,
    stratum: Option<Stratum>,
    target: Option<usize>,
    exact: ExactSolution,
}

impl Solve {
    /// Solves all sources without a model.
    pub(super) fn exactly(&self, found: Found, console: &Console) -> Result<Answer, Failure> {
        let progress = console.progress("solving", found.count.unwrap_or(0));
        let mut summary = Summary::default();
        let mut out = stdout().lock();
        let mut stream = PuzzleStream::of(found.sources);
        while let Some(block) = stream.block(BLOCK) {
            let block = block.read_files(|family, file| {
                let exact = family.solve(&file.sheet, self.explain)?;
                progress.add(1);
                let (stratum, target) = (file.sheet.stratum, file.sheet.target);
                Ok(Solved { family, stratum, target, exact })
            });
            for Entry { file, notes, made, .. } in block {
                console.file_notes(&file, &notes);
                match made {
                    Ok(solved) => {
                        summary.add(solved.stratum, solved.exact.answer, solved.target);
                        self.print_exact(&mut out, &file, &solved)?;
                    }
                    Err(error) if self.skip_bad => {
                        summary.bad += 1;
                        console.warn(&format!("skipped: {error}"));
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
        progress.finish();
        if self.json {
            summary.print_json(&mut out, self.skip_bad)?;
        } else {
            summary.print(&mut out)?;
        }
        Ok(Answer::Yes)
    }

    fn print_exact(
        &self,
        out: &mut impl Write,
        file: &str,
        solved: &Solved,
    ) -> Result<(), Failure> {
        let Solved { family, stratum, target, exact } = solved;
        if self.json {
            let mut line = json!({
                "file": file,
                "answer": exact.answer,
                "scores": exact.scores,
                "target": target,
                "rules": exact.rules,
            });
            strata::name(&mut line, *stratum);
            if let Some(read) = exact.read_as {
                line["read_layout"] = json!(read.name);
            }
            if let Some(confidence) = exact.confidence {
                line["confidence"] = json!(confidence);
            }
            if exact.tied {
                line["tied"] = json!(true);
            }
            if let Some(explanation) = &exact.explanation {
                line["broken"] = json!(explanation.broken);
            }
            writeln!(out, "{line}")?;
            return Ok(());
        }
        writeln!(out, "{file}: choice {}{}", exact.answer + 1, verdict(exact.answer, *target))?;
        match &exact.explanation {
            Some(explanation) => explain(out, *family, exact, explanation),
            None => Ok(()),
        }
    }
}

fn explain(
    out: &mut impl Write,
    family: &dyn Family,
    exact: &ExactSolution,
    explanation: &Explanation,
) -> Result<(), Failure> {
    if let (Some(read), Some(confidence)) = (exact.read_as, exact.confidence) {
        let (short, sure) = (family.short_name(read), 100.0 * confidence);
        writeln!(out, "  {short} ({}), read with {sure:.0} % confidence", read.name)?;
    }
    for rule in exact.rules.split(' ') {
        writeln!(out, "  rule    {rule}")?;
    }
    for (choice, broken) in explanation.broken.iter().enumerate() {
        let score = match &exact.chances {
            Some(chances) => format!("{:>5.1} %", 100.0 * chances[choice]),
            None => format!("{:>5.1} bits", exact.scores[choice]),
        };
        let reason = if broken.is_empty() && choice != exact.answer {
            if explanation.twins.contains(&choice) {
                "looks exactly like the answer".to_owned()
            } else {
                "breaks no rule that was found, but is less likely".to_owned()
            }
        } else if broken.is_empty() {
            "fits".to_owned()
        } else {
            broken.join("; ")
        };
        let mark = if choice == exact.answer { '>' } else { ' ' };
        writeln!(out, "{mark} choice {} {score}  {reason}", choice + 1)?;
    }
    Ok(())
}
