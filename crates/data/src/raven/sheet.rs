//! Puzzles that come as pictures: a sheet of sixteen panels, two sheets of
//! eight, or a folder of single panels.

use std::path::{Path, PathBuf};

use crate::error::InFile;
use crate::picture::Picture;
use crate::{DataError, FormatError, Images, PANELS, StoredPuzzle};

/// Columns and rows of a grid of panels.
type Grid = (usize, usize);

/// All sixteen panels, the question first.
const ALL: &[Grid] = &[(4, 4), (8, 2), (2, 8), (16, 1), (1, 16)];
/// The question alone; a 3x3 grid has an empty place at its end.
const QUESTION: &[Grid] = &[(3, 3), (4, 2), (2, 4), (8, 1), (1, 8)];
/// The choices alone.
const CHOICES: &[Grid] = &[(4, 2), (2, 4), (8, 1), (1, 8)];

/// Reads a puzzle from a sheet of sixteen panels, or from a folder with the
/// pictures of one puzzle.
pub fn read(path: &Path) -> Result<StoredPuzzle, DataError> {
    if path.is_dir() {
        return read_folder(path);
    }
    let panels = cut(&Picture::read(path)?, ALL, PANELS).in_file(path)?;
    join(panels).in_file(path)
}

/// Reads a puzzle from two sheets: the question and the choices.
pub fn read_pair(question: &Path, choices: &Path) -> Result<StoredPuzzle, DataError> {
    let mut panels = cut(&Picture::read(question)?, QUESTION, 8).in_file(question)?;
    panels.extend(cut(&Picture::read(choices)?, CHOICES, 8).in_file(choices)?);
    join(panels).in_file(choices)
}

/// A folder of sixteen panels in the order of their numbers, or of two sheets
/// whose names sort the question first.
fn read_folder(folder: &Path) -> Result<StoredPuzzle, DataError> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in folder.read_dir().map_err(DataError::read(folder))? {
        let path = entry.map_err(DataError::read(folder))?.path();
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
            files.push(path);
        }
    }
    files.sort_by_cached_key(|path| sort_key(path));
    match files.as_slice() {
        [sheet] => read(sheet),
        [a, b] => {
            let name = |p: &Path| p.file_stem().unwrap_or_default().to_ascii_lowercase();
            let choices_first = ["choice", "answer", "candidate"]
                .iter()
                .any(|w| name(a).to_string_lossy().contains(w));
            if choices_first { read_pair(b, a) } else { read_pair(a, b) }
        }
        files if files.len() == PANELS => {
            let mut panels = Vec::with_capacity(PANELS);
            for path in files {
                let picture = Picture::read(path)?;
                panels.push(square(picture).in_file(path)?);
            }
            join(panels).in_file(folder)
        }
        files => Err(not_sixteen(format!("{} pictures", files.len()))).in_file(folder),
    }
}

/// Sorts `panel2` before `panel10`.
fn sort_key(path: &Path) -> (String, u64, String) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let text = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name[text.len()..].parse().unwrap_or(0);
    (text.to_owned(), number, name.clone())
}

fn not_sixteen(found: String) -> FormatError {
    FormatError::NotSixteen {
        found,
        wanted: "one sheet (4x4, 8x2 or 16x1 panels), two of eight, or sixteen square pictures",
    }
}

fn square(picture: Picture) -> Result<Picture, FormatError> {
    if picture.width() == picture.height() && picture.width() > 0 {
        return Ok(picture);
    }
    Err(not_sixteen(format!("a panel of {}x{}", picture.width(), picture.height())))
}

/// Puts sixteen pictures of one size together.
fn join(panels: Vec<Picture>) -> Result<StoredPuzzle, FormatError> {
    let side = panels.first().map_or(0, Picture::width);
    if let Some((index, other)) = panels.iter().enumerate().find(|(_, p)| p.width() != side) {
        let found =
            format!("panel {index} of {0}x{0} after panels of {side}x{side}", other.width());
        return Err(not_sixteen(found));
    }
    let pixels = panels.iter().flat_map(|p| p.pixels()).copied().collect();
    Ok(StoredPuzzle::of_images(Images::new(side, pixels)))
}

/// Cuts a sheet into its first `count` panels, by the grid whose cells come
/// nearest to squares. Frames around the panels are cut away.
fn cut(sheet: &Picture, grids: &[Grid], count: usize) -> Result<Vec<Picture>, FormatError> {
    const MOST_OBLONG: f64 = 1.12;
    let oblong = |&(columns, rows): &Grid| {
        let width = sheet.width() as f64 / columns as f64;
        let height = sheet.height() as f64 / rows as f64;
        (width / height).max(height / width)
    };
    let best = grids.iter().min_by(|a, b| oblong(a).total_cmp(&oblong(b)));
    let grid = best.copied().filter(|g| oblong(g) <= MOST_OBLONG);
    let (columns, rows) = grid
        .ok_or_else(|| not_sixteen(format!("a sheet of {}x{}", sheet.width(), sheet.height())))?;
    let (width, height) = (sheet.width() / columns, sheet.height() / rows);
    let side = width.min(height);
    if side == 0 {
        return Err(not_sixteen(format!("a sheet of {}x{}", sheet.width(), sheet.height())));
    }
    let corners: Vec<(usize, usize)> = (0..count)
        .map(|index| {
            let x = (index % columns) * sheet.width() / columns;
            let y = (index / columns) * sheet.height() / rows;
            (x + (width - side) / 2, y + (height - side) / 2)
        })
        .collect();
    let trim = frame(sheet, &corners, side);
    let inner = side - 2 * trim;
    let panel = |&(x, y): &(usize, usize)| {
        let pixels = (0..inner)
            .flat_map(|row| {
                let from = (y + trim + row) * sheet.width() + x + trim;
                sheet.pixels()[from..from + inner].iter().copied()
            })
            .collect();
        Picture::new(inner, inner, pixels)
    };
    Ok(corners.iter().map(panel).collect())
}

/// How far dark frames reach into the cells; 0 where there are none.
fn frame(sheet: &Picture, corners: &[(usize, usize)], side: usize) -> usize {
    let dark = |x: usize, y: usize| sheet.pixels()[y * sheet.width() + x] < 128;
    let is_line = |(x, y): (usize, usize), at: usize| {
        let across = |fixed: usize| (0..side).all(|i| dark(x + i, y + fixed));
        let down = |fixed: usize| (0..side).all(|i| dark(x + fixed, y + i));
        across(at) || across(side - 1 - at) || down(at) || down(side - 1 - at)
    };
    let depth = (side / 16).min(side.saturating_sub(1) / 2);
    let deepest = (0..depth).rev().find(|&at| corners.iter().any(|&c| is_line(c, at)));
    deepest.map_or(0, |at| at + 1)
}
