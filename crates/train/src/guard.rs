//! Whether an update can be trusted.

use serde::{Deserialize, Serialize};

use crate::config::GuardConfig;

/// Updates after which the usual length of a gradient counts as known.
const LEARN_FROM: u64 = 100;

/// How much one gradient moves the usual length.
const PACE: f64 = 0.02;

/// Watches the gradients of a run. It is part of a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// The running mean of gradient lengths.
    pub usual_norm: f64,
    /// Updates made.
    pub updates: u64,
    /// Updates skipped, all in all.
    pub skipped: u64,
    /// Updates skipped since the last one that was made.
    pub in_a_row: u64,
}

/// Why an update was skipped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Skip {
    /// A term of the objective is not a finite number.
    #[error("the loss term {term} is {value}")]
    Term {
        /// The term.
        term: &'static str,
        /// Its value.
        value: f32,
    },
    /// A gradient is not a finite number.
    #[error("the gradient of {tensor} is not finite")]
    Gradient {
        /// The tensor.
        tensor: String,
    },
    /// A gradient is far longer than usual.
    #[error("the gradient is {norm:.3e} long, {usual:.3e} is usual")]
    Explosion {
        /// Its length.
        norm: f64,
        /// The usual length.
        usual: f64,
    },
}

impl Guard {
    /// Whether a gradient of this (finite) length may be used.
    pub fn judge(&self, norm: f64, config: &GuardConfig) -> Result<(), Skip> {
        let known = self.updates >= LEARN_FROM;
        if known && norm > config.explosion * self.usual_norm {
            return Err(Skip::Explosion { norm, usual: self.usual_norm });
        }
        Ok(())
    }

    /// An update was made with a gradient of this length.
    pub fn made(&mut self, norm: f64) {
        let pace = PACE.max(1.0 / (self.updates + 1) as f64);
        self.usual_norm += pace * (norm - self.usual_norm);
        self.updates += 1;
        self.in_a_row = 0;
    }

    /// An update was skipped.
    pub fn skip(&mut self) {
        self.skipped += 1;
        self.in_a_row += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gradient_far_beyond_the_usual_is_an_explosion_once_the_usual_is_known() {
        let (mut guard, config) =
            (Guard::default(), GuardConfig { explosion: 10.0, most_skips: 3 });
        assert!(guard.judge(1e9, &config).is_ok(), "nothing is known yet");
        (0..LEARN_FROM).for_each(|_| guard.made(2.0));
        assert!((guard.usual_norm - 2.0).abs() < 1e-9);
        assert!(guard.judge(19.0, &config).is_ok());
        let skip = guard.judge(21.0, &config).unwrap_err();
        assert!(skip.to_string().contains("2.1"), "{skip}");
    }

    #[test]
    fn skips_in_a_row_are_counted_until_an_update_is_made() {
        let mut guard = Guard::default();
        guard.skip();
        guard.skip();
        assert_eq!((guard.skipped, guard.in_a_row), (2, 2));
        guard.made(1.0);
        assert_eq!((guard.skipped, guard.in_a_row, guard.updates), (2, 0, 1));
    }
}
