//! Randomness as a pure function of (seed, purpose, index).

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A private stream of random numbers for one thing that is made.
///
/// Two streams with another seed, purpose or index never share numbers, so a
/// puzzle does not change when its neighbours are made on another thread, or
/// not at all. The distributions are our own because those of the `rand` crate
/// may change between releases.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream of `index` for `purpose` under `seed`.
    ///
    /// A purpose is a short name such as `"puzzle"`; only its first 24 bytes
    /// tell it from others.
    pub fn new(seed: u64, purpose: &str, index: u64) -> Self {
        let mut key = [0u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (to, from) in key[8..].iter_mut().zip(purpose.bytes()) {
            *to = from;
        }
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(index);
        Self(rng)
    }

    /// A whole number in `0..n`, every one equally likely. `n` must not be 0.
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "nothing lies below zero");
        // Multiply-and-reject: the low half tells whether this draw would be biased.
        let threshold = n.wrapping_neg() % n;
        loop {
            let wide = u64::from(self.0.next_u32()) * u64::from(n);
            if wide as u32 >= threshold {
                return (wide >> 32) as u32;
            }
        }
    }

    /// A whole number in `lo..=hi`.
    pub fn between(&mut self, lo: i32, hi: i32) -> i32 {
        assert!(lo <= hi, "empty range {lo}..={hi}");
        lo + self.below((hi - lo + 1) as u32) as i32
    }

    /// True in half of all cases.
    pub fn coin(&mut self) -> bool {
        self.0.next_u32() >> 31 == 1
    }

    /// A number in `[0, 1)` with 24 random bits.
    pub fn unit(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / (1u32 << 24) as f32
    }

    /// A standard normal number (Box-Muller on two uniform draws).
    pub fn normal(&mut self) -> f32 {
        let radius = (-2.0 * (1.0 - f64::from(self.unit())).ln()).sqrt();
        (radius * (std::f64::consts::TAU * f64::from(self.unit())).cos()) as f32
    }

    /// One of the items, every one equally likely.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }

    /// An index of `weights`, with probability proportional to its weight.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut at = self.below(weights.iter().sum());
        for (index, &weight) in weights.iter().enumerate() {
            if at < weight {
                return index;
            }
            at -= weight;
        }
        unreachable!("the draw lies below the sum of the weights")
    }

    /// Puts the items into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.shuffle_front(items, items.len());
    }

    /// Makes the first `n` items a random ordered sample of all of them.
    pub fn shuffle_front<T>(&mut self, items: &mut [T], n: usize) {
        for i in 0..n.min(items.len().saturating_sub(1)) {
            let j = i + self.below((items.len() - i) as u32) as usize;
            items.swap(i, j);
        }
    }

    /// Raw random bits, for callers that need a seed of their own.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_a_function_of_seed_purpose_and_index() {
        let first = |seed, purpose, index| Stream::new(seed, purpose, index).bits();
        assert_eq!(first(7, "puzzle", 3), first(7, "puzzle", 3));
        assert_ne!(first(7, "puzzle", 3), first(8, "puzzle", 3));
        assert_ne!(first(7, "puzzle", 3), first(7, "choice", 3));
        assert_ne!(first(7, "puzzle", 3), first(7, "puzzle", 4));
    }

    #[test]
    fn values_never_change_between_releases() {
        let mut stream = Stream::new(1234, "golden", 5);
        let drawn: Vec<u32> = (0..8).map(|_| stream.below(1000)).collect();
        assert_eq!(drawn, GOLDEN);
    }
    const GOLDEN: [u32; 8] = [776, 909, 132, 973, 764, 221, 970, 647];

    #[test]
    fn every_value_below_n_is_equally_likely() {
        let mut stream = Stream::new(1, "fair", 0);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[stream.below(7) as usize] += 1;
        }
        // Six degrees of freedom: chi-square stays below 22.5 in 99.9 % of samples.
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi < 22.5, "{counts:?}");
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        Stream::new(2, "shuffle", 0).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
