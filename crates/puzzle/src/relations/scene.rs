//! What a panel shows.

use arrayvec::ArrayVec;

use super::{Attribute, ValueSet};

/// The outline of a shape. The first seven are PGM's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ShapeType {
    Circle,
    Triangle,
    Square,
    Pentagon,
    Hexagon,
    Octagon,
    Star,
    TriangleRight,
    TriangleDown,
    TriangleLeft,
}

impl ShapeType {
    /// All ten, in the order of their values.
    pub const ALL: [Self; 10] = [
        Self::Circle,
        Self::Triangle,
        Self::Square,
        Self::Pentagon,
        Self::Hexagon,
        Self::Octagon,
        Self::Star,
        Self::TriangleRight,
        Self::TriangleDown,
        Self::TriangleLeft,
    ];

    /// Its value.
    pub fn value(self) -> u8 {
        self as u8
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Triangle => "triangle",
            Self::Square => "square",
            Self::Pentagon => "pentagon",
            Self::Hexagon => "hexagon",
            Self::Octagon => "octagon",
            Self::Star => "star",
            Self::TriangleRight => "triangle pointing right",
            Self::TriangleDown => "triangle pointing down",
            Self::TriangleLeft => "triangle pointing left",
        }
    }
}

/// A line across the panel. The first six are PGM's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineType {
    /// Top left to bottom right.
    DiagonalDown,
    /// Bottom left to top right.
    DiagonalUp,
    /// Through the centre.
    Vertical,
    /// Through the centre.
    Horizontal,
    /// With its corners at the middles of the panel's sides.
    Diamond,
    /// Around the centre.
    Circle,
    /// The upper left side of the diamond.
    UpperLeft,
    /// The upper right side of the diamond.
    UpperRight,
    /// The lower right side of the diamond.
    LowerRight,
    /// The lower left side of the diamond.
    LowerLeft,
}

impl LineType {
    /// All ten, in the order of their values.
    pub const ALL: [Self; 10] = [
        Self::DiagonalDown,
        Self::DiagonalUp,
        Self::Vertical,
        Self::Horizontal,
        Self::Diamond,
        Self::Circle,
        Self::UpperLeft,
        Self::UpperRight,
        Self::LowerRight,
        Self::LowerLeft,
    ];

    /// Its value.
    pub fn value(self) -> u8 {
        self as u8
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::DiagonalDown => "diagonal down",
            Self::DiagonalUp => "diagonal up",
            Self::Vertical => "vertical",
            Self::Horizontal => "horizontal",
            Self::Diamond => "diamond",
            Self::Circle => "circle",
            Self::UpperLeft => "upper left corner",
            Self::UpperRight => "upper right corner",
            Self::LowerRight => "lower right corner",
            Self::LowerLeft => "lower left corner",
        }
    }

    /// Whether a set of lines can be told from every other by looking. The four
    /// corner lines are the sides of the diamond: neither may they stand beside
    /// it, nor all four together in its place.
    pub fn are_readable(lines: ValueSet) -> bool {
        const CORNERS: u16 = 0b11_1100_0000;
        let corners = lines.bits() & CORNERS;
        corners != CORNERS && (corners == 0 || !lines.contains(Self::Diamond.value()))
    }
}

/// The name of one of the nine places, row by row.
///
/// # Panics
/// When the position is above 8.
pub fn position_name(position: u8) -> &'static str {
    const NAMES: [&str; 9] = [
        "top left",
        "top",
        "top right",
        "left",
        "centre",
        "right",
        "bottom left",
        "bottom",
        "bottom right",
    ];
    NAMES[usize::from(position)]
}

/// A filled shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    /// Where it is: 0 to 8, row by row.
    pub position: u8,
    /// What it is.
    pub kind: ShapeType,
    /// How large, 0 to 9.
    pub size: u8,
    /// Its grey, 0 (dark) to 9.
    pub color: u8,
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// What it is.
    pub kind: LineType,
    /// Its grey, 0 (dark) to 9, or [`BLACK`](super::BLACK).
    pub color: u8,
}

/// One picture of a puzzle. Shapes are in the order of their positions, lines
/// in the order of their types, at most one of each: equal panels look alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Panel {
    /// The shapes, which lie above the lines.
    pub shapes: ArrayVec<Shape, 9>,
    /// The lines.
    pub lines: ArrayVec<Line, 10>,
}

impl Panel {
    /// The values that an attribute has here: those of all objects; for number
    /// the set of the one count.
    pub fn values(&self, attribute: Attribute) -> ValueSet {
        let shapes = self.shapes.iter();
        match attribute {
            Attribute::ShapeColor => shapes.map(|s| s.color).collect(),
            Attribute::ShapeNumber => ValueSet::of(self.shapes.len() as u8),
            Attribute::ShapePosition => shapes.map(|s| s.position).collect(),
            Attribute::ShapeSize => shapes.map(|s| s.size).collect(),
            Attribute::ShapeType => shapes.map(|s| s.kind.value()).collect(),
            Attribute::LineColor => self.lines.iter().map(|l| l.color).collect(),
            Attribute::LineType => self.lines.iter().map(|l| l.kind.value()).collect(),
        }
    }

    /// The values of all attributes, in the order of [`Attribute::ALL`].
    pub fn all_values(&self) -> [ValueSet; 7] {
        Attribute::ALL.map(|attribute| self.values(attribute))
    }
}
