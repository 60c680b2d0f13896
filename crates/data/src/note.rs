//! What was left out or reinterpreted while a file was read.

use std::fmt;

use crate::FormatError;

/// One thing that was read otherwise than it is written. None of them keeps a
/// puzzle from being solved: its panels are enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// An optional member that is not as RAVEN's files have it (PGM's
    /// `meta_target` has twelve entries) counts as missing.
    Skipped(FormatError),
    /// A member that RAVEN's files do not have.
    Unknown(String),
    /// `image` has the shape of PGM's, whose header tells the panels last
    /// though its bytes are one panel after another.
    PanelsLast {
        /// The side of the panels.
        side: usize,
    },
}

impl Note {
    /// What is wrong with a file of RAVEN's that leads to this note. Pickled
    /// words occur in copies of the field's own files and are no fault.
    pub fn fault(&self) -> Option<&FormatError> {
        match self {
            Self::Skipped(FormatError::Pickled { .. })
            | Self::Unknown(_)
            | Self::PanelsLast { .. } => None,
            Self::Skipped(format_error) => Some(format_error),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skipped(format_error) => write!(f, "skipped: {format_error}"),
            Self::Unknown(member) => write!(f, "skipped: member `{member}` is not known"),
            Self::PanelsLast { side } => write!(
                f,
                "took `image` of shape ({side}, {side}, 16) as 16 panels one after another, as PGM keeps them"
            ),
        }
    }
}
