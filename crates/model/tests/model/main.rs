//! What the model promises, in one program (linking burn once is enough).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod architectures;
mod common;
mod goldens;
mod imagination;
mod learning;
mod objects;
mod parameters;
mod rings;
mod shipped;
mod solving;
mod weights;
mod writing;
