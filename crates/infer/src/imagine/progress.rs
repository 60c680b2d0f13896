//! How drawing goes on, for those who wait for it.

use super::ImagineError;

/// Is told how drawing goes on, and may give it up. A closure is told of answers and never gives up.
pub trait Progress {
    /// One more answer is there.
    fn answered(&self) {}

    /// Whether nobody wants the rest; asked before every drawing.
    fn is_over(&self) -> bool {
        false
    }
}

impl Progress for () {}

impl<F: Fn()> Progress for F {
    fn answered(&self) {
        self();
    }
}

impl dyn Progress + '_ {
    pub(crate) fn check(&self) -> Result<(), ImagineError> {
        if self.is_over() { Err(ImagineError::GivenUp) } else { Ok(()) }
    }
}
