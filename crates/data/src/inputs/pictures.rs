//! Puzzles of RAVEN that come as pictures, and tables, in folders.
//!
//! In a folder without npz files, pictures are
//! * sixteen square ones: the panels of one puzzle;
//! * two, one of them shaped like eight choices: the question and the choices;
//! * others: sheets of sixteen panels each, unless they are square and too small
//!   for a sheet: then they are panels, and there should be sixteen of them.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::{PuzzleSource, has_ending};
use crate::{DataError, PANELS, file};

/// The smallest side of a square sheet: sixteen panels of 64x64.
const SMALLEST_SHEET: u32 = 256;

/// Two named pictures that are one puzzle: the question, and the choices.
pub fn pair(paths: &[PathBuf]) -> Option<PuzzleSource> {
    let [a, b] = paths else { return None };
    let is_png = |path: &Path| has_ending(path, "png") && path.is_file();
    if !is_png(a) || !is_png(b) {
        return None;
    }
    match (holds_choices(a), holds_choices(b)) {
        (true, false) => Some(PuzzleSource::picture(b.clone(), Some(a.clone()), true)),
        (_, true) => Some(PuzzleSource::picture(a.clone(), Some(b.clone()), true)),
        (false, false) => None,
    }
}

/// All pictures and tables below a folder, in the order of names.
pub fn below(root: &Path) -> Result<Vec<PuzzleSource>, DataError> {
    let (mut sources, mut tables) = (Vec::new(), Vec::new());
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |error: std::io::Error| DataError::Unlisted {
            message: format!("{}: {error}", folder.display()),
        };
        let (mut pictures, mut deeper, mut has_npz) = (Vec::new(), Vec::new(), false);
        for entry in folder.read_dir().map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            // Links to folders are not followed, so that a walk always ends.
            if entry.file_type().map_err(failed)?.is_dir() {
                if entry.file_name() != ".partial" {
                    deeper.push(path);
                }
            } else if has_ending(&path, "npz") {
                has_npz = true;
            } else if has_ending(&path, "png") {
                pictures.push(path);
            } else if has_ending(&path, "parquet") {
                tables.push(PuzzleSource::picture(path, None, false));
            }
        }
        deeper.sort();
        folders.extend(deeper.into_iter().rev());
        // Pictures beside npz files are of the same puzzles.
        if !has_npz {
            pictures.sort();
            sources.extend(of_folder(&folder, pictures));
        }
    }
    tables.sort_by(|a, b| a.path.cmp(&b.path));
    sources.append(&mut tables);
    Ok(sources)
}

fn of_folder(folder: &Path, pictures: Vec<PathBuf>) -> Vec<PuzzleSource> {
    let square = |path: &PathBuf| size(path).is_some_and(|(width, height)| width == height);
    let panels = match pictures.len() {
        0 | 1 => false,
        2 => pictures.iter().any(|path| holds_choices(path)),
        PANELS => pictures.iter().all(square),
        _ => pictures.iter().all(|path| {
            size(path).is_some_and(|(width, height)| width == height && width < SMALLEST_SHEET)
        }),
    };
    if panels {
        return vec![PuzzleSource::picture(folder.to_owned(), None, false)];
    }
    pictures.into_iter().map(|path| PuzzleSource::picture(path, None, false)).collect()
}

/// Whether a picture has the shape of eight panels, and of no sixteen.
fn holds_choices(path: &Path) -> bool {
    size(path).is_some_and(|(width, height)| {
        let ratio = f64::from(width.max(height)) / f64::from(width.min(height).max(1));
        [2.0, 8.0].iter().any(|wanted| (ratio / wanted).max(wanted / ratio) <= 1.12)
    })
}

/// Width and height of a PNG file, if it is one.
fn size(path: &Path) -> Option<(u32, u32)> {
    let mut head = [0; 24];
    file::open(path).ok()?.read_exact(&mut head).ok()?;
    let number = |at: usize| head[at..at + 4].try_into().ok().map(u32::from_be_bytes);
    (&head[12..16] == b"IHDR").then_some((number(16)?, number(20)?))
}
