//! The same network in PyTorch, timed by a script.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::failure::Failure;

/// The ways in which PyTorch runs.
pub const MODES: [&str; 3] = ["eager", "channels_last", "compiled"];

/// The best step of some rounds.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// How long it took.
    pub seconds: f64,
    /// The most memory that was used.
    pub megabytes: f64,
}

/// The faster of two.
pub fn faster(best: Option<Timed>, timed: Timed) -> Timed {
    best.filter(|b| b.seconds <= timed.seconds).unwrap_or(timed)
}

/// A script that times PyTorch.
#[derive(Clone, Copy, Debug)]
pub struct Twin<'a> {
    /// A Python with torch.
    pub python: &'a str,
    /// The script.
    pub script: &'a Path,
}

impl Twin<'_> {
    /// The best of some steps of so many puzzles.
    pub fn time(&self, mode: &str, puzzles: usize, steps: u32) -> Result<Timed, Failure> {
        self.run(mode, &[mode, &puzzles.to_string(), &steps.to_string()].map(OsStr::new))
    }

    /// What so many puzzles of a folder take in the best of some passes over it.
    pub fn time_folder(
        &self,
        mode: &str,
        puzzles: usize,
        passes: u32,
        folder: &Path,
    ) -> Result<Timed, Failure> {
        let (puzzles, passes) = (puzzles.to_string(), passes.to_string());
        let [mode_, puzzles, passes] = [mode, &puzzles, &passes].map(OsStr::new);
        self.run(mode, &[mode_, puzzles, passes, folder.as_os_str()])
    }

    fn run(&self, mode: &str, arguments: &[&OsStr]) -> Result<Timed, Failure> {
        let Self { python, script } = *self;
        let output = Command::new(python)
            .arg(script)
            .args(arguments)
            .output()
            .map_err(|error| Failure::bad(format!("{python}: cannot run: {error}")))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let report: Option<Value> =
            said.lines().last().and_then(|line| serde_json::from_str(line).ok());
        let number = |key: &str| report.as_ref().and_then(|r| r[key].as_f64());
        match (number("step_ms"), number("rss_mb")) {
            (Some(ms), Some(megabytes)) => Ok(Timed { seconds: ms / 1e3, megabytes }),
            _ => {
                let error = String::from_utf8_lossy(&output.stderr);
                let last = error.lines().last().unwrap_or("it said nothing").to_owned();
                Err(Failure::bad(format!("{}: {mode}: {last}", script.display()))
                    .hint("--torch wants a Python that has torch"))
            }
        }
    }
}
