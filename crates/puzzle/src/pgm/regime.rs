//! The eight regimes and what their splits hold.

use std::fmt;

use super::HeldOut;
use crate::relations::{Attribute, Limit, Split, Triple};

/// What a regime lets a model see in training, and asks of it in the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Regime {
    /// Everything everywhere.
    Neutral,
    /// Every second color and size in training, those between in the test.
    Interpolation,
    /// The lower half of colors and sizes in training, the upper in the test.
    Extrapolation,
    /// Pairs of triples that never meet in training.
    HeldOutTriplePairs,
    /// Triples that never occur in training.
    HeldOutTriples,
    /// Pairs of attributes that are never governed together in training.
    HeldOutAttributePairs,
    /// No relation on the color of shapes in training.
    HeldOutShapeColor,
    /// No relation on the type of lines in training.
    HeldOutLineType,
}

impl Regime {
    /// All eight.
    pub const ALL: [Self; 8] = [
        Self::Neutral,
        Self::Interpolation,
        Self::Extrapolation,
        Self::HeldOutTriplePairs,
        Self::HeldOutTriples,
        Self::HeldOutAttributePairs,
        Self::HeldOutShapeColor,
        Self::HeldOutLineType,
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Interpolation => "interpolation",
            Self::Extrapolation => "extrapolation",
            Self::HeldOutTriplePairs => "attr.rel.pairs",
            Self::HeldOutTriples => "attr.rels",
            Self::HeldOutAttributePairs => "attrs.pairs",
            Self::HeldOutShapeColor => "attrs.shape.color",
            Self::HeldOutLineType => "attrs.line.type",
        }
    }

    /// Finds a regime by its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.name() == text)
    }

    /// The fewest triples of a puzzle: pairs need two.
    pub fn least_triples(self) -> usize {
        match self {
            Self::HeldOutTriplePairs | Self::HeldOutAttributePairs => 2,
            _ => 1,
        }
    }

    /// The colors and sizes of a split. Validation is as training.
    pub fn limit(self, split: Split) -> Limit {
        match (self, split) {
            (Self::Interpolation, Split::Test) => Limit::Odd,
            (Self::Interpolation, _) => Limit::Even,
            (Self::Extrapolation, Split::Test) => Limit::Upper,
            (Self::Extrapolation, _) => Limit::Lower,
            _ => Limit::None,
        }
    }

    /// Why a structure does not belong to a split; `None` if it does.
    pub fn refuses(self, split: Split, held_out: &HeldOut, triples: &[Triple]) -> Option<String> {
        use Attribute::{LineColor, LineType, ShapeColor, ShapeSize};
        if triples.len() < self.least_triples() {
            return Some(format!("it has at least {} triples", self.least_triples()));
        }
        let governs = |attribute| triples.iter().any(|t| t.attribute == attribute);
        match self {
            Self::Neutral => None,
            Self::Interpolation | Self::Extrapolation => {
                let shifted = [ShapeColor, LineColor, ShapeSize].into_iter().any(governs);
                (!shifted).then(|| "some triple governs a color or a size".to_owned())
            }
            Self::HeldOutShapeColor => mismatch(split, governs(ShapeColor), "shape color"),
            Self::HeldOutLineType => mismatch(split, governs(LineType), "line type"),
            Self::HeldOutTriples => {
                mismatch(split, held_out.concerns(triples), "a held-out triple")
            }
            Self::HeldOutTriplePairs => {
                mismatch(split, held_out.concerns(triples), "a held-out pair of triples")
            }
            Self::HeldOutAttributePairs => {
                mismatch(split, held_out.concerns(triples), "a held-out pair of attributes")
            }
        }
    }
}

/// What is held out belongs into every test puzzle and no other.
fn mismatch(split: Split, concerned: bool, what: &str) -> Option<String> {
    match (split, concerned) {
        (Split::Test, false) => Some(format!("every puzzle has {what}")),
        (Split::Train | Split::Val, true) => Some(format!("no puzzle has {what}")),
        _ => None,
    }
}

impl fmt::Display for Regime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
