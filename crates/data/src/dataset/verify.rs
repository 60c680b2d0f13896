//! Proving that a dataset is what its manifest says.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::manifest::read_manifest;
use super::{LayoutRecord, Manifest, sums};
use crate::error::InFile;
use crate::file::read_bounded;
use crate::{DataError, FormatError};

/// The list of one folder: 200 bytes for each of 50 million files.
const SUMS_BYTES: u64 = 10 << 30;

/// What was found.
#[derive(Debug, Default)]
pub struct Verified {
    /// Files whose bytes are those that were written.
    pub good: u64,
    /// Every file that is not: changed, missing, or not listed.
    pub bad: Vec<DataError>,
}

/// Compares every file with the dataset's hashes. `progress` hears the number of
/// files as they are done.
pub fn verify(root: &Path, progress: &(dyn Fn(u64) + Sync)) -> Result<Verified, DataError> {
    let found = Manifest::find(root)?;
    if found.is_empty() {
        let path = root.join("manifest.json");
        return Err(DataError::Bad { path, format_error: FormatError::MissingFile });
    }
    let mut verified = Verified::default();
    for path in found {
        // Whatever the settings are: the hashes are the same thing for all.
        let manifest: Manifest<serde_json::Value> = read_manifest(&path)?;
        let suffix = Manifest::suffix_of(&path);
        for (name, record) in &manifest.layouts {
            verify_layout(&root.join(name), &suffix, record, progress, &mut verified)?;
        }
    }
    Ok(verified)
}

fn verify_layout(
    folder: &Path,
    suffix: &str,
    record: &LayoutRecord,
    progress: &(dyn Fn(u64) + Sync),
    verified: &mut Verified,
) -> Result<(), DataError> {
    let path = folder.join(format!("{}{suffix}", sums::FILE_NAME));
    let bytes = read_bounded(&path, "list of hashes", SUMS_BYTES)?;
    compare(&path, &sums::of_bytes(&bytes), &record.sha256)?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|e| FormatError::NotUtf8 { at: e.valid_up_to() })
        .in_file(&path)?;
    let listed: Vec<(&str, &str)> = text
        .lines()
        .enumerate()
        .map(|(line, text)| {
            sums::parse_line(text).ok_or_else(|| {
                let what = "neither a hash nor a name".to_owned();
                DataError::Bad {
                    path: path.clone(),
                    format_error: FormatError::Json { line: line + 1, what },
                }
            })
        })
        .collect::<Result<_, _>>()?;

    let mut bad: Vec<DataError> = listed
        .par_iter()
        .filter_map(|&(hash, name)| {
            let file = folder.join(name);
            let result = if file.is_file() {
                sums::of_file(&file).and_then(|found| compare(&file, &found, hash))
            } else {
                Err(DataError::Bad { path: file, format_error: FormatError::MissingFile })
            };
            progress(1);
            result.err()
        })
        .collect();
    verified.good += (listed.len() - bad.len()) as u64;
    verified.bad.append(&mut bad);
    // A shard's folder may hold the puzzles of other shards.
    if suffix.is_empty() {
        let names: HashSet<&str> = listed.iter().map(|&(_, name)| name).collect();
        verified.bad.extend(unlisted(folder, &names)?);
    }
    Ok(())
}

fn unlisted(folder: &Path, listed: &HashSet<&str>) -> Result<Vec<DataError>, DataError> {
    let mut extra: Vec<PathBuf> = Vec::new();
    for entry in folder.read_dir().map_err(DataError::read(folder))? {
        let path = entry.map_err(DataError::read(folder))?.path();
        let is_puzzle = path.extension().is_some_and(|e| e == "npz" || e == "xml");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if is_puzzle && !listed.contains(name.as_ref()) {
            extra.push(path);
        }
    }
    extra.sort();
    Ok(extra
        .into_iter()
        .map(|path| DataError::Bad { path, format_error: FormatError::UnlistedFile })
        .collect())
}

fn compare(path: &Path, found: &str, wanted: &str) -> Result<(), DataError> {
    if found == wanted {
        return Ok(());
    }
    let format_error = FormatError::Hash { found: found.to_owned(), wanted: wanted.to_owned() };
    Err(DataError::Bad { path: path.to_owned(), format_error })
}
