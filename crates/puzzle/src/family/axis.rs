//! Along which lines of the matrix a relation runs.

use std::fmt;

/// Rows or columns. Every triple of a puzzle has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// From left to right.
    Rows,
    /// From top to bottom.
    Columns,
}

impl Axis {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Rows, Self::Columns];

    /// The three lines of a 3 x 3 matrix that is given row by row.
    pub fn lines<T: Copy>(self, matrix: &[T; 9]) -> [[T; 3]; 3] {
        std::array::from_fn(|line| std::array::from_fn(|step| matrix[self.panel(line, step)]))
    }

    /// The panel, 0 to 8 row by row, that is number `step` of `line`.
    pub fn panel(self, line: usize, step: usize) -> usize {
        match self {
            Self::Rows => 3 * line + step,
            Self::Columns => 3 * step + line,
        }
    }

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Columns => "columns",
        }
    }

    /// Finds an axis by its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|axis| axis.name() == text)
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
