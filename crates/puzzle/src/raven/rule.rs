//! A single rule: what it does to an attribute along a row.

use std::fmt;

use crate::family::RuleParameter;
use crate::raven::{Attribute, Group};

/// The kinds of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleKind {
    /// The attribute does not change along a row.
    Constant,
    /// It grows or shrinks by a fixed step.
    Progression,
    /// The third panel is the sum (union) or difference of the first two.
    Arithmetic,
    /// The same three values in every row, in another order.
    DistributeThree,
}

impl RuleKind {
    /// All kinds, in the order of the columns of `meta_matrix`.
    pub const ALL: [Self; 4] =
        [Self::Constant, Self::Progression, Self::Arithmetic, Self::DistributeThree];

    /// Column in a rule matrix, where column 0 is `none`.
    pub fn column(self) -> usize {
        self as usize + 1
    }

    /// The name that the original programs write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "Constant",
            Self::Progression => "Progression",
            Self::Arithmetic => "Arithmetic",
            Self::DistributeThree => "Distribute_Three",
        }
    }

    /// The name in rule texts.
    pub fn key(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Progression => "progression",
            Self::Arithmetic => "arithmetic",
            Self::DistributeThree => "distribute-three",
        }
    }

    /// Finds a kind by its name in either form, in any letter case.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase().replace('_', "-");
        Self::ALL.into_iter().find(|k| k.key() == text)
    }

    /// The steps that a rule of this kind may have; 0 where it has none.
    pub fn steps(self) -> &'static [i8] {
        match self {
            Self::Constant | Self::DistributeThree => &[0],
            Self::Progression => &[-2, -1, 1, 2],
            Self::Arithmetic => &[1, -1],
        }
    }
}

impl fmt::Display for RuleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// A rule on one attribute of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// What it governs.
    pub attribute: Attribute,
    /// What it does.
    pub kind: RuleKind,
    /// Step of a progression (-2, -1, 1, 2), sign of an arithmetic (1 plus or
    /// union, -1 minus or difference), 0 otherwise.
    pub step: i8,
}

impl Rule {
    /// The parameter as rule texts write it: `+1`, `-2`, `+`, `-`; nothing for
    /// rules without one.
    pub fn step_text(kind: RuleKind, step: i8) -> String {
        match kind {
            RuleKind::Progression => format!("{step:+}"),
            RuleKind::Arithmetic => if step < 0 { "-" } else { "+" }.to_owned(),
            RuleKind::Constant | RuleKind::DistributeThree => String::new(),
        }
    }

    /// Whether a rule on number or position makes new objects in every panel instead of keeping
    /// or moving them.
    pub fn rebuilds_objects(&self) -> bool {
        self.attribute == Attribute::Number || self.kind == RuleKind::Arithmetic
    }

    /// Its parameter as a model is told it: steps -2, -1, +1, +2, then plus and minus; the values
    /// of a distribute-three, but for sets of slots, which are too many to be told.
    pub fn parameter(&self, latin: Option<&Latin>) -> RuleParameter {
        let place = self.kind.steps().iter().position(|&step| step == self.step);
        let step = match self.kind {
            RuleKind::Progression => place,
            RuleKind::Arithmetic => place.map(|sign| RuleKind::Progression.steps().len() + sign),
            RuleKind::Constant | RuleKind::DistributeThree => None,
        };
        let lowest = u16::from(self.attribute == Attribute::Type);
        let values = latin
            .filter(|_| self.attribute != Attribute::Position)
            .map_or(0, |latin| latin.rows[0].iter().fold(0, |bits, v| bits | 1 << (v - lowest)));
        RuleParameter { step: step.map(|step| step as u8), values }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.attribute, self.kind)?;
        let step = Self::step_text(self.kind, self.step);
        if step.is_empty() { Ok(()) } else { write!(f, ":{step}") }
    }
}

/// The four rules of a component, in the order of [`Group::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ComponentRules(pub [Rule; 4]);

impl ComponentRules {
    /// The rule of a group.
    pub fn of(&self, group: Group) -> Rule {
        self.0[group.index()]
    }
}

/// The values that a distribute-three rule hands out: `rows[i][j]` for row `i`,
/// column `j`. Levels for number, type, size and color; for position a bit mask
/// of the occupied slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Latin {
    /// The three rows.
    pub rows: [[u16; 3]; 3],
}
