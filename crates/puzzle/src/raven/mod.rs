//! RAVEN, I-RAVEN and RAVEN-FAIR: eight panels of a 3 x 3 matrix, eight choices,
//! seven layouts, and rules that run along rows.
//!
//! The modules follow a puzzle's journey: a [`Rule`] becomes a scene of
//! [`Panel`]s, an answer gets its wrong [`choices`](Puzzle::choices), panels
//! become pixels ([`render`]), pixels are read back into panels ([`read`]), and
//! a checker says which rules really hold ([`check`]).

mod attribute;
pub mod check;
mod combination;
mod domain;
mod error;
pub mod exact;
mod family;
mod form;
pub mod judge;
pub mod labels;
mod layout;
pub mod make;
pub mod read;
pub mod render;
mod rule;
mod rule_matrix;
mod scene;

pub use attribute::{Attribute, Group};
pub use combination::Combination;
pub use domain::{Domain, Levels};
pub use error::PuzzleError;
pub use family::Raven;
pub use form::{Choices, FORM, Grid, RuleRows};
pub use layout::{ComponentKind, Divider, Layout, Slot};
pub use rule::{ComponentRules, Latin, Rule, RuleKind};
pub use rule_matrix::{Row, RuleMatrix};
pub use scene::{Change, Component, Entity, Panel, Puzzle, Set};
