//! What averages are taken over.

use std::fmt;

/// A part of a set that is counted by itself: a layout of RAVEN's three sets, a
/// regime of PGM or VAD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stratum {
    /// The name of the set on the command line: `iraven`, `pgm`.
    pub set: &'static str,
    /// The name of the part in files and folders: `distribute_nine`, `neutral`.
    pub name: &'static str,
}

impl fmt::Display for Stratum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.set, self.name)
    }
}
