//! What can be wrong with a file, and what can go wrong with a disk.

use std::io;
use std::path::{Path, PathBuf};

use genvp_puzzle::family::FamilyError;
use thiserror::Error;

use crate::FormatError;

/// Anything that stops puzzles from being read or kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataError {
    /// A file that is not what it should be.
    #[error("{}: {format_error}", path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        format_error: FormatError,
    },
    /// A puzzle that its family cannot read.
    #[error("{}: {source}", path.display())]
    Family {
        /// The file.
        path: PathBuf,
        /// What the family says.
        source: FamilyError,
    },
    /// A file that cannot be read: missing, forbidden, or on a failing disk.
    #[error("{}: cannot read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A folder that cannot be listed.
    #[error("{message}")]
    Unlisted {
        /// The folder and the system's reason.
        message: String,
    },
    /// A folder without puzzles.
    #[error("{}: no puzzles in this folder", path.display())]
    NoPuzzles {
        /// The folder.
        path: PathBuf,
        /// What was looked for.
        wanted: Wanted,
    },
    /// A file that cannot be written: the disk is full or read-only.
    #[error("{}: cannot write: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// An output that exists already.
    #[error("{}: exists already", path.display())]
    Exists {
        /// The folder or file.
        path: PathBuf,
    },
    /// A file that two puzzles of one run would become.
    #[error("{}: two puzzles have this name", path.display())]
    SameName {
        /// The file.
        path: PathBuf,
    },
    /// Another run writes into the same folder.
    #[error("{}: another run (process {pid}) is writing here", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
        /// The process that holds the lock, as far as it is known.
        pid: String,
    },
    /// A dataset that was begun with other settings.
    #[error("{}: was begun with other settings: {differences}", path.display())]
    OtherSettings {
        /// The folder.
        path: PathBuf,
        /// Each setting that differs, then and now.
        differences: String,
    },
    /// A folder to resume in which no dataset was begun.
    #[error("{}: nothing here to resume", path.display())]
    NothingToResume {
        /// The folder.
        path: PathBuf,
    },
    /// A puzzle of another kind than the dataset promises.
    #[error("puzzle {index} does not belong here: {reason}")]
    WrongPuzzle {
        /// Its index.
        index: u64,
        /// Why not.
        reason: String,
    },
    /// A dataset that was closed before it was whole.
    #[error("{}: {missing} of {wanted} puzzles are missing", path.display())]
    Unfinished {
        /// The layout's folder.
        path: PathBuf,
        /// How many were never written.
        missing: u64,
        /// How many there should be.
        wanted: u64,
    },
}

/// What kinds of files a command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// npz files and tables.
    Npz,
    /// npz files, pictures and tables.
    Anything,
}

impl DataError {
    /// Whether the system failed us (a full or read-only disk) rather than the
    /// input being bad or the request being refused.
    pub fn is_system_failure(&self) -> bool {
        matches!(self, Self::Write { .. })
    }

    /// The file that it is about, where it is about one.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Bad { path, .. } | Self::Read { path, .. } => path.display().to_string(),
            _ => String::new(),
        }
    }

    /// What the user may do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Bad { format_error, .. } => format_error.hint(),
            Self::NoPuzzles { wanted: Wanted::Npz, .. } => {
                Some("puzzles are .npz or .parquet files, in this folder or those below it")
            }
            Self::NoPuzzles { wanted: Wanted::Anything, .. } => {
                Some("puzzles are .npz, .png or .parquet files, in this folder or those below it")
            }
            Self::Exists { .. } => {
                Some("choose another folder, or pass --resume to continue or --force to replace")
            }
            Self::SameName { .. } => Some("convert them into different folders"),
            Self::NothingToResume { .. } => Some("leave out --resume to begin a new dataset"),
            Self::OtherSettings { .. } => {
                Some("repeat the settings of the first run, or choose another folder")
            }
            _ => None,
        }
    }

    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + use<'_> {
        move |source| Self::Read { path: path.to_owned(), source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + use<'_> {
        move |source| Self::Write { path: path.to_owned(), source }
    }
}

/// Puts the name of the file to what is wrong with it.
pub(crate) trait InFile<T> {
    fn in_file(self, path: &Path) -> Result<T, DataError>;
}

impl<T> InFile<T> for Result<T, FormatError> {
    fn in_file(self, path: &Path) -> Result<T, DataError> {
        self.map_err(|format_error| DataError::Bad { path: path.to_owned(), format_error })
    }
}
