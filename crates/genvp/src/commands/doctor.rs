//! `genvp doctor`: is everything here, and does it work?

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use genvp_infer::{InferError, Model, Solver, Weights, fresh_puzzles};
use genvp_model::DeviceChoice;
use genvp_puzzle::Set;
use genvp_puzzle::family::Sheet;
use serde_json::json;

use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Check that the installation works.
#[derive(Args, Debug)]
#[command(after_help = "\
Takes about two seconds. Exit status 1 if something that is needed does not work. A GPU and the
original programs' puzzles are optional: if they are missing, the status is still 0.

Examples:
  genvp doctor
  genvp doctor --json")]
pub struct Doctor {
    /// Print {"ok":..., "checks":[{"name":..., "ok":..., "needed":..., "says":...}]}
    #[arg(long)]
    json: bool,
}

/// One thing that was looked at.
struct Check {
    name: &'static str,
    ok: bool,
    needed: bool,
    says: String,
}

impl Check {
    /// Something without which the program is of no use.
    fn needed(name: &'static str, found: Result<String, String>) -> Self {
        Self { needed: true, ..Self::optional(name, found) }
    }

    /// Something that is good to have.
    fn optional(name: &'static str, found: Result<String, String>) -> Self {
        let ok = found.is_ok();
        Self { name, ok, needed: false, says: found.unwrap_or_else(|problem| problem) }
    }
}

impl Doctor {
    /// Looks at everything.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let checks = [
            Check::optional("cpu", Ok(cpu())),
            Check::optional("gpu", gpu()),
            Check::needed("weights", weights()),
            Check::optional("originals", originals()),
            Check::optional("current folder", writable(Path::new("."))),
            Check::needed("speed", speed(device, console)),
        ];
        let ok = checks.iter().all(|check| check.ok || !check.needed);
        let mut out = stdout().lock();
        if self.json {
            let list: Vec<_> = checks
                .iter()
                .map(|c| json!({ "name": c.name, "ok": c.ok, "needed": c.needed, "says": c.says }))
                .collect();
            let version = env!("CARGO_PKG_VERSION");
            writeln!(out, "{}", json!({ "ok": ok, "version": version, "checks": list }))?;
        } else {
            for check in &checks {
                let mark = match (check.ok, check.needed) {
                    (true, _) => "ok",
                    (false, true) => "BROKEN",
                    (false, false) => "no",
                };
                writeln!(out, "{:<16} {mark:<7} {}", check.name, check.says)?;
            }
        }
        Ok(if ok { Answer::Yes } else { Answer::No })
    }
}

fn cpu() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = rayon::current_num_threads();
    format!("{cores} cores, {threads} threads in use, {}", features().join(" "))
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let mut found = vec!["x86-64"];
    macro_rules! look {
        ($($name:tt)*) => { $(if std::arch::is_x86_feature_detected!($name) { found.push($name); })* };
    }
    look!("avx2" "fma" "avx512f");
    found
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    vec![std::env::consts::ARCH]
}

fn gpu() -> Result<String, String> {
    match DeviceChoice::Gpu(0).open() {
        Ok(_) => Ok("found; --device gpu uses it".to_owned()),
        // The hint is for those who asked for one.
        Err(error) => Err(error.to_string().lines().next().unwrap_or_default().to_owned()),
    }
}

fn weights() -> Result<String, String> {
    let look = || -> Result<String, InferError> {
        let weights = Weights::find(Model::DEFAULT)?;
        let digests = weights.digests()?;
        if digests.holds() == Some(false) {
            let origin = weights.origin();
            let wanted = digests.written.unwrap_or_default();
            return Err(InferError::Changed { origin, found: digests.found, wanted });
        }
        let (device, _) = DeviceChoice::Cpu.open()?;
        let start = Instant::now();
        weights.load(&device)?;
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        let size = weights.bytes().len() as f64 / 1e6;
        Ok(format!("{}, {size:.1} MB, loaded in {milliseconds:.0} ms", weights.name))
    };
    look().map_err(|error| error.to_string())
}

/// Where the original programs' puzzles are.
fn originals() -> Result<String, String> {
    let folder = std::env::var_os("GENVP_ORIGINALS").map(PathBuf::from);
    if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
        return Ok(folder.display().to_string());
    }
    Err("not found; only some tests want them (GENVP_ORIGINALS names their folder)".to_owned())
}

fn writable(folder: &Path) -> Result<String, String> {
    match tempfile::tempfile_in(folder) {
        Ok(_) => Ok("can be written".to_owned()),
        Err(error) => Err(format!("cannot be written: {error}")),
    }
}

/// How long to solve puzzles for.
const SPEED_TIME: Duration = Duration::from_secs(1);

fn speed(device: DeviceChoice, console: &Console) -> Result<String, String> {
    let device = crate::device::open(device, console).map_err(|failure| failure.to_string())?;
    let solve = || -> Result<String, InferError> {
        let model = Model::open(Model::DEFAULT, &device)?;
        let solver = Solver::new(&model)?;
        let puzzles = fresh_puzzles(Set::IRaven, 4, 1)?;
        let puzzles: Vec<&Sheet> = puzzles.iter().collect();
        solver.solve(&puzzles)?;
        let (start, mut solved) = (Instant::now(), 0);
        while start.elapsed() < SPEED_TIME {
            solved += solver.solve(&puzzles)?.len();
        }
        let rate = solved as f64 / start.elapsed().as_secs_f64();
        Ok(format!("{rate:.0} puzzles a second solved by {}", Model::DEFAULT))
    };
    solve().map_err(|error| error.to_string())
}
