//! `genvp eval`: measurements.

mod memory;
mod speed;
mod speed_train;

use clap::Subcommand;

use crate::failure::{Answer, Failure};
use crate::talk::Talk;

/// What to measure.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// How fast things are on this machine
    #[command(subcommand)]
    Speed(speed::Command),
}

/// Runs a measurement.
pub fn run(command: Command, talk: &Talk) -> Result<Answer, Failure> {
    match command {
        Command::Speed(command) => speed::run(command, talk),
    }
}
