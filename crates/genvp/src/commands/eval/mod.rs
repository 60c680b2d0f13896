//! `genvp eval`: measurements.

mod ablation;
mod coherence;
pub mod common_args;
pub mod confidence;
mod figures;
mod learning;
mod moe;
mod ood;
mod regimes;
mod report;
mod rules;
mod solve;
mod speed;
mod speed_noise;
mod speed_solve;
mod speed_train;
mod torch;

use std::path::Path;

use clap::Subcommand;
use genvp_model::DeviceChoice;
use genvp_puzzle::pgm::Pgm;
use genvp_puzzle::vad::Vad;

use crate::console::Console;
use crate::failure::{Answer, Failure};

/// What to measure.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Right answers on RAVEN, I-RAVEN and RAVEN-FAIR
    Solve(solve::Solve),
    /// Right rules of complete puzzles
    Rules(rules::Rules),
    /// Accuracy on values and rules that were held out from training
    Ood(ood::Ood),
    /// Right answers and relations by regime of PGM
    Pgm(regimes::Regimes),
    /// Right answers and relations by regime of VAD
    Vad(regimes::Regimes),
    /// Accuracy of every mixture and of every single expert
    Moe(moe::Moe),
    /// Accuracy of models that each differ in one setting
    Ablation(ablation::Ablation),
    /// The paper's figures, drawn by a model
    Figures(figures::Figures),
    /// How often imagined puzzles follow the requested rules
    Coherence(coherence::Coherence),
    /// Calibration of a model's confidence
    Confidence(confidence::Confidence),
    /// Speed of making, training and solving on this machine
    #[command(subcommand)]
    Speed(speed::Command),
    /// The paper's tables and figures on one page
    Report(report::Report),
}

/// Runs a measurement.
pub fn run(command: Command, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
    match command {
        Command::Solve(solve) => solve.run(console, device),
        Command::Rules(rules) => rules.run(console, device),
        Command::Ood(ood) => ood.run(console, device),
        Command::Pgm(pgm) => pgm.run(&Pgm, console, device),
        Command::Vad(vad) => vad.run(&Vad, console, device),
        Command::Moe(moe) => moe.run(console, device),
        Command::Ablation(ablation) => ablation.run(console, device),
        Command::Figures(figures) => figures.run(console, device),
        Command::Speed(command) => speed::run(command, console, device),
        Command::Report(report) => report.run(console, device),
        Command::Coherence(coherence) => coherence.run(console, device),
        Command::Confidence(confidence) => confidence.run(console, device),
    }
}

/// Makes a folder and those above it.
fn make_folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path).map_err(|error| {
        Failure::bad(format!("{}: cannot make this folder: {error}", path.display()))
    })
}
