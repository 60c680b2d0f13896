//! `genvp model`: which models there are, what they say of themselves, and
//! whether they are sound.

mod card;
mod examine;
mod export;
mod list;
mod params;
mod verify;

use clap::Subcommand;
use genvp_model::{DeviceChoice, Preset, preset};

use crate::console::Console;
use crate::failure::{Answer, Failure};

/// What to say about models.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the built-in models and the presets (named settings of model and training)
    List(list::List),
    /// Show a model's card: its origin and its figures
    Card(card::ShowCard),
    /// Count the parameters of a preset, in total and by part
    Params(params::Params),
    /// Check that weights are unchanged, fit their model, and work
    Verify(verify::Verify),
    /// Export the weights and card of a built-in model, a weights file, a run or a checkpoint
    Export(export::Export),
}

/// Runs a model command.
pub fn run(command: Command, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
    match command {
        Command::List(list) => list.run(),
        Command::Card(card) => card.run(),
        Command::Params(params) => params.run(),
        Command::Verify(verify) => verify.run(console, device),
        Command::Export(export) => export.run(console),
    }
}

fn load(name: &str) -> Result<Preset, Failure> {
    Preset::named(name).map_err(|error| {
        Failure::bad(error.to_string()).hint(format!("known are {}", preset::names().join(", ")))
    })
}
