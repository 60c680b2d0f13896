//! The seeds that weights owe something to.
//!
//! A model may know the puzzles of every seed that it, or weights that it began from, was
//! taught on; and settings or checkpoints may have been chosen by those of others. A run that
//! begins from weights takes their seeds over, so that the card at the end of a chain of runs
//! names them all.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::RunConfig;

/// Seeds of puzzles by what they were used for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// Puzzles that were learned from.
    pub training: BTreeSet<u64>,
    /// Puzzles by which settings or checkpoints were chosen.
    pub settings: BTreeSet<u64>,
}

impl Seeds {
    /// The seeds of one run, without what it began from.
    pub fn of_run(config: &RunConfig) -> Self {
        let train = &config.train;
        Self { training: [train.seed].into(), settings: [train.validation.seed].into() }
    }

    /// The seeds that a weights file's card names, also a card that names its last run's only.
    pub fn of_card(card: &Value) -> Self {
        let all = |one: &str, many: &str| {
            let many = card[many].as_array().into_iter().flatten();
            many.chain([&card[one]]).filter_map(Value::as_u64).collect()
        };
        Self {
            training: all("seed", "training_seeds"),
            settings: all("validation_seed", "settings_seeds"),
        }
    }

    /// Both together.
    pub fn with(mut self, other: &Self) -> Self {
        self.training.extend(&other.training);
        self.settings.extend(&other.settings);
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.training.is_empty() && self.settings.is_empty()
    }

    /// Whether a seed is among them.
    pub fn contains(&self, seed: u64) -> bool {
        self.training.contains(&seed) || self.settings.contains(&seed)
    }
}
