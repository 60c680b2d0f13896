//! `genvp dataset check`: is a dataset right?

use std::collections::BTreeMap;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use genvp_data::audit::{self, DatasetAudit, Tally};
use genvp_data::{DataError, Wanted, inputs};
use genvp_puzzle::family::Stratum;
use serde_json::json;

use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::percent::Percent;
use crate::strata;

/// Check every puzzle of a dataset.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Check {
    /// Dataset folders, npz files, archives, or parquet tables
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Name at most so many bad files (JSON names all)
    #[arg(long, default_value_t = 10, value_name = "N")]
    most: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
A puzzle is sound when its files can be read, its pixels are those of its scene, every stated
rule is true in all three rows, exactly one choice satisfies all of them, and no two choices
look alike. Where a dataset has a manifest, the hash of every file is compared too. One unsound
puzzle makes the command fail (exit 1). Puzzles with nothing but pixels, drawn in another way
than ours, are counted as not examined.

Reported, but not faults: rules that the answer does not depend on, rivals (puzzles in which
another set of rules also fits and leads to another choice; `dataset make --no-rivals` leaves
them out), and how often a vote among the choices alone finds the answer (12.5 % is chance;
RAVEN's choices give it away). All three need the xml.

Examples:
  genvp dataset check I-RAVEN
  genvp dataset check I-RAVEN/distribute_nine --json";

impl Check {
    /// Checks everything that is named.
    pub fn run(&self, console: &Console) -> Result<Answer, Failure> {
        let mut out = stdout().lock();
        let mut bad = BadFiles::new(&mut out, self.json, self.most);
        for path in &self.paths {
            let good = audit::compare_with_manifest(path, |problem| bad.add(path, problem))?;
            if let Some(good) = good {
                let path_name = path.display();
                console.detail(&format!("{path_name}: {good} files as the manifest says"));
            }
        }
        let progress = console.progress("checking", 0);
        let DatasetAudit { all, strata: found_in } = DatasetAudit::of(
            inputs::sources(&self.paths),
            &|| progress.add(1),
            |file, problem| bad.add(file, problem),
        )?;
        progress.finish();
        if all.n == 0 {
            let path = self.paths.first().cloned().unwrap_or_default();
            return Err(DataError::NoPuzzles { path, wanted: Wanted::Npz }.into());
        }
        let (count, named) = bad.finish()?;
        if self.json {
            let mut report = tally_json(&all);
            report["per_layout"] = json!({});
            for (stratum, tally) in &found_in {
                match stratum {
                    Some(stratum) => strata::insert(&mut report, *stratum, tally_json(tally)),
                    None => report["per_layout"][UNKNOWN] = tally_json(tally),
                }
            }
            // The list of bad files, which stands before it, has opened the object.
            let report = report.to_string();
            writeln!(out, ",{}", report.strip_prefix('{').unwrap_or(&report))?;
        } else {
            self.print(&mut out, &all, &found_in, &named, count)?;
        }
        Ok(if count == 0 { Answer::Yes } else { Answer::No })
    }

    fn print(
        &self,
        out: &mut impl Write,
        all: &Tally,
        found_in: &BTreeMap<Option<Stratum>, Tally>,
        named: &[(PathBuf, String)],
        bad: u64,
    ) -> Result<(), Failure> {
        writeln!(
            out,
            "{:<42} {:>8} {:>8} {:>12} {:>8} {:>8}",
            "layout or regime", "puzzles", "sound", "not examined", "vote", "rivals"
        )?;
        let total = ("all".to_owned(), all);
        let name = |stratum: &Option<Stratum>| stratum.map_or("unknown".to_owned(), strata::label);
        let mut rows: Vec<(String, &Tally)> =
            found_in.iter().map(|(stratum, tally)| (name(stratum), tally)).collect();
        rows.sort_by(|(a, _), (b, _)| a.cmp(b));
        rows.push(total);
        for (name, tally) in rows {
            let vote = Percent(tally.vote_percent());
            let Tally { n, sound, not_examined, with_rivals: rivals, .. } = tally;
            writeln!(out, "{name:<42} {n:>8} {sound:>8} {not_examined:>12} {vote:>8} {rivals:>8}")?;
        }
        writeln!(
            out,
            "{} with a rule that is not needed, {} with rivals ({}): other rules that fit and single out another choice",
            all.with_unneeded,
            all.with_rivals,
            Percent::of(all.with_rivals, all.audited)
        )?;
        if all.with_unshown > 0 {
            writeln!(
                out,
                "{} with a relation that holds, while no line shows which it is (OR or XOR)",
                all.with_unshown
            )?;
        }
        for (file, problem) in named {
            writeln!(out, "{}: {problem}", file.display())?;
        }
        let unnamed = bad - named.len() as u64;
        if unnamed > 0 {
            writeln!(out, "... and {unnamed} more")?;
        }
        if all.not_examined > 0 {
            writeln!(
                out,
                "{} of {} were not examined: their panels are not drawn as ours, so nothing was found out about their answers",
                all.not_examined, all.n
            )?;
        }
        Ok(())
    }
}

/// The files with which something is wrong. A damaged archive may have a million of them:
/// the first ones are kept for people, and JSON is written as they are found.
struct BadFiles<'a, W> {
    out: &'a mut W,
    json: bool,
    most: usize,
    named: Vec<(PathBuf, String)>,
    count: u64,
}

impl<'a, W: Write> BadFiles<'a, W> {
    fn new(out: &'a mut W, json: bool, most: usize) -> Self {
        Self { out, json, most, named: Vec::new(), count: 0 }
    }

    fn add(&mut self, file: &Path, problem: &str) -> Result<(), Failure> {
        if self.json {
            let entry = json!({ "file": file.display().to_string(), "problem": problem });
            let before = if self.count == 0 { OPENING } else { "," };
            write!(self.out, "{before}{entry}")?;
        } else if self.named.len() < self.most {
            self.named.push((file.to_owned(), problem.to_owned()));
        }
        self.count += 1;
        Ok(())
    }

    /// Ends the list: how many there are, and those that are named in text.
    fn finish(self) -> io::Result<(u64, Vec<(PathBuf, String)>)> {
        if self.json {
            let before = if self.count == 0 { OPENING } else { "" };
            write!(self.out, "{before}]")?;
        }
        Ok((self.count, self.named))
    }
}

/// How the report begins as JSON.
const OPENING: &str = "{\"bad\":[";

/// The key in JSON of what no folder or file name tells.
const UNKNOWN: &str = "unknown layout";

fn tally_json(tally: &Tally) -> serde_json::Value {
    json!({
        "n": tally.n,
        "sound": tally.sound,
        "not_examined": tally.not_examined,
        "audited": tally.audited,
        "with_rules_that_no_line_shows": tally.with_unshown,
        "majority_vote": tally.vote_percent(),
        "with_unneeded_rules": tally.with_unneeded,
        "with_other_rules_that_fit": tally.with_rivals,
    })
}
