//! Pictures for people, and panels of any size.

use genvp_draw::{
    Board, GreyImage, Notes, Picture, contact_sheet, image_panel, puzzle as draw_puzzle,
    rule_lines_of,
};
use genvp_puzzle::SIDE;
use genvp_puzzle::family::AnyPuzzle;
use numpy::PyReadonlyArray4;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::Panels;
use crate::error;

/// Pixels per unit of a drawing, as in the command's pictures of single puzzles.
const SCALE: f32 = 2.0;
/// The sides at which panels are drawn.
const SIZES: std::ops::RangeInclusive<usize> = 8..=640;

/// Rejects sides that show nothing or fill the memory.
pub fn check_size(size: usize) -> PyResult<()> {
    if SIZES.contains(&size) {
        return Ok(());
    }
    let (least, most) = (SIZES.start(), SIZES.end());
    Err(error::spec(format!("panels of {size} pixels: a size of {least} to {most}, please")))
}

/// Draws all panels of a puzzle: as the original files have them at 160 pixels, otherwise
/// each pixel the mean of what it covers.
pub fn draw_into(puzzle: &dyn AnyPuzzle, size: usize, out: &mut [u8]) {
    let mut ink = vec![0.0; size * size];
    for (panel, out) in out.chunks_exact_mut(size * size).enumerate() {
        if size == SIDE {
            puzzle.draw_into(panel, out);
            continue;
        }
        puzzle.ink_into(panel, size, &mut ink);
        for (grey, ink) in out.iter_mut().zip(&ink) {
            *grey = (255.0 * (1.0 - ink.clamp(0.0, 1.0))).round() as u8;
        }
    }
}

/// A picture as the bytes of a PNG.
pub fn png<'py>(py: Python<'py>, picture: &Picture) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| picture.png(SCALE)).map_err(error::data)?;
    Ok(PyBytes::new(py, &bytes))
}

/// Title, right choice and rules of a puzzle, as far as they are to be written.
type Caption = (String, Option<usize>, Option<String>);

/// Puzzles as a picture: `context` panels of each are the question, the others the choices.
/// A question of all panels has none missing.
#[pyfunction]
pub fn picture<'py>(
    py: Python<'py>,
    panels: PyReadonlyArray4<'py, u8>,
    context: usize,
    captions: Vec<Caption>,
    columns: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let panels = Panels::of(panels)?;
    if context > panels.panels || captions.len() != panels.count {
        return Err(error::array("one caption for each puzzle is wanted"));
    }
    let size = panels.side * panels.side;
    let image = |pixels: &[u8]| GreyImage::new(panels.side, panels.side, pixels);
    let mut cards = Vec::new();
    for (pixels, (title, answer, rules)) in panels.puzzles()?.zip(captions) {
        let images: Vec<GreyImage> =
            pixels.chunks_exact(size).map(image).collect::<Result<_, _>>().map_err(error::array)?;
        let board = match images.split_at(context) {
            (all, []) => Board {
                question: all.iter().map(|image| Some(image_panel(image))).collect(),
                choices: Vec::new(),
                description: format!("{} panels in rows of three.", all.len()),
            },
            (context, choices) => Board::of_images(context, choices),
        };
        let rules = rules.as_deref().map(rule_lines_of).unwrap_or_default();
        cards.push((board, Notes { title, answer, rules }));
    }
    let drawn = match cards.as_slice() {
        [(board, notes)] => draw_puzzle(board, notes),
        many => contact_sheet("", many, columns.max(1)),
    };
    png(py, &drawn)
}
