//! `genvp eval moe`: every mixture and every single expert on the same puzzles.

use clap::Args;
use genvp_exam::TestSet;
use genvp_model::{DeviceChoice, Predictions};
use genvp_puzzle::family::PuzzleSpec;
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Domain, Set};
use genvp_report::tables::mixture::{self, Mixtures};
use genvp_report::tables::{Ours, single};
use genvp_report::{MixerTraining, teach_mixer};
use serde_json::json;

use super::common_args::{CommonArgs, print, print_json, warn_of_seed};
use super::solve::sets;
use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Right answers of the six mixtures and of every single expert, on the same puzzles.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Moe {
    /// Kind of wrong choices; the paper's mixtures are of raven-fair, its single experts of raven
    #[arg(long, value_name = "SET", default_value = "raven-fair")]
    set: String,
    /// Training puzzles of the learned mixture, per layout (0: leave it out); by default the
    /// model's own mixture, or 300 puzzles where it has none
    #[arg(long, value_name = "N")]
    teach: Option<u64>,
    #[command(flatten)]
    common: CommonArgs,
}

/// Training puzzles of a learned mixture where neither the model nor the user brings one.
const TEACH: u64 = 300;

const MORE: &str = "\
The learned mixture (nn) is the model's own, where it was trained with one. Else, or with --teach,
it is trained on the frozen model's predictions for fresh puzzles with RAVEN's and I-RAVEN's wrong
choices, of a separate seed.

Examples:
  genvp eval moe --compare paper
  genvp eval moe --set raven --teach 0 -n 500 --json";

impl Moe {
    /// Measures and prints.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let set = sets(std::slice::from_ref(&self.set))?[0];
        let test_sets = self.common.fresh(set, Domain::Standard)?;
        let subject = self.common.subject(console, device)?;
        let own = subject.model.genvp().learned_mixture();
        let mixer = match (self.teach, own) {
            (Some(0), _) => None,
            (None, Some(own)) => Some(own.clone()),
            (teach, _) => Some(self.mixer(teach.unwrap_or(TEACH), &subject, console)?),
        };
        let progress = console.progress("comparing", test_sets.len() as u64 * self.common.n);
        let evaluator = subject.evaluator()?.comparing(mixer.as_ref());
        let marks = subject.evaluate(&evaluator, &test_sets, &progress)?;
        progress.finish();
        let predictions = Predictions::new(subject.model.genvp().puzzle());
        let mixtures = Mixtures::of(&marks, &predictions, mixer.is_some());
        if self.common.json {
            let mut report = json!(mixtures);
            report["model"] = subject.json();
            report["set"] = json!(set.key());
            report["seed"] = json!(self.common.seed);
            report["n"] = json!(self.common.n);
            return print_json(&report);
        }
        let teach = self.teach.map_or_else(String::new, |n| format!(" --teach {n}"));
        let what = format!("moe --set {}{teach}", set.key());
        let ours = Ours::new(mixtures, self.common.command(&what));
        let compare = self.common.compares();
        let tables = [mixture::table(set, &ours, compare), single::table(set, &ours, compare)];
        print(&tables.map(|table| subject.with_supervision(table)))
    }

    fn mixer(
        &self,
        teach: u64,
        subject: &super::common_args::Subject,
        console: &Console,
    ) -> Result<genvp_model::mixture::NeuralMixture, Failure> {
        // Apart from the puzzles that are asked afterwards.
        let seed = self.common.seed.wrapping_add(1);
        warn_of_seed(subject.model.card(), seed, console);
        let mut questions = Vec::new();
        for layout in self.common.layouts()? {
            for set in [Set::Raven, Set::IRaven] {
                let spec = PuzzleSpec::new(Raven::stratum(set, layout));
                let fresh = TestSet::fresh(&Raven, &spec, teach.div_ceil(2), seed)?;
                questions.extend(fresh.questions);
            }
        }
        let progress = console.progress("teaching the mixture", questions.len() as u64);
        let (model, device) = (subject.model.genvp(), subject.model.device());
        let settings = MixerTraining::default();
        let mixer = teach_mixer(model, device, &questions, settings, &|n| progress.add(n))?;
        progress.finish();
        Ok(mixer)
    }
}
