//! Comparing two lists of names without keeping either.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What is left when the names of one list are taken from those of another: how many, and
/// the sum of their hashes, which is 0 when each name was added and taken once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameBalance {
    count: i64,
    hashes: u64,
}

impl NameBalance {
    pub(crate) fn add(&mut self, name: &OsStr) {
        self.count += 1;
        self.hashes = self.hashes.wrapping_add(name_hash(name));
    }

    pub(crate) fn take(&mut self, name: &OsStr) {
        self.count -= 1;
        self.hashes = self.hashes.wrapping_sub(name_hash(name));
    }

    /// How many names were added and not taken, where more were added than taken.
    pub(crate) fn surplus(self) -> u64 {
        u64::try_from(self.count).unwrap_or(0)
    }

    /// Whether the same names were added and taken.
    pub(crate) fn is_even(self) -> bool {
        self == Self::default()
    }
}

/// The hash of a name.
pub(crate) fn name_hash(name: &OsStr) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}
