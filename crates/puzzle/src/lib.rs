//! What a Raven-style puzzle is.
//!
//! The modules follow a puzzle's journey: a [`Rule`] becomes a scene of
//! [`Panel`]s, an answer gets its wrong [`choices`](crate::Puzzle::choices),
//! panels become pixels, pixels are read back into panels, and a checker says
//! which rules really hold. Nothing here touches a file, a tensor or a clock,
//! and everything random is a pure function of (seed, purpose, index).

mod attribute;
pub mod check;
mod combination;
mod domain;
pub mod draw;
mod error;
pub mod exact;
mod layout;
pub mod make;
pub mod pgm;
pub mod read;
pub mod relations;
pub mod render;
mod rule;
mod rule_matrix;
mod scene;
mod seed;
pub mod vad;

pub use attribute::{Attribute, Group};
pub use combination::Combination;
pub use domain::{Domain, Levels};
pub use error::PuzzleError;
pub use layout::{Divider, Layout, PartKind, Slot};
pub use rule::{Latin, PartRules, Rule, RuleKind};
pub use rule_matrix::{Row, RuleMatrix};
pub use scene::{Change, Entity, Panel, Part, Puzzle, Set};
pub use seed::Stream;
