//! Draws from a stream of noise.

use crate::noise::Noise;

/// Numbers, one after the other; where there is no noise, the middle of what they could be.
pub(super) struct Chance<'a>(pub &'a mut Noise);

impl Chance<'_> {
    /// A number between 0 and 1, both left out.
    pub fn unit(&mut self) -> f32 {
        self.0.uniform(1).map_or(0.5, |drawn| drawn[0])
    }

    /// A whole number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f32) as usize).min(count - 1)
    }

    /// Puts some things into any order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}
