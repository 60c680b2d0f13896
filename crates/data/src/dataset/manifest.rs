//! The manifest: what a dataset is, and the proof that it is whole.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Plan, Settings};
use crate::file::read_bounded;
use crate::{DataError, FormatError, limits, names};

/// What is written last, when everything else is on the disk. It holds no time,
/// host or thread count, so equal datasets have equal manifests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest<S = Plan> {
    /// `genvp dataset 1`.
    pub format: String,
    /// The settings from which every byte follows.
    pub plan: S,
    /// What each folder holds.
    pub layouts: BTreeMap<String, LayoutRecord>,
}

/// What one folder holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayoutRecord {
    /// How many puzzles there are.
    pub puzzles: u64,
    /// Bytes of all their files.
    pub bytes: u64,
    /// SHA-256 of the folder's `SHA256SUMS`, which has the hash of every file.
    pub sha256: String,
}

pub(super) const FORMAT: &str = "genvp dataset 1";

impl<S: Settings> Manifest<S> {
    /// The name of the file: `manifest.json`, or `manifest-1-of-4.json` of a
    /// shard.
    pub fn file_name(plan: &S) -> String {
        format!("manifest{}.json", plan.suffix())
    }

    /// The settings alone, of puzzles that are not proven by hashes.
    pub(crate) fn of_settings(plan: S) -> Self {
        Self { format: FORMAT.to_owned(), plan, layouts: BTreeMap::new() }
    }

    /// The text of the file.
    pub(crate) fn encode(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest always makes JSON");
        text.push('\n');
        text
    }
}

/// Reads a manifest whose settings are of some kind.
pub fn read_manifest<S: DeserializeOwned>(path: &Path) -> Result<Manifest<S>, DataError> {
    let bytes = read_bounded(path, "manifest", limits::MANIFEST_BYTES)?;
    let format_error = |line, what| DataError::Bad {
        path: path.to_owned(),
        format_error: FormatError::Json { line, what },
    };
    let manifest: Manifest<S> =
        serde_json::from_slice(&bytes).map_err(|e| format_error(e.line(), e.to_string()))?;
    if manifest.format != FORMAT {
        return Err(format_error(1, format!("format `{}`, wanted `{FORMAT}`", manifest.format)));
    }
    if let Some(name) = manifest.layouts.keys().find(|name| !names::is_dataset_folder(name)) {
        return Err(format_error(1, format!("`{name}` is not a folder of puzzles")));
    }
    Ok(manifest)
}

/// The seeds of a dataset of any family, from the manifests in its folder or, for one of its
/// layouts, the folder above. Datasets of other programs have none.
pub fn dataset_seeds(folder: &Path) -> BTreeSet<u64> {
    let above = folder.parent().filter(|_| !holds_manifest(folder));
    manifests(above.unwrap_or(folder))
        .filter_map(|path| read_manifest::<serde_json::Value>(&path).ok())
        .flat_map(|manifest| match manifest.plan {
            serde_json::Value::Array(regimes) => regimes,
            plan => vec![plan],
        })
        .filter_map(|plan| plan["seed"].as_u64())
        .collect()
}

fn holds_manifest(folder: &Path) -> bool {
    manifests(folder).next().is_some()
}

fn manifests(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|file| file.path()).filter(|path| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(Manifest::is_name)
    })
}

impl Manifest {
    /// Reads a manifest file of RAVEN's.
    pub fn read(path: &Path) -> Result<Self, DataError> {
        read_manifest(path)
    }

    /// Whether a file of this name is a manifest.
    pub(crate) fn is_name(name: &str) -> bool {
        name == "manifest.json" || name.starts_with("manifest-") && name.ends_with(".json")
    }

    /// What the shard of a manifest puts behind the names of its files.
    pub(super) fn suffix_of(path: &Path) -> String {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        name.strip_prefix("manifest").unwrap_or_default().to_owned()
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
