//! `genvp solve`: answer puzzles from their pixels.

mod exact;
pub mod explain;
pub mod learned;
mod summary;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use genvp_infer::{Model, Solver};
use genvp_model::DeviceChoice;

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
    /// Which model: one in the box, or a weights file
    #[arg(long, value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
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

--exact also solves PGM and VAD, by the names of their files, and reads their archives (.tar.gz) as
they are.

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
        let sources = inputs::gather_all(&self.paths)?;
        let model = Model::open(&self.model, &crate::device::open(device, console)?)?;
        self.learned(&sources, &model, console)
    }
}
