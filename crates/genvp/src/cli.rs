//! The command line: one definition for parsing, help, man pages and completions.

use clap::{Args, Parser, Subcommand, ValueEnum};

use genvp_model::DeviceChoice;

#[cfg(feature = "studio")]
use crate::commands::serve;
use crate::commands::{
    complete, completions, dataset, demo, doctor, eval, imagine, item, man, model, rules, solve,
    train,
};

/// Raven-style visual puzzles: make, check, draw and solve them.
#[derive(Debug, Parser)]
#[command(name = "genvp", version, about, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 done, 1 the answer is no or the input is bad, 2 wrong usage or a system failure.\n\
Data goes to standard output, everything else to standard error; --json makes the data readable by programs."
)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Flags that every command takes.
#[derive(Args, Clone, Debug)]
pub struct Global {
    /// Where the model computes: auto, cpu, gpu, gpu:N or software
    #[arg(
        long,
        global = true,
        value_name = "DEVICE",
        default_value = "auto",
        help_heading = "Global options"
    )]
    pub device: DeviceChoice,
    /// How many threads to use [default: all cores]
    #[arg(long, global = true, value_name = "T", help_heading = "Global options")]
    pub threads: Option<usize>,
    /// Say only what went wrong
    #[arg(short, long, global = true, help_heading = "Global options", conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub verbose: bool,
    /// When to use colours (NO_COLOR is honoured)
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        help_heading = "Global options"
    )]
    pub color: ColorChoice,
    /// Show no progress
    #[arg(long, global = true, help_heading = "Global options")]
    pub no_progress: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Solve, complete and imagine a few puzzles, and show them on a page
    Demo(demo::Demo),
    /// Make, check, count, look at and convert datasets
    #[command(subcommand)]
    Dataset(dataset::Command),
    /// Train a model
    Train(train::Train),
    /// Answer puzzles from their pixels
    Solve(solve::Solve),
    /// Say which rules puzzles follow, as every expert and all together see it
    Rules(rules::Rules),
    /// Draw what could stand in missing panels
    Complete(complete::Complete),
    /// Imagine puzzles from rules
    Imagine(imagine::Imagine),
    /// Print items for people: sheets, keys, tables
    #[command(subcommand)]
    Item(item::Command),
    /// Show the studio: play, make, solve and imagine in a browser
    #[cfg(feature = "studio")]
    Serve(serve::Serve),
    /// Measure accuracy, rules, coherence, confidence and speed
    #[command(subcommand)]
    Eval(eval::Command),
    /// List, describe, check and export models
    #[command(subcommand)]
    Model(model::Command),
    /// Check that everything is here and works
    Doctor(doctor::Doctor),
    /// Print a completion script for your shell
    Completions(completions::Completions),
    /// Print the manual page, or write all of them into a folder
    Man(man::Man),
}
