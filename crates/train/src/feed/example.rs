//! One puzzle of the RAVEN family as the numbers that a model learns from.

use genvp_puzzle::family::Family;
use genvp_puzzle::raven::{Raven, labels};
use genvp_puzzle::{Puzzle, Stream, render};

use super::{SceneCodes, irrelevant};

/// In which order the eight choices are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceOrder {
    /// The answer first: what the training objective expects. A candidate's
    /// score does not depend on its place, so nothing leaks.
    AnswerFirst,
    /// As the puzzle has them.
    AsMade,
}

impl ChoiceOrder {
    /// Which choice stands in each place.
    pub fn places(self, target: u8) -> [usize; 8] {
        let mut places = std::array::from_fn(|place| place);
        if self == Self::AnswerFirst {
            places.swap(0, usize::from(target));
        }
        places
    }
}

/// Room for one puzzle in the buffers of a batch.
#[derive(Debug)]
pub struct ExampleMut<'a> {
    /// How values are coded.
    pub codes: Option<SceneCodes>,
    /// Sixteen panels of `side * side` numbers: ink = 1, paper = 0. May be empty.
    pub pixels: &'a mut [f32],
    /// The rules of each of the eight completions. May be empty.
    pub rules: &'a mut [u8],
    /// The layout's place among [`genvp_puzzle::Layout::ALL`]. May be empty.
    pub layout: &'a mut [u8],
    /// Where the answer stands.
    pub target: &'a mut u8,
    /// What is where in each of the sixteen panels. May be empty.
    pub values: &'a mut [f32],
    /// Sixteen draws of Z_o-bar that say all else. May be empty.
    pub irrelevant: &'a mut [f32],
}

/// Side of the square panels in a buffer of all panels of a puzzle.
pub(super) fn side(pixels: usize) -> usize {
    (pixels / Raven.form().inputs()).isqrt()
}

/// Draws a puzzle and writes its labels.
pub fn write(puzzle: &Puzzle, order: ChoiceOrder, out: &mut ExampleMut<'_>) {
    let side = side(out.pixels.len());
    let places = order.places(puzzle.target);
    let choices = places.iter().map(|&choice| &puzzle.choices[choice]);
    let panels = puzzle.context.iter().chain(choices);
    for (panel, pixels) in panels.zip(out.pixels.chunks_exact_mut((side * side).max(1))) {
        render::ink_into(panel, puzzle.layout, puzzle.domain, side, pixels);
    }
    write_labels(puzzle, order, out);
}

/// Draws the Z_o-bar of all panels.
pub(super) fn draw_irrelevant(
    puzzle: &Puzzle,
    order: ChoiceOrder,
    stream: &mut Stream,
    out: &mut ExampleMut<'_>,
) {
    let width = out.irrelevant.len() / Raven.form().inputs();
    let places = order.places(puzzle.target);
    let choices = places.iter().map(|&choice| &puzzle.choices[choice]);
    let panels = puzzle.context.iter().chain(choices);
    for (panel, own) in panels.zip(out.irrelevant.chunks_exact_mut(width.max(1))) {
        irrelevant::draw(panel, puzzle.domain, stream, own);
    }
}

/// Writes everything but the pixels and Z_o-bar.
pub(super) fn write_labels(puzzle: &Puzzle, order: ChoiceOrder, out: &mut ExampleMut<'_>) {
    let places = order.places(puzzle.target);
    if !out.rules.is_empty() {
        let labels = labels::of_choices(puzzle);
        let rows = out.rules.len() / places.len();
        for (&choice, rules) in places.iter().zip(out.rules.chunks_exact_mut(rows)) {
            rules.fill(0);
            rules.iter_mut().zip(labels[choice]).for_each(|(own, label)| *own = label);
        }
    }
    if let Some(codes) = out.codes {
        let choices = places.iter().map(|&choice| &puzzle.choices[choice]);
        let panels = puzzle.context.iter().chain(choices);
        for (panel, own) in panels.zip(out.values.chunks_exact_mut(codes.per_panel())) {
            codes.write(panel, puzzle.layout, own);
        }
    }
    out.layout.fill(puzzle.layout.index() as u8);
    *out.target =
        places.iter().position(|&c| c == usize::from(puzzle.target)).unwrap_or_default() as u8;
}
