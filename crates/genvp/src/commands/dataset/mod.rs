//! `genvp dataset`: make, check, count, look at and convert datasets.

mod check;
mod convert;
mod make;
mod show;
mod stats;
mod tables;

pub use make::Layouts;

use clap::Subcommand;

use crate::failure::{Answer, Failure};
use crate::talk::Talk;

/// What to do with a dataset.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make puzzles in the originals' file formats
    Make(make::Make),
    /// Prove a dataset right: readable, rules true, exactly one answer, no equal choices
    Check(check::Check),
    /// Count rules, numbers, changes and answers
    Stats(stats::Stats),
    /// Draw puzzles in the terminal or to a PNG or SVG
    Show(show::Show),
    /// Re-package a dataset: npz, parquet, png
    Convert(convert::Convert),
}

/// Runs a dataset command.
pub fn run(command: Command, talk: &Talk) -> Result<Answer, Failure> {
    match command {
        Command::Make(make) => make.run(talk),
        Command::Check(check) => check.run(talk),
        Command::Stats(stats) => stats.run(talk),
        Command::Show(show) => show.run(talk),
        Command::Convert(convert) => convert.run(talk),
    }
}
