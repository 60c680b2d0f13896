//! The five regimes and what their splits hold.

use std::fmt;

use super::Analogy;
use crate::relations::{Attribute, Limit, Split};

/// What a regime lets a model see in training, and asks of it in the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Regime {
    /// Pairs of source and target domain that never occur in training.
    DomainTransfer,
    /// The type of lines is never a target domain in training.
    TargetLineType,
    /// The color of shapes is never a target domain in training.
    TargetShapeColor,
    /// Every second color and size in training, those between in the test.
    Interpolation,
    /// The lower half of colors and sizes in training, the upper in the test.
    Extrapolation,
}

impl Regime {
    /// All five.
    pub const ALL: [Self; 5] = [
        Self::DomainTransfer,
        Self::TargetLineType,
        Self::TargetShapeColor,
        Self::Interpolation,
        Self::Extrapolation,
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::DomainTransfer => "novel.domain.transfer",
            Self::TargetLineType => "novel.target.domain.line.type",
            Self::TargetShapeColor => "novel.target.domain.shape.color",
            Self::Interpolation => "interpolation",
            Self::Extrapolation => "extrapolation",
        }
    }

    /// Finds a regime by its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.name() == text)
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

    /// Why an analogy does not belong to a split; `None` if it does. `held_out`
    /// are the pairs of [`Regime::DomainTransfer`].
    pub fn refuses(
        self,
        split: Split,
        held_out: &[[Attribute; 2]],
        analogy: Analogy,
    ) -> Option<&'static str> {
        use Attribute::{LineColor, LineType, ShapeColor, ShapeSize};
        let (concerned, always, never) = match self {
            Self::DomainTransfer => (
                held_out.contains(&[analogy.source, analogy.target]),
                "every pair of domains is held out",
                "no pair of domains is held out",
            ),
            Self::TargetLineType => (
                analogy.target == LineType,
                "the target domain is line type",
                "the target domain is never line type",
            ),
            Self::TargetShapeColor => (
                analogy.target == ShapeColor,
                "the target domain is shape color",
                "the target domain is never shape color",
            ),
            Self::Interpolation | Self::Extrapolation => {
                let shifted = |domain| matches!(domain, ShapeColor | LineColor | ShapeSize);
                return (!shifted(analogy.source) && !shifted(analogy.target))
                    .then_some("one of the domains is a color or size");
            }
        };
        match (split, concerned) {
            (Split::Test, false) => Some(always),
            (Split::Train | Split::Val, true) => Some(never),
            _ => None,
        }
    }
}

impl fmt::Display for Regime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
