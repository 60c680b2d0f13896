//! The files of PGM and VAD: npz archives with the panels and the relations.
//!
//! Known from the authors' texts and the field's loaders: file names, members,
//! the wrong shape in the header of `image`, the order of the twelve bits. Which
//! number types the originals have is not published, so all are read. Ours are
//! written as the loaders expect them, and deflated.

mod file;
mod format;
mod name;
mod stream;
mod structure;
mod truth;

pub use file::{RelationFile, parse, read};
pub use format::Format;
pub use name::Name;
pub use stream::{Entry, Stream, stream};
pub use truth::{RelationPuzzle, Truth};
