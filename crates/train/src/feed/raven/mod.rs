//! Puzzles of RAVEN, fresh or stored, and the labels that only they have.

mod augment;
mod example;
mod fresh;
pub mod irrelevant;
mod layout_weights;
mod scene_codes;
mod scenes;
mod stored;

pub use augment::AugmentConfig;
pub use example::{ChoiceOrder, write};
pub use fresh::Fresh;
pub use layout_weights::LayoutWeights;
pub use scene_codes::SceneCodes;
pub use stored::Stored;
