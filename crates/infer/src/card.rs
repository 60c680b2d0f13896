//! What a model says about itself.

use std::fmt;

use genvp_model::ModelConfig;
use serde_json::{Value, json};

/// A model's card: what it is made of, where it comes from, how good it is.
///
/// The training program writes the card into the weights file; what it does
/// not say is left out here too.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    name: String,
    config: ModelConfig,
    said: Value,
}

impl Card {
    /// A card from what the weights file says.
    pub fn new(name: impl Into<String>, config: ModelConfig, said: Value) -> Self {
        Self { name: name.into(), config, said }
    }

    /// The model's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the model is made of.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// What its writer said, as it stands in the file.
    pub fn said(&self) -> &Value {
        &self.said
    }

    /// Everything, for programs.
    pub fn to_json(&self) -> Value {
        json!({ "name": self.name, "card": self.said, "config": self.config })
    }

    /// The largest mean squared error (summed over a panel) that the model
    /// makes when it redraws the panels of a layout, as far as it was examined.
    pub fn redraw_error(&self) -> Option<f64> {
        let layouts = self.said.pointer("/exam/layouts")?.as_object()?;
        let errors = layouts.values().filter_map(|own| own["squared_error"].as_f64());
        errors.filter(|error| error.is_finite() && *error > 0.0).reduce(f64::max)
    }
}

/// A share with its interval, as the card's tables hold it.
fn share(value: &Value) -> Option<String> {
    let number = |key: &str| value[key].as_f64();
    Some(format!("{:.1} ({:.1}-{:.1})", number("percent")?, number("low")?, number("high")?))
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (puzzle, said) = (&self.config.puzzle, &self.said);
        writeln!(f, "{}", self.name)?;
        let text = |key: &str| match &said[key] {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        let mut line = |label: &str, value: Option<String>| match value {
            Some(value) => writeln!(f, "  {label:<20} {value}"),
            None => Ok(()),
        };
        line("preset", text("preset"))?;
        line("parameters", text("parameters"))?;
        line("panels", Some(format!("{0}x{0} px", self.config.image.size)))?;
        line(
            "puzzles",
            Some(format!(
                "{}x{} panels, {} choices, {} attributes, {} rules",
                puzzle.rows, puzzle.columns, puzzle.candidates, puzzle.attributes, puzzle.rules
            )),
        )?;
        line("learned from", text("puzzles").map(|n| format!("{n} puzzles")))?;
        line("running time", said["hours"].as_f64().map(|h| format!("{h:.1} hours")))?;
        line("seed", text("seed"))?;
        line("chosen by seed", text("validation_seed"))?;
        line("examined on seed", text("exam_seed"))?;
        line("settings sha256", text("config_sha256"))?;
        let Some(layouts) = said.pointer("/exam/layouts").and_then(Value::as_object) else {
            return writeln!(f, "  its figures are not in the file");
        };
        writeln!(f, "\n  {:<6} {:>20} {:>20} {:>20}", "", "RAVEN %", "I-RAVEN %", "rules %")?;
        for (layout, own) in layouts {
            let of = |key: &str| share(&own[key]).unwrap_or_else(|| "-".to_owned());
            writeln!(
                f,
                "  {layout:<6} {:>20} {:>20} {:>20}",
                of("raven"),
                of("iraven"),
                of("rules")
            )?;
        }
        let mean = |key: &str| said["exam"][key].as_f64().map_or("-".into(), |v| format!("{v:.1}"));
        writeln!(
            f,
            "  {:<6} {:>20} {:>20} {:>20}",
            "mean",
            mean("raven"),
            mean("iraven"),
            mean("rules")
        )?;
        writeln!(f, "\n  Percent right on fresh puzzles, with 95 % intervals (Wilson).")
    }
}
