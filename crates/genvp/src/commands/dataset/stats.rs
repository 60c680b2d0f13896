//! `genvp dataset stats`: what is in a dataset?

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use genvp_puzzle::check::{majority_vote, rivals};
use genvp_puzzle::{Group, Layout, Puzzle, RuleMatrix, Set};
use rayon::prelude::*;
use serde_json::json;

use crate::failure::{Answer, Failure};
use crate::percent::Percent;
use crate::talk::Talk;
use genvp_data::inputs;

/// Count rules, numbers, changes and answers.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Stats {
    /// Dataset folders or npz files (with their xml beside them)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
A puzzle has rivals when another set of rules fits the question and singles out another choice.

Example:
  genvp dataset stats I-RAVEN --json";

/// Counts of one layout.
#[derive(Debug, Default)]
struct Counts {
    n: u64,
    rules: BTreeMap<String, u64>,
    objects: BTreeMap<String, u64>,
    changes: BTreeMap<String, u64>,
    changes_per_choice: BTreeMap<usize, u64>,
    targets: [u64; 8],
    votes: f64,
    rivals: u64,
    uniform: BTreeMap<String, u64>,
}

/// A puzzle, and whether it has rivals: that takes longer than all other counts,
/// so it is found out on all threads.
struct Counted {
    puzzle: Puzzle,
    has_rivals: bool,
}

impl Counts {
    fn add(&mut self, Counted { puzzle, has_rivals }: &Counted) {
        self.n += 1;
        self.rivals += u64::from(*has_rivals);
        self.targets[usize::from(puzzle.target)] += 1;
        let vote = majority_vote(&puzzle.choices);
        if vote.contains(&usize::from(puzzle.target)) {
            self.votes += 1.0 / vote.len() as f64;
        }
        let matrix = RuleMatrix::of(&puzzle.rules).text(puzzle.layout);
        for rule in matrix.split(' ') {
            *self.rules.entry(rule.to_owned()).or_default() += 1;
        }
        for (part, kind) in puzzle.layout.parts().iter().enumerate() {
            let name = |what: &str| match kind.prefix() {
                Some(prefix) => format!("{prefix}.{what}"),
                None => what.to_owned(),
            };
            if kind.slot_count() > 1 {
                for panel in puzzle.context.iter().chain([puzzle.answer()]) {
                    let count = panel.parts[part].entities.len();
                    *self.objects.entry(name(&format!("objects={count}"))).or_default() += 1;
                }
            }
            if puzzle.is_uniform(part) {
                *self.uniform.entry(name("uniform")).or_default() += 1;
            }
            for change in puzzle.changes.iter().flatten().filter(|c| usize::from(c.part) == part) {
                *self.changes.entry(name(change.attribute.key())).or_default() += 1;
            }
        }
        for changes in puzzle.changes.iter().filter(|c| !c.is_empty()) {
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

impl Stats {
    /// Counts everything that is named.
    pub fn run(&self, talk: &Talk) -> Result<Answer, Failure> {
        let sources = inputs::gather(&self.paths)?;
        let progress = talk.progress("counting", sources.len() as u64);
        let mut layouts: BTreeMap<Layout, Counts> = BTreeMap::new();
        let mut without_scene = 0u64;
        for block in sources.chunks(1024) {
            let puzzles: Vec<Option<Counted>> = block
                .par_iter()
                .map(|source| {
                    let stored = source.read()?;
                    progress.add(1);
                    let (Some(scene), Some(target)) = (&stored.scene, stored.target) else {
                        return Ok(None);
                    };
                    let restored = scene.restore(Set::Raven, target);
                    Ok(restored.map(|restored| {
                        let has_rivals = !rivals(&restored.puzzle).is_empty();
                        Counted { puzzle: restored.puzzle, has_rivals }
                    }))
                })
                .collect::<Result<_, Failure>>()?;
            for puzzle in puzzles {
                match puzzle {
                    Some(found) => layouts.entry(found.puzzle.layout).or_default().add(&found),
                    None => without_scene += 1,
                }
            }
        }
        progress.finish();
        if without_scene > 0 {
            talk.warn(&format!(
                "{without_scene} puzzles have no xml beside them and are not counted"
            ));
        }
        let mut out = stdout().lock();
        if self.json {
            let report: BTreeMap<_, _> =
                layouts.iter().map(|(l, c)| (l.folder(), c.json())).collect();
            writeln!(out, "{}", json!({ "per_layout": report, "without_scene": without_scene }))?;
        } else {
            for (layout, counts) in &layouts {
                print(&mut out, *layout, counts)?;
            }
        }
        Ok(Answer::Yes)
    }
}

fn print(out: &mut impl Write, layout: Layout, counts: &Counts) -> Result<(), Failure> {
    writeln!(
        out,
        "{layout}: {} puzzles, vote {}, {} with rivals ({})",
        counts.n,
        Percent(Some(counts.vote_percent())),
        counts.rivals,
        Percent::of(counts.rivals, counts.n)
    )?;
    for kind in layout.parts() {
        for group in Group::ALL {
            let keys: Vec<String> = group
                .attributes()
                .iter()
                .map(|a| match kind.prefix() {
                    Some(prefix) => format!("{prefix}.{a}="),
                    None => format!("{a}="),
                })
                .collect();
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
    writeln!(out, "  right choice is number 1 to 8: {}", targets.join(" "))?;
    Ok(())
}
