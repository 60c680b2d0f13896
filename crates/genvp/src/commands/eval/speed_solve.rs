//! `genvp eval speed solve`: solving, beside PyTorch's.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use genvp_data::Images;
use genvp_data::dataset::{DatasetWriter, Plan, Start};
use genvp_infer::{InferError, Model, Solver, fresh_puzzles};
use genvp_model::DeviceChoice;
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, Set};
use serde_json::{Value, json};

use super::memory::peak_megabytes;
use super::torch::{MODES, Timed, Twin, faster};
use crate::commands::solve::pipeline;
use crate::failure::{Answer, Failure};
use crate::inputs;
use crate::talk::Talk;

/// Time the solving of puzzles: of a folder of npz files, and of panels in memory.
#[derive(Args, Debug)]
#[command(after_help = "\
`folder` is what `genvp solve DIR --json` does: files are read, resized and solved; with
confidence, nine panels a puzzle are also redrawn to say how sure the answer is. `memory` solves
panels that are ready. With --torch the same network does both in PyTorch eager, channels_last
and compiled, turn about with ours; ratios are against PyTorch's best mode. Only cpu-64 has such
a twin: fixtures/bench_torch_solve_cpu64.py.

Examples:
  genvp eval speed solve --rounds 1 -n 4
  genvp eval speed solve --torch python3")]
pub struct Solve {
    /// Which model: one in the box, or a weights file
    #[arg(long, value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Puzzles of each layout in the folder
    #[arg(short, default_value_t = 200)]
    n: u64,
    /// Puzzles that go through the model at once
    #[arg(long, value_name = "B", default_value_t = Solver::BATCH)]
    batch: usize,
    /// Rounds; the best one counts
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Batches in memory, and in PyTorch, in a round; the best one counts
    #[arg(long, default_value_t = 20)]
    steps: u32,
    /// A Python with torch, to compare with
    #[arg(long, value_name = "PYTHON")]
    torch: Option<String>,
    /// The PyTorch twin
    #[arg(long, default_value = "fixtures/bench_torch_solve_cpu64.py", value_name = "FILE")]
    torch_script: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The best rates so far, in puzzles a second.
#[derive(Clone, Copy, Debug, Default)]
struct Rates {
    folder: f64,
    confident: f64,
    memory: f64,
}

/// PyTorch's best times of a batch so far, mode by mode.
#[derive(Clone, Copy, Debug, Default)]
struct Theirs {
    folder: [Option<Timed>; MODES.len()],
    memory: [Option<Timed>; MODES.len()],
}

/// Passes of PyTorch over the folder in a round, with each number of workers.
const PASSES: u32 = 2;

impl Solve {
    /// Times both.
    pub fn run(&self, talk: &Talk, device: DeviceChoice) -> Result<Answer, Failure> {
        if self.rounds == 0 || self.steps == 0 || self.n == 0 || self.batch == 0 {
            return Err(Failure::bad("-n, --batch, --rounds and --steps must not be 0"));
        }
        let start = Instant::now();
        let model = Model::open(&self.model, &crate::device::open(device, talk)?)?;
        let load = start.elapsed().as_secs_f64();
        let folder = tempfile::tempdir()
            .map_err(|error| Failure::system(format!("temporary folder: {error}")))?;
        let dataset = folder.path().join("puzzles");
        self.write(&dataset)?;
        let progress = talk.progress("timing", u64::from(self.rounds));
        let mut best = Rates::default();
        let mut theirs = Theirs::default();
        for _ in 0..self.rounds {
            let solver = Solver::new(&model)?;
            best.memory = best.memory.max(self.in_memory(&solver.clone().doubting(false))?);
            best.folder = best.folder.max(self.folder(&dataset, &solver.clone().doubting(false))?);
            best.confident = best.confident.max(self.folder(&dataset, &solver)?);
            if let Some(python) = &self.torch {
                let twin = Twin { python, script: &self.torch_script };
                for (mode, best) in MODES.iter().zip(&mut theirs.memory) {
                    *best = Some(faster(*best, twin.time(mode, self.batch, self.steps)?));
                }
                for (mode, best) in MODES.iter().zip(&mut theirs.folder) {
                    let timed = twin.time_folder(mode, self.batch, PASSES, &dataset)?;
                    *best = Some(faster(*best, timed));
                }
            }
            progress.add(1);
        }
        progress.finish();
        self.print(best, theirs, load)
    }

    fn write(&self, folder: &std::path::Path) -> Result<(), Failure> {
        let plan = Plan::new(Set::IRaven, 1, self.n, &Layout::ALL);
        let writer = DatasetWriter::open(folder, plan, Start::Create)?;
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(Set::IRaven, layout))?;
            writer.fill(layout, |index| Ok::<_, Failure>(maker.puzzle(1, index)?))?;
        }
        writer.finish()?;
        Ok(())
    }

    /// From files to answers.
    fn folder(&self, dataset: &std::path::Path, solver: &Solver<'_>) -> Result<f64, Failure> {
        let start = Instant::now();
        let sources = inputs::gather_all(&[dataset.to_owned()])?;
        let mut solved = 0u64;
        pipeline::solve_all(&sources, solver, self.batch, |outcome| {
            solved += u64::from(outcome.is_ok());
            Ok::<_, InferError>(())
        })?;
        Ok(solved as f64 / start.elapsed().as_secs_f64())
    }

    /// From panels as the model takes them to answers.
    fn in_memory(&self, solver: &Solver<'_>) -> Result<f64, Failure> {
        let each = (self.batch as u64).div_ceil(Layout::ALL.len() as u64);
        let puzzles = fresh_puzzles(Set::IRaven, each, 1)?;
        let images: Vec<&Images> =
            puzzles.iter().map(|(images, _)| images).take(self.batch).collect();
        let ink = solver.ink(&images);
        let mut best = f64::INFINITY;
        for step in 0..self.steps + 2 {
            let ink = ink.clone();
            let start = Instant::now();
            std::hint::black_box(solver.solve_ink(ink)?);
            // The first ones warm caches up.
            if step >= 2 {
                best = best.min(start.elapsed().as_secs_f64());
            }
        }
        Ok(images.len() as f64 / best)
    }

    fn print(&self, ours: Rates, theirs: Theirs, load: f64) -> Result<Answer, Failure> {
        let rate = |timed: Timed| self.batch as f64 / timed.seconds;
        let best = |theirs: [Option<Timed>; MODES.len()]| {
            theirs.into_iter().flatten().map(rate).reduce(f64::max)
        };
        let (folder, memory) = (best(theirs.folder), best(theirs.memory));
        let mut out = stdout().lock();
        if self.json {
            let torch = |theirs: [Option<Timed>; MODES.len()]| -> serde_json::Map<String, Value> {
                let rates = MODES.iter().zip(theirs);
                rates
                    .filter_map(|(mode, timed)| Some((mode.to_string(), json!(rate(timed?)))))
                    .collect()
            };
            let report = json!({
                "model": self.model.display().to_string(),
                "batch": self.batch,
                "threads": rayon::current_num_threads(),
                "load_ms": load * 1e3,
                "folder_per_second": ours.folder,
                "confident_per_second": ours.confident,
                "memory_per_second": ours.memory,
                "megabytes": peak_megabytes(),
                "torch_folder_per_second": torch(theirs.folder),
                "torch_memory_per_second": torch(theirs.memory),
                "folder_times_torchs_folder": folder.map(|best| ours.folder / best),
                "folder_times_torchs_memory": memory.map(|best| ours.folder / best),
                "memory_times_torchs_memory": memory.map(|best| ours.memory / best),
            });
            writeln!(out, "{report}")?;
            return Ok(Answer::Yes);
        }
        let threads = rayon::current_num_threads();
        writeln!(out, "puzzles a second, {} at a time, on {threads} threads:", self.batch)?;
        writeln!(out, "{:<26} {:>8} {:>8}", "", "folder", "memory")?;
        writeln!(out, "{:<26} {:>8.0} {:>8.0}", "genvp", ours.folder, ours.memory)?;
        writeln!(out, "{:<26} {:>8.0}", "genvp, with confidence", ours.confident)?;
        for ((mode, folder), memory) in MODES.iter().zip(theirs.folder).zip(theirs.memory) {
            if let (Some(folder), Some(memory)) = (folder, memory) {
                let (name, folder, memory) =
                    (format!("PyTorch {mode}"), rate(folder), rate(memory));
                writeln!(out, "{name:<26} {folder:>8.0} {memory:>8.0}")?;
            }
        }
        if let (Some(folder), Some(memory)) = (folder, memory) {
            let (folder, memory) = (ours.folder / folder, ours.memory / memory);
            writeln!(out, "{:<26} {folder:>8.2} {memory:>8.2}", "times PyTorch's best")?;
        }
        writeln!(out, "the model was loaded in {:.0} ms", load * 1e3)?;
        Ok(Answer::Yes)
    }
}
