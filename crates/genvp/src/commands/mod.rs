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
pub mod solve;
pub mod train;

use genvp_model::DeviceChoice;

use crate::cli::Command;
use crate::failure::{Answer, Failure};
use crate::talk::Talk;

/// Runs a command; what computes does so on the device.
pub fn run(command: Command, talk: &Talk, device: DeviceChoice) -> Result<Answer, Failure> {
    match command {
        Command::Dataset(command) => dataset::run(command, talk),
        Command::Train(train) => train.run(talk, device),
        Command::Solve(solve) => solve.run(talk, device),
        Command::Complete(complete) => complete.run(talk, device),
        Command::Imagine(imagine) => imagine.run(talk, device),
        Command::Item(command) => item::run(command, talk, device),
        Command::Demo(demo) => demo.run(talk, device),
        Command::Eval(command) => eval::run(command, talk, device),
        Command::Rules(rules) => rules.run(talk, device),
        Command::Doctor(doctor) => doctor.run(talk, device),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
        Command::Model(command) => model::run(command, talk, device),
    }
}
