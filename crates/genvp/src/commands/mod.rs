//! One file per command.

pub mod complete;
pub mod completions;
pub mod dataset;
pub mod demo;
pub mod doctor;
pub mod eval;
pub mod imagine;
pub mod item;
pub mod man;
pub mod model;
pub mod rules;
#[cfg(feature = "studio")]
pub mod serve;
pub mod solve;
pub mod train;

use genvp_model::DeviceChoice;

use crate::cli::Command;
use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Runs a command; what computes does so on the device.
pub fn run(command: Command, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
    match command {
        Command::Dataset(command) => dataset::run(command, console),
        Command::Train(train) => train.run(console, device),
        Command::Solve(solve) => solve.run(console, device),
        Command::Complete(complete) => complete.run(console, device),
        Command::Imagine(imagine) => imagine.run(console, device),
        Command::Item(command) => item::run(command, console, device),
        Command::Demo(demo) => demo.run(console, device),
        Command::Eval(command) => eval::run(command, console, device),
        Command::Rules(rules) => rules.run(console, device),
        #[cfg(feature = "studio")]
        Command::Serve(serve) => serve.run(console, device),
        Command::Doctor(doctor) => doctor.run(console, device),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
        Command::Model(command) => model::run(command, console, device),
    }
}
