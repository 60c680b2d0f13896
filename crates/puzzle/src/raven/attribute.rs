//! The attributes that a rule can govern.

use std::fmt;

/// What a rule speaks about: the six rows that every component has in a
/// [`RuleMatrix`](crate::raven::RuleMatrix), in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribute {
    /// Number and position together: only ever held constant.
    NumberPosition,
    /// How many objects there are.
    Number,
    /// Which slots they occupy.
    Position,
    /// Their shape, from triangle to circle.
    Type,
    /// Their size.
    Size,
    /// Their grey value.
    Color,
}

impl Attribute {
    /// All six, in the order of the rule matrix.
    pub const ALL: [Self; 6] =
        [Self::NumberPosition, Self::Number, Self::Position, Self::Type, Self::Size, Self::Color];

    /// Place among [`Attribute::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The attribute of a row of the rule matrix: both components have the same ones.
    pub fn of_row(row: usize) -> Self {
        Self::ALL[row % Self::ALL.len()]
    }

    /// The name that the original programs write, such as `Number/Position`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NumberPosition => "Number/Position",
            Self::Number => "Number",
            Self::Position => "Position",
            Self::Type => "Type",
            Self::Size => "Size",
            Self::Color => "Color",
        }
    }

    /// The name in rule texts, such as `number/position`.
    pub fn key(self) -> &'static str {
        match self {
            Self::NumberPosition => "number/position",
            Self::Number => "number",
            Self::Position => "position",
            Self::Type => "type",
            Self::Size => "size",
            Self::Color => "color",
        }
    }

    /// Finds an attribute by its name, in any letter case.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let text = if text == "colour" { "color" } else { text.as_str() };
        Self::ALL.into_iter().find(|a| a.key() == text)
    }

    /// The group of which a component has exactly one rule.
    pub fn group(self) -> Group {
        match self {
            Self::NumberPosition | Self::Number | Self::Position => Group::NumberPosition,
            Self::Type => Group::Type,
            Self::Size => Group::Size,
            Self::Color => Group::Color,
        }
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// The four groups of attributes; every component has one rule of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Number, position, or both held constant.
    NumberPosition,
    /// Shape.
    Type,
    /// Size.
    Size,
    /// Grey value.
    Color,
}

impl Group {
    /// All four, in the order in which rules are kept and applied.
    pub const ALL: [Self; 4] = [Self::NumberPosition, Self::Type, Self::Size, Self::Color];

    /// Place among [`Group::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The attributes of this group.
    pub fn attributes(self) -> &'static [Attribute] {
        match self {
            Self::NumberPosition => {
                &[Attribute::NumberPosition, Attribute::Number, Attribute::Position]
            }
            Self::Type => &[Attribute::Type],
            Self::Size => &[Attribute::Size],
            Self::Color => &[Attribute::Color],
        }
    }
}
