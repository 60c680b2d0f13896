//! `genvp model verify`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use genvp_infer::{Model, Weights};
use genvp_model::DeviceChoice;
use serde_json::json;

use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Check a weights file.
#[derive(Args, Debug)]
#[command(after_help = "\
The digest in the file must be that of its contents, every tensor must be there, of the right
shape and finite, and the model must give finite answers to a few fresh puzzles (how many of them
are right is printed, but does not affect the result).

Examples:
  genvp model verify
  genvp model verify raven-cpu-64 --json")]
pub struct Verify {
    /// Model: a built-in name (see `genvp model list`) or a weights file
    #[arg(value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Print {"model":..., "digest":..., "sealed":..., "self_test":{...}}
    #[arg(long)]
    json: bool,
}

/// Puzzles of every layout in the self-test.
const EACH: u64 = 4;

impl Verify {
    pub(super) fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let weights = Weights::find(&self.model)?;
        let digests = weights.digests()?;
        if digests.holds() == Some(false) {
            let message = format!(
                "{}: the weights were changed: their SHA-256 is {}, the file says {}",
                weights.origin(),
                digests.found,
                digests.written.unwrap_or_default()
            );
            return Err(Failure::bad(message).hint("fetch the file again"));
        }
        let model = weights.load(&crate::device::open(device, console)?)?;
        let test = model.self_test(EACH)?;
        let sound = test.finite && test.steady;
        let sealed = digests.written.is_some();
        let mut out = stdout().lock();
        if self.json {
            let report = json!({
                "model": weights.origin(),
                "sha256": digests.found,
                "sealed": sealed,
                "sound": sound,
                "self_test": { "asked": test.asked, "right": test.right, "finite": test.finite, "steady": test.steady },
            });
            writeln!(out, "{report}")?;
        } else {
            writeln!(out, "{}", weights.origin())?;
            let digest = if sealed { "as the file says" } else { "the file names none to compare" };
            writeln!(out, "  digest     {} ({digest})", digests.found)?;
            writeln!(out, "  tensors    all there, of the right shape, finite")?;
            let answers = match (test.finite, test.steady) {
                (false, _) => "NOT FINITE",
                (true, false) => "NOT THE SAME ALONE AS AMONG OTHERS",
                (true, true) => "finite, the same alone as among others",
            };
            writeln!(out, "  answers    {answers}; {} of {} right", test.right, test.asked)?;
        }
        Ok(if sound { Answer::Yes } else { Answer::No })
    }
}
