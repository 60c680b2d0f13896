//! What can go wrong in training.

use std::io;
use std::path::{Path, PathBuf};

use genvp_data::DataError;
use genvp_exam::ExamError;
use genvp_model::{ModelError, PresetError, StoreError};
use genvp_puzzle::PuzzleError;
use genvp_puzzle::family::FamilyError;

/// Why training cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file cannot be read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A setting that does not exist.
    #[error("there is no setting `{key}`{}", .nearest.as_ref().map(|n| format!("; the nearest is `{n}`")).unwrap_or_default())]
    UnknownKey {
        /// What was asked for.
        key: String,
        /// The setting whose name is most alike.
        nearest: Option<String>,
    },
    /// Not of the form `a.b=value`.
    #[error("`{0}` is not of the form a.b=value")]
    NotASetting(String),
    /// Settings that cannot be read.
    #[error("{origin}: {message}")]
    Settings {
        /// The file, or where else they come from.
        origin: String,
        /// What is wrong.
        message: String,
    },
    /// Settings that make no sense.
    #[error("the settings cannot be used:\n  {}", .0.join("\n  "))]
    BadSettings(Vec<String>),
    /// A preset that cannot be used.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// Another run is using the folder.
    #[error("{}: in use by another run{}", folder.display(), .pid.as_ref().map(|p| format!(" (process {p})")).unwrap_or_default())]
    Locked {
        /// The run folder.
        folder: PathBuf,
        /// The other run's process, where it says.
        pid: Option<String>,
    },
    /// The run folder holds a run already.
    #[error("{}: holds a run already", folder.display())]
    Exists {
        /// The run folder.
        folder: PathBuf,
    },
    /// There is nothing to go on from.
    #[error("{}: there is no checkpoint to resume from", folder.display())]
    NothingToResume {
        /// The run folder.
        folder: PathBuf,
    },
    /// A folder that holds no run with a checkpoint.
    #[error("{}: not a run folder: there is no checkpoint in it", folder.display())]
    NoCheckpoint {
        /// The folder.
        folder: PathBuf,
    },
    /// A model without such a part.
    #[error("{part}={}: the model has no part `{part}`", path.display())]
    NoPart {
        /// What was asked for.
        part: String,
        /// The run that it was to be taken from.
        path: PathBuf,
    },
    /// The run was started with other settings.
    #[error("{}: this run has other settings:\n  {}", folder.display(), .differences.join("\n  "))]
    OtherSettings {
        /// The run folder.
        folder: PathBuf,
        /// Every setting that differs, with both values.
        differences: Vec<String>,
    },
    /// A checkpoint that cannot be used.
    #[error("{}: not a usable checkpoint: {reason}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Weights that do not fit the model.
    #[error("{}: {source}", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        source: StoreError,
    },
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A puzzle cannot be made.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    /// A puzzle of another family cannot be made.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// A dataset cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The model cannot be examined.
    #[error(transparent)]
    Exam(#[from] ExamError),
    /// The thread that makes puzzles is gone.
    #[error("the thread that makes puzzles ended: {0}")]
    FeedEnded(String),
    /// Update after update was useless.
    #[error("{skipped} updates in a row were skipped, the last because {last}; stopped at step {step} with {} kept", .kept.as_ref().map(|k| k.display().to_string()).unwrap_or_else(|| "no checkpoint".into()))]
    Stuck {
        /// How many.
        skipped: u64,
        /// What was wrong with the last one.
        last: String,
        /// Where training stood.
        step: u64,
        /// The last good checkpoint.
        kept: Option<PathBuf>,
    },
}

impl TrainError {
    pub(crate) fn file(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File { action, path: path.to_owned(), source }
    }

    /// Whether the system failed, not the request.
    pub fn is_system_failure(&self) -> bool {
        match self {
            Self::File { .. } | Self::FeedEnded(_) => true,
            Self::Data(error) => error.is_system_failure(),
            Self::Exam(error) => error.is_system_failure(),
            _ => false,
        }
    }

    /// What the user may do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::File { source, .. } if source.kind() == io::ErrorKind::StorageFull => Some(
                "the disk is full; the checkpoints written before are intact: make room and --resume",
            ),
            Self::File { source, .. } if source.kind() == io::ErrorKind::ReadOnlyFilesystem => {
                Some("the disk is read-only; choose another folder with --out")
            }
            Self::Exists { .. } => {
                Some("go on with it by --resume, or choose another folder with --out")
            }
            Self::Locked { .. } => Some("wait for it to end, or choose another folder with --out"),
            Self::NothingToResume { .. } => Some("leave out --resume to start a new run"),
            Self::OtherSettings { .. } => Some(
                "resume with the settings of config.toml in that folder, or start a new run with --init-from",
            ),
            Self::Stuck { .. } => Some(
                "lower train.learning_rate or train.gradient_clip and start from the kept checkpoint with --init-from",
            ),
            Self::Data(error) => error.hint(),
            Self::Exam(error) => error.hint(),
            _ => None,
        }
    }
}
