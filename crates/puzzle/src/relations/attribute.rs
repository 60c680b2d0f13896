//! The objects of a panel and their attributes.

use std::fmt;

use super::SpecError;

/// What a panel shows: filled shapes, or lines behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// Filled shapes at nine places.
    Shape,
    /// Lines across the panel.
    Line,
}

impl Object {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Shape, Self::Line];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shape => "shape",
            Self::Line => "line",
        }
    }

    /// Its bit in a triple of twelve bits.
    pub fn bit(self) -> usize {
        self as usize
    }
}

/// An attribute of an object: what a relation can govern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribute {
    /// Greys of the shapes.
    ShapeColor,
    /// How many shapes there are.
    ShapeNumber,
    /// Where shapes are.
    ShapePosition,
    /// Sizes of the shapes.
    ShapeSize,
    /// Kinds of shapes.
    ShapeType,
    /// Greys of the lines.
    LineColor,
    /// Kinds of lines.
    LineType,
}

impl Attribute {
    /// All seven.
    pub const ALL: [Self; 7] = [
        Self::ShapeColor,
        Self::ShapeNumber,
        Self::ShapePosition,
        Self::ShapeSize,
        Self::ShapeType,
        Self::LineColor,
        Self::LineType,
    ];

    /// Its place in [`Attribute::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Whose attribute it is.
    pub fn object(self) -> Object {
        match self {
            Self::LineColor | Self::LineType => Object::Line,
            _ => Object::Shape,
        }
    }

    /// The attributes whose values say how many objects there are to show this one
    /// on: number and position for the looks of shapes, type for the color of
    /// lines, none for those three themselves.
    pub(crate) fn carriers(self) -> &'static [Self] {
        match self {
            Self::ShapeColor | Self::ShapeSize | Self::ShapeType => {
                &[Self::ShapeNumber, Self::ShapePosition]
            }
            Self::LineColor => &[Self::LineType],
            Self::ShapeNumber | Self::ShapePosition | Self::LineType => &[],
        }
    }

    /// The name in files, which leaves out the object.
    pub fn name(self) -> &'static str {
        match self {
            Self::ShapeColor | Self::LineColor => "color",
            Self::ShapeNumber => "number",
            Self::ShapePosition => "position",
            Self::ShapeSize => "size",
            Self::ShapeType | Self::LineType => "type",
        }
    }

    /// Its bit in a triple of twelve bits: 2 color, 3 number, 4 position,
    /// 5 size, 6 type.
    pub fn bit(self) -> usize {
        match self {
            Self::ShapeColor | Self::LineColor => 2,
            Self::ShapeNumber => 3,
            Self::ShapePosition => 4,
            Self::ShapeSize => 5,
            Self::ShapeType | Self::LineType => 6,
        }
    }

    /// Its row in the 10 x 6 rule matrix: shape then line, each with color,
    /// number, position, size and type. Number, position and size of lines
    /// have rows too, which are always `none`.
    pub fn row(self) -> usize {
        5 * self.object().bit() + self.bit() - 2
    }

    /// Finds an attribute by the two names of a file.
    pub fn parse(object: &str, attribute: &str) -> Result<Self, SpecError> {
        Self::ALL
            .into_iter()
            .find(|a| a.object().name() == object && a.name() == attribute)
            .ok_or_else(|| SpecError::UnknownAttribute(format!("{object} {attribute}")))
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.object().name(), self.name())
    }
}
