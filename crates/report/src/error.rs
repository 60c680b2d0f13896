//! What can go wrong between a question and its figure.

use std::io;
use std::path::{Path, PathBuf};

use genvp_data::DataError;
use genvp_draw::DrawError;
use genvp_exam::ExamError;
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
    /// The model cannot be examined.
    #[error(transparent)]
    Exam(#[from] ExamError),
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
            Self::Exam(error) => error.is_system_failure(),
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
            Self::Exam(error) => error.hint(),
            Self::NotAResult { .. } => Some("remove the file; it will be measured again"),
            _ => None,
        }
    }
}
