//! How many puzzles were answered right.

use std::collections::BTreeMap;
use std::io::Write;

use genvp_puzzle::family::{Stratum, stratum_order};
use serde_json::json;

use crate::failure::Failure;
use crate::percent::Percent;
use crate::strata;

/// How many of a stratum were right.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    asked: u64,
    right: u64,
}

impl Score {
    fn percent(self) -> Percent {
        Percent::of(self.right, self.asked)
    }
}

/// Counts over all files.
#[derive(Debug, Default)]
pub struct Summary {
    /// Puzzles that were answered.
    pub n: u64,
    /// Files that could not be read.
    pub bad: u64,
    all: Score,
    /// In the order of all families' strata.
    strata: BTreeMap<usize, (Stratum, Score)>,
}

impl Summary {
    /// Counts an answered puzzle.
    pub fn add(&mut self, stratum: Option<Stratum>, answer: usize, target: Option<usize>) {
        self.n += 1;
        let Some(target) = target else { return };
        let right = u64::from(target == answer);
        let mut scores = vec![&mut self.all];
        if let Some(stratum) = stratum {
            let empty = (stratum, Score::default());
            scores.push(&mut self.strata.entry(stratum_order(stratum)).or_insert(empty).1);
        }
        for score in scores {
            score.asked += 1;
            score.right += right;
        }
    }

    /// The last line of `--json`.
    pub fn print_json(&self, out: &mut impl Write, skip_bad: bool) -> Result<(), Failure> {
        let mut report = json!({
            "n": self.n,
            "accuracy": self.all.percent().0,
            "per_layout": {},
        });
        for (stratum, score) in self.strata.values() {
            strata::insert(&mut report, *stratum, json!(score.percent().0));
        }
        if skip_bad {
            report["skipped"] = json!(self.bad);
        }
        Ok(writeln!(out, "{}", json!({ "summary": report }))?)
    }

    /// A small table, for people, where there is more than one file.
    pub fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        if self.n <= 1 && self.bad == 0 {
            return Ok(());
        }
        if self.all.asked > 0 {
            for (stratum, score) in self.strata.values() {
                let (name, percent) = (strata::label(*stratum), score.percent());
                writeln!(out, "{name:<42} {percent:>8} of {}", score.asked)?;
            }
            writeln!(out, "{:<42} {:>8} of {}", "all", self.all.percent(), self.all.asked)?;
        }
        if self.bad > 0 {
            writeln!(out, "{} files could not be read and were left out", self.bad)?;
        }
        Ok(())
    }
}

/// What to say beside an answer where the right one is known.
pub fn verdict(answer: usize, target: Option<usize>) -> &'static str {
    match target {
        Some(target) if target == answer => " (right)",
        Some(_) => " (wrong)",
        None => "",
    }
}
