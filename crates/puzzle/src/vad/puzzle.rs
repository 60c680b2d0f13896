//! A puzzle with its truth.

use super::{Analogy, ChoiceKind, Regime};
use crate::relations::{Panel, Relation, Split};

/// A whole puzzle with its truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The regime it belongs to.
    pub regime: Regime,
    /// The split it belongs to.
    pub split: Split,
    /// How the wrong choices were made.
    pub kind: ChoiceKind,
    /// The relation and its two domains.
    pub analogy: Analogy,
    /// The source row and the first two panels of the target row.
    pub context: [Panel; 5],
    /// The four possible answers.
    pub choices: [Panel; 4],
    /// Which choice is right, 0 to 3.
    pub target: u8,
    /// The relation that each choice completes in the target domain, if any.
    pub completes: [Option<Relation>; 4],
}

impl Puzzle {
    /// The right answer.
    pub fn answer(&self) -> &Panel {
        &self.choices[usize::from(self.target)]
    }

    /// All nine panels: the question, then the choices.
    pub fn panels(&self) -> impl Iterator<Item = &Panel> {
        self.context.iter().chain(&self.choices)
    }
}
