//! `genvp eval pgm` and `genvp eval vad`: right answers and relations by regime.

use std::path::PathBuf;

use clap::Args;
use genvp_exam::{Evaluator, TestSet};
use genvp_infer::Model;
use genvp_model::{DeviceChoice, Predictions};
use genvp_puzzle::family::{Family, PuzzleSpec, Split};
use genvp_report::tables::Ours;
use genvp_report::tables::regimes::{self, RegimeMarks};
use genvp_report::tables::taught;
use serde_json::{Value, json};

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
    /// Folder with weights of each regime, named REGIME.safetensors: every regime is asked of its own
    #[arg(long, value_name = "DIR", conflicts_with = "model")]
    models: Option<PathBuf>,
    /// Weights that were taught without contrast, to compare with; with --models, a folder
    #[arg(long, value_name = "PATH")]
    without_contrast: Option<PathBuf>,
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
The puzzles are our engine's, not the originals' files. One model is tested on all regimes, or with
--models each on the regime that it was trained for, as in the paper.

relations: how often the relation of an attribute that follows one is named; all rules: over all
attributes. vote: a majority vote among the same choices, the question unseen. choices alone: what
a learner makes of the choices. Percent, with Wilson's 95 % intervals.

Examples:
  genvp eval pgm --compare paper
  genvp eval pgm --models runs/regimes --compare paper
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
        let whose = match (&self.models, &self.model) {
            (Some(folder), _) => Whose::Each(folder.clone()),
            (None, Some(model)) => Whose::One(model.clone()),
            (None, None) => Whose::One(Model::solver_of(family)?.into()),
        };
        let work = Work { family, specs: &specs, console, device };
        let ours = self.measure(&work, &whose)?;
        let without = match &self.without_contrast {
            Some(path) if self.models.is_some() => Some(Whose::Each(path.clone())),
            Some(path) => Some(Whose::One(path.clone())),
            None => None,
        };
        let without = without
            .map(|whose| Ok::<_, Failure>((self.measure(&work, &whose)?, whose)))
            .transpose()?;
        if self.json {
            return print_json(&json!({
                "model": ours.models,
                "taught_with": ours.taught_with,
                "seed": self.seed,
                "n": self.n,
                "per_regime": regimes::json(&ours.marks),
                "without_contrast": without.map(|(own, _)| regimes::json(&own.marks)),
            }));
        }
        let compare = self.compare == Some(Compare::Paper);
        let Measured { marks, taught_with, .. } = ours;
        let names_rules = marks.iter().any(|own| !own.mixtures.is_empty());
        let ours = Ours::new(marks, self.command(family, &whose));
        let mut tables = vec![regimes::table(family, &ours, compare)];
        if names_rules {
            tables.push(regimes::mixture_table(family, &ours, compare));
            tables.push(regimes::experts_table(family, &ours));
        }
        if let Some((own, whose)) = without {
            let without = Ours::new(own.marks, self.command(family, &whose));
            tables.push(regimes::contrast_table(family, &ours, &without, compare));
        }
        for table in &mut tables {
            taught::note(table, &taught_with);
        }
        print(&tables)
    }

    /// Asks the regimes.
    fn measure(&self, work: &Work<'_>, whose: &Whose) -> Result<Measured, Failure> {
        let &Work { family, specs, console, device } = work;
        let progress = console.progress("solving", specs.len() as u64 * self.n);
        let mut measured = Measured::default();
        let mut open: Option<(PathBuf, Subject)> = None;
        for spec in specs {
            let path = whose.weights(spec.stratum.name);
            let subject = match &mut open {
                Some((own, subject)) if *own == path => subject,
                _ => {
                    let subject = Subject::open(&path, family, self.seed, console, device)?;
                    measured.took(spec.stratum.name, whose, &subject);
                    &mut open.insert((path, subject)).1
                }
            };
            let (genvp, at) = (subject.model.genvp(), subject.model.device());
            let learned = genvp.learned_mixture();
            let mut evaluator = Evaluator::new(genvp, at, family)?;
            if genvp.names_rules() {
                evaluator = evaluator.comparing(learned);
            }
            let test_set = TestSet::fresh(family, spec, self.n, self.seed)?;
            let marks = evaluator.evaluate(&test_set.questions, &|n| progress.add(n))?;
            let own = RegimeMarks::of(test_set.stratum, spec.choices.as_deref(), &marks);
            measured.marks.push(if genvp.names_rules() {
                own.compared(&marks, &Predictions::new(genvp.puzzle()), learned.is_some())
            } else {
                own
            });
        }
        progress.finish();
        Ok(measured)
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
    fn command(&self, family: &dyn Family, whose: &Whose) -> String {
        let mut command = format!("genvp eval {}", family.id());
        if self.regime != ["all"] {
            command.push_str(&format!(" --regime {}", self.regime.join(",")));
        }
        if let Some(choices) = &self.choices {
            command.push_str(&format!(" --choices {choices}"));
        }
        command.push_str(&format!(" -n {} --seed {}", self.n, self.seed));
        command.push_str(&match whose {
            Whose::One(model) => format!(" --model {}", model.display()),
            Whose::Each(folder) => format!(" --models {}", folder.display()),
        });
        command
    }
}

/// Which weights answer a regime.
enum Whose {
    /// These answer all.
    One(PathBuf),
    /// Each regime has its own in this folder.
    Each(PathBuf),
}

impl Whose {
    fn weights(&self, regime: &str) -> PathBuf {
        match self {
            Self::One(model) => model.clone(),
            Self::Each(folder) => folder.join(format!("{regime}.safetensors")),
        }
    }
}

/// What is asked, and where.
#[derive(Clone, Copy)]
struct Work<'a> {
    family: &'static dyn Family,
    specs: &'a [PuzzleSpec],
    console: &'a Console,
    device: DeviceChoice,
}

/// What came out.
#[derive(Default)]
struct Measured {
    marks: Vec<RegimeMarks>,
    /// Who was asked; by regime where each has its own.
    models: Value,
    /// What the first of them was taught with.
    taught_with: String,
}

impl Measured {
    /// Notes who answers from this regime on.
    fn took(&mut self, regime: &str, whose: &Whose, subject: &Subject) {
        match whose {
            Whose::One(_) => self.models = subject.json(),
            Whose::Each(_) => self.models[regime] = subject.json(),
        }
        if self.taught_with.is_empty() {
            self.taught_with = subject.model.card().taught_with();
        }
    }
}
