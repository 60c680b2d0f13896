//! `genvp eval rules`: right rules of complete puzzles.

use std::path::{Path, PathBuf};

use clap::Args;
use genvp_model::DeviceChoice;
use genvp_puzzle::Domain;
use genvp_report::tables::Ours;
use genvp_report::tables::rules::{self, Telling};
use serde_json::json;

use super::common_args::{CommonArgs, print, print_json};
use super::solve::sets;
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;

/// Right rules of complete puzzles, by layout and by attribute and rule.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Rules {
    /// Set of puzzles: raven, iraven or raven-fair
    #[arg(long, value_name = "SET", default_value = "raven")]
    set: String,
    /// Folder for two heat maps: right rules by attribute, and confusions of rules
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace existing pictures
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    common: CommonArgs,
}

const MORE: &str = "\
Counts the attributes that can follow more than one rule in a layout; number and position count
as one, and attributes with random values do not count.

Examples:
  genvp eval rules --compare paper
  genvp eval rules -n 500 --out figures --json";

impl Rules {
    /// Measures and prints.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let set = sets(std::slice::from_ref(&self.set))?[0];
        let sheets = self.common.fresh(set, Domain::Standard)?;
        let subject = self.common.subject(console, device)?;
        let progress = console.progress("reading rules", sheets.len() as u64 * self.common.n);
        let evaluator = subject.evaluator()?.requiring_rules();
        let telling = Telling::of(&subject.evaluate(&evaluator, &sheets, &progress)?);
        progress.finish();
        if let Some(folder) = &self.out {
            draw(&telling, folder, self.force)?;
        }
        if self.common.json {
            let mut report = json!(telling);
            report["model"] = subject.json();
            report["set"] = json!(set.key());
            report["seed"] = json!(self.common.seed);
            report["n"] = json!(self.common.n);
            return print_json(&report);
        }
        let ours = Ours::new(telling, self.common.command(&format!("rules --set {}", set.key())));
        let by_layout = rules::by_layout_table(&ours, self.common.compares());
        print(&[subject.with_supervision(by_layout), rules::by_rule_table(&ours)])
    }
}

fn draw(telling: &Telling, folder: &Path, force: bool) -> Result<(), Failure> {
    super::make_folder(folder)?;
    for (name, picture) in
        [("rules", rules::heat(telling)), ("confusion", rules::confusion(telling))]
    {
        picture_file::write(&folder.join(format!("{name}.svg")), &picture, force)?;
    }
    Ok(())
}
