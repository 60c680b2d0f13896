//! The same network in PyTorch, timed by a script.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::failure::Failure;

/// One of the ways in which PyTorch runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Eager, channels_last or compiled.
    pub torch: &'static str,
    /// Whether every core has a process with one thread, instead of one process with all threads.
    pub processes: bool,
}

impl Mode {
    /// One process with all threads.
    pub const THREADS: [Self; 3] =
        [Self::one("eager"), Self::one("channels_last"), Self::one("compiled")];

    const fn one(torch: &'static str) -> Self {
        Self { torch, processes: false }
    }

    /// Those, and each with a process for every thread where there are several.
    pub fn all(threads: usize) -> Vec<Self> {
        let many = Self::THREADS.map(|mode| Self { processes: true, ..mode });
        Self::THREADS.into_iter().chain(many.into_iter().filter(|_| threads > 1)).collect()
    }

    /// Its name in JSON.
    pub fn key(self) -> String {
        format!("{}{}", self.torch, if self.processes { "_processes" } else { "" })
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PyTorch {}{}", self.torch, if self.processes { ", processes" } else { "" })
    }
}

/// The line that a twin prints.
#[derive(Clone, Debug, Deserialize)]
pub struct TwinReport {
    /// Parameters of its network.
    pub parameters: usize,
    /// Puzzles a second of everything that it timed.
    pub per_second: BTreeMap<String, f64>,
    /// The most memory that it used.
    pub megabytes: f64,
    /// The version of PyTorch.
    pub torch: String,
    /// Every candidate's score of the panels in memory, of a twin that was given weights.
    #[serde(default)]
    pub scores: BTreeMap<String, Vec<f32>>,
    /// The optimiser, of a twin that trains.
    #[serde(default)]
    pub optimizer: Option<String>,
}

/// A script that times PyTorch.
#[derive(Clone, Copy, Debug)]
pub struct Twin<'a> {
    /// A Python with torch.
    pub python: &'a str,
    /// The script.
    pub script: &'a Path,
    /// Threads, as many as we use ourselves.
    pub threads: usize,
    /// Parameters that its network must have: ours.
    pub parameters: usize,
}

impl Twin<'_> {
    /// What the twin says in a mode, with some arguments; it must have timed everything in `wanted`.
    ///
    /// # Errors
    /// When it is not there, cannot be run, says something else, or its network is not of our size.
    pub fn run(
        &self,
        mode: Mode,
        arguments: &[OsString],
        wanted: &[&str],
    ) -> Result<TwinReport, Failure> {
        let Self { python, script, threads, parameters } = *self;
        if !script.is_file() {
            return Err(Failure::bad(format!("{}: there is no such file", script.display())).hint(
                "the twins are in fixtures/ of the project's source: name one by --torch-script",
            ));
        }
        let output = Command::new(python)
            .arg(script)
            .args([mode.torch, "--threads", &threads.to_string()])
            .args(mode.processes.then_some("--processes"))
            .args(arguments)
            .output()
            .map_err(|error| Failure::bad(format!("{python}: cannot run: {error}")))?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let said: Option<TwinReport> =
            printed.lines().last().and_then(|line| serde_json::from_str(line).ok());
        let failed = |why: &str| Failure::bad(format!("{}: {mode}: {why}", script.display()));
        let Some(said) = said.filter(|_| output.status.success()) else {
            let error = String::from_utf8_lossy(&output.stderr);
            let lines = || error.lines().rev().filter(|line| !line.trim().is_empty());
            let reason = lines().find(|line| line.contains("Error:")).or_else(|| lines().next());
            return Err(failed(reason.unwrap_or("it said nothing"))
                .hint("--torch wants a Python that has torch and numpy"));
        };
        if said.parameters != parameters {
            let found = said.parameters;
            return Err(failed(&format!(
                "its network has {found} parameters and ours {parameters}: they cannot be compared"
            ))
            .hint("only the networks of the presets cpu-64 and pgm-cpu-64 have a twin"));
        }
        let timed = |what: &&&str| said.per_second.get(**what).is_some_and(|rate| *rate > 0.0);
        if let Some(missing) = wanted.iter().find(|what| !timed(what)) {
            return Err(failed(&format!("it did not time {missing}")));
        }
        Ok(said)
    }
}

/// The best that PyTorch did so far, mode by mode.
#[derive(Clone, Debug, Default)]
pub struct Theirs(Vec<(Mode, TwinReport)>);

impl Theirs {
    /// Takes in another run: of everything that was timed the better rate counts.
    pub fn add(&mut self, mode: Mode, said: TwinReport) {
        match self.0.iter_mut().find(|(other, _)| *other == mode) {
            Some((_, best)) => {
                for (what, rate) in said.per_second {
                    let best = best.per_second.entry(what).or_default();
                    *best = best.max(rate);
                }
            }
            None => self.0.push((mode, said)),
        }
    }

    /// Every mode with what it said.
    pub fn modes(&self) -> impl Iterator<Item = (Mode, &TwinReport)> {
        self.0.iter().map(|(mode, said)| (*mode, said))
    }

    /// A run of any mode, for what all have in common.
    pub fn any(&self) -> Option<&TwinReport> {
        self.0.first().map(|(_, said)| said)
    }

    /// The rate of the best mode.
    pub fn best(&self, what: &str) -> Option<f64> {
        self.0.iter().filter_map(|(_, said)| said.per_second.get(what).copied()).reduce(f64::max)
    }

    /// Our rate over that of the best mode.
    pub fn times(&self, ours: f64, what: &str) -> Option<f64> {
        self.best(what).map(|best| ours / best)
    }

    /// The rates of all modes, as JSON.
    pub fn rates(&self, what: &str) -> Map<String, Value> {
        let rate = |(mode, said): &(Mode, TwinReport)| {
            Some((mode.key(), json!(said.per_second.get(what)?)))
        };
        self.0.iter().filter_map(rate).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(rate: f64) -> TwinReport {
        let line = format!(
            r#"{{"mode":"eager","parameters":7,"per_second":{{"noise":{rate}}},"megabytes":9.5,"torch":"2"}}"#
        );
        serde_json::from_str(&line).unwrap()
    }

    #[test]
    fn the_best_round_of_the_best_mode_is_compared() {
        let mut theirs = Theirs::default();
        let [eager, channels_last, _] = Mode::THREADS;
        for (mode, rate) in [(eager, 3.0), (channels_last, 4.0), (eager, 5.0), (channels_last, 2.0)]
        {
            theirs.add(mode, said(rate));
        }
        assert_eq!(theirs.times(20.0, "noise"), Some(4.0));
        assert_eq!(theirs.times(20.0, "drawings"), None);
        assert_eq!(
            Value::from(theirs.rates("noise")),
            json!({ "eager": 5.0, "channels_last": 4.0 })
        );
    }

    #[test]
    fn several_threads_are_also_tried_as_processes() {
        let keys = |threads| Mode::all(threads).into_iter().map(Mode::key).collect::<Vec<_>>();
        assert_eq!(keys(1), ["eager", "channels_last", "compiled"]);
        assert_eq!(
            keys(2)[3..],
            ["eager_processes", "channels_last_processes", "compiled_processes"]
        );
    }

    /// Runs a shell script in the place of a twin.
    #[cfg(unix)]
    fn run(script: &str, mode: Mode) -> Result<TwinReport, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("twin");
        std::fs::write(&path, script).unwrap();
        let twin = Twin { python: "sh", script: &path, threads: 5, parameters: 7 };
        twin.run(mode, &["--steps".into(), "2".into()], &["noise"])
    }

    #[cfg(unix)]
    #[test]
    fn a_twin_is_told_the_threads_and_the_mode() {
        let script =
            r#"printf '{"parameters":7,"per_second":{"noise":1},"megabytes":1,"torch":"%s"}' "$*""#;
        let told = |mode| run(script, mode).unwrap().torch;
        assert_eq!(told(Mode::THREADS[0]), "eager --threads 5 --steps 2");
        let compiled = Mode { torch: "compiled", processes: true };
        assert_eq!(told(compiled), "compiled --threads 5 --processes --steps 2");
    }

    #[cfg(unix)]
    #[test]
    fn a_twin_of_another_size_is_refused_with_both_numbers() {
        let script =
            r#"echo '{"parameters":8,"per_second":{"noise":1},"megabytes":1,"torch":"2"}'"#;
        let error = run(script, Mode::THREADS[0]).unwrap_err().to_string();
        assert!(error.contains("has 8 parameters and ours 7"), "{error}");
    }

    #[test]
    fn a_twin_that_is_not_there_is_named() {
        let script = Path::new("nowhere/twin.py");
        let twin = Twin { python: "sh", script, threads: 1, parameters: 7 };
        let error = twin.run(Mode::THREADS[0], &[], &[]).unwrap_err().to_string();
        assert!(error.contains("twin.py: there is no such file"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_twin_that_fails_or_leaves_something_out_is_refused_with_the_reason() {
        let failed = run("echo no module named torch >&2; exit 1", Mode::THREADS[0]);
        assert!(failed.unwrap_err().to_string().contains("no module named torch"));
        let script =
            r#"echo '{"parameters":7,"per_second":{"drawings":1},"megabytes":1,"torch":"2"}'"#;
        let left_out = run(script, Mode::THREADS[0]).unwrap_err().to_string();
        assert!(left_out.contains("did not time noise"), "{left_out}");
    }
}
