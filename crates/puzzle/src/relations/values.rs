//! Sets of attribute values.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor};

/// A set of values of one attribute, each a number from 0 to 15.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ValueSet(u16);

impl ValueSet {
    /// No value.
    pub const EMPTY: Self = Self(0);

    /// The set of one value.
    ///
    /// # Panics
    /// When the value is above 15.
    pub fn of(value: u8) -> Self {
        assert!(value < 16, "value {value} is not 0 to 15");
        Self(1 << value)
    }

    /// The set whose member `i` is bit `i`.
    pub fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Bit `i` tells whether `i` is a member.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Whether a value is a member.
    pub fn contains(self, value: u8) -> bool {
        value < 16 && self.0 >> value & 1 == 1
    }

    /// How many members there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all members are members of another set.
    pub fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The only member, if there is exactly one.
    pub fn single(self) -> Option<u8> {
        self.0.is_power_of_two().then(|| self.0.trailing_zeros() as u8)
    }

    /// The members in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let value = rest.trailing_zeros() as u8;
            (rest != 0).then(|| {
                rest &= rest - 1;
                value
            })
        })
    }
}

impl FromIterator<u8> for ValueSet {
    fn from_iter<I: IntoIterator<Item = u8>>(values: I) -> Self {
        values.into_iter().fold(Self::EMPTY, |set, value| set | Self::of(value))
    }
}

impl BitOr for ValueSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for ValueSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitXor for ValueSet {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl fmt::Debug for ValueSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
