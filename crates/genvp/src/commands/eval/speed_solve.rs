//! `genvp eval speed solve`: solving, beside PyTorch's.

use std::ffi::OsString;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use genvp_data::dataset::{DatasetWriter, Plan, Start};
use genvp_data::{Images, StoredPuzzle};
use genvp_infer::{InferError, Model, Solver, Weights, fresh_puzzles};
use genvp_model::DeviceChoice;
use genvp_puzzle::family::{Family, PuzzleSpec, Sheet, Split};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::vad::Vad;
use genvp_puzzle::{Layout, Set};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::speed::peak_megabytes;
use super::speed_noise;
use super::torch::{Mode, Theirs, Twin, TwinReport};
use crate::console::Console;
use crate::failure::{Answer, Failure};
use genvp_data::inputs;
use genvp_infer::pipeline;

/// Time the solving of puzzles: of a folder of npz files, and of panels in memory.
#[derive(Args, Debug)]
#[command(after_help = "\
`folder` is what `genvp solve DIR --json` does: files are read, resized and solved; with
confidence, nine panels a puzzle are also redrawn to say how sure the answer is. `memory` solves
panels that are ready, two batches a thread at a time. `drawings` are puzzles as they are drawn;
`noise` has noise on every pixel, so that nothing in it repeats (a quarter as many files). There
are as many files as fill every batch of every thread. With --torch the same network does the
same in PyTorch eager, channels_last and compiled, each in one process with as many threads as
here and in as many processes with one thread, turn about with ours; ratios are against PyTorch's
best mode. Only cpu-64 and pgm-cpu-64 have such twins: fixtures/bench_torch_solve_cpu64.py and
bench_torch_solve_pgm64.py; the latter takes our weights, and its scores must equal ours to 1e-4.

Models of PGM or VAD solve -n puzzles of their family's first regime; there is no noise then.

Examples:
  genvp eval speed solve --rounds 1 -n 4
  genvp eval speed solve --torch python3
  genvp eval speed solve --model pgm-64-cpu -n 10000 --rounds 1 --torch python3")]
pub struct Solve {
    /// Model: a built-in name (see `genvp model list`) or a weights file
    #[arg(long, value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Least puzzles in the folder; of RAVEN, per layout
    #[arg(short, default_value_t = 200)]
    n: u64,
    /// Puzzles per batch
    #[arg(long, value_name = "B", default_value_t = Solver::BATCH)]
    batch: usize,
    /// Rounds; the fastest counts
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Timings of panels in memory per round, also by PyTorch; the fastest counts
    #[arg(long, default_value_t = 10)]
    steps: u32,
    /// Python interpreter with torch, to compare with
    #[arg(long, value_name = "PYTHON")]
    torch: Option<String>,
    /// Script of the PyTorch equivalent [default: fixtures/bench_torch_solve_cpu64.py, or
    /// bench_torch_solve_pgm64.py]
    #[arg(long, value_name = "FILE")]
    torch_script: Option<PathBuf>,
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

/// Puzzles to solve, in both forms.
struct Puzzles {
    /// Their name.
    name: &'static str,
    /// A folder of npz files.
    folder: PathBuf,
    /// As many as go through the model at once, as the model takes them.
    ink: Vec<f32>,
    /// The same in a file.
    panels: PathBuf,
}

impl Puzzles {
    /// The names that a twin gives to the rates of the folder and of the panels in memory.
    fn rates(&self) -> [String; 2] {
        [format!("folder_{}", self.name), format!("memory_{}", self.name)]
    }

    /// What a twin is asked about them.
    fn twin_args(&self) -> [OsString; 4] {
        let named = |path: &Path| {
            let mut named = OsString::from(format!("{}=", self.name));
            named.push(path);
            named
        };
        ["--panels".into(), named(&self.panels), "--folder".into(), named(&self.folder)]
    }
}

/// Batches in memory that are timed together, for each thread: enough that starting several
/// processes at once costs nothing.
const WINDOW_PER_THREAD: usize = 2;

/// Passes of PyTorch over a folder in a round, with each number of workers.
const PASSES: u32 = 2;

/// How far scores of the same network may lie apart.
const MOST_APART: f32 = 1e-4;

impl Solve {
    /// Times both.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        if self.rounds == 0 || self.steps == 0 || self.n == 0 || self.batch == 0 {
            return Err(Failure::bad("-n, --batch, --rounds and --steps must not be 0"));
        }
        let start = Instant::now();
        let model = Model::open(&self.model, &crate::device::open(device, console)?)?;
        let load = start.elapsed().as_secs_f64();
        let folder = tempfile::tempdir()
            .map_err(|error| Failure::system(format!("temporary folder: {error}")))?;
        let solver = Solver::new(&model)?;
        let is_raven = solver.family().has_layouts();
        let kinds = if is_raven {
            vec![self.drawings(&solver, folder.path())?, self.noise(&solver, folder.path())?]
        } else {
            vec![self.of_first_regime(&solver, folder.path())?]
        };
        let script = self.torch_script.clone().unwrap_or_else(|| {
            let name = if is_raven { "cpu64" } else { "pgm64" };
            format!("fixtures/bench_torch_solve_{name}.py").into()
        });
        let parameters = solving_parameters(&model);
        let twin_args = self.twin_args(&kinds, folder.path(), is_raven)?;
        let wanted: Vec<String> = kinds.iter().flat_map(Puzzles::rates).collect();
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();

        let progress = console.progress("timing", u64::from(self.rounds));
        let mut best = vec![Rates::default(); kinds.len()];
        let mut theirs = Theirs::default();
        let sure = solver.clone().with_confidence(false);
        for _ in 0..self.rounds {
            for (puzzles, best) in kinds.iter().zip(&mut best) {
                best.memory = best.memory.max(self.in_memory(&puzzles.ink, &sure)?);
                best.folder = best.folder.max(self.folder(&puzzles.folder, &sure)?);
                if is_raven {
                    best.confident = best.confident.max(self.folder(&puzzles.folder, &solver)?);
                }
            }
            if let Some(python) = &self.torch {
                let threads = rayon::current_num_threads();
                let twin = Twin { python, script: &script, threads, parameters };
                for mode in Mode::all(threads) {
                    let said = twin.run(mode, &twin_args, &wanted)?;
                    for puzzles in kinds.iter().filter(|_| !is_raven) {
                        self.check_scores(puzzles, &said, &sure)?;
                    }
                    theirs.add(mode, said);
                }
            }
            progress.add(1);
        }
        progress.finish();
        self.print(&kinds, &best, &theirs, load, parameters)
    }

    /// What a twin is told: how much is timed, which puzzles, and the weights where it takes them.
    fn twin_args(
        &self,
        kinds: &[Puzzles],
        root: &Path,
        is_raven: bool,
    ) -> Result<Vec<OsString>, Failure> {
        let numbers = [
            ("--puzzles", self.batch as u64),
            ("--steps", self.steps.into()),
            ("--window", self.window() as u64),
            ("--passes", PASSES.into()),
        ];
        let numbers = numbers.into_iter();
        let mut args: Vec<OsString> =
            numbers.flat_map(|(name, n)| [name.into(), n.to_string().into()]).collect();
        args.extend(kinds.iter().flat_map(Puzzles::twin_args));
        if !is_raven {
            let weights = root.join("weights.safetensors");
            genvp_data::write_file(&weights, Weights::find(&self.model)?.bytes(), false)?;
            args.extend(["--weights".into(), weights.into()]);
        }
        Ok(args)
    }

    /// Checks that a twin says what we say of the panels in memory.
    fn check_scores(
        &self,
        puzzles: &Puzzles,
        said: &TwinReport,
        solver: &Solver<'_>,
    ) -> Result<(), Failure> {
        let solutions = solver.solve_ink(puzzles.ink.clone())?;
        let ours = solutions.iter().flat_map(|own| own.scores.iter().map(|score| score.active));
        let theirs = said.scores.get(puzzles.name).cloned().unwrap_or_default();
        let gap = ours.clone().zip(&theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        if ours.count() != theirs.len() || gap > MOST_APART {
            return Err(Failure::bad(format!(
                "PyTorch's scores are not ours: they differ by up to {gap} (at most {MOST_APART} is taken for the same network)"
            )));
        }
        Ok(())
    }

    /// Puzzles of the first regime of the model's family.
    fn of_first_regime(&self, solver: &Solver<'_>, root: &Path) -> Result<Puzzles, Failure> {
        let family = solver.family();
        let spec = PuzzleSpec { split: Some(Split::Test), ..PuzzleSpec::new(family.strata()[0]) };
        let generator = family.generator(&spec)?;
        let folder = root.join("drawings");
        std::fs::create_dir(&folder).map_err(|error| {
            Failure::system(format!("{}: cannot make a folder: {error}", folder.display()))
        })?;
        let count = self.n.next_multiple_of(self.whole_batches() as u64);
        let kind = if family.id() == Vad.id() { "_lbc" } else { "" };
        let stem = format!("{}{}_test{kind}", family.file_prefix(), spec.stratum.name);
        (0..count).into_par_iter().try_for_each(|index| {
            let bytes = genvp_data::encode_npz(&*generator.puzzle(1, index)?).unwrap_or_default();
            let path = folder.join(format!("{stem}_{index}.npz"));
            Ok::<_, Failure>(genvp_data::write_file(&path, &bytes, false)?)
        })?;
        let sheet = |index| Ok::<_, Failure>(generator.puzzle(1, index)?.sheet());
        let sheets = (0..self.batch as u64).map(sheet).collect::<Result<Vec<_>, _>>()?;
        self.puzzles("drawings", folder, solver.ink(&first(&sheets, self.batch)), root)
    }

    /// Batches in memory that are timed together.
    fn window(&self) -> usize {
        WINDOW_PER_THREAD * rayon::current_num_threads()
    }

    /// Files that give every thread, or every process of PyTorch, one whole batch: nobody solves
    /// padding, and nobody waits for the others.
    fn whole_batches(&self) -> usize {
        self.batch * rayon::current_num_threads()
    }

    /// Drawings of each layout, such that all of them make whole batches.
    fn files_a_layout(&self) -> u64 {
        let (whole, layouts) = (self.whole_batches(), Layout::ALL.len());
        let step = if whole.is_multiple_of(layouts) { whole / layouts } else { whole };
        self.n.next_multiple_of(step as u64)
    }

    /// Files with noise, which does not deflate: a quarter as many will do.
    fn noise_files(&self) -> usize {
        let quarter = self.n.div_ceil(4) as usize * Layout::ALL.len();
        quarter.next_multiple_of(self.whole_batches())
    }

    /// Puzzles as they are drawn.
    fn drawings(&self, solver: &Solver<'_>, root: &Path) -> Result<Puzzles, Failure> {
        let folder = root.join("drawings");
        let plan = Plan::new(Set::IRaven, 1, self.files_a_layout(), &Layout::ALL);
        let writer = DatasetWriter::open(&folder, plan, Start::Create)?;
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(Set::IRaven, layout))?;
            writer.fill(layout, |index| Ok::<_, Failure>(maker.puzzle(1, index)?))?;
        }
        writer.finish()?;
        let sheets = fresh_sheets(self.batch.div_ceil(Layout::ALL.len()) as u64)?;
        self.puzzles("drawings", folder, solver.ink(&first(&sheets, self.batch)), root)
    }

    /// Such puzzles with noise on every pixel.
    fn noise(&self, solver: &Solver<'_>, root: &Path) -> Result<Puzzles, Failure> {
        let folder = root.join("noise");
        std::fs::create_dir(&folder).map_err(|error| {
            Failure::system(format!("{}: cannot make: {error}", folder.display()))
        })?;
        let files = self.noise_files();
        let each = files.max(self.batch).div_ceil(Layout::ALL.len()) as u64;
        let mut sheets = fresh_sheets(each)?;
        sheets.par_iter_mut().enumerate().for_each(|(index, sheet)| {
            speed_noise::into_greys(&mut sheet.pixels, index as u64);
        });
        sheets[..files].par_iter().enumerate().try_for_each(|(index, sheet)| {
            let images = Images::new(sheet.side, sheet.pixels.clone());
            let bytes = StoredPuzzle::of_images(images).encode_npz(Set::IRaven);
            genvp_data::write_file(&folder.join(format!("{index:06}.npz")), &bytes, false)
        })?;
        self.puzzles("noise", folder, solver.ink(&first(&sheets, self.batch)), root)
    }

    fn puzzles(
        &self,
        name: &'static str,
        folder: PathBuf,
        ink: Vec<f32>,
        root: &Path,
    ) -> Result<Puzzles, Failure> {
        let panels = root.join(format!("{name}.f32"));
        if self.torch.is_some() {
            speed_noise::write_panels(&panels, &ink)?;
        }
        Ok(Puzzles { name, folder, ink, panels })
    }

    /// From files to answers.
    fn folder(&self, folder: &Path, solver: &Solver<'_>) -> Result<f64, Failure> {
        let start = Instant::now();
        let sources = inputs::gather_all(&[folder.to_owned()])?;
        let mut solved = 0u64;
        pipeline::solve_all(sources.into(), solver, self.batch, |outcome| {
            solved += u64::from(outcome.is_ok());
            Ok::<_, InferError>(())
        })?;
        Ok(solved as f64 / start.elapsed().as_secs_f64())
    }

    /// From panels as the model takes them to answers.
    fn in_memory(&self, ink: &[f32], solver: &Solver<'_>) -> Result<f64, Failure> {
        let mut best = f64::INFINITY;
        for step in 0..=self.steps {
            let mut seconds = 0.0;
            for _ in 0..self.window() {
                let ink = ink.to_vec();
                let start = Instant::now();
                std::hint::black_box(solver.solve_ink(ink)?);
                seconds += start.elapsed().as_secs_f64();
            }
            // The first ones warm caches up.
            if step > 0 {
                best = best.min(seconds);
            }
        }
        Ok((self.window() * self.batch) as f64 / best)
    }

    fn print(
        &self,
        kinds: &[Puzzles],
        ours: &[Rates],
        theirs: &Theirs,
        load: f64,
        parameters: usize,
    ) -> Result<Answer, Failure> {
        let mut out = stdout().lock();
        if self.json {
            let mut all = rates_json(&kinds[0], ours[0], theirs);
            all["model"] = json!(self.model.display().to_string());
            all["batch"] = json!(self.batch);
            all["threads"] = json!(rayon::current_num_threads());
            all["parameters"] = json!(parameters);
            all["load_ms"] = json!(load * 1e3);
            all["megabytes"] = json!(peak_megabytes());
            if let [_, noise] = kinds {
                all["noise"] = rates_json(noise, ours[1], theirs);
            }
            all["torch_version"] = json!(theirs.any().map(|said| &said.torch));
            writeln!(out, "{all}")?;
            return Ok(Answer::Yes);
        }
        let threads = rayon::current_num_threads();
        writeln!(out, "puzzles a second, {} at a time, on {threads} threads:", self.batch)?;
        for line in lines(kinds, ours, theirs) {
            writeln!(out, "{line}")?;
        }
        if let Some(said) = theirs.any() {
            writeln!(out, "PyTorch {}, {parameters} parameters each", said.torch)?;
        }
        writeln!(out, "the model was loaded in {:.0} ms", load * 1e3)?;
        Ok(Answer::Yes)
    }
}

/// The rates as people read them: two columns for each kind of puzzles.
fn lines(kinds: &[Puzzles], ours: &[Rates], theirs: &Theirs) -> Vec<String> {
    let row = |name: &str, cells: Vec<Option<String>>| {
        let cells = cells.into_iter().map(|cell| format!(" {:>8}", cell.unwrap_or_default()));
        format!("{name:<36}{}", cells.collect::<String>()).trim_end().to_owned()
    };
    let whole = |rate: f64| Some(format!("{rate:.0}"));
    let names = kinds.iter().flat_map(|kind| [Some(kind.name.to_owned()), None]);
    let ways = kinds.iter().flat_map(|_| ["folder", "memory"].map(|way| Some(way.to_owned())));
    let mut lines = vec![row("", names.collect()), row("", ways.collect())];
    let rates: Vec<f64> = ours.iter().flat_map(|own| [own.folder, own.memory]).collect();
    lines.push(row("genvp", rates.iter().copied().map(whole).collect()));
    if ours.iter().all(|own| own.confident > 0.0) {
        let confident = ours.iter().flat_map(|own| [whole(own.confident), None]);
        lines.push(row("genvp, with confidence", confident.collect()));
    }
    let whats: Vec<String> = kinds.iter().flat_map(Puzzles::rates).collect();
    for (mode, said) in theirs.modes() {
        let rate = |what: &String| said.per_second.get(what).copied().and_then(whole);
        lines.push(row(&mode.to_string(), whats.iter().map(rate).collect()));
    }
    if theirs.any().is_some() {
        let times =
            |(ours, what): (&f64, &String)| Some(format!("{:.2}", theirs.times(*ours, what)?));
        lines.push(row("times PyTorch's best", rates.iter().zip(&whats).map(times).collect()));
    }
    lines
}

/// Our rates for some puzzles, and how they stand to PyTorch's.
fn rates_json(puzzles: &Puzzles, ours: Rates, theirs: &Theirs) -> Value {
    let [folder, memory] = puzzles.rates();
    json!({
        "folder_per_second": ours.folder,
        "confident_per_second": ours.confident,
        "memory_per_second": ours.memory,
        "torch_folder_per_second": theirs.rates(&folder),
        "torch_memory_per_second": theirs.rates(&memory),
        "folder_times_torchs_folder": theirs.times(ours.folder, &folder),
        "folder_times_torchs_memory": theirs.times(ours.folder, &memory),
        "memory_times_torchs_memory": theirs.times(ours.memory, &memory),
    })
}

/// The parameters of the networks that solving needs: all but those of p(X|Z), p(Z_o|Z_r) and p(Z_r|R).
fn solving_parameters(model: &Model) -> usize {
    let generative = |part: &str| {
        part == "decoder"
            || part == "writer"
            || part.ends_with("_prior")
            || part == "experts.z_o_read"
    };
    let parts = model.genvp().count_parameters().parts;
    parts.into_iter().filter(|(part, _)| !generative(part)).map(|(_, count)| count).sum()
}

/// Fresh puzzles of each layout, as pictures.
fn fresh_sheets(each: u64) -> Result<Vec<Sheet>, Failure> {
    Ok(fresh_puzzles(Set::IRaven, each, 1)?)
}

fn first(sheets: &[Sheet], count: usize) -> Vec<&Sheet> {
    sheets.iter().take(count).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct SpeedArgs {
        #[command(flatten)]
        solve: Solve,
    }

    #[test]
    fn the_files_make_whole_batches_for_every_thread() {
        for (n, batch) in [("1", "2"), ("50", "32"), ("200", "32"), ("3", "7")] {
            let args = SpeedArgs::parse_from(["speed", "-n", n, "--batch", batch]).solve;
            let whole = args.batch * rayon::current_num_threads();
            let drawings = args.files_a_layout() as usize * Layout::ALL.len();
            assert!(drawings.is_multiple_of(whole) && args.files_a_layout() >= args.n);
            assert!(args.noise_files().is_multiple_of(whole) && args.noise_files() > 0);
            assert!(args.window().is_multiple_of(rayon::current_num_threads()));
        }
    }
}
