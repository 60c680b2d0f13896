//! What can go wrong between a weights file and an answer.

use std::io;
use std::path::PathBuf;

use genvp_model::{DeviceError, ModelError, OtherPuzzles, StoreError};

/// Why a model cannot be loaded, or cannot answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InferError {
    /// Neither a model in the box nor a file.
    #[error("there is no model `{name}`: it is neither in the box ({known}) nor a file")]
    UnknownModel {
        /// What was asked for.
        name: String,
        /// The models in the box.
        known: String,
    },
    /// This program was built without weights.
    #[error("this program was built without the weights of `{name}`")]
    NotInTheBox {
        /// The model asked for.
        name: String,
    },
    /// A weights file that cannot be read.
    #[error("{}: cannot read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file that is larger than any weights.
    #[error("{}: {found} bytes, more than the {limit} that weights may have", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// Weights that do not fit, with every mismatch.
    #[error("{origin}: {source}")]
    Weights {
        /// The file, or the name of the model in the box.
        origin: String,
        /// What is wrong with them.
        source: StoreError,
    },
    /// Weights that were changed after they were written.
    #[error("{origin}: the weights were changed: their SHA-256 is {found}, the file says {wanted}")]
    Changed {
        /// The file, or the name of the model in the box.
        origin: String,
        /// The digest of what is there.
        found: String,
        /// The digest that is written in the file.
        wanted: String,
    },
    /// A model for puzzles of another kind.
    #[error("{origin}: {source}")]
    OtherPuzzles {
        /// The file, or the name of the model in the box.
        origin: String,
        /// What it is for, and what is asked of it.
        source: OtherPuzzles,
    },
    /// The device that was asked for is not there.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A puzzle of the self-test could not be made.
    #[error("the self-test has no puzzles: {0}")]
    SelfTest(#[from] genvp_puzzle::PuzzleError),
}

impl InferError {
    /// Whether the system failed us, rather than the input being bad.
    pub fn is_system_failure(&self) -> bool {
        matches!(self, Self::Model(ModelError::Device(_)) | Self::SelfTest(_))
    }

    /// What the user may do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::UnknownModel { .. } => Some("`genvp model list` shows the models in the box"),
            Self::NotInTheBox { .. } => {
                Some("build with the feature `weights`, or name a weights file with --model")
            }
            Self::Weights { .. } | Self::Changed { .. } => {
                Some("fetch the file again, or leave out --model to use the one in the box")
            }
            _ => None,
        }
    }
}
