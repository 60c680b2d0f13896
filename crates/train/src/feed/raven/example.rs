//! A puzzle of RAVEN as the numbers that a model learns from.

use genvp_puzzle::raven::{Choices, FORM, labels};
use genvp_puzzle::{Panel, Puzzle, Stream, render};

use super::irrelevant;
use crate::feed::ExampleMut;

/// In which order the choices are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceOrder {
    /// The answer first: what the training objective expects. A candidate's
    /// score does not depend on its place, so nothing leaks.
    AnswerFirst,
    /// As the puzzle has them.
    AsMade,
}

impl ChoiceOrder {
    /// The choices in this order.
    pub fn choices(self, target: u8) -> Choices<usize> {
        let mut choices = std::array::from_fn(|choice| choice);
        if self == Self::AnswerFirst {
            choices.swap(0, usize::from(target));
        }
        choices
    }

    /// The panels of a puzzle: its context, then the choices in this order.
    fn panels(self, puzzle: &Puzzle) -> impl Iterator<Item = &Panel> {
        let choices = self.choices(puzzle.target).map(|choice| &puzzle.choices[choice]);
        puzzle.context.iter().chain(choices)
    }
}

/// Side of the square panels in a buffer of all panels of a puzzle.
pub(super) fn side(pixels: usize) -> usize {
    (pixels / FORM.inputs()).isqrt()
}

/// Draws a puzzle and writes its labels.
pub fn write(puzzle: &Puzzle, order: ChoiceOrder, out: &mut ExampleMut<'_>) {
    let side = side(out.pixels.len());
    let panels = order.panels(puzzle);
    let mut grey = [255; render::SIDE * render::SIDE];
    for (panel, pixels) in panels.zip(out.pixels.chunks_exact_mut((side * side).max(1))) {
        render::panel_into(panel, puzzle.layout, puzzle.domain, &mut grey);
        out.resize.ink_into(&grey, render::SIDE, side, pixels);
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
    let width = out.irrelevant.len() / FORM.inputs();
    for (panel, own) in order.panels(puzzle).zip(out.irrelevant.chunks_exact_mut(width.max(1))) {
        irrelevant::draw(panel, puzzle.domain, stream, own);
    }
}

/// Writes everything but the pixels and Z_o-bar.
pub(super) fn write_labels(puzzle: &Puzzle, order: ChoiceOrder, out: &mut ExampleMut<'_>) {
    let choices = order.choices(puzzle.target);
    if !out.rules.is_empty() {
        let labels = labels::of_choices(puzzle);
        let rows = out.rules.len() / choices.len();
        for (&choice, rules) in choices.iter().zip(out.rules.chunks_exact_mut(rows)) {
            rules.fill(0);
            rules.iter_mut().zip(labels[choice]).for_each(|(own, label)| *own = label);
        }
    }
    if let Some(codes) = out.codes {
        for (panel, own) in order.panels(puzzle).zip(out.values.chunks_exact_mut(codes.per_panel()))
        {
            codes.write(panel, puzzle.layout, own);
        }
        codes.write_parameters(puzzle, out.parameters);
    }
    out.layout.fill(puzzle.layout.index() as u8);
    *out.target =
        choices.iter().position(|&c| c == usize::from(puzzle.target)).unwrap_or_default() as u8;
}
