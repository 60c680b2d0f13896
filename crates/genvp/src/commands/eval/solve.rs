//! `genvp eval solve`: right answers on RAVEN, I-RAVEN and RAVEN-FAIR.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use genvp_data::Split;
use genvp_exam::TestSet;
use genvp_model::DeviceChoice;
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Domain, Set};
use genvp_report::Paper;
use genvp_report::tables::solving::{self, Solving};
use genvp_report::tables::{Ours, set_name};
use serde_json::{Value, json};

use super::common_args::{CommonArgs, print, print_json, warn_of_seed};
use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Right answers by layout, on fresh puzzles or a dataset.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Solve {
    /// A folder of puzzles instead of fresh ones
    data: Option<PathBuf>,
    /// Kind of wrong choices: raven, iraven or raven-fair; for a folder, its own kind
    #[arg(long, value_name = "SETS", value_delimiter = ',')]
    set: Vec<String>,
    /// Split of the folder
    #[arg(long, value_enum, default_value = "test")]
    split: WhichSplit,
    #[command(flatten)]
    common: CommonArgs,
}

/// Which puzzles of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WhichSplit {
    /// Training
    Train,
    /// Validation
    Val,
    /// Test
    Test,
    /// All splits
    All,
}

const MORE: &str = "\
Percent with 95 % intervals (Wilson); the average is the mean over layouts. The built-in models
were never trained on RAVEN-FAIR's wrong choices, so that set is zero-shot.

Examples:
  genvp eval solve --compare paper
  genvp eval solve --set iraven --layout c-s,3x3 -n 500 --json
  genvp eval solve I-RAVEN --set iraven --split all --json";

/// Reads names of sets; none means all.
pub fn sets(names: &[String]) -> Result<Vec<Set>, Failure> {
    if names.is_empty() {
        return Ok(Set::ALL.into());
    }
    let parse = |name: &String| {
        Set::parse(name).ok_or_else(|| {
            Failure::bad(format!("`{name}` is not a set"))
                .hint("there are raven, iraven and raven-fair")
        })
    };
    names.iter().map(parse).collect()
}

impl Solve {
    /// Measures and prints.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let sets = match (&self.data, sets(&self.set)?) {
            (Some(_), sets) if sets.len() == 1 => sets,
            (Some(path), _) => {
                return Err(Failure::bad(format!("{}: which set is it?", path.display()))
                    .hint("say --set raven, --set iraven or --set raven-fair"));
            }
            (None, sets) => sets,
        };
        let layouts = self.common.layouts()?;
        let subject = self.common.subject(console, device)?;
        for seed in self.data.iter().flat_map(|folder| genvp_data::dataset_seeds(folder)) {
            warn_of_seed(subject.model.card(), seed, console);
        }
        let evaluator = subject.evaluator()?;
        let (mut tables, mut report) = (Vec::new(), self.head(&subject));
        let total = sets.len() as u64 * layouts.len() as u64 * self.common.n;
        let progress = console.progress("solving", total);
        for set in sets {
            let test_sets = match &self.data {
                Some(path) => {
                    let split = match self.split {
                        WhichSplit::Train => Some(Split::Train),
                        WhichSplit::Val => Some(Split::Val),
                        WhichSplit::Test => Some(Split::Test),
                        WhichSplit::All => None,
                    };
                    let strata: Vec<_> =
                        layouts.iter().map(|&layout| Raven::stratum(set, layout)).collect();
                    TestSet::stored(path, &strata, split, Some(self.common.n))?
                }
                None => self.common.fresh(set, Domain::Standard)?,
            };
            let solving = Solving::of(&subject.evaluate(&evaluator, &test_sets, &progress)?);
            report[set.key()] = json!(solving);
            if self.common.compares() {
                report["paper"][set.key()] = printed(set);
            }
            let ours = Ours::new(solving, self.command(set));
            let table = solving::table(set, &ours, self.common.compares());
            tables.push(subject.with_supervision(table));
        }
        progress.finish();
        if self.common.json { print_json(&report) } else { print(&tables) }
    }

    fn head(&self, subject: &super::common_args::Subject) -> Value {
        let puzzles = self.data.as_ref().map(|path| path.display().to_string());
        json!({
            "model": subject.json(),
            "seed": self.common.seed,
            "n": self.common.n,
            "puzzles": puzzles.unwrap_or_else(|| "fresh".to_owned()),
        })
    }

    fn command(&self, set: Set) -> String {
        let what = match &self.data {
            Some(path) => format!("solve {} --set {}", path.display(), set.key()),
            None => format!("solve --set {}", set.key()),
        };
        self.common.command(&what)
    }
}

/// The paper's rows, as printed and recomputed.
fn printed(set: Set) -> Value {
    let rows = Paper::get().rows("solving", None, set.key()).map(|row| {
        let mut own = json!(row);
        own["recomputed"] = json!(row.recomputed());
        own["set_name"] = json!(set_name(set));
        own
    });
    rows.collect()
}
