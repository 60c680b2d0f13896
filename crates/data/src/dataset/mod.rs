//! Whole datasets: written by many threads, whole or not at all, and provable.

mod clear;
mod lock;
mod manifest;
mod plan;
mod settings;
mod sums;
mod verify;
mod writer;

pub use manifest::{LayoutRecord, Manifest, dataset_seeds, read_manifest};
pub use plan::{Plan, Shard};
pub use settings::Settings;
pub use verify::verify;
pub use writer::{DatasetWriter, PuzzleFiles, Start};

pub(crate) use settings::differences;
