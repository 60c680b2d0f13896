//! `genvp eval speed train`: a training step, beside PyTorch's.

use std::ffi::OsString;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use burn::tensor::Device;
use clap::Args;
use genvp_model::{AnyModel, DeviceChoice};
use genvp_train::feed::{Batch, Fresh, batch_of};
use genvp_train::{Learner, RunConfig, TrainError, fresh_model};
use serde_json::{Value, json};

use super::speed::peak_megabytes;
use super::speed_noise;
use super::torch::{Mode, Theirs, Twin};
use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Time a training step: all panels of a puzzle encoded, the complete one decoded, all experts and
/// losses, AdamW.
#[derive(Args, Debug)]
#[command(after_help = "\
`drawings` are puzzles as they are drawn; `noise` has noise on every pixel, so that nothing in
it repeats. With --torch the same network runs on the same panels in PyTorch eager, channels_last
and compiled, with as many threads, turn about with ours, so that both see the same machine;
ratios are against PyTorch's best mode. Only cpu-64 has such a twin:
fixtures/bench_torch_cpu64.py.

Example:
  genvp eval speed train --torch python3")]
pub struct Train {
    /// Preset (see `genvp model list`)
    #[arg(long, default_value = "cpu-64", value_name = "NAME")]
    preset: String,
    /// Batch size [default: the preset's]
    #[arg(long, value_name = "B")]
    batch: Option<usize>,
    /// Steps per round; the fastest counts
    #[arg(long, default_value_t = 8)]
    steps: u32,
    /// Rounds
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Python interpreter with torch, to compare with
    #[arg(long, value_name = "PYTHON")]
    torch: Option<String>,
    /// Script of the PyTorch equivalent
    #[arg(long, default_value = "fixtures/bench_torch_cpu64.py", value_name = "FILE")]
    torch_script: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The panels of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Panels {
    Drawings,
    Noise,
}

impl Panels {
    const ALL: [Self; 2] = [Self::Drawings, Self::Noise];

    fn name(self) -> &'static str {
        match self {
            Self::Drawings => "drawings",
            Self::Noise => "noise",
        }
    }
}

/// Our best steps.
#[derive(Clone, Copy, Debug)]
struct Ours {
    /// Seconds of a step on each kind of panels.
    seconds: [f64; Panels::ALL.len()],
    /// The most memory that drawings needed.
    megabytes: f64,
}

impl Ours {
    /// Puzzles a second.
    fn rates(&self, puzzles: usize) -> [f64; 2] {
        self.seconds.map(|seconds| puzzles as f64 / seconds)
    }
}

impl Train {
    /// Times both.
    pub fn run(&self, console: &Console) -> Result<Answer, Failure> {
        if self.rounds == 0 || self.steps == 0 {
            return Err(Failure::bad("--rounds and --steps must not be 0"));
        }
        let mut config = RunConfig::preset(&self.preset).map_err(failed)?;
        if let Some(batch) = self.batch {
            config.train.batch = batch;
        }
        let folder = tempfile::tempdir()
            .map_err(|error| Failure::system(format!("temporary folder: {error}")))?;
        let twin_args = self.twin_args(&config, folder.path())?;
        let parameters = self.model(&config)?.0.count_parameters().parameters;
        let mut ours = Ours { seconds: [f64::INFINITY; 2], megabytes: f64::NAN };
        let mut theirs = Theirs::default();
        let progress = console.progress("timing", u64::from(self.rounds));
        for _ in 0..self.rounds {
            for (panels, best) in Panels::ALL.into_iter().zip(&mut ours.seconds) {
                *best = best.min(self.time(&config, panels)?);
                if ours.megabytes.is_nan() {
                    ours.megabytes = peak_megabytes().unwrap_or(f64::NAN);
                }
            }
            if let Some(python) = &self.torch {
                let threads = rayon::current_num_threads();
                let twin = Twin { python, script: &self.torch_script, threads, parameters };
                for mode in Mode::THREADS {
                    theirs.add(mode, twin.run(mode, &twin_args, &Panels::ALL.map(Panels::name))?);
                }
            }
            progress.add(1);
        }
        progress.finish();
        self.print(ours, &theirs, config.train.batch, parameters)
    }

    /// What a twin is asked; the panels are written into the folder for it.
    fn twin_args(&self, config: &RunConfig, folder: &Path) -> Result<Vec<OsString>, Failure> {
        let mut twin_args = vec!["--puzzles".into(), config.train.batch.to_string().into()];
        twin_args.extend(["--steps".into(), self.steps.to_string().into()]);
        if self.torch.is_some() {
            for panels in Panels::ALL {
                let path = folder.join(panels.name());
                speed_noise::write_panels(&path, &self.batch(config, 0, panels)?.pixels)?;
                let mut named = OsString::from(format!("{}=", panels.name()));
                named.push(&path);
                twin_args.extend(["--panels".into(), named]);
            }
        }
        Ok(twin_args)
    }

    fn print(
        &self,
        ours: Ours,
        theirs: &Theirs,
        puzzles: usize,
        parameters: usize,
    ) -> Result<Answer, Failure> {
        let mut out = stdout().lock();
        if self.json {
            writeln!(out, "{}", self.report(&ours, theirs, puzzles, parameters))?;
            return Ok(Answer::Yes);
        }
        let rates = ours.rates(puzzles);
        let step_ms = |rate: f64| puzzles as f64 / rate * 1e3;
        writeln!(
            out,
            "{} training step of {puzzles} puzzles on {} threads, best of {} rounds",
            self.preset,
            rayon::current_num_threads(),
            self.rounds
        )?;
        writeln!(
            out,
            "{:<24} {:>9} {:>12} {:>9} {:>12} {:>8}",
            "", "drawings", "", "noise", "", ""
        )?;
        writeln!(
            out,
            "{:<24} {:>9} {:>12} {:>9} {:>12} {:>8}",
            "", "ms", "puzzles/s", "ms", "puzzles/s", "MB"
        )?;
        let mut row = |name: &str, [drawings, noise]: [f64; 2], megabytes: f64| {
            writeln!(
                out,
                "{name:<24} {:>9.1} {drawings:>12.1} {:>9.1} {noise:>12.1} {megabytes:>8.0}",
                step_ms(drawings),
                step_ms(noise),
            )
        };
        row("genvp", rates, ours.megabytes)?;
        for (mode, said) in theirs.modes() {
            let rate = |panels: Panels| said.per_second.get(panels.name()).copied();
            let rates = Panels::ALL.map(|panels| rate(panels).unwrap_or(f64::NAN));
            row(&mode.to_string(), rates, said.megabytes)?;
        }
        if let Some(said) = theirs.any() {
            let [drawings, noise] = Panels::ALL.map(|panels| {
                theirs.times(rates[panels as usize], panels.name()).unwrap_or(f64::NAN)
            });
            writeln!(
                out,
                "{drawings:.2} times the puzzles of PyTorch's best mode, {noise:.2} times with noise; \
                 PyTorch {}, {}, {parameters} parameters each",
                said.torch,
                said.optimizer.as_deref().unwrap_or("optimiser not named"),
            )?;
        }
        Ok(Answer::Yes)
    }

    /// What is printed, for programs.
    fn report(&self, ours: &Ours, theirs: &Theirs, puzzles: usize, parameters: usize) -> Value {
        let rates = ours.rates(puzzles);
        let step_ms = |rate: f64| puzzles as f64 / rate * 1e3;
        let report = |panels: Panels| {
            let what = panels.name();
            let torch = theirs.modes().filter_map(|(mode, said)| {
                let rate = *said.per_second.get(what)?;
                let row = json!({ "step_ms": step_ms(rate), "puzzles_per_second": rate, "megabytes": said.megabytes });
                Some((mode.key(), row))
            });
            let rate = rates[panels as usize];
            json!({
                "step_ms": step_ms(rate),
                "puzzles_per_second": rate,
                "torch": torch.collect::<serde_json::Map<String, Value>>(),
                "times_torchs_best": theirs.times(rate, what),
            })
        };
        let mut all = report(Panels::Drawings);
        all["preset"] = json!(self.preset);
        all["batch"] = json!(puzzles);
        all["threads"] = json!(rayon::current_num_threads());
        all["parameters"] = json!(parameters);
        all["megabytes"] = json!(ours.megabytes);
        all["noise"] = report(Panels::Noise);
        all["torch_version"] = json!(theirs.any().map(|said| &said.torch));
        all["torch_optimizer"] = json!(theirs.any().and_then(|said| said.optimizer.as_ref()));
        all
    }

    fn model(&self, config: &RunConfig) -> Result<(AnyModel, Device), Failure> {
        let (device, _) = DeviceChoice::Cpu.open().map_err(|e| Failure::system(e.to_string()))?;
        let device = device.autodiff();
        Ok((fresh_model(config, &device).map_err(failed)?, device))
    }

    fn batch(&self, config: &RunConfig, step: u32, panels: Panels) -> Result<Batch, Failure> {
        let feed = Fresh::new(&config.train.feed, config.train.seed).map_err(failed)?;
        let mut batch = batch_of(&feed, u64::from(step), config.feed_shape()).map_err(failed)?;
        if panels == Panels::Noise {
            speed_noise::into_ink(&mut batch.pixels, u64::from(step));
        }
        Ok(batch)
    }

    /// Seconds of the best of some steps.
    fn time(&self, config: &RunConfig, panels: Panels) -> Result<f64, Failure> {
        let (model, device) = self.model(config)?;
        let mut learner = Learner::new(model, device).map_err(failed)?;
        let mut best = f64::INFINITY;
        for step in 0..self.steps + 2 {
            let batch = self.batch(config, step, panels)?;
            let start = Instant::now();
            learner.learn(batch, &config.train).map_err(failed)?;
            // The first steps warm caches up.
            if step >= 2 {
                best = best.min(start.elapsed().as_secs_f64());
            }
        }
        Ok(best)
    }
}

fn failed(error: TrainError) -> Failure {
    Failure::bad(error.to_string())
}
