//! What can go wrong in an examination.

use std::path::PathBuf;

use genvp_data::DataError;
use genvp_model::{ModelError, OtherPuzzles};
use genvp_puzzle::family::FamilyError;

/// Why a model cannot be examined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExamError {
    /// A puzzle that cannot be made.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// A puzzle that cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A stored puzzle that does not say which choice is right.
    #[error("{}: it does not say which choice is right", path.display())]
    NoTarget {
        /// The file.
        path: PathBuf,
    },
    /// A stored puzzle without its scene, for a model that compares scenes.
    #[error("this model compares the scenes of choices, and a puzzle does not state them")]
    NoScene,
    /// A folder without puzzles of the split that is asked for.
    #[error("{}: no puzzles of the {split} split", path.display())]
    NoPuzzles {
        /// The folder.
        path: PathBuf,
        /// The split.
        split: String,
    },
    /// A model for puzzles of another form or other rules.
    #[error(transparent)]
    OtherPuzzles(#[from] OtherPuzzles),
}

impl ExamError {
    /// Whether the system failed us, rather than the input being bad.
    pub fn is_system_failure(&self) -> bool {
        match self {
            Self::Data(error) => error.is_system_failure(),
            _ => false,
        }
    }

    /// What the user may do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Data(error) => error.hint(),
            Self::NoPuzzles { .. } => {
                Some("--split all takes every puzzle, whatever its name says")
            }
            _ => None,
        }
    }
}
