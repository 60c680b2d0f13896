//! Which values an attribute can take.

use arrayvec::ArrayVec;

use super::{Attribute, BLACK, LineType, Panel, ShapeType, ValueSet};

/// Whose shapes and lines there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vocabulary {
    /// Seven shapes, six lines.
    Pgm,
    /// Three more turned triangles and four more lines across a corner. That
    /// turned triangles and corner lines occur was seen in a real figure; that
    /// these seven fill up the ten values of a domain is our decision.
    Vad,
}

impl Vocabulary {
    /// How many values an attribute has, counted from 0.
    pub fn value_count(self, attribute: Attribute) -> u8 {
        match (attribute, self) {
            (Attribute::ShapePosition, _) => 9,
            (Attribute::ShapeType, Self::Pgm) => 7,
            (Attribute::LineType, Self::Pgm) => 6,
            _ => 10,
        }
    }

    /// The shapes.
    pub fn shapes(self) -> &'static [ShapeType] {
        &ShapeType::ALL[..usize::from(self.value_count(Attribute::ShapeType))]
    }

    /// The lines.
    pub fn lines(self) -> &'static [LineType] {
        &LineType::ALL[..usize::from(self.value_count(Attribute::LineType))]
    }
}

/// Which of the ten colors and sizes occur. It binds shapes and lines, whether
/// governed, distracting or constant, and the choices. Black lines are exempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// All ten.
    None,
    /// 0, 2, 4, 6, 8.
    Even,
    /// 1, 3, 5, 7, 9.
    Odd,
    /// 0 to 4.
    Lower,
    /// 5 to 9.
    Upper,
}

impl Limit {
    /// The values of an attribute that may occur, in ascending order.
    pub fn values(self, attribute: Attribute, vocabulary: Vocabulary) -> ArrayVec<u8, 10> {
        use Attribute::{LineColor, ShapeColor, ShapeSize};
        let limited = matches!(attribute, ShapeColor | ShapeSize | LineColor);
        let allowed = |&value: &u8| !limited || self.has(value);
        (0..vocabulary.value_count(attribute)).filter(allowed).collect()
    }

    /// Whether all colors and sizes of a panel may occur.
    pub(super) fn allows_panel(self, panel: &Panel) -> bool {
        panel.shapes.iter().all(|shape| self.has(shape.color) && self.has(shape.size))
            && panel.lines.iter().all(|line| line.color == BLACK || self.has(line.color))
    }

    fn has(self, value: u8) -> bool {
        match self {
            Self::None => true,
            Self::Even => value.is_multiple_of(2),
            Self::Odd => !value.is_multiple_of(2),
            Self::Lower => value < 5,
            Self::Upper => value >= 5,
        }
    }

    /// Whether all values of a set may occur.
    pub fn allows(self, attribute: Attribute, values: ValueSet, vocabulary: Vocabulary) -> bool {
        values.is_subset(self.values(attribute, vocabulary).into_iter().collect())
    }
}
