//! What puzzles are wanted, in the words of the command line.

use super::{Split, Stratum};

/// What puzzles are wanted. A family rejects what it does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleSpec {
    /// The set, and the layout or regime.
    pub stratum: Stratum,
    /// The split, in families whose splits hold different things.
    pub split: Option<Split>,
    /// Rules that must hold, in the family's text form; what is not named is drawn.
    pub rules: String,
    /// The name of an out-of-distribution variant.
    pub ood: Option<String>,
    /// How wrong choices are made, in families that leave it open within a set.
    pub choices: Option<String>,
    /// All objects of a component alike.
    pub uniform: bool,
    /// Keep the faults of the original programs.
    pub faithful: bool,
    /// Leave out puzzles in which other rules single out another choice.
    pub no_rivals: bool,
}

impl PuzzleSpec {
    /// Any puzzle of a stratum.
    pub fn new(stratum: Stratum) -> Self {
        Self {
            stratum,
            split: None,
            rules: String::new(),
            ood: None,
            choices: None,
            uniform: false,
            faithful: false,
            no_rivals: false,
        }
    }
}
