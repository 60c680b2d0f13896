//! What can go wrong between a question and its figure.

use std::io;
use std::path::{Path, PathBuf};

use genvp_data::DataError;
use genvp_draw::DrawError;
use genvp_infer::imagine::ImagineError;
use genvp_model::ModelError;
use genvp_puzzle::PuzzleError;
use genvp_train::TrainError;

/// Why something could not be measured or shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A puzzle that cannot be made.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    /// A puzzle that cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
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
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Training failed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// The model cannot draw.
    #[error(transparent)]
    Imagine(#[from] ImagineError),
    /// A picture that cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// A file that cannot be read.
    #[error("{}: cannot read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file that cannot be written.
    #[error("{}: cannot write: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A kept result that is not one.
    #[error("{}: not a result of this program: {message}", path.display())]
    NotAResult {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A model that is not for puzzles of the RAVEN family.
    #[error(
        "this model is for other puzzles: {found}; wanted are 3x3 panels, 8 choices, 12 attributes and 5 rules"
    )]
    OtherPuzzles {
        /// What it is for.
        found: String,
    },
}

impl ReportError {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }

    /// Whether the system failed us, rather than the input being bad.
    pub fn is_system_failure(&self) -> bool {
        match self {
            Self::Data(error) => error.is_system_failure(),
            Self::Train(error) => error.is_system_failure(),
            Self::Imagine(error) => error.is_system_failure(),
            Self::Write { .. } => true,
            _ => false,
        }
    }

    /// What the user may do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Data(error) => error.hint(),
            Self::Train(error) => error.hint(),
            Self::NoPuzzles { .. } => {
                Some("--split all takes every puzzle, whatever its name says")
            }
            Self::NotAResult { .. } => Some("remove the file; it will be measured again"),
            _ => None,
        }
    }
}
