//! `genvp solve`: answer puzzles from their pixels.

mod exact;
pub mod explain;
mod family;
pub mod learned;
mod summary;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use genvp_infer::{Model, Solver};
use genvp_model::DeviceChoice;
use genvp_puzzle::family::Family;
use genvp_puzzle::raven::Raven;

use crate::console::Console;
use crate::failure::{Answer, Failure};
use genvp_data::inputs;

/// Answer puzzles from their pixels.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Solve {
    /// Puzzle files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Which model: one in the box, or a weights file [default: the box's model of the puzzles' family]
    #[arg(long, value_name = "NAME|PATH")]
    model: Option<PathBuf>,
    /// Use no model: read the scene and reason about its rules
    #[arg(long, conflicts_with_all = ["model", "batch"])]
    exact: bool,
    /// Show what the experts see in every choice and the rules that the wrong ones break
    #[arg(long)]
    explain: bool,
    /// Say how sure the answers are in --json too; solving then takes about 1.5 times as long
    #[arg(long)]
    confidence: bool,
    /// Leave out files that cannot be read, and say how many
    #[arg(long)]
    skip_bad: bool,
    /// Puzzles that go through the model at once
    #[arg(long, value_name = "N", default_value_t = BATCH)]
    batch: NonZeroUsize,
    /// Print one JSON object a puzzle, and a summary last
    #[arg(long)]
    json: bool,
}

const BATCH: NonZeroUsize = NonZeroUsize::new(Solver::BATCH).expect("not 0");

const MORE: &str = "\
Puzzles are npz files (an array `image` is enough), PNG sheets of sixteen panels, two sheets of
eight (question and choices), folders of sixteen panels, or parquet tables. Only pixels are
looked at: never target, predict, the meta arrays or the xml. What is odd or unknown among those
(as in PGM's files) is skipped, and named with -v; a target that is no choice is an error. Where a
file says which choice is right, the accuracy is reported.

PGM's and VAD's files, folders, tables and archives (.tar.gz) are known by their names, or else by what
they hold, and given to the box's model of their family; --exact needs no model.

Examples:
  genvp solve I-RAVEN/center_single/RAVEN_8_test.npz --explain
  genvp solve sheet.png
  genvp solve I-RAVEN --json
  genvp solve mixed --skip-bad
  genvp solve --exact I-RAVEN/center_single/RAVEN_8_test.npz --explain";

impl Solve {
    /// Solves everything that is named.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        if self.exact {
            return self.exactly(inputs::stream_all(&self.paths)?, console);
        }
        let (model, family) = model_for(self.model.as_deref(), &self.paths, console, device)?;
        if family.has_layouts() {
            return self.learned(&inputs::gather_all(&self.paths)?, &model, console);
        }
        self.of_family(inputs::stream_all(&self.paths)?, &model, console)
    }
}

/// The model that is named, or the box's model of the family of the first puzzle, and the family that
/// it is for (RAVEN for models of no family, which say themselves what they cannot do).
pub fn model_for(
    named: Option<&Path>,
    paths: &[PathBuf],
    console: &Console,
    device: DeviceChoice,
) -> Result<(Model, &'static dyn Family), Failure> {
    let name = match named {
        Some(name) => name.to_owned(),
        None => {
            let first = inputs::stream_all(paths)?.sources.next().transpose()?;
            let family = match &first {
                Some(first) if !first.is_table() => first.format()?.family(),
                _ => &Raven,
            };
            Model::default_of(family)?.into()
        }
    };
    let model = Model::open(&name, &crate::device::open(device, console)?)?;
    let family = model.family().unwrap_or(&Raven);
    Ok((model, family))
}
