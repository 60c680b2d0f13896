//! What can be wrong with what is to be imagined.

use genvp_model::{ModelError, OtherPuzzles};
use genvp_puzzle::family::FamilyError;
use genvp_puzzle::{Layout, PuzzleError};

/// Why something cannot be imagined, completed or judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImagineError {
    /// The rules are impossible together.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    /// A family does not have what is asked for.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// No puzzle of the layout has such rules.
    #[error("no puzzle of {layout} was found in which the rules occur")]
    NoSuchRules {
        /// The layout.
        layout: Layout,
    },
    /// A model for puzzles of another kind.
    #[error(transparent)]
    OtherPuzzles(#[from] OtherPuzzles),
    /// The panels to complete do not make sense.
    #[error("{0}")]
    Missing(String),
    /// Cancelled by the caller.
    #[error("given up before the last drawing")]
    GivenUp,
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl ImagineError {
    /// Whether the system failed us, rather than the request being bad.
    pub fn is_system_failure(&self) -> bool {
        matches!(self, Self::Model(ModelError::Device(_)))
    }
}
