//! What a family cannot do.

use thiserror::Error;

use super::Form;
use crate::raven::PuzzleError;
use crate::relations::SpecError;

/// Puzzles that a family does not have, or panels that are not its own.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FamilyError {
    /// RAVEN cannot fulfil the request.
    #[error(transparent)]
    Raven(#[from] PuzzleError),
    /// PGM or VAD cannot fulfil the request.
    #[error(transparent)]
    Relations(#[from] SpecError),
    /// A name that the family does not know.
    #[error("{family} has no {what} `{found}`: {known}")]
    Unknown {
        /// The family.
        family: &'static str,
        /// What was named.
        what: &'static str,
        /// The name.
        found: String,
        /// The names it knows.
        known: String,
    },
    /// An option that the family does not have.
    #[error("{family} has no option {option}")]
    NoOption {
        /// The family.
        family: &'static str,
        /// The option.
        option: &'static str,
    },
    /// A puzzle of another form.
    #[error("{found}: puzzles of {family} have {wanted}")]
    OtherForm {
        /// The family.
        family: &'static str,
        /// The form of the puzzle.
        found: Form,
        /// The form of the family.
        wanted: Form,
    },
    /// Panels too small or too large to be read.
    #[error("panels of {found}x{found} pixels: {family} is read at sides of {least} to {most}")]
    Side {
        /// The family.
        family: &'static str,
        /// The side.
        found: usize,
        /// The smallest side that can be read.
        least: usize,
        /// The largest side that can be read.
        most: usize,
    },
}
