//! Shares as people read them.

use std::fmt;

/// A percentage with one decimal, or a dash where there is nothing to count.
#[derive(Clone, Copy, Debug)]
pub struct Percent(pub Option<f64>);

impl Percent {
    /// `part` of `whole`, in percent.
    pub fn of(part: u64, whole: u64) -> Self {
        Self((whole > 0).then(|| 100.0 * part as f64 / whole as f64))
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(value) => f.pad(&format!("{value:.1} %")),
            None => f.pad("-"),
        }
    }
}
