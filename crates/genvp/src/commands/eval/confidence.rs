//! `genvp eval confidence`: whether a model is as sure as it is right.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use genvp_exam::Share;
use genvp_infer::calibration::{self, BINS, Bin, Observation, PuzzleVariant, Reliability};
use genvp_infer::confidence::Constants;
use genvp_infer::{InferError, Model, Solver};
use genvp_model::DeviceChoice;
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Layout, Set};
use serde_json::{Map, Value, json};

use super::common_args::{SEED, Subject, print_json, warn_of_seed};
use crate::commands::dataset::{Layouts, layouts_help};
use crate::console::Console;
use crate::failure::{Answer, Failure};

/// The seed of the puzzles that constants are fitted on: settings are chosen by it anyway.
pub const FIT_SEED: u64 = 1_000_000_007;

/// Fit the constants of a model's confidence, and measure its calibration on other puzzles.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Confidence {
    /// Model: a built-in name (see `genvp model list`) or a weights file
    #[arg(long, value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    #[arg(long, default_value = "all", value_name = "NAME,..", help = layouts_help("Layouts"))]
    layout: Layouts,
    /// Puzzles per layout and set, to fit on and again to check on
    #[arg(short, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    n: u64,
    /// Seed of the puzzles to check on
    #[arg(long, value_name = "S", default_value_t = SEED)]
    seed: u64,
    /// Seed of the puzzles to fit on
    #[arg(long, value_name = "S", default_value_t = FIT_SEED)]
    fit_seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
Temperature and bound (see docs/solving.md) are fitted on fresh puzzles of one seed, with
RAVEN's and I-RAVEN's wrong choices, and checked on puzzles of another. Of the answers with a
confidence of 90 %, nine in ten should be right; the expected calibration error is the mean gap.
Values and noise that training never showed are checked separately with the same constants.
`genvp model export --examine N` writes the result to a model's card, which `genvp solve` uses.

Examples:
  genvp eval confidence
  genvp eval confidence --layout c-s,3x3 -n 500 --json";

impl Confidence {
    /// Measures and prints.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        if self.seed == self.fit_seed {
            return Err(Failure::bad(format!("seed {}: fitted to and checked by it", self.seed))
                .hint("--seed and --fit-seed must differ"));
        }
        let subject = Subject::open(&self.model, &Raven, self.seed, console, device)?;
        if self.fit_seed != FIT_SEED {
            warn_of_seed(subject.model.card(), self.fit_seed, console);
        }
        let seeds = Seeds { fit: self.fit_seed, check: self.seed };
        let measured = Measured::take(&subject.model, &self.layout.0, self.n, seeds, console)?;
        if self.json {
            let mut report = measured.json();
            report["model"] = subject.json();
            report["per_layout_and_set"] = json!(self.n);
            return print_json(&report);
        }
        measured.print(&mut stdout().lock())?;
        Ok(Answer::Yes)
    }
}

/// Which puzzles.
#[derive(Clone, Copy, Debug)]
pub struct Seeds {
    /// To fit.
    pub fit: u64,
    /// To check.
    pub check: u64,
}

/// Constants of a model and how they do.
#[derive(Debug)]
pub struct Measured {
    constants: Constants,
    /// Those that the model used before.
    used: Constants,
    seeds: Seeds,
    fitted: usize,
    check: Vec<Observation>,
    strange: Vec<(&'static str, Vec<Observation>)>,
}

impl Measured {
    /// Fits and checks, on `n` puzzles of every layout and set.
    pub fn take(
        model: &Model,
        layouts: &[Layout],
        n: u64,
        seeds: Seeds,
        console: &Console,
    ) -> Result<Self, Failure> {
        let solver = Solver::of_family(model, &Raven)?;
        let kinds = 4 + PuzzleVariant::STRANGE.len() as u64;
        let progress = console.progress("solving", kinds * layouts.len() as u64 * n);
        let ask = |kind: PuzzleVariant, seed: u64| {
            calibration::observe(&solver, layouts, kind, n, seed, &|n| progress.add(n))
        };
        let plain = |seed: u64| -> Result<Vec<Observation>, InferError> {
            let both = [Set::Raven, Set::IRaven].map(|set| ask(PuzzleVariant::Plain(set), seed));
            both.into_iter().collect::<Result<Vec<_>, _>>().map(|both| both.concat())
        };
        let fit = plain(seeds.fit)?;
        let constants =
            calibration::fit(&fit).ok_or_else(|| Failure::bad("there are no answers to fit to"))?;
        let check = plain(seeds.check)?;
        let strange = PuzzleVariant::STRANGE.map(|kind| Ok((kind.name(), ask(kind, seeds.check)?)));
        let strange = strange.into_iter().collect::<Result<_, InferError>>()?;
        progress.finish();
        Ok(Self { constants, used: solver.constants(), seeds, fitted: fit.len(), check, strange })
    }

    /// What stands on the card, and for programs.
    pub fn json(&self) -> Value {
        let own = Reliability::of(&self.check, self.constants);
        let mut check = summary(&own);
        check["seed"] = json!(self.seeds.check);
        check["bins"] = bins(&own).map(|(from, to, bin)| entry(from, to, bin)).collect();
        let strange = |constants: Constants| -> Map<String, Value> {
            let own = |found: &[Observation]| summary(&Reliability::of(found, constants));
            self.strange.iter().map(|(name, found)| ((*name).to_owned(), own(found))).collect()
        };
        json!({
            "constants": self.constants,
            "fit": { "seed": self.seeds.fit, "n": self.fitted },
            "check": check,
            "strange": strange(self.constants),
            "before": {
                "constants": self.used,
                "check": summary(&Reliability::of(&self.check, self.used)),
                "strange": strange(self.used),
            },
        })
    }

    fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        let own = Reliability::of(&self.check, self.constants);
        let Constants { temperature, bound } = self.constants;
        writeln!(
            out,
            "fitted     temperature {temperature:.4}, bound {bound:.1} ({} puzzles of seed {})",
            self.fitted, self.seeds.fit
        )?;
        writeln!(
            out,
            "so far     temperature {:.4}, bound {:.1}",
            self.used.temperature, self.used.bound
        )?;
        writeln!(out, "\n{} puzzles of seed {}:", own.whole().n, self.seeds.check)?;
        writeln!(out, "{:<14} {:>7} {:>9} {:>22}", "confidence %", "n", "mean %", "right %")?;
        for (from, to, bin) in bins(&own).filter(|(_, _, bin)| bin.n > 0) {
            let name = format!("{:.0} to {:.0}", 100.0 * from, 100.0 * to);
            writeln!(out, "{}", line(&name, bin))?;
        }
        writeln!(out, "{}", line("all", &own.whole()))?;
        let error = |found: &[Observation], constants| {
            100.0 * Reliability::of(found, constants).expected_error()
        };
        writeln!(
            out,
            "expected calibration error {:.2} %, with the constants so far {:.2} %",
            error(&self.check, self.constants),
            error(&self.check, self.used)
        )?;
        writeln!(
            out,
            "\nnever seen in training, same constants (last: expected calibration error %, and with the constants so far):"
        )?;
        for (name, found) in &self.strange {
            let whole = Reliability::of(found, self.constants).whole();
            let errors = [self.constants, self.used].map(|constants| error(found, constants));
            writeln!(out, "{} {:>8.2} {:>8.2}", line(name, &whole), errors[0], errors[1])?;
        }
        Ok(())
    }
}

/// The bins with their ends.
fn bins(own: &Reliability) -> impl Iterator<Item = (f32, f32, &Bin)> {
    let ends = BINS.into_iter().skip(1).chain([1.0]);
    BINS.into_iter().zip(ends).zip(&own.bins).map(|((from, to), bin)| (from, to, bin))
}

fn line(name: &str, bin: &Bin) -> String {
    let right = Share::of(bin.right, bin.n);
    let right = format!("{:.1} ({:.1}-{:.1})", right.percent, right.low, right.high);
    format!("{name:<14} {:>7} {:>9.1} {right:>22}", bin.n, 100.0 * bin.confidence())
}

fn entry(from: f32, to: f32, bin: &Bin) -> Value {
    let percent = |v: f32| (100.0 * v).round();
    let mut entry = json!({ "from": percent(from), "to": percent(to), "n": bin.n });
    if bin.n > 0 {
        entry["confidence"] = json!(100.0 * bin.confidence());
        entry["right"] = json!(Share::of(bin.right, bin.n));
    }
    entry
}

fn summary(own: &Reliability) -> Value {
    let whole = own.whole();
    json!({
        "n": whole.n,
        "confidence": 100.0 * whole.confidence(),
        "right": Share::of(whole.right, whole.n),
        "expected_calibration_error": 100.0 * own.expected_error(),
    })
}
