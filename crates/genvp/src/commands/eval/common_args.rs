//! What every measurement of a model is asked for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use genvp_exam::{Evaluator, Marks, TestSet};
use genvp_infer::{Card, Model, Weights};
use genvp_model::DeviceChoice;
use genvp_puzzle::family::{Family, PuzzleSpec};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Domain, Layout, Set};
use genvp_report::Table;
use genvp_report::tables::taught;
use serde_json::{Value, json};

use crate::console::{Console, Progress};
use crate::failure::{Answer, Failure};

/// The seed of the puzzles: neither training nor the choice of weights uses it.
pub const SEED: u64 = 2_000_000_011;

/// With what to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Compare {
    /// The paper's figures
    Paper,
}

/// What to measure by.
#[derive(Args, Clone, Debug)]
pub struct CommonArgs {
    /// Model: a built-in name (see `genvp model list`) or a weights file
    #[arg(long, value_name = "NAME|PATH", default_value = Model::SOLVER)]
    pub model: PathBuf,
    /// Only these layouts
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "all")]
    pub layout: Vec<String>,
    /// Puzzles per layout and set
    #[arg(short, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    pub n: u64,
    /// Seed of fresh puzzles
    #[arg(long, value_name = "S", default_value_t = SEED)]
    pub seed: u64,
    /// Also show published figures
    #[arg(long, value_enum, value_name = "WITH")]
    pub compare: Option<Compare>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The model that is measured.
pub struct Subject {
    /// The model.
    pub model: Model,
    /// Its name.
    pub name: String,
    /// The digest of its weights.
    pub digest: String,
}

impl Subject {
    /// Opens a model that is to be measured on puzzles of a family and seed.
    pub fn open(
        model: &Path,
        family: &dyn Family,
        seed: u64,
        console: &Console,
        device: DeviceChoice,
    ) -> Result<Self, Failure> {
        let device = crate::device::open(device, console)?;
        let weights = Weights::find_for(model, family)?;
        let digest = weights.digests()?.found;
        let model = weights.load(&device)?;
        if let Some(other) = model.family().filter(|other| other.id() != family.id()) {
            let (name, wanted) = (&weights.name, family.id());
            return Err(Failure::bad(format!(
                "{name} is for puzzles of {}; these are puzzles of {wanted}",
                other.id()
            )));
        }
        warn_of_seed(model.card(), seed, console);
        Ok(Self { model, name: weights.name.clone(), digest })
    }

    /// Who was measured, for programs.
    pub fn json(&self) -> Value {
        json!({ "name": self.name, "weights_sha256": self.digest })
    }

    /// Says under a table that shows other systems too what each was taught with.
    pub fn with_supervision(&self, mut table: Table) -> Table {
        taught::note(&mut table, &self.model.card().taught_with());
        table
    }

    /// An evaluator of this model on RAVEN's puzzles.
    pub fn evaluator(&self) -> Result<Evaluator<'_>, Failure> {
        Ok(Evaluator::new(self.model.genvp(), self.model.device(), &Raven)?)
    }

    /// Asks the questions of each layout.
    pub fn evaluate(
        &self,
        evaluator: &Evaluator<'_>,
        test_sets: &[TestSet],
        progress: &Progress,
    ) -> Result<BTreeMap<Layout, Marks>, Failure> {
        let mut marks = BTreeMap::new();
        for test_set in test_sets {
            let own = evaluator.evaluate(&test_set.questions, &|n| progress.add(n))?;
            marks.extend(Raven::layout(test_set.stratum).map(|layout| (layout, own)));
        }
        Ok(marks)
    }
}

impl CommonArgs {
    /// The layouts.
    pub fn layouts(&self) -> Result<Vec<Layout>, Failure> {
        if self.layout == ["all"] {
            return Ok(Layout::ALL.into());
        }
        let parse = |name: &String| {
            Layout::parse(name).ok_or_else(|| {
                let known: Vec<&str> = Layout::ALL.iter().map(|layout| layout.short()).collect();
                Failure::bad(format!("`{name}` is not a layout"))
                    .hint(format!("there are {} and all", known.join(", ")))
            })
        };
        self.layout.iter().map(parse).collect()
    }

    /// Whether the paper's figures are wanted.
    pub fn compares(&self) -> bool {
        self.compare == Some(Compare::Paper)
    }

    /// Opens the model.
    pub fn subject(&self, console: &Console, device: DeviceChoice) -> Result<Subject, Failure> {
        Subject::open(&self.model, &Raven, self.seed, console, device)
    }

    /// The fresh puzzles of a set and domain, by layout.
    pub fn fresh(&self, set: Set, domain: Domain) -> Result<Vec<TestSet>, Failure> {
        let test_set = |layout| {
            let ood = (domain != Domain::Standard).then(|| domain.name().to_owned());
            let spec = PuzzleSpec { ood, ..PuzzleSpec::new(Raven::stratum(set, layout)) };
            Ok(TestSet::fresh(&Raven, &spec, self.n, self.seed)?)
        };
        self.layouts()?.into_iter().map(test_set).collect()
    }

    /// The command that measures the same again.
    pub fn command(&self, what: &str) -> String {
        let mut command = format!("genvp eval {what}");
        if self.layout != ["all"] {
            command.push_str(&format!(" --layout {}", self.layout.join(",")));
        }
        command.push_str(&format!(" -n {} --seed {}", self.n, self.seed));
        if self.model.as_os_str() != Model::SOLVER {
            command.push_str(&format!(" --model {}", self.model.display()));
        }
        command
    }
}

/// Warns of a seed that a model's card knows: figures on its puzzles are not those of fresh ones.
pub fn warn_of_seed(card: &Card, seed: u64, console: &Console) {
    if let Some(use_before) = card.used_seed(seed) {
        console.warn(&format!("seed {seed}: {use_before}"));
    }
}

/// Prints tables.
pub fn print(tables: &[Table]) -> Result<Answer, Failure> {
    use std::io::Write;
    let text: Vec<String> = tables.iter().map(Table::to_text).collect();
    write!(std::io::stdout().lock(), "{}", text.join("\n"))?;
    Ok(Answer::Yes)
}

/// Prints a result for programs, on one line.
pub fn print_json(value: &Value) -> Result<Answer, Failure> {
    use std::io::Write;
    writeln!(std::io::stdout().lock(), "{value}")?;
    Ok(Answer::Yes)
}
