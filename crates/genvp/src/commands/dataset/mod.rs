//! `genvp dataset`: make, check, count, look at and convert datasets.

mod check;
mod convert;
mod make;
mod relations;
mod show;
mod stats;
mod tables;

pub use make::{Layouts, layouts_help};

use clap::{Args, Subcommand};

use crate::console::Console;
use crate::failure::{Answer, Failure};

/// What to do with a dataset.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make puzzles in the file formats of the original datasets
    Make(MakeAny),
    /// Check every puzzle: readable, rules true, exactly one answer, no equal choices
    Check(check::Check),
    /// Count rules, object numbers, changed attributes and positions of the answer
    Stats(stats::Stats),
    /// Draw puzzles in the terminal or to a PNG or SVG
    Show(show::Show),
    /// Convert a dataset to npz, parquet or png
    Convert(convert::Convert),
}

/// RAVEN's sets take a list of layouts, PGM and VAD one regime: each family has
/// its own options.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct MakeAny {
    #[command(subcommand)]
    family: Option<Family>,
    #[command(flatten)]
    raven: Option<make::Make>,
}

/// Families besides RAVEN's.
#[derive(Debug, Subcommand)]
pub enum Family {
    /// Matrices of DeepMind's PGM, in any of its eight regimes
    Pgm(relations::make::MakePgm),
    /// Analogies of DeepMind's VAD, in any of its five regimes
    Vad(relations::make::MakeVad),
}

impl MakeAny {
    fn run(&self, console: &Console) -> Result<Answer, Failure> {
        match (&self.family, &self.raven) {
            (Some(Family::Pgm(make)), _) => make.run(console),
            (Some(Family::Vad(make)), _) => make.run(console),
            (None, Some(make)) => make.run(console),
            (None, None) => Err(Failure::bad("name a set: raven, iraven, raven-fair, pgm or vad")),
        }
    }
}

/// Runs a dataset command.
pub fn run(command: Command, console: &Console) -> Result<Answer, Failure> {
    match command {
        Command::Make(make) => make.run(console),
        Command::Check(check) => check.run(console),
        Command::Stats(stats) => stats.run(console),
        Command::Show(show) => show.run(console),
        Command::Convert(convert) => convert.run(console),
    }
}
