//! How many panels a puzzle has.

use std::fmt;

/// The grid of panels, of which the last is asked for, and the number of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// Rows of the grid.
    pub rows: usize,
    /// Columns of the grid.
    pub columns: usize,
    /// How many choices there are for the last panel.
    pub choices: usize,
}

impl Form {
    /// The panels of a completed grid.
    pub const fn panels(self) -> usize {
        self.rows * self.columns
    }

    /// The panels that are given.
    pub const fn context(self) -> usize {
        self.panels() - 1
    }

    /// The panels that a puzzle comes with: the context, then the choices.
    pub const fn inputs(self) -> usize {
        self.context() + self.choices
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{} panels with {} choices", self.rows, self.columns, self.choices)
    }
}
