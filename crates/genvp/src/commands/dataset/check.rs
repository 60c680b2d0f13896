//! `genvp dataset check`: is a dataset right?

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use genvp_data::dataset::{self, Manifest};
use genvp_data::{DataError, Scene, StoredPuzzle};
use genvp_puzzle::check::Audit;
use genvp_puzzle::{Domain, Layout, Set, exact, render};
use rayon::prelude::*;
use serde_json::json;

use crate::failure::{Answer, Failure};
use crate::inputs::{self, Source};
use crate::percent::Percent;
use crate::talk::Talk;

/// Prove a dataset right.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Check {
    /// Dataset folders or npz files
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How many bad files to name
    #[arg(long, default_value_t = 10, value_name = "N")]
    most: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
A puzzle is sound when its files can be read, its pixels are those of its scene, every stated rule is
true in all three rows, exactly one choice satisfies all of them, and no two choices look alike. Where
a dataset has a manifest, the hash of every file is compared too. A single unsound puzzle makes the
answer no (exit 1).

Reported, but no fault: rules without which the answer would be the same, rivals (puzzles in which
another set of rules fits the question and singles out another choice: `dataset make --no-rivals`
leaves them out), and how often a vote among the choices alone, question unseen, finds the answer
(12.5 % is chance; RAVEN's choices give it away). All three need the xml.

Examples:
  genvp dataset check I-RAVEN
  genvp dataset check I-RAVEN/distribute_nine --json";

/// What was found about one puzzle.
#[derive(Debug)]
struct Found {
    layout: Option<Layout>,
    problems: Vec<String>,
    /// The chance that a vote among the choices finds the answer.
    vote: Option<f64>,
    unneeded: usize,
    rivals: usize,
}

#[derive(Debug, Default)]
struct Tally {
    n: u64,
    sound: u64,
    votes: f64,
    voted: u64,
    unneeded: u64,
    rivals: u64,
}

impl Tally {
    fn add(&mut self, found: &Found) {
        self.n += 1;
        self.sound += u64::from(found.problems.is_empty());
        if let Some(vote) = found.vote {
            self.votes += vote;
            self.voted += 1;
        }
        self.unneeded += u64::from(found.unneeded > 0);
        self.rivals += u64::from(found.rivals > 0);
    }

    fn vote_percent(&self) -> Option<f64> {
        (self.voted > 0).then(|| 100.0 * self.votes / self.voted as f64)
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "n": self.n,
            "sound": self.sound,
            "audited": self.voted,
            "majority_vote": self.vote_percent(),
            "with_unneeded_rules": self.unneeded,
            "with_other_rules_that_fit": self.rivals,
        })
    }
}

impl Check {
    /// Checks everything that is named.
    pub fn run(&self, talk: &Talk) -> Result<Answer, Failure> {
        let mut all = Tally::default();
        let mut layouts: BTreeMap<&'static str, Tally> = BTreeMap::new();
        let mut bad: Vec<(PathBuf, String)> = Vec::new();
        for path in &self.paths {
            bad.extend(hashes(path, talk)?);
        }
        let sources = inputs::gather(&self.paths)?;
        let progress = talk.progress("checking", sources.len() as u64);
        // Blocks keep memory small and the report in the order of the files.
        for block in sources.chunks(1024) {
            let found: Vec<Found> = block
                .par_iter()
                .map(|source| {
                    let found = examine(source);
                    progress.add(1);
                    found
                })
                .collect();
            for (source, found) in block.iter().zip(&found) {
                all.add(found);
                let name = found.layout.map_or("unknown layout", Layout::folder);
                layouts.entry(name).or_default().add(found);
                if let Some(problem) = found.problems.first() {
                    bad.push((source.path.clone(), problem.clone()));
                }
            }
        }
        progress.finish();
        let mut out = stdout().lock();
        if self.json {
            let bad_files: Vec<_> = bad
                .iter()
                .map(|(file, problem)| json!({ "file": file.display().to_string(), "problem": problem }))
                .collect();
            let layouts: BTreeMap<_, _> = layouts.iter().map(|(k, v)| (k, v.json())).collect();
            let mut report = all.json();
            report["per_layout"] = json!(layouts);
            report["bad"] = json!(bad_files);
            writeln!(out, "{report}")?;
        } else {
            self.print(&mut out, &all, &layouts, &bad)?;
        }
        Ok(if bad.is_empty() { Answer::Yes } else { Answer::No })
    }

    fn print(
        &self,
        out: &mut impl Write,
        all: &Tally,
        layouts: &BTreeMap<&'static str, Tally>,
        bad: &[(PathBuf, String)],
    ) -> Result<(), Failure> {
        writeln!(
            out,
            "{:<42} {:>8} {:>8} {:>8} {:>8}",
            "layout", "puzzles", "sound", "vote", "rivals"
        )?;
        let total = ("all", all);
        let rows = layouts.iter().map(|(name, tally)| (*name, tally)).chain([total]);
        for (name, tally) in rows {
            let vote = Percent(tally.vote_percent());
            let Tally { n, sound, rivals, .. } = tally;
            writeln!(out, "{name:<42} {n:>8} {sound:>8} {vote:>8} {rivals:>8}")?;
        }
        writeln!(
            out,
            "{} with a rule that is not needed, {} with rivals ({}): other rules that fit and single out another choice",
            all.unneeded,
            all.rivals,
            Percent::of(all.rivals, all.voted)
        )?;
        for (file, problem) in bad.iter().take(self.most) {
            writeln!(out, "{}: {problem}", file.display())?;
        }
        if bad.len() > self.most {
            writeln!(out, "... and {} more", bad.len() - self.most)?;
        }
        Ok(())
    }
}

/// Compares a dataset with its manifest, where it has one.
fn hashes(path: &Path, talk: &Talk) -> Result<Vec<(PathBuf, String)>, Failure> {
    if !path.is_dir() || Manifest::find(path)?.is_empty() {
        return Ok(Vec::new());
    }
    let verified = dataset::verify(path, &|_| ())?;
    talk.detail(&format!("{}: {} files as the manifest says", path.display(), verified.good));
    Ok(verified.bad.iter().map(|error| (path.to_owned(), error.to_string())).collect())
}

fn examine(source: &Source) -> Found {
    match source.read() {
        Ok(stored) => examine_puzzle(&stored, source),
        Err(error) => Found {
            layout: source.layout,
            problems: vec![without_path(&error, &source.path)],
            vote: None,
            unneeded: 0,
            rivals: 0,
        },
    }
}

/// The report names the file already.
fn without_path(error: &DataError, path: &Path) -> String {
    let text = error.to_string();
    let prefix = format!("{}: ", path.display());
    text.strip_prefix(&prefix).unwrap_or(&text).to_owned()
}

fn examine_puzzle(stored: &StoredPuzzle, source: &Source) -> Found {
    let mut problems: Vec<String> =
        stored.notes.iter().filter_map(|note| note.fault()).map(ToString::to_string).collect();
    for i in 8..16 {
        for j in i + 1..16 {
            if stored.images.panel(i) == stored.images.panel(j) {
                problems.push(format!("choices {} and {} are the same picture", i - 7, j - 7));
            }
        }
    }
    let (Some(scene), Some(target)) = (&stored.scene, stored.target) else {
        return Found {
            layout: source.layout,
            problems: alone(stored, source.domain, problems),
            vote: None,
            unneeded: 0,
            rivals: 0,
        };
    };
    problems.extend(pixels(stored, scene));
    if stored.matrix_rules().is_some_and(|rules| rules != scene.rules) {
        problems.push("meta_matrix and xml state different rules".to_owned());
    }
    let Some(restored) = scene.restore(Set::Raven, target) else {
        problems.push("the xml does not state a rule for every attribute".to_owned());
        let layout = Some(scene.layout);
        return Found { layout, problems, vote: None, unneeded: 0, rivals: 0 };
    };
    let prefix = |part: usize| scene.layout.parts()[part].prefix().map(|p| format!("{p}."));
    for (part, rule) in &restored.untrue {
        problems
            .push(format!("{}{rule} is stated but not true", prefix(*part).unwrap_or_default()));
    }
    let audit = Audit::of(&restored.puzzle);
    let right: Vec<String> =
        (0..8).filter(|&i| audit.satisfied[i]).map(|i| (i + 1).to_string()).collect();
    if right.len() != 1 && restored.untrue.is_empty() {
        problems.push(match right.len() {
            0 => "no choice satisfies all rules".to_owned(),
            _ => format!("choices {} all satisfy the rules", right.join(" and ")),
        });
    }
    for (a, b) in &audit.duplicates {
        let message = format!("choices {} and {} are the same picture", a + 1, b + 1);
        if !problems.contains(&message) {
            problems.push(format!("choices {} and {} look alike", a + 1, b + 1));
        }
    }
    let vote =
        if audit.vote.contains(&usize::from(target)) { 1.0 / audit.vote.len() as f64 } else { 0.0 };
    Found {
        layout: Some(scene.layout),
        problems,
        vote: Some(vote),
        unneeded: audit.unneeded.len(),
        rivals: audit.rivals.len(),
    }
}

/// Whether the pixels are those of the scene.
fn pixels(stored: &StoredPuzzle, scene: &Scene) -> Option<String> {
    if stored.images.side() != render::SIDE {
        return None;
    }
    let mut drawn = vec![0; render::SIDE * render::SIDE];
    let wrong = scene.panels.iter().enumerate().find(|(index, panel)| {
        render::panel_into(panel, scene.layout, scene.domain, &mut drawn);
        drawn != stored.images.panel(*index)
    })?;
    Some(format!("panel {} is not the picture of its scene", wrong.0 + 1))
}

/// A puzzle without a scene beside it is judged by reading its pixels.
fn alone(stored: &StoredPuzzle, domain: Domain, mut problems: Vec<String>) -> Vec<String> {
    let Some(target) = stored.target else {
        problems.push("no target: nothing says which choice is right".to_owned());
        return problems;
    };
    let panels = std::array::from_fn(|i| stored.images.panel(i));
    let solved = exact::solve(&panels, stored.images.side(), domain);
    if solved.reading.confidence > 0.9 && solved.solution.answer != usize::from(target) {
        problems.push(format!(
            "the target is choice {}, but reading the pixels gives choice {}",
            target + 1,
            solved.solution.answer + 1
        ));
    }
    problems
}
