//! `genvp eval ablation`: what happens when something is left out or changed.

use std::path::PathBuf;
use std::time::Instant;

use burn::tensor::Device;
use clap::Args;
use genvp_exam::{Evaluator, Marks, Share, TestSet};
use genvp_model::DeviceChoice;
use genvp_puzzle::family::PuzzleSpec;
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Layout, Set};
use genvp_report::ablation::{Budget, GROUPS, SMALL_PUZZLES, TRIALS, Trial};
use genvp_report::tables::Ours;
use genvp_report::tables::ablation::{self, Line, Taught};
use genvp_report::{Cell, Cells, Key, train_run};
use genvp_train::RunConfig;
use genvp_train::feed::Supervision;
use serde_json::json;

use super::common_args::{Compare, SEED, print, print_json};
use super::learning::Learning;
use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Train and evaluate models that each differ in one setting.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Ablation {
    /// Only these trials or groups [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// List the trials and exit
    #[arg(long)]
    list: bool,
    /// Training puzzles of each small model
    #[arg(long, value_name = "N", default_value_t = SMALL_PUZZLES, conflicts_with = "full")]
    puzzles: u64,
    /// Train the paper's networks on all layouts, as their presets say: days on a CPU
    #[arg(long)]
    full: bool,
    /// Folder for runs; unfinished runs are resumed, finished ones reused
    #[arg(long, value_name = "DIR", default_value = "runs/ablation")]
    runs: PathBuf,
    /// Seed of weights and training puzzles
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Test puzzles per layout and set
    #[arg(short, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    n: u64,
    /// Also show published figures
    #[arg(long, value_enum, value_name = "WITH")]
    compare: Option<Compare>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
The lines of a table differ only in the settings named below it; the labels (rules, or answers
only) and the number of training puzzles stand beside the figures. Lines that are the same model
are trained once. The small version trains on C-S only, minutes per trial on two cores: it shows
what matters in short trainings and does not reproduce the paper's figures, which are of all
layouts and full trainings.

Examples:
  genvp eval ablation --list
  genvp eval ablation --compare paper
  genvp eval ablation --only contrast,rule-free --puzzles 6400 --runs runs/ablation --json";

impl Ablation {
    /// Trains, measures and prints.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let trials = self.trials()?;
        if self.list {
            return list(&trials, self.json);
        }
        if self.seed == SEED {
            return Err(Failure::bad(format!("--seed {SEED}: the exam is made of these puzzles"))
                .hint("choose another seed to learn from"));
        }
        let device = crate::device::open(device, console)?;
        let cells = Cells::in_folder(&self.runs.join("cells"));
        let mut taught = Vec::new();
        for (index, trial) in trials.iter().enumerate() {
            let config = config(trial, self.full, self.puzzles, self.seed)?;
            let key = self.key(trial, &config);
            let kept = cells.get(&key)?.and_then(|cell| serde_json::from_value(cell.result).ok());
            let result: Taught = match kept {
                Some(kept) => kept,
                None => {
                    console.note(&format!("{} of {}: {}", index + 1, trials.len(), trial.name));
                    let start = Instant::now();
                    let result = self.teach(&config, &device, console)?;
                    let seconds = start.elapsed().as_secs_f64();
                    cells.keep(&Cell { key: key.clone(), seconds, result: json!(result) })?;
                    result
                }
            };
            taught.push((*trial, key.command, result));
        }
        if self.json {
            let trials: serde_json::Map<_, _> =
                taught.iter().map(|(t, _, own)| (t.name.to_owned(), json!(own))).collect();
            let report =
                json!({ "trials": trials, "full": self.full, "n": self.n, "seed": self.seed });
            return print_json(&report);
        }
        let mut tables = Vec::new();
        for group in &GROUPS {
            let lines: Vec<Line> = taught
                .iter()
                .filter(|(trial, _, _)| trial.group == *group)
                .map(|(trial, command, own)| {
                    line(trial, own.supervision, Ours::new(own.clone(), command))
                })
                .collect();
            if !lines.is_empty() {
                tables.push(ablation::table(group, &lines, self.full, self.compare.is_some()));
            }
        }
        print(&tables)
    }

    fn trials(&self) -> Result<Vec<&'static Trial>, Failure> {
        let is_group = |name: &str| GROUPS.iter().any(|group| group.name == name);
        if let Some(name) = self.only.iter().find(|n| Trial::named(n).is_none() && !is_group(n)) {
            return Err(Failure::bad(format!("there is no trial `{name}`"))
                .hint("`genvp eval ablation --list` shows them"));
        }
        let wanted = |trial: &&Trial| {
            self.only.is_empty()
                || self.only.iter().any(|name| name == trial.name || name == trial.group.name)
        };
        Ok(TRIALS.iter().filter(wanted).collect())
    }

    fn key(&self, trial: &Trial, config: &RunConfig) -> Key {
        Key {
            command: command(trial, self.full, self.puzzles, self.n, self.seed),
            weights: config.hash(),
            seed: self.seed,
            n: self.n,
        }
    }

    fn teach(
        &self,
        config: &RunConfig,
        device: &Device,
        console: &Console,
    ) -> Result<Taught, Failure> {
        // Lines of two tables that are the same model are trained once.
        let folder = self.runs.join(format!("settings-{}", &config.hash()[..16]));
        super::make_folder(&self.runs)?;
        let mut watch = Learning::new(console);
        let trained = train_run::teach(config, &folder, device, &mut watch);
        watch.end();
        let trained = trained?;
        let evaluator = Evaluator::new(&trained.model, device, &Raven)?;
        let layouts = config.train.feed.layouts.used();
        let sit = |set| -> Result<Vec<Marks>, Failure> {
            let own = |&layout: &Layout| {
                let spec = PuzzleSpec::new(Raven::stratum(set, layout));
                let test_set = TestSet::fresh(&Raven, &spec, self.n, SEED)?;
                Ok(evaluator.evaluate(&test_set.questions, &|_| ())?)
            };
            layouts.iter().map(own).collect()
        };
        let (raven, iraven) = (sit(Set::Raven)?, sit(Set::IRaven)?);
        let right = |marks: &[Marks]| {
            Share::mean(&marks.iter().map(|m| Share::of(m.right, m.asked)).collect::<Vec<_>>())
        };
        let rules: Vec<Share> = raven
            .iter()
            .map(|marks| {
                let (right, asked) = marks.rules_right();
                Share::of(right, asked)
            })
            .collect();
        Ok(Taught {
            raven: right(&raven),
            iraven: right(&iraven),
            // Without labels the rules have no names that could be right.
            rules: Share::mean(&rules).filter(|_| !config.train.loss.rule_free),
            parameters: trained.model.count_parameters().parameters as u64,
            supervision: config.supervision(),
            puzzles: trained.puzzles,
            minutes: trained.minutes,
        })
    }
}

/// The settings by which a trial is trained.
pub fn config(trial: &Trial, full: bool, puzzles: u64, seed: u64) -> Result<RunConfig, Failure> {
    let budget = if full { Budget::Full } else { Budget::Small { puzzles } };
    let mut config = trial.settings(budget)?;
    config.train.seed = seed;
    Ok(train_run::plain(config))
}

/// The command that trains and examines one trial.
pub fn command(trial: &Trial, full: bool, puzzles: u64, n: u64, seed: u64) -> String {
    let budget = if full { "--full".to_owned() } else { format!("--puzzles {puzzles}") };
    format!("genvp eval ablation --only {} {budget} -n {n} --seed {seed}", trial.name)
}

/// A row of the table.
pub fn line(trial: &Trial, supervision: Supervision, own: Ours<Taught>) -> Line {
    Line { name: trial.about.to_owned(), supervision, own, printed: trial.paper() }
}

fn list(trials: &[&Trial], json: bool) -> Result<Answer, Failure> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    if json {
        let names: Vec<_> = trials
            .iter()
            .map(|t| {
                let (group, differs_in) = (t.group.name, t.group.differs_in(false));
                json!({ "name": t.name, "group": group, "about": t.about, "differs_in": differs_in, "settings": t.small })
            })
            .collect();
        writeln!(out, "{}", json!({ "trials": names }))?;
        return Ok(Answer::Yes);
    }
    for trial in trials {
        writeln!(out, "{:<12} {:<16} {}", trial.group.name, trial.name, trial.about)?;
    }
    Ok(Answer::Yes)
}
