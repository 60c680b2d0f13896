//! `genvp solve`: answer puzzles from their pixels.

mod exact;
pub mod explain;
pub mod learned;
mod summary;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use genvp_infer::{Model, Solver};
use genvp_model::DeviceChoice;
use genvp_puzzle::family::Family;
use genvp_puzzle::raven::Raven;

use self::learned::puzzles_for;
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::family;
use genvp_data::inputs;

/// Answer puzzles from their pixels.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Solve {
    /// Puzzle files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Model: a built-in name (see `genvp model list`) or a weights file [default: the built-in
    /// model of the puzzles' family]
    #[arg(long, value_name = "NAME|PATH")]
    model: Option<PathBuf>,
    /// Family of the puzzles: raven, pgm or vad, whatever their files say [default: what names,
    /// members and shapes say]
    #[arg(long, value_parser = family::parse)]
    family: Option<&'static dyn Family>,
    /// Solve without a model: read the scene and infer its rules exactly
    #[arg(long, conflicts_with_all = ["model", "batch"])]
    exact: bool,
    /// Show the experts' scores of every choice and the rules that wrong choices break
    #[arg(long)]
    explain: bool,
    /// Add confidence to --json; solving then takes about 1.5 times as long
    #[arg(long)]
    confidence: bool,
    /// Skip unreadable files and report their number
    #[arg(long)]
    skip_bad: bool,
    /// Puzzles per batch
    #[arg(long, value_name = "N", default_value_t = BATCH)]
    batch: NonZeroUsize,
    /// Print one JSON object per puzzle, then a summary
    #[arg(long)]
    json: bool,
}

const BATCH: NonZeroUsize = NonZeroUsize::new(Solver::BATCH).expect("not 0");

const MORE: &str = "\
Puzzles are npz files (an array `image` is enough), PNG sheets of sixteen panels, two sheets of
eight (question and choices), folders of sixteen panels, or parquet tables. The model sees
pixels only: never target, predict, the meta arrays or the xml. Odd or unknown members (as in
PGM's files) are skipped, and named with -v; a target that is no choice is an error. Where files
state the right choice, the accuracy is reported.

Files, folders, tables and archives (.tar.gz) of PGM and VAD are recognized by name or content,
and solved by the built-in model of their family; --exact needs no model. Sixteen panels that say
nothing more are taken for RAVEN's, nine for VAD's; --family says otherwise.

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
            let found = inputs::stream_all(&self.paths)?.as_family(self.family);
            return self.exactly(found, console);
        }
        let model = model_for(self.model.as_deref(), self.family, &self.paths, console, device)?;
        let solver = match self.family {
            Some(family) => Solver::of_family(&model, family)?,
            None => Solver::new(&model)?,
        };
        let found = puzzles_for(&solver, self.family, &self.paths, console)?;
        self.learned(found, &solver, console)
    }
}

/// The model that is named, or the box's model of the family that is named, or of the first puzzle.
pub fn model_for(
    named: Option<&Path>,
    family: Option<&'static dyn Family>,
    paths: &[PathBuf],
    console: &Console,
    device: DeviceChoice,
) -> Result<Model, Failure> {
    let name = match named {
        Some(name) => name.to_owned(),
        None => {
            let first = inputs::stream_all(paths)?.as_family(family).sources.next().transpose()?;
            let family = match &first {
                Some(first) if !first.is_table() => first.format()?.family(),
                _ => family.unwrap_or(&Raven),
            };
            Model::solver_of(family)?.into()
        }
    };
    Ok(Model::open(&name, &crate::device::open(device, console)?)?)
}
