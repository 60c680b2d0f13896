//! What a model says about itself.

use std::fmt;

use genvp_model::ModelConfig;
use serde_json::{Map, Value, json};

use crate::confidence::Constants;

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

    /// What the puzzles of a seed were used for before, if the card knows of it: a model may know
    /// them, or have been chosen by them.
    pub fn used_seed(&self, seed: u64) -> Option<&'static str> {
        let is = |key: &str| match &self.said[key] {
            Value::Array(seeds) => seeds.iter().any(|s| s.as_u64() == Some(seed)),
            one => one.as_u64() == Some(seed),
        };
        if is("seed") || is("training_seeds") {
            Some("the model, or weights it began from, learned from these puzzles")
        } else if is("validation_seed") || is("settings_seeds") {
            Some("settings or weights were chosen by these puzzles")
        } else if is("exam_seed") {
            Some("the figures on the model's card are those of these puzzles")
        } else {
            None
        }
    }

    /// What the model was taught with and on how many puzzles, in one line: without it no figure
    /// can be compared with another system's.
    pub fn taught_with(&self) -> String {
        if let Some(about) = self.said["taught_with"].as_str() {
            return about.to_owned();
        }
        // Weights of earlier versions do not say; some architectures leave no choice.
        let said = self.said["supervision"].as_str();
        let what = match said.or(self.config.fixed_supervision()) {
            Some("nothing") => "nothing",
            Some("answers") => "images and which choice is right",
            Some("rules") => "rule labels",
            Some("values") => "the true values of every panel, rule labels",
            _ => "its card does not say",
        };
        let runs = self.said["runs"].as_object().map(|runs| (runs.len(), sum(runs.values())));
        match (runs, self.said["puzzles"].as_u64()) {
            (Some((1, puzzles)), _) => format!("{what}, {puzzles} puzzles"),
            (Some((runs, puzzles)), _) => format!("{what}, {puzzles} puzzles in {runs} runs"),
            // A card that knows nothing of the runs before.
            (None, Some(puzzles)) => format!("{what}, {puzzles} puzzles in its last run"),
            (None, None) => what.to_owned(),
        }
    }

    /// The constants of confidence that were fitted to the model.
    pub fn confidence(&self) -> Option<Constants> {
        let own = serde_json::from_value::<Constants>(self.said["confidence"]["constants"].clone());
        own.ok().filter(Constants::are_usable)
    }

    /// The largest mean squared error (summed over a panel) that the model
    /// makes when it redraws the panels of a layout, as far as it was examined.
    pub fn redraw_error(&self) -> Option<f64> {
        let layouts = self.said.pointer("/exam/layouts")?.as_object()?;
        let errors = layouts.values().filter_map(|own| own["squared_error"].as_f64());
        errors.filter(|error| error.is_finite() && *error > 0.0).reduce(f64::max)
    }
}

fn sum<'a>(values: impl Iterator<Item = &'a Value>) -> u64 {
    values.filter_map(Value::as_u64).sum()
}

/// A share with its interval, as the card's tables hold it.
fn share(value: &Value) -> Option<String> {
    let number = |key: &str| value[key].as_f64();
    Some(format!("{:.1} ({:.1}-{:.1})", number("percent")?, number("low")?, number("high")?))
}

/// Figures of models whose puzzles are counted by regime.
fn write_regimes(f: &mut fmt::Formatter<'_>, regimes: &Map<String, Value>) -> fmt::Result {
    writeln!(f, "\n  {:<32} {:>20} {:>20} {:>8}", "", "answers %", "rules %", "vote %")?;
    for (name, own) in regimes {
        let of = |key: &str| share(&own[key]).unwrap_or_else(|| "-".to_owned());
        let vote = own["majority"].as_f64().map_or("-".to_owned(), |vote| format!("{vote:.1}"));
        writeln!(f, "  {name:<32} {:>20} {:>20} {vote:>8}", of("answers"), of("rules"))?;
    }
    writeln!(
        f,
        "\n  Percent right on fresh puzzles of our engine, of each regime's test, with 95 % intervals"
    )?;
    writeln!(
        f,
        "  (Wilson). rules: of all attributes, most of which follow none. vote: a majority vote among the"
    )?;
    writeln!(f, "  same choices, the question unseen.")
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (puzzle, said) = (self.config.puzzle(), &self.said);
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
        let side = self.config.batch_shape().size;
        line("panels", side.map(|side| format!("{side}x{side} px")))?;
        line(
            "puzzles",
            Some(format!(
                "{}x{} panels, {} choices, {} attributes, {} rules",
                puzzle.rows, puzzle.columns, puzzle.candidates, puzzle.attributes, puzzle.rules
            )),
        )?;
        line("taught with", Some(self.taught_with()))?;
        // Weights may come out of several runs; these two are of one.
        line("last run, puzzles", text("puzzles"))?;
        line("last run, hours", said["hours"].as_f64().map(|hours| format!("{hours:.1}")))?;
        let seeds = |one: &str, many: &str| match said[many].as_array() {
            Some(all) => Some(all.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")),
            None => text(one),
        };
        line("learned from seeds", seeds("seed", "training_seeds"))?;
        line("chosen by seeds", seeds("validation_seed", "settings_seeds"))?;
        line("examined on seed", text("exam_seed").filter(|_| !said["exam"].is_null()))?;
        line("settings sha256", text("config_sha256"))?;
        if let Some(regimes) = said.pointer("/exam/regimes").and_then(Value::as_object) {
            write_regimes(f, regimes)?;
            return self.imagining(f);
        }
        let Some(layouts) = said.pointer("/exam/layouts").and_then(Value::as_object) else {
            return writeln!(f, "  its figures are not in the file");
        };
        writeln!(f)?;
        let mut row = |name: &str, cells: [String; 4]| {
            let [a, b, c, d] = cells;
            writeln!(f, "  {name:<6} {a:>20} {b:>20} {c:>20} {d:>20}")
        };
        let heading = ["RAVEN %", "I-RAVEN %", "RAVEN-FAIR %", "rules %"];
        row("", heading.map(str::to_owned))?;
        let keys = ["raven", "iraven", "raven_fair", "rules"];
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        for (layout, own) in layouts {
            row(layout, keys.map(|key| or_dash(share(&own[key]))))?;
        }
        let mean = |key: &str| said["exam"][key].as_f64().map(|mean| format!("{mean:.1}"));
        row("mean", keys.map(|key| or_dash(mean(key))))?;
        row("vote", keys.map(|key| or_dash(mean(&format!("majority_{key}")))))?;
        writeln!(f, "\n  Percent right on fresh puzzles, with 95 % intervals (Wilson).")?;
        writeln!(f, "  vote: a majority vote among the same choices, the question unseen.")?;
        self.imagining(f)?;
        self.sureness(f)
    }
}

impl Card {
    /// How well it imagines.
    fn imagining(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = &self.said["coherence"];
        let of_key = |key| own[key].as_object().map(|figures| (key, figures));
        let figures = of_key("layouts").or_else(|| of_key("regimes"));
        let Some((kind, figures)) = figures else { return Ok(()) };
        let (name, width) = if kind == "regimes" { ("regime", 22) } else { ("layout", 6) };
        writeln!(
            f,
            "\n  {:<width$} {:>20} {:>20} {:>20}",
            "", "own encoder %", "judge %", "every rule holds %"
        )?;
        for (stratum, own) in figures {
            let of = |key: &str| share(&own[key]).unwrap_or_else(|| "-".to_owned());
            writeln!(
                f,
                "  {stratum:<width$} {:>20} {:>20} {:>20}",
                of("own_encoder"),
                of("judge"),
                of("whole")
            )?;
        }
        writeln!(
            f,
            "\n  Rules that imagined puzzles follow, one drawing a rule matrix, nothing rejected; {} a {name}, seed {}.",
            own["n"], own["seed"]
        )
    }

    /// How well confidence fits.
    fn sureness(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (own, check) = (&self.said["confidence"], &self.said["confidence"]["check"]);
        let number = |value: &Value| value.as_f64();
        let (Some(constants), Some(sure), Some(error), Some(right)) = (
            self.confidence(),
            number(&check["confidence"]),
            number(&check["expected_calibration_error"]),
            share(&check["right"]),
        ) else {
            return Ok(());
        };
        writeln!(
            f,
            "\n  Confidence: {sure:.1} % sure on average where {right} % are right, expected calibration error {error:.2} % \
             ({} fresh puzzles, seed {}).",
            check["n"], check["seed"]
        )?;
        writeln!(
            f,
            "  Temperature {:.4}, bound {:.1}, fitted on {} puzzles of seed {}.",
            constants.temperature, constants.bound, own["fit"]["n"], own["fit"]["seed"]
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(said: Value) -> Card {
        Card::new("c", genvp_model::Preset::named("cpu-64").expect("a preset").model, said)
    }

    #[test]
    fn every_seed_of_a_chain_of_runs_is_known() {
        let card = card(json!({
            "seed": 22, "training_seeds": [1, 11, 22], "validation_seed": 70,
            "settings_seeds": [70, 71], "exam_seed": 80,
        }));
        for seed in [1, 11, 22] {
            assert!(card.used_seed(seed).expect("known").contains("learned"), "{seed}");
        }
        for seed in [70, 71] {
            assert!(card.used_seed(seed).expect("known").contains("chosen"), "{seed}");
        }
        assert!(card.used_seed(80).expect("known").contains("card"));
        assert_eq!(card.used_seed(2), None);
    }

    #[test]
    fn what_a_model_was_taught_with_is_said_or_follows_from_what_it_is() {
        let told = card(json!({ "supervision": "rules", "puzzles": 42_000 })).taught_with();
        assert_eq!(told, "rule labels, 42000 puzzles in its last run");
        let chain = json!({ "supervision": "rules", "puzzles": 2, "runs": { "a": 2, "b": 40 } });
        assert_eq!(card(chain).taught_with(), "rule labels, 42 puzzles in 2 runs");
        assert!(card(json!({})).taught_with().starts_with("the true values"));
        assert_eq!(
            card(json!({ "taught_with": "nothing at all" })).taught_with(),
            "nothing at all"
        );
        let paper = genvp_model::Preset::named("paper-64").expect("a preset").model;
        assert_eq!(Card::new("c", paper, json!({})).taught_with(), "its card does not say");
    }

    #[test]
    fn the_figures_of_one_run_are_called_so_and_every_set_and_the_vote_are_shown() {
        let share = |percent: f64| json!({ "percent": percent, "low": 90.0, "high": 99.5, "n": 9 });
        let own = json!({
            "raven": share(91.5), "iraven": share(92.5), "raven_fair": share(93.5),
            "rules": share(94.5),
        });
        let exam = json!({
            "layouts": { "c-s": own }, "raven": 91.5, "iraven": 92.5, "raven_fair": 93.5,
            "rules": 94.5, "majority_raven": 97.8, "majority_iraven": 12.5,
        });
        let said = json!({ "puzzles": 1_000_064, "hours": 0.4, "exam": exam });
        let text = card(said).to_string();
        let words = |start: &str| -> Vec<&str> {
            let line = text.lines().find(|line| line.trim_start().starts_with(start));
            line.unwrap_or_else(|| panic!("{start}: {text}")).split_whitespace().collect()
        };
        assert_eq!(words("last run, puzzles")[3..], ["1000064"]);
        assert_eq!(words("last run, hours")[3..], ["0.4"]);
        assert_eq!(words("RAVEN %")[4], "RAVEN-FAIR");
        assert_eq!(words("c-s")[5], "93.5");
        assert_eq!(words("mean"), ["mean", "91.5", "92.5", "93.5", "94.5"]);
        assert_eq!(words("vote"), ["vote", "97.8", "12.5", "-", "-"]);
        assert!(!text.contains("learned from "), "{text}");
    }

    #[test]
    fn constants_that_cannot_be_used_are_not_taken() {
        let with = |constants: Value| card(json!({ "confidence": { "constants": constants } }));
        let good = json!({ "temperature": 0.125, "bound": 60.0 });
        assert_eq!(with(good).confidence().map(|c| c.bound), Some(60.0));
        for bad in
            [json!({ "temperature": 0.0, "bound": 60.0 }), json!({ "bound": 60.0 }), json!(1)]
        {
            assert_eq!(with(bad).confidence(), None);
        }
        assert_eq!(Constants::of(&card(json!({}))).bound, 0.01 * 64.0 * 64.0);
    }
}
