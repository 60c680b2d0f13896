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
    /// Device of the model: auto, cpu, gpu, gpu:N or software
    #[arg(
        long,
        global = true,
        value_name = "DEVICE",
        default_value = "auto",
        help_heading = "Global options"
    )]
    pub device: DeviceChoice,
    /// Number of threads [default: all cores]
    #[arg(long, global = true, value_name = "T", help_heading = "Global options")]
    pub threads: Option<usize>,
    /// Print errors only
    #[arg(short, long, global = true, help_heading = "Global options", conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print more messages
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub verbose: bool,
    /// Colored output (NO_COLOR is honored)
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        help_heading = "Global options"
    )]
    pub color: ColorChoice,
    /// Hide progress
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
    /// Solve, complete and imagine a few puzzles, and show them on an HTML page
    Demo(demo::Demo),
    /// Make, check, count, show and convert datasets
    #[command(subcommand)]
    Dataset(dataset::Command),
    /// Train a model
    Train(train::Train),
    /// Answer puzzles from their pixels
    Solve(solve::Solve),
    /// Name the rules that puzzles follow, by every expert and by their mixture
    Rules(rules::Rules),
    /// Draw several answers for missing panels
    Complete(complete::Complete),
    /// Imagine puzzles from rules
    Imagine(imagine::Imagine),
    /// Make test items for people: sheets, keys, tables
    #[command(subcommand)]
    Item(item::Command),
    /// Run the studio: play, make, solve and imagine in a browser
    #[cfg(feature = "studio")]
    Serve(serve::Serve),
    /// Measure accuracy, rules, coherence, calibration and speed
    #[command(subcommand)]
    Eval(eval::Command),
    /// List, describe, check and export models
    #[command(subcommand)]
    Model(model::Command),
    /// Check that the installation works
    Doctor(doctor::Doctor),
    /// Print a completion script for your shell
    Completions(completions::Completions),
    /// Print the manual page, or write all of them to a folder
    Man(man::Man),
}
