//! Pictures cut into the panels of a puzzle of any form.
//!
//! A puzzle may come as one sheet, as a sheet of the question and its choices on another sheet or
//! one by one, or as one picture for each panel. A sheet is a regular grid of panels, or shows
//! panels in frames of their own anywhere, as our printed items do.

mod frames;

use genvp_puzzle::family::{Family, Form, families};
use genvp_puzzle::render::resize_area;

use crate::png_image::PngImage;
use crate::{FormatError, Images};

/// A picture under the name that its sender gave it.
#[derive(Clone, Debug)]
pub struct NamedPicture {
    /// Its name, by which pictures are put in order.
    pub name: String,
    /// Its pixels.
    pub picture: PngImage,
}

/// Columns and rows of a grid of panels.
type Grid = (usize, usize);

/// By this pictures are put in the order in which they are read: `panel2` before `panel10`, and
/// what is named as a choice or an answer after what is not.
pub fn reading_order(name: &str) -> impl Ord + use<> {
    let lower = name.to_lowercase();
    let stem = lower.strip_suffix(".png").unwrap_or(&lower);
    let text = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let number: u64 = stem[text.len()..].parse().unwrap_or(0);
    (is_choice(name), text.to_owned(), number, stem.to_owned())
}

/// Whether a picture's name says that it shows choices.
fn is_choice(name: &str) -> bool {
    let name = name.to_lowercase();
    ["choice", "answer", "candidate"].iter().any(|word| name.contains(word))
}

/// The first family whose puzzles can come as these pictures; the first of all where none can.
pub fn family_of(pictures: &[NamedPicture]) -> &'static dyn Family {
    let all = || families().iter().copied();
    let found = match pictures {
        [NamedPicture { picture, .. }] => all().find(|family| {
            let squares = frames::find(picture, frames::PAPER[0]);
            stand_in_cells(picture, &all_grids(family.form()), &squares)
                || of_frames(picture, family.form()).is_some()
        }),
        several => all()
            .find(|family| several.len() == family.form().inputs())
            .or_else(|| all().find(|family| split(several, family.form()).is_some())),
    };
    found.unwrap_or(families()[0])
}

/// Whether a puzzle can come as so many pictures, before they are read.
///
/// # Errors
/// When it cannot.
pub fn check_count(count: usize, form: Form) -> Result<(), FormatError> {
    let known = [1, 2, 1 + form.choices, form.context() + 1, form.inputs()];
    if known.contains(&count) {
        return Ok(());
    }
    Err(wrong_panels(format!("{count} pictures"), form))
}

/// Cuts pictures, in the order in which they are given, into the panels of a puzzle.
///
/// # Errors
/// When they do not make the panels of that form.
pub fn cut(pictures: &[NamedPicture], form: Form) -> Result<Images, FormatError> {
    if let [NamedPicture { picture, .. }] = pictures {
        let framed = of_frames(picture, form);
        let grids = all_grids(form);
        let cut = || of_cells(picture, form, &grids, form.inputs());
        return join(framed.map_or_else(cut, Ok)?, form);
    }
    let (question, choices) = split(pictures, form)
        .ok_or_else(|| wrong_panels(format!("{} pictures", pictures.len()), form))?;
    let mut question = part(question, form, &question_grids(form), form.context())?;
    let mut choices = part(choices, form, &grids(form.choices), form.choices)?;
    // A question may be printed larger than its choices.
    let side = side(&question).min(side(&choices));
    resize(&mut question, side);
    resize(&mut choices, side);
    question.append(&mut choices);
    join(question, form)
}

/// The pictures of the question and those of the choices; each is a sheet or one picture for each
/// panel.
fn split(pictures: &[NamedPicture], form: Form) -> Option<(&[NamedPicture], &[NamedPicture])> {
    let fits = |at: usize| {
        let choices = pictures.len().saturating_sub(at);
        (at == 1 || at == form.context()) && (choices == 1 || choices == form.choices)
    };
    let unnamed = pictures.iter().take_while(|picture| !is_choice(&picture.name)).count();
    let at = [unnamed, form.context(), 1].into_iter().find(|&at| fits(at))?;
    Some(pictures.split_at(at))
}

/// The panels of the question, or of the choices, alone.
fn part(
    pictures: &[NamedPicture],
    form: Form,
    grids: &[Grid],
    count: usize,
) -> Result<Vec<PngImage>, FormatError> {
    let [NamedPicture { picture, .. }] = pictures else {
        return pictures.iter().map(|picture| square(picture, form)).collect();
    };
    match free_frames(picture, grids, count, 0) {
        Some(squares) => Ok(crops(picture, &squares)),
        None => of_cells(picture, form, grids, count),
    }
}

/// The panels of a sheet that shows them in frames outside of a regular grid.
fn of_frames(sheet: &PngImage, form: Form) -> Option<Vec<PngImage>> {
    let squares = free_frames(sheet, &all_grids(form), form.context(), form.choices)?;
    Some(crops(sheet, &squares))
}

/// Framed squares of a question and of choices, where they do not stand each in a cell of a regular
/// grid: those may be objects of panels without frames.
fn free_frames(
    sheet: &PngImage,
    grids: &[Grid],
    context: usize,
    choices: usize,
) -> Option<Vec<frames::Square>> {
    frames::PAPER.into_iter().find_map(|paper| {
        let squares = frames::find(sheet, paper);
        if stand_in_cells(sheet, grids, &squares) {
            return None;
        }
        frames::question_and_choices(&squares, context, choices)
    })
}

/// Whether the sheet is a regular grid, and none of the squares reaches over the edge of a cell.
fn stand_in_cells(sheet: &PngImage, grids: &[Grid], squares: &[frames::Square]) -> bool {
    let Some((columns, rows)) = best_grid(sheet, grids) else { return false };
    let is_within = |from: usize, side: usize, cells: usize, whole: usize| {
        from * cells / whole == (from + side - 1) * cells / whole
    };
    squares.iter().all(|square| {
        is_within(square.x, square.side, columns, sheet.width())
            && is_within(square.y, square.side, rows, sheet.height())
    })
}

/// Squares of a sheet, made as small as the smallest of them.
fn crops(sheet: &PngImage, squares: &[frames::Square]) -> Vec<PngImage> {
    let mut panels: Vec<PngImage> =
        squares.iter().map(|own| crop(sheet, (own.x, own.y), own.side)).collect();
    let smallest = squares.iter().map(|own| own.side).min().unwrap_or(0);
    resize(&mut panels, smallest);
    panels
}

fn square(named: &NamedPicture, form: Form) -> Result<PngImage, FormatError> {
    let NamedPicture { name, picture } = named;
    if picture.width() == picture.height() && picture.width() > 0 {
        return Ok(picture.clone());
    }
    let size = format!("{}x{}", picture.width(), picture.height());
    Err(wrong_panels(format!("a panel of {size} ({name})"), form))
}

/// Puts pictures of one size together.
fn join(panels: Vec<PngImage>, form: Form) -> Result<Images, FormatError> {
    let side = side(&panels);
    if let Some((index, other)) = panels.iter().enumerate().find(|(_, p)| p.width() != side) {
        let found =
            format!("panel {index} of {0}x{0} after panels of {side}x{side}", other.width());
        return Err(wrong_panels(found, form));
    }
    let pixels = panels.iter().flat_map(|p| p.pixels()).copied().collect();
    Ok(Images::of_panels(form.inputs(), side, pixels))
}

fn side(panels: &[PngImage]) -> usize {
    panels.first().map_or(0, PngImage::width)
}

/// Makes square pictures of one size smaller.
fn resize(panels: &mut [PngImage], side: usize) {
    for panel in panels.iter_mut().filter(|panel| panel.width() > side) {
        let mut ink = vec![0.0; side * side];
        resize_area(panel.pixels(), panel.width(), side, &mut ink);
        let grey = |ink: &f32| (255.0 * (1.0 - ink)).round() as u8;
        *panel = PngImage::new(side, side, ink.iter().map(grey).collect());
    }
}

fn wrong_panels(found: String, form: Form) -> FormatError {
    let list = |grids: &[Grid]| {
        let wide = grids.iter().filter(|(columns, rows)| columns >= rows);
        wide.map(|(columns, rows)| format!("{columns}x{rows}")).collect::<Vec<_>>().join(" or ")
    };
    let count = form.inputs();
    let wanted = format!(
        "one sheet ({} panels, or panels in frames), a question and its choices, or {count} square pictures",
        list(&all_grids(form)),
    );
    FormatError::WrongPanels { found, count, wanted }
}

/// The grids of so many cells, the widest last.
fn grids(count: usize) -> Vec<Grid> {
    let columns = (1..=count).filter(|columns| count.is_multiple_of(*columns));
    columns.map(|columns| (columns, count / columns)).collect()
}

/// All panels, the question first.
fn all_grids(form: Form) -> Vec<Grid> {
    grids(form.inputs())
}

/// The question alone; in the puzzle's own grid there is an empty place at its end.
fn question_grids(form: Form) -> Vec<Grid> {
    let mut all = grids(form.context());
    all.push((form.columns, form.rows));
    all
}

/// The grid whose cells come nearest to squares, if any comes near.
fn best_grid(sheet: &PngImage, grids: &[Grid]) -> Option<Grid> {
    const MOST_OBLONG: f64 = 1.12;
    let oblong = |&(columns, rows): &Grid| {
        let width = sheet.width() as f64 / columns as f64;
        let height = sheet.height() as f64 / rows as f64;
        (width / height).max(height / width)
    };
    let best = grids.iter().min_by(|a, b| oblong(a).total_cmp(&oblong(b))).copied();
    best.filter(|grid| oblong(grid) <= MOST_OBLONG)
}

/// Cuts a sheet into its first `count` panels by a grid. Frames around the panels are cut away.
fn of_cells(
    sheet: &PngImage,
    form: Form,
    grids: &[Grid],
    count: usize,
) -> Result<Vec<PngImage>, FormatError> {
    let wrong = || wrong_panels(format!("a sheet of {}x{}", sheet.width(), sheet.height()), form);
    let (columns, rows) = best_grid(sheet, grids).ok_or_else(wrong)?;
    let (width, height) = (sheet.width() / columns, sheet.height() / rows);
    let side = width.min(height);
    if side == 0 {
        return Err(wrong());
    }
    let corners: Vec<(usize, usize)> = (0..count)
        .map(|index| {
            let x = (index % columns) * sheet.width() / columns;
            let y = (index / columns) * sheet.height() / rows;
            (x + (width - side) / 2, y + (height - side) / 2)
        })
        .collect();
    let trim = frame(sheet, &corners, side);
    let panel = |&(x, y): &(usize, usize)| crop(sheet, (x + trim, y + trim), side - 2 * trim);
    Ok(corners.iter().map(panel).collect())
}

fn crop(sheet: &PngImage, (x, y): (usize, usize), side: usize) -> PngImage {
    let row = |row: usize| {
        let from = (y + row) * sheet.width() + x;
        sheet.pixels()[from..from + side].iter().copied()
    };
    PngImage::new(side, side, (0..side).flat_map(row).collect())
}

/// How far dark frames reach into the cells; 0 where there are none.
fn frame(sheet: &PngImage, corners: &[(usize, usize)], side: usize) -> usize {
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
