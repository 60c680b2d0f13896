//! The npz files of the RAVEN family: a zip archive of numpy arrays.
//!
//! Reading trusts nothing (sizes are checked before memory is taken, no Python
//! object is ever run, nothing is unpacked to disk); writing gives the same
//! bytes as numpy's `savez`, apart from the time of day that numpy puts in.

mod archive;
mod array;
mod header;
mod members;
mod reader;
mod write;

pub(crate) use array::Array;
pub use members::{parse, read};
pub(crate) use reader::{Reader, panel_side};
pub(crate) use write::{Zip, encode};

/// The parser of a single `.npy` member, for tests that throw bytes at it.
pub fn parse_npy(bytes: &[u8]) -> Result<(), crate::FormatError> {
    array::Array::parse("array", bytes).map(|_| ())
}
