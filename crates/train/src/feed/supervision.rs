//! What a batch tells a model besides its pixels.

use std::fmt;

use genvp_model::ModelConfig;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a model is taught with. Each kind includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Supervision {
    /// Images, and which choice is right.
    Answers,
    /// R of the puzzle, R⁻ of the wrong choices, and the layout.
    Rules,
    /// The true values of every panel too, and Z_o-bar where the model has room for it.
    Values,
}

impl Supervision {
    /// What weights were taught with, as their card says; if it does not, the most that such a
    /// model can be taught with.
    pub fn of_card(card: &Value, model: &ModelConfig) -> Self {
        let most = if model.values().is_some() { Self::Values } else { Self::Rules };
        serde_json::from_value(card["supervision"].clone()).unwrap_or(most)
    }

    /// Its name in tables and settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answers => "answers",
            Self::Rules => "rules",
            Self::Values => "values",
        }
    }
}

impl fmt::Display for Supervision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
