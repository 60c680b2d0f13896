//! One file per command.

pub mod completions;
pub mod dataset;
pub mod eval;
pub mod man;
pub mod model;
pub mod solve;
pub mod train;

use crate::cli::Command;
use crate::failure::{Answer, Failure};
use crate::talk::Talk;

/// Runs a command.
pub fn run(command: Command, talk: &Talk) -> Result<Answer, Failure> {
    match command {
        Command::Dataset(command) => dataset::run(command, talk),
        Command::Train(train) => train.run(talk),
        Command::Solve(solve) => solve.run(talk),
        Command::Eval(command) => eval::run(command, talk),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
        Command::Model(command) => model::run(command),
    }
}
