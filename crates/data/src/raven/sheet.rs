//! RAVEN's puzzles that come as pictures: a sheet of sixteen panels, a question and its
//! choices, or a folder of single panels.

use std::path::{Path, PathBuf};

use genvp_puzzle::family::Family;
use genvp_puzzle::raven::Raven;

use crate::error::InFile;
use crate::panels::{self, NamedPicture};
use crate::png_image::PngImage;
use crate::{DataError, StoredPuzzle};

/// Reads a puzzle from a sheet of sixteen panels, or from a folder with the
/// pictures of one puzzle.
pub fn read(path: &Path) -> Result<StoredPuzzle, DataError> {
    if path.is_dir() {
        return read_folder(path);
    }
    read_all(&[path], path)
}

/// Reads a puzzle from two sheets: the question and the choices.
pub fn read_pair(question: &Path, choices: &Path) -> Result<StoredPuzzle, DataError> {
    read_all(&[question, choices], choices)
}

/// A folder of sixteen panels in the order of their numbers, or of a question and its choices.
fn read_folder(folder: &Path) -> Result<StoredPuzzle, DataError> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in folder.read_dir().map_err(DataError::read(folder))? {
        let path = entry.map_err(DataError::read(folder))?.path();
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
            files.push(path);
        }
    }
    files.sort_by_cached_key(|path| panels::reading_order(&name(path)));
    read_all(&files, folder)
}

/// Reads pictures in the order in which they are given; `origin` is named where they do not make
/// a puzzle.
fn read_all(files: &[impl AsRef<Path>], origin: &Path) -> Result<StoredPuzzle, DataError> {
    panels::check_count(files.len(), Raven.form()).in_file(origin)?;
    let read = |path: &Path| -> Result<NamedPicture, DataError> {
        Ok(NamedPicture { name: name(path), picture: PngImage::read(path)? })
    };
    let pictures: Vec<NamedPicture> =
        files.iter().map(|path| read(path.as_ref())).collect::<Result<_, _>>()?;
    let images = panels::cut(&pictures, Raven.form()).in_file(origin)?;
    Ok(StoredPuzzle::of_images(images))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
