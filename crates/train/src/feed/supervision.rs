//! What a batch tells a model besides its pixels.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a model is taught with. Each kind includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Supervision {
    /// Images, and which choice is right.
    Answers,
    /// R of the puzzle, R⁻ of the wrong choices, and the layout.
    Rules,
    /// The true values of every panel too, and Z_o-bar where the model has room for it.
    Values,
}

impl Supervision {
    /// Its name in tables and settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answers => "answers",
            Self::Rules => "rules",
            Self::Values => "values",
        }
    }
}

impl fmt::Display for Supervision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
