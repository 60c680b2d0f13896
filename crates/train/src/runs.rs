//! How many puzzles the runs behind some weights learned from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::RunConfig;

/// Puzzles of each run that led to some weights, by the digest of the run's settings.
///
/// A set, not a sum: two parts of a model may have begun from the same weights, and the
/// puzzles of that run count once. A run with the same settings has the same puzzles, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Runs(BTreeMap<String, u64>);

impl Runs {
    /// One run after some of its steps.
    pub fn of_run(config: &RunConfig, steps: u64) -> Self {
        Self([(config.hash(), steps * config.train.batch as u64)].into())
    }

    /// The runs that a weights file's card names; of an older card its last one.
    pub fn of_card(card: &Value) -> Self {
        let all = serde_json::from_value(card["runs"].clone());
        all.unwrap_or_else(|_| {
            let last = card["config_sha256"].as_str().zip(card["puzzles"].as_u64());
            Self(last.map(|(digest, puzzles)| (digest.to_owned(), puzzles)).into_iter().collect())
        })
    }

    /// Both together.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        for (run, &puzzles) in &other.0 {
            let own = self.0.entry(run.clone()).or_default();
            *own = puzzles.max(*own);
        }
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_run_that_two_parts_began_from_counts_once() {
        let (first, second) =
            (json!({"runs": {"a": 10, "b": 5}}), json!({"runs": {"a": 7, "c": 1}}));
        let both = Runs::of_card(&first).with(&Runs::of_card(&second));
        assert_eq!(serde_json::to_value(both).unwrap(), json!({"a": 10, "b": 5, "c": 1}));
    }

    #[test]
    fn an_older_card_knows_its_last_run() {
        let card = json!({"config_sha256": "a", "puzzles": 3});
        assert_eq!(serde_json::to_value(Runs::of_card(&card)).unwrap(), json!({"a": 3}));
        assert!(Runs::of_card(&Value::Null).is_empty());
    }
}
