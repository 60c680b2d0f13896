//! `genvp eval speed`: how fast things are on this machine.

use std::io::{Write, stdout};
use std::time::Instant;

use clap::{Args, Subcommand};
use genvp_data::dataset::{DatasetWriter, Plan, Start};
use genvp_model::DeviceChoice;
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::raven::FORM;
use genvp_puzzle::{Layout, Set, render};
use rayon::prelude::*;
use serde_json::json;

use super::speed_solve::Solve;
use super::speed_train::Train;
use crate::console::Console;
use crate::failure::{Answer, Failure};

/// What to time.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Speed of making puzzles: in memory at 160x160, for training at 64x64, and written to disk
    Dataset(Dataset),
    /// Speed of a training step, compared with PyTorch
    Train(Train),
    /// Speed of solving a folder of files, compared with PyTorch
    Solve(Solve),
}

/// Time the making of puzzles.
#[derive(Args, Debug)]
#[command(
    after_help = "Each figure is the best of the rounds, over all seven layouts and three sets together.\n\
Example:\n  genvp eval speed dataset -n 200 --json"
)]
pub struct Dataset {
    /// Puzzles per layout, set and round
    #[arg(short, default_value_t = 200)]
    n: u64,
    /// Rounds
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Times something.
pub fn run(command: Command, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
    match command {
        Command::Dataset(dataset) => dataset.run(console),
        Command::Train(train) => train.run(console),
        Command::Solve(solve) => solve.run(console, device),
    }
}

/// Side of the panels that the model sees.
const TRAINING_SIDE: usize = 64;

impl Dataset {
    fn run(&self, console: &Console) -> Result<Answer, Failure> {
        let makers: Vec<Maker> = Set::ALL
            .into_iter()
            .flat_map(|set| Layout::ALL.map(|layout| Request::new(set, layout)))
            .map(Maker::new)
            .collect::<Result<_, _>>()?;
        let progress = console.progress("timing", u64::from(self.rounds) * 3);
        let mut best = [0f64; 3];
        for round in 0..self.rounds {
            let timed = [
                self.in_memory(&makers, round)?,
                self.for_training(&makers, round)?,
                self.written(round)?,
            ];
            for (best, rate) in best.iter_mut().zip(timed) {
                *best = best.max(rate);
            }
            progress.add(3);
        }
        progress.finish();
        let [memory, training, written] = best;
        let threads = rayon::current_num_threads();
        let mut out = stdout().lock();
        if self.json {
            let report = json!({
                "threads": threads,
                "puzzles_per_layout_and_set": self.n,
                "rounds": self.rounds,
                "memory_160_per_second": memory.round(),
                "training_64_per_second": training.round(),
                "written_per_second": written.round(),
                "peak_megabytes": peak_megabytes().map(f64::round),
            });
            writeln!(out, "{report}")?;
        } else {
            writeln!(out, "puzzles a second on {threads} threads, best of {}:", self.rounds)?;
            let panels = FORM.inputs();
            writeln!(
                out,
                "  {memory:>8.0}  in memory: scenes, choices, {panels} panels of 160x160"
            )?;
            writeln!(out, "  {training:>8.0}  for training: {panels} panels of 64x64 as f32")?;
            writeln!(out, "  {written:>8.0}  written: npz and xml in the originals' formats")?;
            if let Some(peak) = peak_megabytes() {
                writeln!(out, "  {peak:>8.0}  MB of memory at most")?;
            }
        }
        Ok(Answer::Yes)
    }

    fn rate(
        &self,
        makers: &[Maker],
        round: u32,
        work: impl Fn(&Maker, u64) -> Result<(), Failure> + Sync,
    ) -> Result<f64, Failure> {
        let start = Instant::now();
        let first = u64::from(round) * self.n;
        (0..self.n * makers.len() as u64).into_par_iter().try_for_each(|i| {
            work(&makers[i as usize % makers.len()], first + i / makers.len() as u64)
        })?;
        Ok((self.n * makers.len() as u64) as f64 / start.elapsed().as_secs_f64())
    }

    fn in_memory(&self, makers: &[Maker], round: u32) -> Result<f64, Failure> {
        self.rate(makers, round, |maker, index| {
            let puzzle = maker.puzzle(1, index)?;
            std::hint::black_box(render::puzzle(&puzzle));
            Ok(())
        })
    }

    fn for_training(&self, makers: &[Maker], round: u32) -> Result<f64, Failure> {
        const PIXELS: usize = TRAINING_SIDE * TRAINING_SIDE;
        self.rate(makers, round, |maker, index| {
            let puzzle = maker.puzzle(1, index)?;
            let mut panels = vec![0f32; FORM.inputs() * PIXELS];
            for (panel, out) in puzzle.panels().zip(panels.chunks_exact_mut(PIXELS)) {
                render::ink_into(panel, puzzle.layout, puzzle.domain, TRAINING_SIDE, out);
            }
            std::hint::black_box(panels);
            Ok(())
        })
    }

    /// Writes datasets of all three sets into a temporary folder.
    fn written(&self, round: u32) -> Result<f64, Failure> {
        let failed = |error: std::io::Error| Failure::system(format!("temporary folder: {error}"));
        let folder = tempfile::tempdir().map_err(failed)?;
        let start = Instant::now();
        for set in Set::ALL {
            let seed = u64::from(round);
            let plan = Plan::new(set, seed, self.n, &Layout::ALL);
            let writer = DatasetWriter::open(&folder.path().join(set.key()), plan, Start::Create)?;
            for layout in Layout::ALL {
                let maker = Maker::new(Request::new(set, layout))?;
                writer.fill(layout, |index| Ok::<_, Failure>(maker.puzzle(seed, index)?))?;
            }
            writer.finish()?;
        }
        let puzzles = self.n * (Set::ALL.len() * Layout::ALL.len()) as u64;
        Ok(puzzles as f64 / start.elapsed().as_secs_f64())
    }
}

/// The largest resident size so far, in MB; `None` where the system does not tell.
pub(super) fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
