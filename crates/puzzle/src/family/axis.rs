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
