//! Results that are kept, one file each, so that nothing is measured twice.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::ReportError;

/// What a result depends on: another value of any of these is another result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The command that makes it.
    pub command: String,
    /// The digest of the weights, or of the settings of a model that is trained for it;
    /// empty where there is neither.
    pub weights: String,
    /// The seed.
    pub seed: u64,
    /// How many puzzles, by layout.
    pub n: u64,
}

/// A kept result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// What it depends on.
    pub key: Key,
    /// How long it took.
    pub seconds: f64,
    /// The result.
    pub result: Value,
}

/// A folder of results.
#[derive(Clone, Debug)]
pub struct Cells {
    folder: PathBuf,
}

impl Key {
    /// A name for its file: what the command does, and a digest of it all.
    pub fn file_name(&self) -> String {
        let text = format!("{}\n{}\n{}\n{}", self.command, self.weights, self.seed, self.n);
        let digest: String =
            Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let words = self.command.split_whitespace().skip_while(|w| *w == "genvp" || *w == "eval");
        let words: Vec<&str> = words.take_while(|word| !word.starts_with('-')).take(3).collect();
        let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = words.join("-").chars().map(safe).take(40).collect();
        format!("{name}-{digest}.json")
    }
}

impl Cells {
    /// The results in a folder, which is made when the first one is kept.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The file of a result.
    pub fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(key.file_name())
    }

    /// A result that was kept.
    ///
    /// # Errors
    /// When its file cannot be read or is none of ours.
    pub fn get(&self, key: &Key) -> Result<Option<Cell>, ReportError> {
        let path = self.path(key);
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).map_err(ReportError::read(&path))?;
        let cell: Cell = serde_json::from_str(&text).map_err(|error| ReportError::NotAResult {
            path: path.clone(),
            message: error.to_string(),
        })?;
        // Two keys may share a digest; only the same key has the same result.
        Ok(Some(cell).filter(|cell| cell.key == *key))
    }

    /// Keeps a result, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, cell: &Cell) -> Result<(), ReportError> {
        fs::create_dir_all(&self.folder).map_err(ReportError::write(&self.folder))?;
        let path = self.path(&cell.key);
        let mut text = serde_json::to_string_pretty(cell).unwrap_or_default();
        text.push('\n');
        Ok(genvp_data::write_file(&path, text.as_bytes(), true)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn key() -> Key {
        Key { command: "genvp eval solve --set raven".into(), weights: "ab".into(), seed: 1, n: 2 }
    }

    #[test]
    fn a_kept_result_is_found_by_its_own_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        let cells = Cells::in_folder(&folder.path().join("cells"));
        assert_eq!(cells.get(&key()).unwrap(), None);
        let cell = Cell { key: key(), seconds: 1.5, result: json!({ "average": 12.5 }) };
        cells.keep(&cell).unwrap();
        assert_eq!(cells.get(&key()).unwrap(), Some(cell));
        for other in [
            Key { seed: 2, ..key() },
            Key { n: 3, ..key() },
            Key { weights: "cd".into(), ..key() },
            Key { command: "genvp eval solve --set iraven".into(), ..key() },
        ] {
            assert_eq!(cells.get(&other).unwrap(), None);
        }
    }

    #[test]
    fn a_broken_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let cells = Cells::in_folder(folder.path());
        fs::write(cells.path(&key()), "{").unwrap();
        let error = cells.get(&key()).unwrap_err().to_string();
        assert!(error.contains("solve-"), "{error}");
    }
}
