//! What can be wrong with a request.

use thiserror::Error;

use crate::raven::{Layout, RuleKind};

/// A request that no puzzle can fulfil, or a text that is not a rule.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PuzzleError {
    /// A piece of rule text without `=`.
    #[error("`{0}` is not a rule: write attribute=rule, for example size=progression:+1")]
    NotARule(String),
    /// A component prefix that the layout does not have.
    #[error("layout {layout} has no component `{prefix}`: {known}")]
    UnknownComponent {
        /// The layout.
        layout: Layout,
        /// What was asked for.
        prefix: String,
        /// The prefixes it has.
        known: String,
    },
    /// A layout with two components, and a rule that does not say which.
    #[error(
        "layout {layout} has two components: write {first}.{attribute} or {second}.{attribute}"
    )]
    WhichComponent {
        /// The layout.
        layout: Layout,
        /// Prefix of the first component.
        first: &'static str,
        /// Prefix of the second.
        second: &'static str,
        /// The attribute.
        attribute: String,
    },
    /// An attribute that does not exist.
    #[error("`{0}` is not an attribute: number, position, number/position, type, size or color")]
    UnknownAttribute(String),
    /// A rule that does not exist.
    #[error("`{0}` is not a rule: none, constant, progression, arithmetic or distribute-three")]
    UnknownRule(String),
    /// A parameter that the rule cannot have.
    #[error("`{text}` is not a parameter of {kind}: {known}")]
    UnknownStep {
        /// The rule.
        kind: RuleKind,
        /// What was asked for.
        text: String,
        /// The parameters it has.
        known: &'static str,
    },
    /// The same attribute twice.
    #[error("`{0}` is stated twice")]
    Twice(String),
    /// A rule that cannot hold in this layout, with the reason.
    #[error("{rule} cannot hold in {layout}: {reason}")]
    Impossible {
        /// The rule as text.
        rule: String,
        /// The layout.
        layout: Layout,
        /// Why not.
        reason: String,
    },
    /// A component has a group of attributes without a rule.
    #[error("no rule is stated for {rule} in {layout}")]
    NoRule {
        /// What lacks a rule.
        rule: String,
        /// The layout.
        layout: Layout,
    },
    /// No valid puzzle turned up in a bounded number of tries.
    #[error("no valid puzzle in {tries} tries for {layout} with these rules")]
    Exhausted {
        /// The layout.
        layout: Layout,
        /// How many were tried.
        tries: u32,
    },
}
