//! npz files: zip archives of numpy arrays. What is in those of RAVEN is said in `raven`, in those
//! of PGM and VAD in `relations`.
//!
//! Reading trusts nothing (sizes are checked before memory is taken, no Python
//! object is ever run, nothing is unpacked to disk); writing gives the same
//! bytes as numpy's `savez`, apart from the time of day that numpy puts in.

mod archive;
mod array;
mod header;
mod reader;
mod write;

pub use crate::raven::{parse, read, read_answer};
pub(crate) use array::Array;
pub(crate) use reader::{Reader, panel_side};
pub(crate) use write::Zip;
pub use write::zip;

/// The parser of a single `.npy` member, for tests that throw bytes at it.
pub fn parse_npy(bytes: &[u8]) -> Result<(), crate::FormatError> {
    array::Array::parse("array", bytes).map(|_| ())
}
