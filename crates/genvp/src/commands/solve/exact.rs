//! Solving without a model: the scene is read, and its rules are reasoned about.

use std::io::{Write, stdout};

use genvp_data::inputs::{Entry, FoundPuzzles, PuzzleStream};
use genvp_puzzle::family::{ExactSolution, Explanation, Family, Stratum};

use super::Solve;
use super::summary::{Summary, verdict};
use crate::console::Console;
use crate::failure::{Answer, Failure};

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
    pub(super) fn exactly(
        &self,
        found: FoundPuzzles,
        console: &Console,
    ) -> Result<Answer, Failure> {
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
            let line = genvp_infer::json::exact(file, *stratum, *target, exact);
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
    if let Some(confidence) = exact.confidence {
        let layout =
            exact.read_as.map(|read| format!("{} ({}), ", family.short_name(read), read.name));
        let sure = 100.0 * confidence;
        writeln!(out, "  {}read with {sure:.0} % confidence", layout.unwrap_or_default())?;
    }
    for rule in exact.rules.split(' ') {
        writeln!(out, "  rule    {rule}")?;
    }
    for (choice, broken) in explanation.broken.iter().enumerate() {
        let score = match &exact.chances {
            Some(chances) => format!("{:>5.1} %", 100.0 * chances[choice]),
            None => format!("{:>5.1} bits", exact.scores[choice]),
        };
        let reason = match broken.is_empty() {
            true => fitting(exact, explanation, choice).to_owned(),
            false => broken.join("; "),
        };
        let mark = if choice == exact.answer { '>' } else { ' ' };
        writeln!(out, "{mark} choice {} {score}  {reason}", choice + 1)?;
    }
    Ok(())
}

/// What is said of a choice that breaks no rule.
fn fitting(exact: &ExactSolution, explanation: &Explanation, choice: usize) -> &'static str {
    if choice == exact.answer {
        "fits"
    } else if explanation.twins.contains(&choice) {
        "looks exactly like the answer"
    } else if exact.is_as_good(choice) {
        "breaks no rule that was found, and is as likely as the answer, which is a guess"
    } else {
        "breaks no rule that was found, but is less likely"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_that_is_as_likely_as_the_answer_is_not_called_less_likely() {
        let exact = ExactSolution {
            answer: 1,
            scores: vec![-1.5, -0.5, -0.5 - 1e-12, -0.5],
            chances: None,
            tied: true,
            rules: String::new(),
            read_as: None,
            confidence: None,
            explanation: None,
        };
        let explanation = Explanation { broken: vec![Vec::new(); 4], twins: vec![3] };
        let said: Vec<&str> = (0..4).map(|choice| fitting(&exact, &explanation, choice)).collect();
        assert!(said[0].ends_with("but is less likely"), "{said:?}");
        assert_eq!(said[1], "fits");
        assert!(said[2].contains("as likely as the answer"), "{said:?}");
        assert_eq!(said[3], "looks exactly like the answer");
    }
}
