//! How sure a measured share is.

use serde::{Deserialize, Serialize};

/// A share of right answers, in percent, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// Right answers in percent.
    pub percent: f64,
    /// Lower end of the 95 % interval (Wilson), in percent.
    pub low: f64,
    /// Upper end, in percent.
    pub high: f64,
    /// How many were asked.
    pub n: u64,
}

impl Share {
    /// `right` of `n`; nothing asked gives 0 with the widest interval.
    pub fn of(right: u64, n: u64) -> Self {
        if n == 0 {
            return Self { percent: 0.0, low: 0.0, high: 100.0, n };
        }
        const Z: f64 = 1.959_963_984_540_054;
        let (count, p) = (n as f64, right as f64 / n as f64);
        let scale = 1.0 + Z * Z / count;
        let middle = (p + Z * Z / (2.0 * count)) / scale;
        let half = Z / scale * (p * (1.0 - p) / count + Z * Z / (4.0 * count * count)).sqrt();
        let low = if right == 0 { 0.0 } else { (middle - half).max(0.0) };
        let high = if right == n { 1.0 } else { (middle + half).min(1.0) };
        Self { percent: 100.0 * p, low: 100.0 * low, high: 100.0 * high, n }
    }

    /// The mean of some shares, each counting the same. Its interval is Wilson's
    /// for as many questions as would make a plain share as sure: all of them where
    /// each share has the same number.
    pub fn mean(shares: &[Self]) -> Option<Self> {
        if shares.is_empty() || shares.iter().any(|share| share.n == 0) {
            return None;
        }
        let count = shares.len() as f64;
        let mean = shares.iter().map(|share| share.percent).sum::<f64>() / count;
        let sure = count * count / shares.iter().map(|share| 1.0 / share.n as f64).sum::<f64>();
        let sure = sure.round().max(1.0) as u64;
        let near = Self::of((mean / 100.0 * sure as f64).round() as u64, sure);
        let asked = shares.iter().map(|share| share.n).sum();
        Some(Self { percent: mean, low: near.low.min(mean), high: near.high.max(mean), n: asked })
    }

    /// How many were right.
    pub fn right(&self) -> u64 {
        (self.percent / 100.0 * self.n as f64).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        // Newcombe 1998, table I: 15 of 148 gives 0.0624 to 0.1605.
        let share = Share::of(15, 148);
        assert!((share.low - 6.24).abs() < 0.01 && (share.high - 16.05).abs() < 0.01, "{share:?}");
    }

    #[test]
    fn all_or_none_right_reaches_the_end() {
        assert_eq!(Share::of(0, 20).low, 0.0);
        assert_eq!(Share::of(20, 20).high, 100.0);
        assert!(Share::of(20, 20).low > 80.0);
        assert_eq!(Share::of(0, 0).high, 100.0);
    }

    #[test]
    fn the_count_is_kept() {
        for right in 0..=97 {
            assert_eq!(Share::of(right, 97).right(), right);
        }
    }
}
