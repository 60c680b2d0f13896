//! Training, validation and test.

use std::fmt;

/// Which part of an experiment a puzzle is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Split {
    /// To learn from.
    Train,
    /// To choose settings by.
    Val,
    /// To report on.
    Test,
}

impl Split {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Train, Self::Val, Self::Test];

    /// Six of ten puzzles are for training, two for validation, two for test: how
    /// RAVEN's files are shared out.
    pub fn of(index: u64) -> Self {
        match index % 10 {
            0..=5 => Self::Train,
            6..=7 => Self::Val,
            _ => Self::Test,
        }
    }

    /// The name in file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Val => "val",
            Self::Test => "test",
        }
    }

    /// Finds a split by its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == text)
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
