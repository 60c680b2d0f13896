//! `genvp dataset stats`: what is in a dataset?

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use genvp_data::inputs::{self, PuzzleSource};
use genvp_data::relations::{Stated, Structures, Votes};
use genvp_data::{DataError, Wanted};
use genvp_puzzle::family::{AnyPuzzle, Facts, Stratum, family_of_set, stratum_order, vote_chance};
use rayon::prelude::*;
use serde_json::json;

use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::percent::Percent;
use crate::strata;

/// Count rules, object numbers, changed attributes and positions of the answer.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Stats {
    /// Dataset folders, npz files (with their xml beside them), archives, or parquet tables
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
A puzzle has rivals when another set of rules also fits and leads to another choice.

Archives (.tar.gz) of PGM and VAD are read without unpacking. What their files state is counted
over all puzzles: triples, their number, and which triples only the test has; this recovers
held-out lists that were never published (count both splits in full). What only pixels show is
counted over the first 4,096 puzzles, unless truth.jsonl states it.

Examples:
  genvp dataset stats I-RAVEN --json
  genvp dataset stats PGM/attr.rels";

/// Puzzles that are counted at once.
const BLOCK: usize = 1024;
/// Unreadable files that are named.
const NAMED_MOST: u64 = 5;
/// Puzzles whose scenes are read from pixels, where nothing else tells them.
const READ_MOST: usize = 4 * BLOCK;

/// Counts of one stratum.
#[derive(Debug, Default)]
struct Counts {
    n: u64,
    rules: BTreeMap<String, u64>,
    objects: BTreeMap<String, u64>,
    changes: BTreeMap<String, u64>,
    changes_per_choice: BTreeMap<usize, u64>,
    targets: Vec<u64>,
    votes: f64,
    rivals: u64,
    uniform: BTreeMap<String, u64>,
}

/// What is counted of a puzzle. Finding rivals takes longer than all else, so it
/// is done on all threads.
struct Counted {
    choices: usize,
    stratum: Stratum,
    target: usize,
    facts: Facts,
    votes: Votes,
    has_rivals: bool,
}

impl Counted {
    fn of(puzzle: &dyn AnyPuzzle) -> Self {
        let audit = puzzle.audit();
        Self {
            choices: puzzle.family().form().choices,
            stratum: puzzle.stratum(),
            target: puzzle.target(),
            facts: puzzle.facts(),
            votes: Votes {
                most: vote_chance(&audit.vote, puzzle.target()),
                least: vote_chance(&audit.outvoted, puzzle.target()),
            },
            has_rivals: audit.rivals > 0,
        }
    }
}

impl Counts {
    fn add(&mut self, found: &Counted) {
        self.n += 1;
        self.rivals += u64::from(found.has_rivals);
        self.targets.resize(found.choices, 0);
        self.targets[found.target] += 1;
        self.votes += found.votes.most;
        let count = |table: &mut BTreeMap<String, u64>, names: &[String]| {
            for name in names {
                *table.entry(name.clone()).or_default() += 1;
            }
        };
        count(&mut self.rules, &found.facts.rules);
        count(&mut self.objects, &found.facts.objects);
        count(&mut self.uniform, &found.facts.uniform);
        for changes in &found.facts.changes {
            count(&mut self.changes, changes);
            *self.changes_per_choice.entry(changes.len()).or_default() += 1;
        }
    }

    fn vote_percent(&self) -> f64 {
        100.0 * self.votes / self.n.max(1) as f64
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "n": self.n,
            "majority_vote": self.vote_percent(),
            "with_other_rules_that_fit": self.rivals,
            "rules": self.rules,
            "objects_per_panel": self.objects,
            "uniform_components": self.uniform,
            "changed_attributes": self.changes,
            "changes_per_wrong_choice": self.changes_per_choice,
            "targets": self.targets,
        })
    }
}

/// Files that cannot be read.
#[derive(Default)]
struct Unreadable {
    count: u64,
    first: Option<DataError>,
}

/// Everything that is counted.
#[derive(Default)]
struct Tally {
    seen: usize,
    structures: Structures,
    /// By the place of the stratum among all.
    strata: BTreeMap<usize, (Stratum, Counts)>,
    without_scene: u64,
    unreadable: Unreadable,
}

impl Tally {
    /// Counts all puzzles, block by block.
    fn take(
        mut sources: impl Iterator<Item = Result<PuzzleSource, DataError>>,
        console: &Console,
    ) -> Result<Self, DataError> {
        let progress = console.progress("counting", 0);
        let mut tally = Self::default();
        loop {
            let block: Vec<PuzzleSource> =
                sources.by_ref().take(BLOCK).collect::<Result<_, _>>()?;
            if block.is_empty() {
                break;
            }
            // Where files state their relations, scenes need not be read from all pixels.
            let read_scenes = tally.seen < READ_MOST;
            tally.seen += block.len();
            let puzzles = block.par_iter().map(|source| {
                let counted = count(source, read_scenes);
                progress.add(1);
                counted
            });
            for found in puzzles.collect::<Vec<_>>() {
                match found {
                    Ok((stated, puzzle)) => tally.add(stated, puzzle),
                    Err(error) => tally.add_unreadable(error, console),
                }
            }
        }
        progress.finish();
        Ok(tally)
    }

    fn add(&mut self, stated: Option<Stated>, puzzle: Option<Counted>) {
        if let Some(stated) = &stated {
            self.structures.add(stated, puzzle.as_ref().map(|found| found.votes));
        }
        let Some(found) = puzzle else {
            self.without_scene += u64::from(stated.is_none());
            return;
        };
        let empty = (found.stratum, Counts::default());
        self.strata.entry(stratum_order(found.stratum)).or_insert(empty).1.add(&found);
    }

    fn add_unreadable(&mut self, error: DataError, console: &Console) {
        if self.unreadable.count < NAMED_MOST {
            console.warn(&format!("not counted: {error}"));
        }
        self.unreadable.count += 1;
        self.unreadable.first.get_or_insert(error);
    }

    /// Says how many puzzles are not among those counted.
    fn warn(&self, console: &Console) {
        if self.unreadable.count > NAMED_MOST {
            let count = self.unreadable.count;
            console.warn(&format!("{count} puzzles cannot be read and are not counted"));
        }
        if self.without_scene > 0 {
            console.warn(&format!(
                "{} puzzles have no xml beside them and are not counted",
                self.without_scene
            ));
        }
    }

    fn json(&self) -> serde_json::Value {
        let mut report = json!({
            "per_layout": {},
            "without_scene": self.without_scene,
            "unreadable": self.unreadable.count,
        });
        for (stratum, counts) in self.strata.values() {
            strata::insert(&mut report, *stratum, counts.json());
        }
        if !self.structures.is_empty() {
            report["structures"] = self.structures.json();
        }
        report
    }
}

impl Stats {
    /// Counts everything that is named.
    pub fn run(&self, console: &Console) -> Result<Answer, Failure> {
        let mut tally = Tally::take(inputs::sources(&self.paths), console)?;
        if tally.seen == 0 {
            let path = self.paths.first().cloned().unwrap_or_default();
            return Err(DataError::NoPuzzles { path, wanted: Wanted::Npz }.into());
        }
        if tally.unreadable.count == tally.seen as u64
            && let Some(error) = tally.unreadable.first.take()
        {
            return Err(error.into());
        }
        tally.warn(console);
        let mut out = stdout().lock();
        if self.json {
            writeln!(out, "{}", tally.json())?;
            return Ok(Answer::Yes);
        }
        for (stratum, counts) in tally.strata.values() {
            print(&mut out, *stratum, counts)?;
        }
        for line in tally.structures.lines() {
            writeln!(out, "{line}")?;
        }
        Ok(Answer::Yes)
    }
}

/// What a file states, and what its scene holds where that is known or to be read.
fn count(
    source: &PuzzleSource,
    read_scene: bool,
) -> Result<(Option<Stated>, Option<Counted>), DataError> {
    let format = source.format()?;
    let is_told = source.truth.is_some() || format.relations().is_none();
    let file = match is_told || read_scene {
        true => format.whole(source)?,
        false => format.pixels(source)?,
    };
    let counted = file.puzzle.map(|puzzle| Counted::of(puzzle.as_ref()));
    Ok((file.stated, counted))
}

fn print(out: &mut impl Write, stratum: Stratum, counts: &Counts) -> Result<(), Failure> {
    writeln!(
        out,
        "{}: {} puzzles, vote {}, {} with rivals ({})",
        strata::label(stratum),
        counts.n,
        Percent(Some(counts.vote_percent())),
        counts.rivals,
        Percent::of(counts.rivals, counts.n)
    )?;
    for group in groups(stratum) {
        let keys: Vec<String> = group.iter().map(|attribute| format!("{attribute}=")).collect();
        let mut of_group: Vec<(&str, u64)> = counts
            .rules
            .iter()
            .filter(|(rule, _)| keys.iter().any(|key| rule.starts_with(key)))
            .map(|(rule, n)| (rule.as_str(), *n))
            .collect();
        of_group.sort_by_key(|(rule, n)| (std::cmp::Reverse(*n), *rule));
        let texts: Vec<String> = of_group
            .iter()
            .map(|(rule, n)| format!("{rule} {}", Percent::of(*n, counts.n)))
            .collect();
        writeln!(out, "  {}", texts.join(", "))?;
    }
    let list = |map: &BTreeMap<String, u64>| {
        let total: u64 = map.values().sum();
        map.iter()
            .map(|(k, n)| format!("{k} {}", Percent::of(*n, total)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if !counts.objects.is_empty() {
        writeln!(out, "  panels with {}", list(&counts.objects))?;
    }
    writeln!(out, "  wrong choices change {}", list(&counts.changes))?;
    let wrong: u64 = counts.changes_per_choice.values().sum();
    let depths: Vec<String> = counts
        .changes_per_choice
        .iter()
        .map(|(depth, n)| format!("{depth} attributes {}", Percent::of(*n, wrong)))
        .collect();
    writeln!(out, "  at once: {}", depths.join(", "))?;
    let targets: Vec<String> = counts.targets.iter().map(u64::to_string).collect();
    writeln!(out, "  right choice is number 1 to {}: {}", targets.len(), targets.join(" "))?;
    Ok(())
}

/// The attributes of a stratum whose rules stand in one line.
fn groups(stratum: Stratum) -> Vec<Vec<String>> {
    family_of_set(stratum.set).map(|family| family.rule_groups(stratum)).unwrap_or_default()
}
