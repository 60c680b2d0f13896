//! What can go wrong between a weights file and an answer.

use std::io;
use std::path::PathBuf;

use genvp_data::DataError;
use genvp_model::{DeviceError, ModelError, OtherPuzzles, StoreError};
use genvp_puzzle::family::Form;

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
    /// There is no model for puzzles of a family in the box.
    #[error("there is no model for puzzles of {family} in the box ({known})")]
    NoModelOf {
        /// The family.
        family: &'static str,
        /// The models in the box.
        known: String,
    },
    /// A file of another family than the model's.
    #[error("{file}: a puzzle of {found}; {model} is for puzzles of {wanted}")]
    OtherFamily {
        /// The file.
        file: String,
        /// The model.
        model: String,
        /// The family that it is for.
        wanted: &'static str,
        /// The family of the puzzle.
        found: &'static str,
    },
    /// A puzzle of another form than the model's.
    #[error("{found}: this model is for {wanted}")]
    OtherForm {
        /// The form of the puzzle.
        found: Form,
        /// The form that it is for.
        wanted: Form,
    },
    /// A file that cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The device that was asked for is not there.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A puzzle of the self-test could not be made.
    #[error("the self-test has no puzzles: {0}")]
    SelfTest(#[from] genvp_puzzle::PuzzleError),
    /// A puzzle of a family could not be made for the self-test.
    #[error("the self-test has no puzzles: {0}")]
    SelfTestOfFamily(#[from] genvp_puzzle::family::FamilyError),
}

impl InferError {
    /// Whether the system failed us, rather than the input being bad.
    pub fn is_system_failure(&self) -> bool {
        match self {
            Self::Model(ModelError::Device(_)) | Self::SelfTest(_) | Self::SelfTestOfFamily(_) => {
                true
            }
            Self::Data(error) => error.is_system_failure(),
            _ => false,
        }
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
            Self::NoModelOf { .. } => Some(
                "name a weights file with --model, or use --exact where there is no need of a model",
            ),
            Self::OtherFamily { .. } => Some(
                "name files of one family at a time, and leave out --model: theirs is then taken",
            ),
            Self::Data(error) => error.hint(),
            _ => None,
        }
    }
}
