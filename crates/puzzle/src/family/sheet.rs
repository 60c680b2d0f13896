//! A puzzle as readers, models and exams see it.

use super::{Axis, Form, RuleLabels, Stratum};

/// The panels of a puzzle as grey pixels, and what its file says besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// How many panels there are.
    pub form: Form,
    /// Side of a panel in pixels.
    pub side: usize,
    /// All panels one after another, the context first; 255 = paper.
    pub pixels: Vec<u8>,
    /// Which choice is right, where it is known.
    pub target: Option<usize>,
    /// What it is counted under, where that is known.
    pub stratum: Option<Stratum>,
    /// Which values attributes take, by the family's own name for them; `None`
    /// for the usual ones.
    pub domain: Option<&'static str>,
    /// The rules, where they are known.
    pub truth: Option<Truth>,
}

impl Sheet {
    /// Pixels about which nothing else is known.
    ///
    /// # Panics
    /// When there are not `side * side` pixels for each panel.
    pub fn new(form: Form, side: usize, pixels: Vec<u8>) -> Self {
        assert_eq!(pixels.len(), form.inputs() * side * side, "{form} of {side}x{side} pixels");
        Self { form, side, pixels, target: None, stratum: None, domain: None, truth: None }
    }

    /// The pixels of a panel; the choices follow the context.
    ///
    /// # Panics
    /// When there is no such panel.
    pub fn panel(&self, index: usize) -> &[u8] {
        let size = self.side * self.side;
        &self.pixels[index * size..(index + 1) * size]
    }

    /// All panels.
    pub fn panels(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.form.inputs()).map(|index| self.panel(index))
    }
}

/// What is known about the rules of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// R: the rules of the puzzle.
    pub rules: RuleLabels,
    /// For each choice the rules that still hold with it: R for the answer, R⁻
    /// for the others.
    pub choices: Vec<RuleLabels>,
    /// The lines along which the rule of each attribute runs.
    pub axes: Vec<Axis>,
    /// The attributes by which a guess is marked, in groups that count as one.
    pub counted: Vec<Vec<usize>>,
    /// The choices that agree most with the other choices, as a vote finds them
    /// without looking at the context.
    pub vote: Vec<usize>,
}
