//! File names, by which the field's loaders find splits.

use std::fmt;

use genvp_puzzle::relations::Split;
use genvp_puzzle::vad::ChoiceKind;
use genvp_puzzle::{pgm, vad};

use super::Format;

/// What the name of a file says, without its ending: four fields of PGM, five of
/// VAD, which `_` separates. Regimes have dots in their names, never `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// `PGM_<regime>_<split>_<id>`.
    Pgm {
        /// The regime.
        regime: pgm::Regime,
        /// The split.
        split: Split,
        /// The number.
        id: u64,
    },
    /// `analogy_<regime>_<split>_<kind of choices>_<id>`.
    Vad {
        /// The regime.
        regime: vad::Regime,
        /// The split.
        split: Split,
        /// How wrong choices are made.
        kind: ChoiceKind,
        /// The number.
        id: u64,
    },
}

impl Name {
    /// Reads a name without its ending.
    pub fn parse(stem: &str) -> Option<Self> {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| text.parse().ok())?
        };
        match stem.split('_').collect::<Vec<_>>()[..] {
            ["PGM", regime, split, id] => Some(Self::Pgm {
                regime: pgm::Regime::parse(regime)?,
                split: Split::parse(split)?,
                id: number(id)?,
            }),
            ["analogy", regime, split, kind, id] => Some(Self::Vad {
                regime: vad::Regime::parse(regime)?,
                split: Split::parse(split)?,
                kind: ChoiceKind::parse(kind)?,
                id: number(id)?,
            }),
            _ => None,
        }
    }

    /// Reads the name of a file, wherever it lies.
    pub fn of_file(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next()?;
        Self::parse(name.strip_suffix(".npz")?)
    }

    /// Whose file it is.
    pub fn format(self) -> Format {
        match self {
            Self::Pgm { .. } => Format::Pgm,
            Self::Vad { .. } => Format::Vad,
        }
    }

    /// The name of the regime.
    pub fn regime(self) -> &'static str {
        match self {
            Self::Pgm { regime, .. } => regime.name(),
            Self::Vad { regime, .. } => regime.name(),
        }
    }

    /// The split.
    pub fn split(self) -> Split {
        match self {
            Self::Pgm { split, .. } | Self::Vad { split, .. } => split,
        }
    }

    /// How wrong choices are made, in VAD.
    pub fn kind(self) -> Option<ChoiceKind> {
        match self {
            Self::Pgm { .. } => None,
            Self::Vad { kind, .. } => Some(kind),
        }
    }

    /// The number.
    pub fn id(self) -> u64 {
        match self {
            Self::Pgm { id, .. } | Self::Vad { id, .. } => id,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pgm { regime, split, id } => write!(f, "PGM_{regime}_{split}_{id}"),
            Self::Vad { regime, split, kind, id } => {
                write!(f, "analogy_{regime}_{split}_{}_{id}", kind.name())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_originals_and_read_back() {
        let name = Name::of_file("neutral/PGM_neutral_train_1073149.npz");
        let neutral = pgm::Regime::Neutral;
        assert_eq!(name, Some(Name::Pgm { regime: neutral, split: Split::Train, id: 1_073_149 }));
        for regime in pgm::Regime::ALL {
            let name = Name::Pgm { regime, split: Split::Test, id: 7 };
            assert_eq!(Name::parse(&name.to_string()), Some(name), "{name}");
        }
        for regime in vad::Regime::ALL {
            for kind in ChoiceKind::ALL {
                let name = Name::Vad { regime, split: Split::Val, kind, id: 0 };
                assert_eq!(Name::parse(&name.to_string()), Some(name), "{name}");
            }
        }
        assert_eq!(
            Name::Vad {
                regime: vad::Regime::TargetLineType,
                split: Split::Train,
                kind: ChoiceKind::Lbc,
                id: 5
            }
            .to_string(),
            "analogy_novel.target.domain.line.type_train_lbc_5"
        );
        for stem in [
            "PGM_neutral_train",
            "PGM_neutral_train_1_2",
            "PGM_neutral_dev_1",
            "PGM_neutral_train_+1",
            "PGM_neutral_train_",
            "PGM_sweet_train_1",
            "analogy_interpolation_train_1",
            "RAVEN_0_train",
        ] {
            assert_eq!(Name::parse(stem), None, "{stem}");
        }
    }
}
