//! What can be wrong with a request.

use thiserror::Error;

use super::{Split, Triple};

/// A request that no puzzle can fulfil, or a name that does not exist.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpecError {
    /// A piece of rule text that is none.
    #[error("`{0}` is not a rule: write object.attribute=relation, for example shape.color=XOR")]
    NotARule(String),
    /// Rules that do not state one relation in a source and a target domain.
    #[error(
        "`{0}` is not an analogy: write source.shape.color=XOR target.line.type=XOR, for example"
    )]
    NotAnAnalogy(String),
    /// Not one of the seven attributes.
    #[error(
        "`{0}` is not an attribute: shape color, number, position, size or type; line color or type"
    )]
    UnknownAttribute(String),
    /// Not one of the five relations.
    #[error("`{0}` is not a relation: progression, XOR, OR, AND or consistent_union")]
    UnknownRelation(String),
    /// Not one of the 29 triples.
    #[error("no puzzle has {0}: it is not one of the legal triples")]
    IllegalTriple(Triple),
    /// Two triples that exclude each other.
    #[error("{first} and {second} cannot govern one puzzle: {reason}")]
    Conflict {
        /// One of them.
        first: Triple,
        /// The other.
        second: Triple,
        /// Why not.
        reason: &'static str,
    },
    /// A number of triples that no puzzle of the regime has.
    #[error("{found} triples: a puzzle of {regime} has {least} to 4")]
    TripleCount {
        /// The regime.
        regime: &'static str,
        /// How many there are.
        found: usize,
        /// The fewest it has.
        least: usize,
    },
    /// A structure that does not belong to this regime and split.
    #[error("{structure} does not belong to {regime} {split}: {reason}")]
    OutsideRegime {
        /// What was asked for.
        structure: String,
        /// The regime.
        regime: &'static str,
        /// The split.
        split: Split,
        /// Why not.
        reason: String,
    },
    /// A list of what is held out that does not fit the regime.
    #[error("{regime} cannot hold this out: {reason}")]
    HeldOut {
        /// The regime.
        regime: &'static str,
        /// What is wrong with the list.
        reason: String,
    },
    /// No valid puzzle turned up in a bounded number of tries.
    #[error("no valid puzzle of {what} in {tries} tries")]
    Exhausted {
        /// What was to be made.
        what: String,
        /// How many tries were made.
        tries: u32,
    },
}
