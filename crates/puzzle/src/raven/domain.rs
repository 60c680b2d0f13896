//! Which values the attributes take: the standard lists, and the shifted lists
//! of the paper's out-of-distribution test sets.

use crate::raven::{Attribute, ComponentKind};

/// The value lists behind the levels of size, color and angle.
///
/// A *level* is an index into a value list. Every rule speaks about levels, so
/// the shifted domains follow the same rules on values never seen in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Domain {
    /// The lists of RAVEN, I-RAVEN and RAVEN-FAIR.
    #[default]
    Standard,
    /// Angles half-way between the standard ones.
    AngleI,
    /// Grey values half-way between the standard ones.
    ColorI,
    /// Sizes half-way between the standard ones.
    SizeI,
    /// Sizes half-way between, and beyond, the standard ones.
    SizeE,
}

/// An inclusive range of levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// Smallest level.
    pub lo: i32,
    /// Largest level.
    pub hi: i32,
}

impl Levels {
    /// The range `lo..=hi`.
    pub const fn new(lo: i32, hi: i32) -> Self {
        Self { lo, hi }
    }

    /// How many levels there are; 0 when the range is empty.
    pub fn count(self) -> usize {
        (self.hi - self.lo + 1).max(0) as usize
    }

    /// Whether a level lies in the range.
    pub fn contains(self, level: i32) -> bool {
        (self.lo..=self.hi).contains(&level)
    }

    /// All levels, ascending.
    pub fn iter(self) -> impl Iterator<Item = i32> {
        self.lo..=self.hi
    }
}

impl Domain {
    /// All domains, the standard one first.
    pub const ALL: [Self; 5] =
        [Self::Standard, Self::AngleI, Self::ColorI, Self::SizeI, Self::SizeE];

    /// The name of the paper: `angle-i`, `color-i`, ...; `standard` otherwise.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::AngleI => "angle-i",
            Self::ColorI => "color-i",
            Self::SizeI => "size-i",
            Self::SizeE => "size-e",
        }
    }

    /// Finds a domain by its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.name().eq_ignore_ascii_case(text))
    }

    /// Sizes as a fraction of the slot, by level.
    pub fn sizes(self) -> &'static [f64] {
        match self {
            Self::SizeI => &[0.45, 0.55, 0.65, 0.75, 0.85],
            Self::SizeE => &[0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95],
            _ => &[0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
        }
    }

    /// Grey values (255 is white, and not filled), by level.
    pub fn colors(self) -> &'static [u8] {
        match self {
            Self::ColorI => &[238, 210, 182, 154, 126, 98, 70, 42, 14],
            _ => &[255, 224, 196, 168, 140, 112, 84, 56, 28, 0],
        }
    }

    /// Angles in degrees, counter-clockwise, by level.
    pub fn angles(self) -> &'static [i16] {
        match self {
            Self::AngleI => &[-157, -112, -67, -22, 22, 67, 112, 157],
            _ => &[-135, -90, -45, 0, 45, 90, 135, 180],
        }
    }

    /// The levels that a component's attribute may take before rules narrow
    /// them. `Number` counts from level 0 = one object.
    ///
    /// The paper's shifted lists leave out the limits of Out (large, white) and
    /// of the inner grid (not tiny); they are carried over here by value: under
    /// size-i, Out takes sizes from 0.65 and the inner grid from 0.55; under
    /// size-e both take the whole list; under color-i Out takes 238.
    pub fn range(self, component: ComponentKind, attribute: Attribute) -> Levels {
        match attribute {
            Attribute::NumberPosition | Attribute::Number | Attribute::Position => {
                Levels::new(0, component.slot_count() as i32 - 1)
            }
            Attribute::Type => Levels::new(1, 5),
            Attribute::Size => {
                let hi = self.sizes().len() as i32 - 1;
                let lo = match (self, component) {
                    (Self::SizeE, _) => 0,
                    (Self::SizeI, ComponentKind::Out) => 2,
                    (Self::SizeI, ComponentKind::InGrid) => 1,
                    (_, ComponentKind::Out) => 3,
                    (_, ComponentKind::InGrid) => 2,
                    _ => 0,
                };
                Levels::new(lo, hi)
            }
            Attribute::Color => match component {
                ComponentKind::Out => Levels::new(0, 0),
                _ => Levels::new(0, self.colors().len() as i32 - 1),
            },
        }
    }
}
