//! How a command ends when it does not end well.

use std::fmt;
use std::io;

use genvp_data::DataError;
use genvp_exam::ExamError;
use genvp_infer::InferError;
use genvp_infer::imagine::ImagineError;
use genvp_puzzle::PuzzleError;
use genvp_puzzle::family::FamilyError;
use genvp_puzzle::relations::SpecError;
use genvp_report::ReportError;

use crate::console::Console;

/// How a command that ran to its end answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Done, or yes: exit 0.
    Yes,
    /// The answer is no, for example a dataset that is not sound: exit 1.
    No,
    /// Stopped cleanly on Ctrl-C: exit 130, as shells expect.
    Interrupted,
}

impl Answer {
    /// The exit status.
    pub fn code(self) -> u8 {
        match self {
            Self::Yes => 0,
            Self::No => 1,
            Self::Interrupted => 130,
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub struct Failure {
    message: String,
    hint: Option<String>,
    code: u8,
}

impl Failure {
    /// The input or the request is bad: exit 1.
    pub fn bad(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, code: 1 }
    }

    /// The system failed, or we did: exit 2.
    pub fn system(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, code: 2 }
    }

    /// What a library says, and what the user may do about it where it knows.
    fn of(error: &dyn fmt::Display, is_system: bool, hint: Option<&str>) -> Self {
        let message = error.to_string();
        let failure = if is_system { Self::system(message) } else { Self::bad(message) };
        Self { hint: hint.map(str::to_owned), ..failure }
    }

    /// Adds what the user may do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says what went wrong and gives the exit status. A reader that hung up is
    /// no failure.
    pub fn report(self, console: &Console) -> u8 {
        if self.code != 0 {
            console.error(&self.message, self.hint.as_deref());
        }
        self.code
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<PuzzleError> for Failure {
    fn from(error: PuzzleError) -> Self {
        Self::bad(error.to_string())
    }
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        Self::bad(error.to_string())
    }
}

impl From<FamilyError> for Failure {
    fn from(error: FamilyError) -> Self {
        Self::bad(error.to_string())
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        Self::of(&error, error.is_system_failure(), error.hint())
    }
}

impl From<ExamError> for Failure {
    fn from(error: ExamError) -> Self {
        Self::of(&error, error.is_system_failure(), error.hint())
    }
}

impl From<InferError> for Failure {
    fn from(error: InferError) -> Self {
        Self::of(&error, error.is_system_failure(), error.hint())
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self::of(&error, error.is_system_failure(), error.hint())
    }
}

impl From<ImagineError> for Failure {
    fn from(error: ImagineError) -> Self {
        Self::of(&error, error.is_system_failure(), None)
    }
}

/// Only standard output is written without a path of its own.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let code = if error.kind() == io::ErrorKind::BrokenPipe { 0 } else { 2 };
        Self { message: format!("standard output: {error}"), hint: None, code }
    }
}
