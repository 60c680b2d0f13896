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
    /// The models in the box, and the presets: named settings of model and training
    List(list::List),
    /// What a model says of itself: where it comes from, how good it is
    Card(card::ShowCard),
    /// How many parameters a preset has, in all and by part
    Params(params::Params),
    /// Check that weights are whole, fit their model, and work
    Verify(verify::Verify),
    /// Write weights with their card: of a model in the box, a file, a run or a checkpoint
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
