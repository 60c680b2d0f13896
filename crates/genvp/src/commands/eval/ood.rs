//! `genvp eval ood`: values never seen in training, and rules never seen.

use std::collections::BTreeMap;
use std::path::PathBuf;

use burn::tensor::Device;
use clap::Args;
use genvp_exam::{Evaluator, Share, TestSet};
use genvp_model::DeviceChoice;
use genvp_puzzle::Domain;
use genvp_puzzle::family::PuzzleSpec;
use genvp_puzzle::make::HeldOut;
use genvp_puzzle::raven::Raven;
use genvp_report::tables::Ours;
use genvp_report::tables::held_out::{self, Withheld};
use genvp_report::tables::ood::{self, SETS};
use genvp_report::tables::solving::Solving;
use genvp_report::{train_run, withheld};
use genvp_train::Seeds;
use serde_json::json;

use super::common_args::{CommonArgs, print, print_json};
use super::learning::Learning;
use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Right answers on values and rules that were held out from training, on RAVEN and I-RAVEN.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Ood {
    /// What was held out: angle-i, color-i, size-i, size-e, cs-held-out, o-ic-held-out, or all
    /// [default: the four of values]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    shift: Vec<String>,
    /// Training time of a model with held-out rules
    #[arg(long, value_name = "M", default_value_t = 10.0)]
    minutes: f64,
    /// Training puzzles of such a model, instead of a time
    #[arg(long, value_name = "N", conflicts_with = "minutes")]
    puzzles: Option<u64>,
    /// Preset of such a model
    #[arg(long, value_name = "NAME", default_value = withheld::PRESET)]
    preset: String,
    /// Folder for runs of such models; unfinished runs are resumed, finished ones reused
    #[arg(long, value_name = "DIR", default_value = "runs/ood")]
    runs: PathBuf,
    #[command(flatten)]
    common: CommonArgs,
}

const MORE: &str = "\
Shifted values need no training: the model is tested on angles, greys and sizes that it has
never seen. For cs-held-out and o-ic-held-out a model of one layout is first trained on puzzles
without some rules; its last weights are tested on ordinary puzzles, and on those of them with a
held-out rule.

Examples:
  genvp eval ood --compare paper
  genvp eval ood --shift size-e --layout c-s -n 500 --json
  genvp eval ood --shift cs-held-out --puzzles 20000 --runs runs/ood";

/// What may be new.
enum Shift {
    Values(Domain),
    Rules(HeldOut),
}

impl Ood {
    /// Measures and prints.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let shifts = self.shifts()?;
        if !(self.minutes.is_finite() && (0.0..1e6).contains(&self.minutes)) {
            return Err(Failure::bad(format!("--minutes {}: not a time", self.minutes)));
        }
        let (mut tables, mut withheld) = (Vec::new(), Vec::new());
        let mut report = json!({ "seed": self.common.seed, "n": self.common.n });
        let values = shifts.iter().any(|shift| matches!(shift, Shift::Values(_)));
        let subject = values.then(|| self.common.subject(console, device)).transpose()?;
        if let Some(subject) = &subject {
            report["model"] = subject.json();
        }
        for shift in &shifts {
            match (shift, &subject) {
                (Shift::Values(domain), Some(subject)) => {
                    let mut ours = Vec::new();
                    let total = self.common.layouts()?.len() as u64 * self.common.n;
                    let progress = console.progress(domain.name(), SETS.len() as u64 * total);
                    for set in SETS {
                        let test_sets = self.common.fresh(set, *domain)?;
                        let marks =
                            subject.evaluate(&subject.evaluator()?, &test_sets, &progress)?;
                        let solving = Solving::of(&marks);
                        report[domain.name()][set.key()] = json!(solving);
                        let what = format!("ood --shift {}", domain.name());
                        ours.push((set, Ours::new(solving, self.common.command(&what))));
                    }
                    progress.finish();
                    let table = ood::table(*domain, &ours, self.common.compares());
                    tables.push(subject.with_supervision(table));
                }
                (Shift::Rules(held_out), _) => {
                    let device = crate::device::open(device, console)?;
                    let result = self.withhold(*held_out, &device, console)?;
                    report[held_out.name()] = json!(result);
                    withheld.push((*held_out, Ours::new(result, self.command(*held_out))));
                }
                (Shift::Values(_), None) => {}
            }
        }
        if !withheld.is_empty() {
            tables.push(held_out::table(&withheld, self.common.compares()));
        }
        if self.common.json { print_json(&report) } else { print(&tables) }
    }

    fn shifts(&self) -> Result<Vec<Shift>, Failure> {
        let values = || ood::DOMAINS.map(Shift::Values).into_iter();
        let rules = || HeldOut::ALL.map(Shift::Rules).into_iter();
        if self.shift.is_empty() {
            return Ok(values().collect());
        }
        if self.shift == ["all"] {
            return Ok(values().chain(rules()).collect());
        }
        let parse = |name: &String| {
            let domain = Domain::parse(name).filter(|domain| *domain != Domain::Standard);
            let found = domain.map(Shift::Values);
            found.or_else(|| HeldOut::parse(name).map(Shift::Rules)).ok_or_else(|| {
                Failure::bad(format!("unknown shift `{name}`")).hint(
                    "there are angle-i, color-i, size-i, size-e, cs-held-out, o-ic-held-out and all",
                )
            })
        };
        self.shift.iter().map(parse).collect()
    }

    fn budget(&self) -> String {
        match self.puzzles {
            Some(puzzles) => format!("--puzzles {puzzles}"),
            None => format!("--minutes {}", self.minutes),
        }
    }

    fn command(&self, held_out: HeldOut) -> String {
        format!(
            "genvp eval ood --shift {} {} -n {} --seed {}",
            held_out.name(),
            self.budget(),
            self.common.n,
            self.common.seed
        )
    }

    fn withhold(
        &self,
        held_out: HeldOut,
        device: &Device,
        console: &Console,
    ) -> Result<Withheld, Failure> {
        let config = withheld::settings(held_out, &self.preset, 1)?;
        let budget = self.budget().replace([' ', '.'], "-");
        let name = format!("{}-{}-{}", held_out.name(), self.preset, budget.trim_matches('-'));
        let folder = self.runs.join(name);
        super::make_folder(&self.runs)?;
        // A run that was begun knows how far it wanted to go.
        let config = match (train_run::begun(&folder)?, self.puzzles) {
            (Some(begun), _) if begun.train.feed == config.train.feed => begun,
            (Some(_), _) => {
                let message = format!("{}: this run learns from other puzzles", folder.display());
                return Err(Failure::bad(message).hint("name another folder with --runs"));
            }
            (None, puzzles) => {
                let mut config = config;
                config.train.puzzles = match puzzles {
                    Some(puzzles) => puzzles.max(config.train.batch as u64),
                    None => train_run::puzzles_in(&config, self.minutes, device)?,
                };
                train_run::plain(config)
            }
        };
        if Seeds::of_run(&config).contains(self.common.seed) {
            let seed = self.common.seed;
            console
                .warn(&format!("seed {seed}: the model without {} uses it too", held_out.name()));
        }
        let mut watch = Learning::new(console);
        let trained = train_run::teach(&config, &folder, device, &mut watch);
        watch.end();
        let trained = trained?;
        let evaluator = Evaluator::new(&trained.model, device, &Raven)?;
        let (mut all, mut unseen) = (BTreeMap::new(), BTreeMap::new());
        for set in SETS {
            let spec = PuzzleSpec::new(Raven::stratum(set, held_out.layout()));
            let test_set = TestSet::fresh(&Raven, &spec, self.common.n, self.common.seed)?;
            let (new, known): (Vec<_>, Vec<_>) =
                test_set.questions.into_iter().partition(|q| withheld::is_unseen(q, held_out));
            let own = evaluator.evaluate(&new, &|_| ())?;
            unseen.insert(set.key().to_owned(), Share::of(own.right, own.asked));
            let mut marks = evaluator.evaluate(&known, &|_| ())?;
            marks.add(&own);
            all.insert(set.key().to_owned(), Share::of(marks.right, marks.asked));
        }
        Ok(Withheld {
            sets: all,
            unseen,
            supervision: config.supervision(),
            puzzles: trained.puzzles,
            minutes: trained.minutes,
        })
    }
}
