//! Running a command for its result, once.

use std::cell::Cell as Counter;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use genvp_model::DeviceChoice;
use genvp_report::tables::Ours;
use genvp_report::{Cell, Cells, Key};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::models::{Models, Role};
use super::scale::Scale;
use crate::console::Console;
use crate::failure::Failure;

/// Where measurements are made and kept.
pub struct Bench<'a> {
    /// How much is measured.
    pub scale: Scale,
    /// The report's folder.
    pub out: PathBuf,
    models: Models,
    program: PathBuf,
    cells: Cells,
    console: &'a Console,
    device: String,
    measured: Counter<u64>,
    kept: Counter<u64>,
}

/// A command of this program.
#[derive(Clone, Debug)]
pub struct CommandSpec {
    /// What stands behind `genvp`, as people would write it.
    pub words: Vec<String>,
    /// What is added that changes no figure: where runs go.
    pub path_args: Vec<String>,
    /// What it asks a model of the report for.
    pub role: Option<Role>,
    /// The digest of the settings by which it trains a model of its own; empty: it trains none.
    pub settings: String,
    /// Its seed.
    pub seed: u64,
    /// Its number of puzzles.
    pub n: u64,
    /// Why it may not run now, so that only what was kept is taken.
    pub left_out: Option<&'static str>,
}

impl CommandSpec {
    /// A command that asks a model, with its usual arguments.
    pub fn of_model(role: Role, what: &str, n: u64, seed: u64) -> Self {
        let mut spec = Self { role: Some(role), seed, n, ..Self::plain(what) };
        let numbers = ["-n".to_owned(), n.to_string(), "--seed".to_owned(), seed.to_string()];
        spec.words.extend(numbers);
        spec
    }

    /// A command that asks no model of the report.
    pub fn plain(what: &str) -> Self {
        let words = what.split_whitespace().map(str::to_owned).collect();
        let (path_args, settings) = (Vec::new(), String::new());
        Self { words, path_args, role: None, settings, seed: 0, n: 0, left_out: None }
    }
}

impl<'a> Bench<'a> {
    /// A bench that keeps results in the report's folder.
    pub fn new(
        out: &Path,
        models: Models,
        scale: Scale,
        console: &'a Console,
        device: DeviceChoice,
    ) -> Result<Self, Failure> {
        let program = crate::program::path()
            .map_err(|error| Failure::system(format!("cannot find this program: {error}")))?;
        let device = match device {
            DeviceChoice::Auto => "auto".to_owned(),
            DeviceChoice::Cpu => "cpu".to_owned(),
            DeviceChoice::Gpu(index) => format!("gpu:{index}"),
            DeviceChoice::Software => "software".to_owned(),
        };
        Ok(Self {
            scale,
            out: out.to_owned(),
            models,
            program,
            cells: Cells::in_folder(&out.join("cells")),
            console,
            device,
            measured: Counter::new(0),
            kept: Counter::new(0),
        })
    }

    /// What the model that is asked for this was taught with.
    pub fn taught_with(&self, role: Role) -> Option<&str> {
        self.models.of(role).taught_with.as_deref()
    }

    /// How many measurements were made.
    pub fn measured(&self) -> u64 {
        self.measured.get()
    }

    /// How many were taken from before.
    pub fn kept(&self) -> u64 {
        self.kept.get()
    }

    /// The command as people would write it.
    fn written(&self, spec: &CommandSpec) -> String {
        let mut words = vec!["genvp".to_owned()];
        words.extend(spec.words.iter().cloned());
        if let Some(role) = spec.role {
            let model = &self.models.of(role).path;
            if model.as_os_str() != role.usual() {
                words.extend(["--model".to_owned(), model.display().to_string()]);
            }
        }
        words.join(" ")
    }

    /// What a command says, from before or now; or why there is nothing.
    pub fn measure(&self, spec: &CommandSpec) -> Result<Ours<Value>, Failure> {
        self.measured_or_kept(spec, false)
    }

    /// What a command says now, whatever it said before.
    pub fn measure_again(&self, spec: &CommandSpec) -> Result<Ours<Value>, Failure> {
        self.measured_or_kept(spec, true)
    }

    fn measured_or_kept(&self, spec: &CommandSpec, again: bool) -> Result<Ours<Value>, Failure> {
        let weights = match spec.role.map(|role| &self.models.of(role).digest) {
            Some(Ok(digest)) => digest.clone(),
            Some(Err(why)) => return Ok(Ours::Missing(format!("no weights: {why}"))),
            None => spec.settings.clone(),
        };
        let command = self.written(spec);
        // The same weights under another name give the same figures.
        let key_command = format!("genvp {}", spec.words.join(" "));
        let key = Key { command: key_command, weights, seed: spec.seed, n: spec.n };
        if let Some(cell) = self.cells.get(&key)?.filter(|_| !again) {
            self.kept.set(self.kept.get() + 1);
            return Ok(Ours::new(cell.result, command));
        }
        if let Some(why) = spec.left_out {
            return Ok(Ours::Missing(format!("{why}: {command}")));
        }
        self.console.note(&command);
        let start = Instant::now();
        match self.run(spec)? {
            Ok(result) => {
                let seconds = start.elapsed().as_secs_f64();
                self.cells.keep(&Cell { key, seconds, result: result.clone() })?;
                self.measured.set(self.measured.get() + 1);
                Ok(Ours::new(result, command))
            }
            Err(why) => Ok(Ours::Missing(why)),
        }
    }

    /// The same, read as a result of its kind.
    pub fn read<T: DeserializeOwned>(
        &self,
        spec: &CommandSpec,
        part: impl Fn(&Value) -> Value,
    ) -> Result<Ours<T>, Failure> {
        Ok(match self.measure(spec)? {
            Ours::Measured { result, command } => match serde_json::from_value(part(&result)) {
                Ok(result) => Ours::Measured { result, command },
                Err(error) => Ours::Missing(format!("its result cannot be read: {error}")),
            },
            Ours::Missing(why) => Ours::Missing(why),
        })
    }

    /// Runs it: its last line of JSON, or what it says went wrong.
    fn run(&self, spec: &CommandSpec) -> Result<Result<Value, String>, Failure> {
        let mut command = Command::new(&self.program);
        command.args(&spec.words).args(&spec.path_args).arg("--json");
        command.args(["--threads", &rayon::current_num_threads().to_string()]);
        command.args(["--device", &self.device]);
        if let Some(role) = spec.role {
            command.arg("--model").arg(&self.models.of(role).path);
        }
        if !self.console.shows_progress() {
            command.arg("--no-progress");
        }
        let failed =
            |error: std::io::Error| Failure::system(format!("cannot run this program: {error}"));
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (said, told) = (child.stdout.take(), child.stderr.take());
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            // What cannot be read is missed below, as a result that is none.
            let _ = said.map(|mut said| said.read_to_string(&mut text));
            text
        });
        let mut wrong = None;
        for line in
            told.map(BufReader::new).into_iter().flat_map(BufRead::lines).map_while(Result::ok)
        {
            match line.strip_prefix("error: ") {
                Some(error) => wrong = wrong.or(Some(error.to_owned())),
                None => self.console.note(&format!("  {line}")),
            }
        }
        let status = child.wait().map_err(failed)?;
        let text = reader.join().unwrap_or_default();
        let last = text.lines().rev().find_map(|line| serde_json::from_str::<Value>(line).ok());
        Ok(match last {
            Some(value) if status.success() => Ok(value),
            _ => Err(wrong.unwrap_or_else(|| format!("the command failed: {status}"))),
        })
    }
}
