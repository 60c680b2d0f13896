//! Why a question is not answered.

use genvp_puzzle::PuzzleError;
use genvp_puzzle::family::FamilyError;

/// Why a question is not answered, in the words of the command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The status of HTTP that says the same.
    pub status: u16,
    /// One sentence.
    pub message: String,
    /// What may be done about it.
    pub hint: Option<String>,
}

impl Refusal {
    /// A request that nobody can read.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(400, message)
    }

    /// A request that can be read and cannot be fulfilled.
    pub fn impossible(message: impl Into<String>) -> Self {
        Self::new(422, message)
    }

    /// Something that is not there.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(404, message)
    }

    /// Any other refusal.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), hint: None }
    }

    /// The same with what may be done about it.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<FamilyError> for Refusal {
    fn from(error: FamilyError) -> Self {
        Self::impossible(error.to_string())
    }
}

impl From<PuzzleError> for Refusal {
    fn from(error: PuzzleError) -> Self {
        Self::impossible(error.to_string())
    }
}
