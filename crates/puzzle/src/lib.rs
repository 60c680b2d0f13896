//! What a Raven-style puzzle is.
//!
//! [`family`] says what all puzzles have in common. Every family has a folder:
//! [`raven`], [`pgm`] and [`vad`], the last two on the ground of [`relations`].
//! Each goes from rules to scenes, from scenes
//! to panels, and back: panels are read, rules checked, puzzles solved exactly.
//! Nothing here touches a file, a tensor or a clock, and everything random is a
//! pure function of (seed, purpose, index).

pub mod family;
pub mod pgm;
pub mod raven;
pub mod relations;
mod resize;
mod seed;
pub mod vad;

pub use raven::{
    Attribute, Change, Combination, Component, ComponentKind, ComponentRules, Divider, Domain,
    Entity, Group, Latin, Layout, Levels, Panel, Puzzle, PuzzleError, Row, Rule, RuleKind,
    RuleMatrix, Set, Slot,
};
pub use raven::{check, exact, make, read, render};
pub use resize::{SIDE, raise_bilinear, resize_area, resize_ink};
pub use seed::Stream;
