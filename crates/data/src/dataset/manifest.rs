//! The manifest: what a dataset is, and the proof that it is whole.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Plan;
use crate::file::read_bounded;
use crate::{DataError, Lie, limits};

/// What is written last, when everything else is on the disk. It holds no time,
/// host or thread count, so equal datasets have equal manifests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// `genvp dataset 1`.
    pub format: String,
    /// The settings from which every byte follows.
    pub plan: Plan,
    /// What each folder holds.
    pub layouts: BTreeMap<String, LayoutRecord>,
}

/// What the folder of one layout holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayoutRecord {
    /// Puzzles, each an npz and an xml.
    pub puzzles: u64,
    /// Bytes of all npz and xml files.
    pub bytes: u64,
    /// SHA-256 of the folder's `SHA256SUMS`, which has the hash of every file.
    pub sha256: String,
}

impl Manifest {
    pub(super) const FORMAT: &str = "genvp dataset 1";

    /// The name of the file: `manifest.json`, or `manifest-1-of-4.json` of a
    /// shard.
    pub fn file_name(plan: &Plan) -> String {
        format!("manifest{}.json", plan.suffix())
    }

    /// The text of the file.
    pub(super) fn encode(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest always makes JSON");
        text.push('\n');
        text
    }

    /// Reads a manifest file.
    pub fn read(path: &Path) -> Result<Self, DataError> {
        let bytes = read_bounded(path, "manifest", limits::MANIFEST_BYTES)?;
        let lie =
            |line, what| DataError::Bad { path: path.to_owned(), lie: Lie::Json { line, what } };
        let manifest: Self =
            serde_json::from_slice(&bytes).map_err(|e| lie(e.line(), e.to_string()))?;
        if manifest.format != Self::FORMAT {
            return Err(lie(1, format!("format `{}`, wanted `{}`", manifest.format, Self::FORMAT)));
        }
        if let Some(name) =
            manifest.layouts.keys().find(|n| crate::names::parse_folder(n).is_none())
        {
            return Err(lie(1, format!("`{name}` is not a layout's folder")));
        }
        Ok(manifest)
    }

    /// Whether a file of this name is a manifest.
    pub(crate) fn is_name(name: &str) -> bool {
        name == "manifest.json" || name.starts_with("manifest-") && name.ends_with(".json")
    }

    /// The manifests in a folder: one of the whole dataset, or of shards.
    pub fn find(root: &Path) -> Result<Vec<PathBuf>, DataError> {
        let mut found = Vec::new();
        for entry in root.read_dir().map_err(DataError::read(root))? {
            let path = entry.map_err(DataError::read(root))?.path();
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
            if Self::is_name(name) {
                found.push(path);
            }
        }
        found.sort();
        Ok(found)
    }
}
