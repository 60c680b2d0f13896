//! The five relations.

use std::fmt;

use super::{SpecError, ValueSet};

/// How the values of three panels in a line hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// One value a panel, which grows by the same step.
    Progression,
    /// The third panel has the values that one of the first two has, not both.
    Xor,
    /// The third panel has the values that the first two have together.
    Or,
    /// The third panel has the values that the first two share.
    And,
    /// One value a panel; every line has the same three, in any order.
    Union,
}

impl Relation {
    /// All five.
    pub const ALL: [Self; 5] = [Self::Progression, Self::Xor, Self::Or, Self::And, Self::Union];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Progression => "progression",
            Self::Xor => "XOR",
            Self::Or => "OR",
            Self::And => "AND",
            Self::Union => "consistent_union",
        }
    }

    /// Its bit in a triple of twelve bits, 7 to 11.
    pub fn bit(self) -> usize {
        7 + self as usize
    }

    /// Its column in the 10 x 6 rule matrix, 1 to 5; column 0 is `none`.
    pub fn column(self) -> usize {
        1 + self as usize
    }

    /// What a relation on sets makes of the first two panels; `None` for
    /// progression and union, which are not functions of two sets.
    pub fn combined(self, first: ValueSet, second: ValueSet) -> Option<ValueSet> {
        match self {
            Self::Xor => Some(first ^ second),
            Self::Or => Some(first | second),
            Self::And => Some(first & second),
            Self::Progression | Self::Union => None,
        }
    }

    /// Finds a relation by its name in files.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        Self::ALL
            .into_iter()
            .find(|r| r.name() == text)
            .ok_or_else(|| SpecError::UnknownRelation(text.to_owned()))
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
