//! `metrics.jsonl`: one object a line, for programs.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::TrainError;
use crate::validate::Validation;
use crate::whole_file::write_whole;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Line {
    /// Some steps.
    Steps(Steps),
    /// An examination.
    Validation {
        /// Steps made before it.
        step: u64,
        /// Puzzles learned from before it.
        puzzles: u64,
        /// Seconds of running time before it, over all sessions.
        seconds: f64,
        /// Its result.
        #[serde(flatten)]
        result: Validation,
    },
}

/// The mean of some steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Steps {
    /// Steps made so far.
    pub step: u64,
    /// Puzzles learned from so far.
    pub puzzles: u64,
    /// Seconds of running time so far, over all sessions.
    pub seconds: f64,
    /// The phase.
    pub phase: String,
    /// The learning rate of the last of them.
    pub learning_rate: f64,
    /// Every term of the objective, unweighted.
    pub loss: BTreeMap<String, f32>,
    /// The weighted sum of the terms.
    pub total: f32,
    /// Length of the gradients.
    pub gradient_norm: f64,
    /// Updates skipped so far.
    pub skipped: u64,
    /// Puzzles a second.
    pub puzzles_per_second: f64,
    /// The share of the time spent waiting for puzzles, in percent.
    pub waiting_percent: f64,
}

impl Line {
    fn place(&self) -> (u64, f64) {
        match self {
            Self::Steps(steps) => (steps.step, steps.seconds),
            Self::Validation { step, seconds, .. } => (*step, *seconds),
        }
    }
}

/// The metrics file of a run.
#[derive(Debug)]
pub struct MetricsFile {
    file: File,
    path: PathBuf,
}

impl MetricsFile {
    /// Opens the metrics of a run that stands before `step`. Lines from beyond
    /// it, written after the checkpoint that is gone on from, are dropped, for
    /// they will be written again. Gives the seconds that the run took so far.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn open(folder: &Path, step: u64) -> Result<(Self, f64), TrainError> {
        let path = folder.join("metrics.jsonl");
        let mut seconds = 0.0;
        if path.exists() {
            let kept: Vec<Line> =
                read(&path)?.into_iter().filter(|line| line.place().0 <= step).collect();
            seconds = kept.iter().map(|line| line.place().1).fold(0.0, f64::max);
            let text: String = kept
                .iter()
                .map(|line| serde_json::to_string(line).unwrap_or_default() + "\n")
                .collect();
            write_whole(&path, text.as_bytes())?;
        }
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.map_err(|source| TrainError::file("open", &path, source))?;
        Ok((Self { file, path }, seconds))
    }

    /// Adds a line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, line: &Line) -> Result<(), TrainError> {
        let mut text = serde_json::to_string(line).unwrap_or_default();
        text.push('\n');
        self.file
            .write_all(text.as_bytes())
            .map_err(|source| TrainError::file("write", &self.path, source))
    }
}

/// The lines of a metrics file. A last line that was cut short, by a machine
/// that stopped in the middle of it, is left out.
///
/// # Errors
/// When the file cannot be read, or a whole line is not one of ours.
pub fn read(path: &Path) -> Result<Vec<Line>, TrainError> {
    let text = fs::read_to_string(path).map_err(|source| TrainError::file("read", path, source))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let line = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|e| TrainError::Settings {
            origin: format!("{}, line {}", path.display(), number + 1),
            message: e.to_string(),
        })
    };
    whole.lines().enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(step: u64) -> Line {
        Line::Steps(Steps { step, seconds: step as f64 / 2.0, ..Steps::default() })
    }

    #[test]
    fn what_lies_beyond_the_checkpoint_and_half_lines_are_dropped_on_resume() {
        let folder = tempfile::tempdir().unwrap();
        let (mut file, seconds) = MetricsFile::open(folder.path(), 0).unwrap();
        assert_eq!(seconds, 0.0);
        (1..=5).for_each(|step| file.add(&steps(step * 10)).unwrap());
        let path = folder.path().join("metrics.jsonl");
        let mut raw = OpenOptions::new().append(true).open(&path).unwrap();
        raw.write_all(b"{\"what\":\"steps\",\"st").unwrap();
        let (mut file, seconds) = MetricsFile::open(folder.path(), 30).unwrap();
        assert_eq!(seconds, 15.0);
        file.add(&steps(40)).unwrap();
        assert_eq!(read(&path).unwrap(), [10, 20, 30, 40].map(steps));
    }

    #[test]
    fn a_line_that_is_not_ours_is_named_by_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        fs::write(&path, "{\"what\":\"nothing\"}\n").unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("line 1"), "{error}");
    }
}
