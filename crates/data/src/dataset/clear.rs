//! Removing what a dataset consists of, and nothing else.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{Manifest, sums, writer};
use crate::{DataError, names, truth};

fn gone(path: &Path, result: std::io::Result<()>) -> Result<(), DataError> {
    match result {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            Err(DataError::Write { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Removes a folder of our own with everything in it.
pub(super) fn tree(path: &Path) -> Result<(), DataError> {
    gone(path, fs::remove_dir_all(path))
}

/// Removes everything in a folder of our own but the file of one name.
pub(super) fn all_but(folder: &Path, kept: &str) -> Result<(), DataError> {
    if !folder.is_dir() {
        return Ok(());
    }
    let others = entries(folder)?.into_iter().filter(|(_, name)| name != kept);
    others.map(|(path, _)| path).try_for_each(|path| match path.is_dir() {
        true => tree(&path),
        false => remove(&path),
    })
}

fn remove(path: &Path) -> Result<(), DataError> {
    gone(path, fs::remove_file(path))
}

fn entries(folder: &Path) -> Result<Vec<(PathBuf, String)>, DataError> {
    let mut out = Vec::new();
    for entry in folder.read_dir().map_err(DataError::read(folder))? {
        let entry = entry.map_err(DataError::read(folder))?;
        out.push((entry.path(), entry.file_name().to_string_lossy().into_owned()));
    }
    Ok(out)
}

fn puzzle_folders(root: &Path) -> Result<Vec<PathBuf>, DataError> {
    let found = entries(root)?;
    let is_ours =
        |(path, name): &(PathBuf, String)| names::is_dataset_folder(name) && path.is_dir();
    Ok(found.into_iter().filter(is_ours).map(|(path, _)| path).collect())
}

fn is_list(name: &str) -> bool {
    let (stem, ending) = truth::FILE_NAME.split_once('.').expect("the name has an ending");
    name.starts_with(sums::FILE_NAME) || name.starts_with(stem) && name.ends_with(ending)
}

/// Removes a whole dataset. The manifest goes first, so that what is left of an
/// interrupted removal never looks whole.
pub(super) fn dataset(root: &Path) -> Result<(), DataError> {
    for manifest in Manifest::find(root)? {
        remove(&manifest)?;
    }
    tree(&root.join(writer::PARTIAL))?;
    for folder in puzzle_folders(root)? {
        for (path, name) in entries(&folder)? {
            let puzzle = name
                .strip_suffix(".npz")
                .or_else(|| name.strip_suffix(".xml"))
                .is_some_and(names::is_puzzle);
            if puzzle || is_list(&name) {
                remove(&path)?;
            }
        }
        // A folder that holds something else stays.
        let _ = fs::remove_dir(&folder);
    }
    Ok(())
}

/// Removes what only shards have, once the whole dataset is there.
pub(super) fn shard_files(root: &Path) -> Result<(), DataError> {
    for manifest in Manifest::find(root)? {
        if !manifest.ends_with("manifest.json") {
            remove(&manifest)?;
        }
    }
    for folder in puzzle_folders(root)? {
        for (path, name) in entries(&folder)? {
            if is_list(&name) && name != truth::FILE_NAME && name != sums::FILE_NAME {
                remove(&path)?;
            }
        }
    }
    Ok(())
}
