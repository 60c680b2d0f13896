//! One puzzle as the numbers that a model learns from.

use genvp_data::Images;
use genvp_model::Resize;
use genvp_puzzle::family::{AnyPuzzle, Form};

use super::SceneCodes;

/// Room for one puzzle in the buffers of a batch.
#[derive(Debug)]
pub struct ExampleMut<'a> {
    /// How values of RAVEN's panels are coded.
    pub codes: Option<SceneCodes>,
    /// How panels come to the size of the buffer.
    pub resize: Resize,
    /// All panels, `side * side` numbers each: ink = 1, paper = 0. May be empty.
    pub pixels: &'a mut [f32],
    /// The rules of each completion. May be empty.
    pub rules: &'a mut [u8],
    /// Which of those are known. May be empty: all.
    pub known: &'a mut [bool],
    /// The layout's place among [`genvp_puzzle::Layout::ALL`]. May be empty.
    pub layout: &'a mut [u8],
    /// Where the answer stands.
    pub target: &'a mut u8,
    /// What is where in each panel. May be empty.
    pub values: &'a mut [f32],
    /// Draws of Z_o-bar that say all else in each panel. May be empty.
    pub irrelevant: &'a mut [f32],
    /// The parameters of the rules. May be empty.
    pub parameters: &'a mut [f32],
}

impl ExampleMut<'_> {
    /// Draws a puzzle of any family, the answer first among its choices, and writes its rules and,
    /// in families that have codes of their own, what its panels show. A square puzzle may be
    /// transposed, which turns rows into columns and leaves the rules of its attributes as they are.
    pub fn write_puzzle(&mut self, puzzle: &dyn AnyPuzzle, transposed: bool) {
        let form = puzzle.family().form();
        let panels = panel_order(form, puzzle.target(), transposed);
        let area = self.pixels.len() / form.inputs();
        for (&panel, pixels) in panels.iter().zip(self.pixels.chunks_exact_mut(area.max(1))) {
            self.resize.draw_into(puzzle, panel, area.isqrt(), pixels);
        }
        self.write_truth(puzzle, transposed);
    }

    /// Writes the panels of a file at the size of the buffer, the answer first among the choices.
    pub(super) fn write_images(
        &mut self,
        form: Form,
        images: &Images,
        target: usize,
        transposed: bool,
    ) {
        let area = self.pixels.len() / form.inputs();
        let panels = panel_order(form, target, transposed);
        for (&panel, pixels) in panels.iter().zip(self.pixels.chunks_exact_mut(area.max(1))) {
            self.resize.ink_into(images.panel(panel), images.side(), area.isqrt(), pixels);
        }
    }

    /// Writes what [`Self::write_puzzle`] does but for the pixels.
    pub(super) fn write_truth(&mut self, puzzle: &dyn AnyPuzzle, transposed: bool) {
        let form = puzzle.family().form();
        let panels = panel_order(form, puzzle.target(), transposed);
        let width = self.values.len() / form.inputs();
        for (&panel, codes) in panels.iter().zip(self.values.chunks_exact_mut(width.max(1))) {
            puzzle.codes_into(panel, codes);
        }
        if !self.rules.is_empty() {
            let truth = puzzle.truth();
            let rows = self.rules.len() / form.choices;
            let choices = panels[form.context()..].iter().map(|panel| panel - form.context());
            for (choice, rules) in choices.zip(self.rules.chunks_exact_mut(rows)) {
                let labels = truth.choices[choice].as_slice();
                rules.fill(0);
                rules.iter_mut().zip(labels).for_each(|(own, label)| *own = *label);
            }
        }
        self.known.fill(true);
        self.layout.fill(0);
        *self.target = 0;
    }
}

/// Which panel of a puzzle stands in each place: its context, transposed or not, then the answer,
/// then the other choices.
pub(super) fn panel_order(form: Form, target: usize, transposed: bool) -> Vec<usize> {
    let context = form.context();
    let place = |at: usize| match transposed && form.rows == form.columns {
        true => at % form.columns * form.rows + at / form.columns,
        false => at,
    };
    let mut choices: Vec<usize> = (context..form.inputs()).collect();
    choices.swap(0, target);
    (0..context).map(place).chain(choices).collect()
}
