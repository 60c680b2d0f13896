//! Puzzles from rules: the model draws, the judge says whether it drew what was
//! asked, and the engine can turn what was read into a clean, usable item.

mod artist;
mod crisp;
mod decoded_scene;
mod error;
mod progress;
mod rule_sampler;

pub use artist::{Artist, Drawing};
pub use crisp::crisp;
pub use error::ImagineError;
pub use progress::Progress;
pub use rule_sampler::{Imagined, RuleSampler};

pub(crate) use artist::{grey, noise};
