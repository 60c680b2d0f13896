//! `genvp eval speed train`: a training step, beside PyTorch's.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use genvp_model::DeviceChoice;
use genvp_train::feed::{Batch, Fresh, batch_of};
use genvp_train::{Learner, RunConfig, TrainError, fresh_model};
use serde_json::{Value, json};

use super::memory::peak_megabytes;
use super::torch::{MODES, Timed, Twin, faster};
use crate::failure::{Answer, Failure};
use crate::talk::Talk;

/// Time a training step: 16 panels encoded and 9 decoded a puzzle, all experts, all losses, AdamW.
#[derive(Args, Debug)]
#[command(after_help = "\
With --torch the same network runs in PyTorch eager, channels_last and compiled, turn about with ours,
so that both see the same machine; ratios are against PyTorch's best mode. Only cpu-64 has such a twin:
fixtures/bench_torch_cpu64.py.

Example:
  genvp eval speed train --torch python3")]
pub struct Train {
    /// Which preset
    #[arg(long, default_value = "cpu-64", value_name = "NAME")]
    preset: String,
    /// Puzzles in a step [default: the preset's]
    #[arg(long, value_name = "B")]
    batch: Option<usize>,
    /// Steps in a round; the best one counts
    #[arg(long, default_value_t = 8)]
    steps: u32,
    /// Rounds
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// A Python with torch, to compare with
    #[arg(long, value_name = "PYTHON")]
    torch: Option<String>,
    /// The PyTorch twin
    #[arg(long, default_value = "fixtures/bench_torch_cpu64.py", value_name = "FILE")]
    torch_script: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Train {
    /// Times both.
    pub fn run(&self, talk: &Talk) -> Result<Answer, Failure> {
        let mut config = RunConfig::preset(&self.preset).map_err(failed)?;
        if let Some(batch) = self.batch {
            config.train.batch = batch;
        }
        let puzzles = config.train.batch;
        let mut ours: Option<Timed> = None;
        let mut theirs: [Option<Timed>; 3] = [None; 3];
        let progress = talk.progress("timing", u64::from(self.rounds));
        for _ in 0..self.rounds {
            let timed = self.time(&config)?;
            ours = Some(faster(ours, timed));
            if let Some(python) = &self.torch {
                let twin = Twin { python, script: &self.torch_script };
                for (mode, best) in MODES.iter().zip(&mut theirs) {
                    let timed = twin.time(mode, puzzles, self.steps)?;
                    *best = Some(faster(*best, timed));
                }
            }
            progress.add(1);
        }
        progress.finish();
        let Some(ours) = ours else { return Err(Failure::bad("--rounds must not be 0")) };
        self.print(ours, theirs, puzzles)
    }

    fn print(
        &self,
        ours: Timed,
        theirs: [Option<Timed>; 3],
        puzzles: usize,
    ) -> Result<Answer, Failure> {
        let rate = |timed: Timed| puzzles as f64 / timed.seconds;
        let best = theirs.into_iter().flatten().map(|t| t.seconds).reduce(f64::min);
        let mut out = stdout().lock();
        if self.json {
            let torch: serde_json::Map<String, Value> = MODES
                .iter()
                .zip(theirs)
                .filter_map(|(mode, timed)| {
                    let timed = timed?;
                    let row = json!({ "step_ms": timed.seconds * 1e3, "puzzles_per_second": rate(timed), "megabytes": timed.megabytes });
                    Some((mode.to_string(), row))
                })
                .collect();
            let report = json!({
                "preset": self.preset,
                "batch": puzzles,
                "threads": rayon::current_num_threads(),
                "step_ms": ours.seconds * 1e3,
                "puzzles_per_second": rate(ours),
                "megabytes": ours.megabytes,
                "torch": torch,
                "times_torchs_best": best.map(|b| b / ours.seconds),
            });
            writeln!(out, "{report}")?;
            return Ok(Answer::Yes);
        }
        writeln!(
            out,
            "{} training step of {puzzles} puzzles, best of {} rounds",
            self.preset, self.rounds
        )?;
        writeln!(out, "{:<24} {:>9} {:>12} {:>8}", "", "ms", "puzzles/s", "MB")?;
        let mut row = |name: &str, timed: Timed| {
            writeln!(
                out,
                "{name:<24} {:>9.1} {:>12.1} {:>8.0}",
                timed.seconds * 1e3,
                rate(timed),
                timed.megabytes
            )
        };
        row("genvp", ours)?;
        for (mode, timed) in MODES.iter().zip(theirs) {
            if let Some(timed) = timed {
                row(&format!("PyTorch {mode}"), timed)?;
            }
        }
        if let Some(best) = best {
            writeln!(out, "{:.2} times the puzzles of PyTorch's best mode", best / ours.seconds)?;
        }
        Ok(Answer::Yes)
    }

    fn time(&self, config: &RunConfig) -> Result<Timed, Failure> {
        let (device, _) = DeviceChoice::Cpu.open().map_err(|e| Failure::system(e.to_string()))?;
        let device = device.autodiff();
        let model = fresh_model(config, &device).map_err(failed)?;
        let mut learner = Learner::new(model, device).map_err(failed)?;
        let feed = Fresh::new(&config.train.feed, config.train.seed).map_err(failed)?;
        let mut best = f64::INFINITY;
        for step in 0..self.steps + 2 {
            let batch: Batch =
                batch_of(&feed, u64::from(step), config.feed_shape()).map_err(failed)?;
            let start = Instant::now();
            learner.learn(batch, &config.train).map_err(failed)?;
            // The first steps warm caches up.
            if step >= 2 {
                best = best.min(start.elapsed().as_secs_f64());
            }
        }
        Ok(Timed { seconds: best, megabytes: peak_megabytes().unwrap_or(f64::NAN) })
    }
}

fn failed(error: TrainError) -> Failure {
    Failure::bad(error.to_string())
}
