//! Training runs below one folder, for looking at while they go on.
//!
//! What is asked for is only ever compared with what is in the folder: no name from a request
//! becomes part of a path.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::engine::Refusal;

/// The most runs, and pictures of a run, that are listed.
const MOST: usize = 500;
/// How much of the end of a metrics file is read.
const METRICS_BYTES: u64 = 4 << 20;
/// The most points of a curve.
const POINTS: usize = 600;
/// The largest picture.
const PICTURE_BYTES: u64 = 8 << 20;

const METRICS: &str = "metrics.jsonl";

/// A folder of runs.
#[derive(Clone, Debug)]
pub struct Runs {
    folder: PathBuf,
}

impl Runs {
    /// The runs in a folder, or the run that the folder is.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Names of runs with their folders.
    fn all(&self) -> Vec<(String, PathBuf)> {
        let is_run = |path: &Path| path.join(METRICS).is_file();
        let mut found = entries(&self.folder);
        found.retain(|(_, path)| is_run(path));
        if is_run(&self.folder) {
            found.insert(0, (".".to_owned(), self.folder.clone()));
        }
        found
    }

    fn find(&self, name: &str) -> Result<PathBuf, Refusal> {
        let found = self.all().into_iter().find(|(known, _)| known == name);
        found.map(|(_, path)| path).ok_or_else(|| Refusal::not_found("there is no such run"))
    }

    /// All runs, with what each measured last.
    pub fn list(&self) -> Result<Value, Refusal> {
        let runs: Vec<Value> = self
            .all()
            .iter()
            .map(|(name, path)| {
                let lines = lines(path);
                json!({ "run": name, "last": lines.last(), "pictures": pictures(path).len() })
            })
            .collect();
        Ok(json!({ "runs": runs }))
    }

    /// What a run measured: steps and examinations, thinned where there are many.
    pub fn metrics(&self, name: &str) -> Result<Value, Refusal> {
        let path = self.find(name)?;
        let (steps, validations): (Vec<Value>, Vec<Value>) =
            lines(&path).into_iter().partition(|line| line["what"] == "steps");
        let names: Vec<String> = pictures(&path).into_iter().map(|(name, _)| name).collect();
        Ok(json!({
            "run": name, "steps": thinned(steps), "validations": thinned(validations),
            "pictures": names,
        }))
    }

    /// A picture of a run.
    pub fn picture(&self, run: &str, name: &str) -> Result<Vec<u8>, Refusal> {
        let found = pictures(&self.find(run)?).into_iter().find(|(known, _)| known == name);
        let (_, path) = found.ok_or_else(|| Refusal::not_found("there is no such picture"))?;
        let failed = |error: std::io::Error| Refusal::new(500, error.to_string());
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(PICTURE_BYTES).read_to_end(&mut bytes))
            .map_err(failed)?;
        Ok(bytes)
    }
}

/// Names and paths in a folder, sorted; nothing where it cannot be listed.
fn entries(folder: &Path) -> Vec<(String, PathBuf)> {
    let Ok(listed) = fs::read_dir(folder) else { return Vec::new() };
    let entry = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.ok()?;
        Some((entry.file_name().into_string().ok()?, entry.path()))
    };
    let mut found: Vec<_> = listed.filter_map(entry).collect();
    found.sort();
    found.truncate(MOST);
    found
}

fn pictures(run: &Path) -> Vec<(String, PathBuf)> {
    let mut found = entries(&run.join("pictures"));
    found.retain(|(name, path)| name.ends_with(".png") && path.is_file());
    found
}

/// The lines of a metrics file; of a long one the last. A line that is just being written, or
/// was cut, is left out.
fn lines(run: &Path) -> Vec<Value> {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut file = File::open(run.join(METRICS))?;
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(METRICS_BYTES)))?;
        let mut bytes = Vec::new();
        file.take(METRICS_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Every so many-th, the last included.
fn thinned(mut all: Vec<Value>) -> Vec<Value> {
    let every = all.len().div_ceil(POINTS).max(1);
    let last = all.len().saturating_sub(1);
    let mut index = 0;
    all.retain(|_| {
        index += 1;
        (last + 1 - index).is_multiple_of(every)
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_in_the_folder_can_be_asked_for() {
        let root = tempfile::tempdir().expect("a folder");
        let runs = root.path().join("runs");
        fs::create_dir_all(runs.join("one/pictures")).expect("folders");
        fs::write(root.path().join("secret.png"), b"secret").expect("a file");
        fs::write(runs.join("one").join(METRICS), "{\"what\":\"steps\",\"step\":1}\n{\"wha")
            .expect("a file");
        fs::write(runs.join("one/pictures/a.png"), b"picture").expect("a file");
        let shown = Runs::new(runs);
        assert_eq!(shown.list().expect("a list")["runs"][0]["run"], "one");
        assert_eq!(
            shown.metrics("one").expect("metrics")["steps"].as_array().map(Vec::len),
            Some(1)
        );
        assert_eq!(shown.picture("one", "a.png"), Ok(b"picture".to_vec()));
        for (run, picture) in [
            ("one", "../../../secret.png"),
            ("one", "..%2f..%2fsecret.png"),
            ("..", "secret.png"),
            ("one/..", "a.png"),
            (".", "a.png"),
            ("", ""),
            ("one", "b.png"),
        ] {
            assert_eq!(
                shown.picture(run, picture).map_err(|r| r.status),
                Err(404),
                "{run} {picture}"
            );
        }
    }

    #[test]
    fn long_curves_are_thinned_and_keep_their_end() {
        let all: Vec<Value> = (0..5000).map(|step| json!({ "step": step })).collect();
        let some = thinned(all);
        assert!(some.len() <= POINTS && some.len() > POINTS / 2, "{}", some.len());
        assert_eq!(some.last().map(|line| line["step"].clone()), Some(json!(4999)));
        assert!(thinned(Vec::new()).is_empty());
    }
}
