//! Whole datasets: written by many threads, whole or not at all, and provable.

mod clear;
mod lock;
mod manifest;
mod plan;
mod sums;
mod verify;
mod writer;

pub use manifest::{LayoutRecord, Manifest};
pub use plan::{Plan, Shard};
pub use verify::{Verified, verify};
pub use writer::{DatasetWriter, Start};
