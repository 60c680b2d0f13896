//! Proving that a dataset is what its manifest says.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::manifest::read_manifest;
use super::{LayoutRecord, Manifest, sums};
use crate::error::InFile;
use crate::name_balance::{NameBalance, name_hash};
use crate::{DataError, FormatError, file};

/// The longest line of a list: a hash and a name.
const LINE_BYTES: u64 = 4096;
/// Files that are compared at once, so that memory stays small however many there are.
const BLOCK: usize = 4096;

/// Compares every file with the dataset's hashes: how many have the bytes that were
/// written. `progress` hears the number of files as they are done, `wrong` of every file
/// that was changed, is missing, or is not listed.
///
/// # Errors
/// When a manifest or a list cannot be read, and what `wrong` answers.
pub fn verify<E: From<DataError>>(
    root: &Path,
    progress: &(dyn Fn(u64) + Sync),
    mut wrong: impl FnMut(DataError) -> Result<(), E>,
) -> Result<u64, E> {
    let found = Manifest::find(root)?;
    if found.is_empty() {
        let path = root.join("manifest.json");
        return Err(DataError::Bad { path, format_error: FormatError::MissingFile }.into());
    }
    let mut good = 0;
    for path in found {
        // Whatever the settings are: the hashes are the same thing for all.
        let manifest: Manifest<serde_json::Value> = read_manifest(&path)?;
        let suffix = Manifest::suffix_of(&path);
        for (name, record) in &manifest.layouts {
            good += verify_layout(&root.join(name), &suffix, record, progress, &mut wrong)?;
        }
    }
    Ok(good)
}

fn verify_layout<E: From<DataError>>(
    folder: &Path,
    suffix: &str,
    record: &LayoutRecord,
    progress: &(dyn Fn(u64) + Sync),
    wrong: &mut impl FnMut(DataError) -> Result<(), E>,
) -> Result<u64, E> {
    let path = folder.join(format!("{}{suffix}", sums::FILE_NAME));
    compare(&path, &sums::of_file(&path)?, &record.sha256)?;
    let mut balance = NameBalance::default();
    let mut good = 0;
    each_block(&path, |listed| {
        let bad: Vec<DataError> = listed
            .par_iter()
            .filter_map(|(hash, name)| {
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
        let puzzles = listed.iter().filter(|(_, name)| is_puzzle(name));
        puzzles.for_each(|(_, name)| balance.take(OsStr::new(name)));
        good += (listed.len() - bad.len()) as u64;
        bad.into_iter().try_for_each(&mut *wrong)
    })?;
    // A shard's folder may hold the puzzles of other shards.
    if suffix.is_empty() {
        each_puzzle(folder, |name| balance.add(name))?;
        if !balance.is_even() {
            unlisted(folder, &path)?.into_iter().try_for_each(wrong)?;
        }
    }
    Ok(good)
}

/// Hands out the hashes and names of a list, some at a time.
fn each_block<E: From<DataError>>(
    path: &Path,
    mut block: impl FnMut(&[(String, String)]) -> Result<(), E>,
) -> Result<(), E> {
    let mut lines = BufReader::new(file::open(path)?);
    let mut listed = Vec::with_capacity(BLOCK);
    let mut number = 0;
    loop {
        let mut line = Vec::new();
        let mut bounded = lines.by_ref().take(LINE_BYTES);
        bounded.read_until(b'\n', &mut line).map_err(DataError::read(path))?;
        let is_end = line.is_empty();
        if !is_end {
            number += 1;
            let text = std::str::from_utf8(&line)
                .map_err(|e| FormatError::NotUtf8 { at: e.valid_up_to() })
                .in_file(path)?;
            let (hash, name) = sums::parse_line(text.trim_end_matches(['\r', '\n']))
                .ok_or_else(|| {
                    let what = "neither a hash nor a name".to_owned();
                    FormatError::Json { line: number, what }
                })
                .in_file(path)?;
            listed.push((hash.to_owned(), name.to_owned()));
        }
        if listed.len() == BLOCK || is_end {
            block(&listed)?;
            listed.clear();
        }
        if is_end {
            return Ok(());
        }
    }
}

fn is_puzzle(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|e| e == "npz" || e == "xml")
}

/// Names the npz and xml files of a folder.
fn each_puzzle(folder: &Path, mut each: impl FnMut(&OsStr)) -> Result<(), DataError> {
    for entry in folder.read_dir().map_err(DataError::read(folder))? {
        let name = entry.map_err(DataError::read(folder))?.file_name();
        if is_puzzle(&name.to_string_lossy()) {
            each(&name);
        }
    }
    Ok(())
}

/// The files that a list leaves out. Eight bytes are kept of every name, and only where
/// something is wrong.
fn unlisted(folder: &Path, list: &Path) -> Result<Vec<DataError>, DataError> {
    let mut known: Vec<u64> = Vec::new();
    each_block(list, |listed| {
        known.extend(listed.iter().map(|(_, name)| name_hash(OsStr::new(name))));
        Ok::<_, DataError>(())
    })?;
    known.sort_unstable();
    let mut extra: Vec<PathBuf> = Vec::new();
    each_puzzle(folder, |name| {
        if known.binary_search(&name_hash(name)).is_err() {
            extra.push(folder.join(name));
        }
    })?;
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
