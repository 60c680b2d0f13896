//! `genvp eval pgm` and `genvp eval vad`: right answers and relations by regime.

use std::path::PathBuf;

use clap::Args;
use genvp_exam::{Evaluator, TestSet};
use genvp_infer::Model;
use genvp_model::DeviceChoice;
use genvp_puzzle::family::{Family, PuzzleSpec, Split};
use genvp_report::tables::Ours;
use genvp_report::tables::regimes::{self, RegimeMarks};
use serde_json::json;

use super::common_args::{Compare, SEED, Subject, print, print_json};
use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Right answers and relations by regime, on fresh test puzzles.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Regimes {
    /// Model: a built-in name (see `genvp model list`) or a weights file [default: the family's
    /// built-in model]
    #[arg(long, value_name = "NAME|PATH")]
    model: Option<PathBuf>,
    /// Only these regimes
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "all")]
    regime: Vec<String>,
    /// Kind of wrong choices, for VAD: lbc or normal [default: lbc]
    #[arg(long, value_name = "KIND")]
    choices: Option<String>,
    /// Puzzles per regime
    #[arg(short, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    n: u64,
    /// Seed of fresh puzzles
    #[arg(long, value_name = "S", default_value_t = SEED)]
    seed: u64,
    /// Also show published figures
    #[arg(long, value_enum, value_name = "WITH")]
    compare: Option<Compare>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
The puzzles are our engine's, not the originals' files. One model is tested on all regimes; the
paper trained one model per regime.

relations: how often the relation of an attribute that follows one is named; all rules: over all
attributes. vote: a majority vote among the same choices, the question unseen. Percent, with
Wilson's 95 % intervals.

Examples:
  genvp eval pgm --compare paper
  genvp eval vad --regime novel.domain.transfer --json";

impl Regimes {
    /// Measures and prints.
    pub fn run(
        &self,
        family: &'static dyn Family,
        console: &Console,
        device: DeviceChoice,
    ) -> Result<Answer, Failure> {
        let specs = self.specs(family)?;
        let model = match &self.model {
            Some(model) => model.clone(),
            None => Model::solver_of(family)?.into(),
        };
        let subject = Subject::open(&model, family, self.seed, console, device)?;
        let (genvp, at) = (subject.model.genvp(), subject.model.device());
        let learned = genvp.learned_mixture();
        let mut evaluator = Evaluator::new(genvp, at, family)?;
        if genvp.names_rules() {
            evaluator = evaluator.comparing(learned);
        }
        let progress = console.progress("solving", specs.len() as u64 * self.n);
        let mut all = Vec::new();
        for spec in &specs {
            let test_set = TestSet::fresh(family, spec, self.n, self.seed)?;
            let marks = evaluator.evaluate(&test_set.questions, &|n| progress.add(n))?;
            all.push(RegimeMarks::of(test_set.stratum, &marks, learned.is_some()));
        }
        progress.finish();
        if self.json {
            return print_json(&json!({
                "model": subject.json(),
                "taught_with": subject.model.card().taught_with(),
                "seed": self.seed,
                "n": self.n,
                "per_regime": regimes::json(&all),
            }));
        }
        let ours = Ours::new(all, self.command(family, &model));
        let compare = self.compare == Some(Compare::Paper);
        let mut tables = vec![regimes::table(family, &ours, compare)];
        if genvp.names_rules() {
            tables.push(regimes::mixture_table(family, &ours, compare));
        }
        let tables: Vec<_> =
            tables.into_iter().map(|table| subject.with_supervision(table)).collect();
        print(&tables)
    }

    fn specs(&self, family: &'static dyn Family) -> Result<Vec<PuzzleSpec>, Failure> {
        let strata = family.strata();
        let spec = |stratum| PuzzleSpec {
            split: Some(Split::Test),
            choices: self.choices.clone(),
            ..PuzzleSpec::new(stratum)
        };
        if self.regime == ["all"] {
            return Ok(strata.into_iter().map(spec).collect());
        }
        let named = |name: &String| {
            strata.iter().copied().find(|stratum| stratum.name == name).map(spec).ok_or_else(|| {
                let known: Vec<&str> = strata.iter().map(|stratum| stratum.name).collect();
                Failure::bad(format!("`{name}` is not a regime of {}", family.id()))
                    .hint(format!("there are {} and all", known.join(", ")))
            })
        };
        self.regime.iter().map(named).collect()
    }

    /// The command that measures the same again.
    fn command(&self, family: &dyn Family, model: &std::path::Path) -> String {
        let mut command = format!("genvp eval {}", family.id());
        if self.regime != ["all"] {
            command.push_str(&format!(" --regime {}", self.regime.join(",")));
        }
        if let Some(choices) = &self.choices {
            command.push_str(&format!(" --choices {choices}"));
        }
        command.push_str(&format!(" -n {} --seed {}", self.n, self.seed));
        command.push_str(&format!(" --model {}", model.display()));
        command
    }
}
