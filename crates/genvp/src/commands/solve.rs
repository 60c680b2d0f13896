//! `genvp solve`: answer puzzles from their pixels.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use genvp_puzzle::Layout;
use genvp_puzzle::exact::{self, Exact};
use rayon::prelude::*;
use serde_json::json;

use crate::failure::{Answer, Failure};
use crate::inputs::{self, Source};
use crate::percent::Percent;
use crate::talk::Talk;

/// Answer puzzles from their pixels.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Solve {
    /// Puzzle files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Solve by reading the scene and reasoning about its rules
    #[arg(long, required = true)]
    exact: bool,
    /// Show every choice's score and the rules that the wrong ones break
    #[arg(long)]
    explain: bool,
    /// Leave out files that cannot be read, and say how many
    #[arg(long)]
    skip_bad: bool,
    /// Print one JSON object a puzzle, and a summary last
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
Only pixels are looked at: never target, predict, the meta arrays or the xml. Where a file says which
choice is right, the accuracy is reported.

Examples:
  genvp solve --exact I-RAVEN/center_single/RAVEN_8_test.npz --explain
  genvp solve --exact I-RAVEN --json";

/// A solved file.
struct Solved {
    target: Option<u8>,
    exact: Exact,
}

/// How many of a layout were right.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    asked: u64,
    right: u64,
}

impl Score {
    fn percent(self) -> Option<f64> {
        Percent::of(self.right, self.asked).0
    }
}

#[derive(Debug, Default)]
struct Summary {
    n: u64,
    bad: u64,
    all: Score,
    layouts: BTreeMap<Layout, Score>,
}

impl Solve {
    /// Solves everything that is named.
    pub fn run(&self, talk: &Talk) -> Result<Answer, Failure> {
        let sources = inputs::gather(&self.paths)?;
        let progress = talk.progress("solving", sources.len() as u64);
        let mut summary = Summary::default();
        let mut out = stdout().lock();
        for block in sources.chunks(256) {
            let solved: Vec<Result<Solved, Failure>> = block
                .par_iter()
                .map(|source| {
                    let solved = solve(source);
                    progress.add(1);
                    solved
                })
                .collect();
            for (source, solved) in block.iter().zip(solved) {
                match solved {
                    Ok(solved) => {
                        summary.add(source, &solved);
                        self.print(&mut out, source, &solved)?;
                    }
                    Err(failure) if self.skip_bad => {
                        summary.bad += 1;
                        talk.warn(&format!("skipped: {failure}"));
                    }
                    Err(failure) => return Err(failure),
                }
            }
        }
        progress.finish();
        self.print_summary(&mut out, &summary)?;
        Ok(Answer::Yes)
    }

    fn print(&self, out: &mut impl Write, source: &Source, solved: &Solved) -> Result<(), Failure> {
        let Solved { target, exact } = solved;
        let solution = &exact.solution;
        let layout = exact.reading.layout;
        let rules = solution.rules.text(layout);
        if self.json {
            let mut line = json!({
                "file": source.path.display().to_string(),
                "layout": source.layout.map(Layout::folder),
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
        let verdict = match target {
            Some(target) if usize::from(*target) == solution.answer => " (right)",
            Some(_) => " (wrong)",
            None => "",
        };
        writeln!(out, "{}: choice {}{verdict}", source.path.display(), solution.answer + 1)?;
        if self.explain {
            self.explain(out, exact, &rules)?;
        }
        Ok(())
    }

    fn explain(&self, out: &mut impl Write, exact: &Exact, rules: &str) -> Result<(), Failure> {
        let layout = exact.reading.layout;
        let sure = 100.0 * exact.reading.confidence;
        writeln!(out, "  {} ({layout}), read with {sure:.0} % confidence", layout.short())?;
        for rule in rules.split(' ') {
            writeln!(out, "  rule    {rule}")?;
        }
        let twins = exact.twins();
        for choice in 0..8 {
            let chance = 100.0 * exact.solution.scores[choice].exp();
            let broken: Vec<String> =
                exact.broken(choice).iter().map(ToString::to_string).collect();
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

    fn print_summary(&self, out: &mut impl Write, summary: &Summary) -> Result<(), Failure> {
        if self.json {
            let layouts: BTreeMap<&str, Option<f64>> =
                summary.layouts.iter().map(|(l, s)| (l.folder(), s.percent())).collect();
            let mut report = json!({
                "n": summary.n,
                "accuracy": summary.all.percent(),
                "per_layout": layouts,
            });
            if self.skip_bad {
                report["skipped"] = json!(summary.bad);
            }
            writeln!(out, "{}", json!({ "summary": report }))?;
            return Ok(());
        }
        if summary.n > 1 || summary.bad > 0 {
            for (layout, score) in &summary.layouts {
                let percent = Percent::of(score.right, score.asked);
                writeln!(out, "{layout:<42} {percent:>8} of {}", score.asked)?;
            }
            let percent = Percent::of(summary.all.right, summary.all.asked);
            writeln!(out, "{:<42} {percent:>8} of {}", "all", summary.all.asked)?;
            if summary.bad > 0 {
                writeln!(out, "{} files could not be read and were left out", summary.bad)?;
            }
        }
        Ok(())
    }
}

impl Summary {
    fn add(&mut self, source: &Source, solved: &Solved) {
        self.n += 1;
        let Some(target) = solved.target else { return };
        let right = u64::from(usize::from(target) == solved.exact.solution.answer);
        let mut scores = vec![&mut self.all];
        if let Some(layout) = source.layout {
            scores.push(self.layouts.entry(layout).or_default());
        }
        for score in scores {
            score.asked += 1;
            score.right += right;
        }
    }
}

fn solve(source: &Source) -> Result<Solved, Failure> {
    let stored = source.read_pixels()?;
    let panels = std::array::from_fn(|i| stored.images.panel(i));
    let exact = exact::solve(&panels, stored.images.side(), source.domain);
    Ok(Solved { target: stored.target, exact })
}
