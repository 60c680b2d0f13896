//! Solving without a model: the scene is read, and its rules are reasoned about.

use std::io::{Write, stdout};

use genvp_puzzle::Layout;
use genvp_puzzle::exact::{self, Exact};
use serde_json::json;

use super::Solve;
use super::summary::{Summary, verdict};
use crate::failure::{Answer, Failure};
use crate::talk::Talk;
use genvp_data::inputs::{Entry, PuzzleSource, PuzzleStream};

/// Puzzles in a block: many enough for all threads, few enough for memory.
const BLOCK: usize = 256;

/// A solved file.
struct Solved {
    target: Option<u8>,
    exact: Exact,
}

impl Solve {
    /// Solves all sources without a model.
    pub(super) fn exactly(&self, sources: &[PuzzleSource], talk: &Talk) -> Result<Answer, Failure> {
        let progress = talk.progress("solving", sources.len() as u64);
        let mut summary = Summary::default();
        let mut out = stdout().lock();
        let mut stream = PuzzleStream::new(sources);
        while let Some(block) = stream.block(BLOCK) {
            let block = block.read(|stored, domain| {
                let panels = std::array::from_fn(|i| stored.images.panel(i));
                let exact = exact::solve(&panels, stored.images.side(), domain);
                progress.add(1);
                Solved { target: stored.target, exact }
            });
            for Entry { file, layout, notes, made } in block {
                talk.file_notes(&file, &notes);
                match made {
                    Ok(solved) => {
                        summary.add(layout, solved.exact.solution.answer, solved.target);
                        self.print_exact(&mut out, &file, layout, &solved)?;
                    }
                    Err(error) if self.skip_bad => {
                        summary.bad += 1;
                        talk.warn(&format!("skipped: {error}"));
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
        folder_layout: Option<Layout>,
        solved: &Solved,
    ) -> Result<(), Failure> {
        let Solved { target, exact } = solved;
        let solution = &exact.solution;
        let layout = exact.reading.layout;
        let rules = solution.rules.text(layout);
        if self.json {
            let mut line = json!({
                "file": file,
                "layout": folder_layout.map(Layout::folder),
                "answer": solution.answer,
                "scores": solution.scores,
                "target": target,
                "rules": rules,
                "read_layout": layout.folder(),
                "confidence": exact.reading.confidence,
            });
            if solution.tied {
                line["tied"] = json!(true);
            }
            if self.explain {
                let broken: Vec<Vec<String>> = (0..8)
                    .map(|choice| exact.broken(choice).iter().map(ToString::to_string).collect())
                    .collect();
                line["broken"] = json!(broken);
            }
            writeln!(out, "{line}")?;
            return Ok(());
        }
        writeln!(
            out,
            "{file}: choice {}{}",
            solution.answer + 1,
            verdict(solution.answer, *target)
        )?;
        if self.explain {
            explain(out, exact, &rules)?;
        }
        Ok(())
    }
}

fn explain(out: &mut impl Write, exact: &Exact, rules: &str) -> Result<(), Failure> {
    let layout = exact.reading.layout;
    let sure = 100.0 * exact.reading.confidence;
    writeln!(out, "  {} ({layout}), read with {sure:.0} % confidence", layout.short())?;
    for rule in rules.split(' ') {
        writeln!(out, "  rule    {rule}")?;
    }
    let twins = exact.twins();
    for choice in 0..8 {
        let chance = 100.0 * exact.solution.scores[choice].exp();
        let broken: Vec<String> = exact.broken(choice).iter().map(ToString::to_string).collect();
        let reason = if broken.is_empty() && choice != exact.solution.answer {
            if twins.contains(&choice) {
                "looks exactly like the answer".to_owned()
            } else {
                "breaks no rule that was found, but is less likely".to_owned()
            }
        } else if broken.is_empty() {
            "fits".to_owned()
        } else {
            broken.join("; ")
        };
        let mark = if choice == exact.solution.answer { '>' } else { ' ' };
        writeln!(out, "{mark} choice {} {chance:>5.1} %  {reason}", choice + 1)?;
    }
    Ok(())
}
