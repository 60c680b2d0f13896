//! A puzzle with its truth.

use std::fmt;

use arrayvec::ArrayVec;

use super::Regime;
use crate::relations::{Attribute, Axis, Panel, Split, Triple, ValueSet};

/// A triple and the lines along which it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Governed {
    /// What is governed, and how.
    pub triple: Triple,
    /// Along rows or columns.
    pub axis: Axis,
}

impl fmt::Display for Governed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} along {}", self.triple, self.axis)
    }
}

/// A whole puzzle with its truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The regime it belongs to.
    pub regime: Regime,
    /// The split it belongs to.
    pub split: Split,
    /// The triples, each with another attribute.
    pub structure: ArrayVec<Governed, 4>,
    /// Ungoverned attributes whose values are drawn object by object, in the
    /// order of [`Attribute::ALL`].
    pub distracting: [bool; 7],
    /// The eight panels of the question, row by row.
    pub context: [Panel; 8],
    /// The eight possible answers.
    pub choices: [Panel; 8],
    /// Which choice is right, 0 to 7.
    pub target: u8,
    /// Which triples each choice breaks: bit `i` stands for `structure[i]`. No
    /// bit is set for the answer.
    pub broken: [u8; 8],
}

impl Puzzle {
    /// The right answer.
    pub fn answer(&self) -> &Panel {
        &self.choices[usize::from(self.target)]
    }

    /// All sixteen panels: the question, then the choices.
    pub fn panels(&self) -> impl Iterator<Item = &Panel> {
        self.context.iter().chain(&self.choices)
    }

    /// The triples that a choice breaks.
    ///
    /// # Panics
    /// When the choice is above 7.
    pub fn broken_by(&self, choice: usize) -> impl Iterator<Item = Governed> {
        let mask = self.broken[choice];
        self.structure.iter().enumerate().filter(move |(i, _)| mask >> i & 1 == 1).map(|(_, g)| *g)
    }
}

/// The lines of a 3 x 3 matrix.
impl Axis {
    /// The three lines of a matrix that is given row by row.
    pub(crate) fn lines<T: Copy>(self, matrix: &[T; 9]) -> [[T; 3]; 3] {
        std::array::from_fn(|line| std::array::from_fn(|step| matrix[self.panel(line, step)]))
    }

    /// The panel, 0 to 8 row by row, that is number `step` of `line`.
    pub(super) fn panel(self, line: usize, step: usize) -> usize {
        match self {
            Self::Rows => 3 * line + step,
            Self::Columns => 3 * step + line,
        }
    }
}

/// The values of an attribute in all nine panels, the last of which is `choice`.
pub fn value_matrix(context: &[Panel; 8], choice: &Panel, attribute: Attribute) -> [ValueSet; 9] {
    std::array::from_fn(|i| context.get(i).unwrap_or(choice).values(attribute))
}
