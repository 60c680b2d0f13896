//! The seeds that weights owe something to.
//!
//! A model may know the puzzles of every seed that it, or weights that it began from, was
//! taught on; and settings or checkpoints may have been chosen by those of others. A run that
//! begins from weights takes their seeds over, so that the card at the end of a chain of runs
//! names them all.

use std::collections::BTreeSet;
use std::path::Path;

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
    /// The seeds of one run, without what it began from: its own, and that of the dataset it learns
    /// from and is examined by, as long as its manifest is there.
    pub fn of_run(config: &RunConfig) -> Self {
        let train = &config.train;
        let mut training = BTreeSet::from([train.seed]);
        if !train.feed.data.is_empty() {
            training.extend(genvp_data::dataset_seeds(Path::new(&train.feed.data)));
        }
        let mut settings = BTreeSet::from([train.validation.seed]);
        if let Some(folder) = config.stored_validation() {
            settings.extend(genvp_data::dataset_seeds(folder));
        }
        Self { training, settings }
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

    /// The first seed from `seed` on that is none of them.
    pub fn free_from(&self, seed: u64) -> u64 {
        let mut free = seed;
        while self.contains(free) {
            free = free.wrapping_add(1);
        }
        free
    }

    /// Whether a seed is among them.
    pub fn contains(&self, seed: u64) -> bool {
        self.training.contains(&seed) || self.settings.contains(&seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_seed_is_none_that_taught_or_chose() {
        let seeds = Seeds { training: [7, 9].into(), settings: [8].into() };
        assert_eq!((seeds.free_from(7), seeds.free_from(6)), (10, 6));
        assert_eq!(Seeds { training: [u64::MAX].into(), ..seeds }.free_from(u64::MAX), 0);
    }

    #[test]
    fn the_seed_of_a_dataset_is_a_training_seed() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = r#"{"format":"genvp dataset 1","plan":{"seed":2000000011},"layouts":{}}"#;
        std::fs::write(folder.path().join("manifest.json"), manifest).unwrap();
        let mut config = RunConfig::preset("cpu-64").unwrap();
        config.train.feed.data = folder.path().display().to_string();
        assert!(Seeds::of_run(&config).training.contains(&2_000_000_011));
        // One of its layouts.
        std::fs::create_dir(folder.path().join("center_single")).unwrap();
        config.train.feed.data = folder.path().join("center_single").display().to_string();
        assert!(Seeds::of_run(&config).training.contains(&2_000_000_011));
        config.train.feed.data.clear();
        assert!(!Seeds::of_run(&config).training.contains(&2_000_000_011));
    }
}
