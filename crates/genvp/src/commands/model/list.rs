//! `genvp model list`.

use std::io::{Write, stdout};

use clap::Args;
use genvp_infer::{Model, Weights};
use genvp_model::{Preset, preset};
use serde_json::json;

use super::load;
use crate::failure::{Answer, Failure};

/// List the built-in models and the presets.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  genvp model list")]
pub struct List {
    /// Print {"models":[...], "presets":[...]}
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self) -> Result<Answer, Failure> {
        let presets: Vec<Preset> =
            preset::names().into_iter().map(load).collect::<Result<_, _>>()?;
        // A program that was built without weights has those of no network to show.
        let models: Vec<Weights> =
            Model::names().into_iter().filter_map(|name| Weights::find(name).ok()).collect();
        let mut out = stdout().lock();
        if self.json {
            let mut found = Vec::new();
            for model in &models {
                let card = model.card()?;
                found.push(json!({
                    "model": model.name,
                    "preset": card.said()["preset"],
                    "bytes": model.bytes().len(),
                    "default": Model::default_for(&model.name).is_some(),
                    "solves_by_default": Model::solves_by_default(&model.name).is_some(),
                }));
            }
            let presets: Vec<_> =
                presets.iter().map(|p| json!({ "preset": p.name, "about": p.about })).collect();
            writeln!(out, "{}", json!({ "models": found, "presets": presets }))?;
            return Ok(Answer::Yes);
        }
        writeln!(out, "Models in the box")?;
        for model in &models {
            let card = model.card()?;
            let (name, mut default) = (&model.name, String::new());
            if let Some(family) = Model::solves_by_default(name) {
                default = format!(", answers puzzles of {family} by default");
            } else if let Some(family) = Model::default_for(name) {
                default = format!(", draws puzzles of {family} by default");
            }
            let about = match (card.said()["preset"].as_str(), card.said()["note"].as_str()) {
                (None, Some(note)) => note.to_owned(),
                (preset, _) => {
                    let size = model.bytes().len() as f64 / 1e6;
                    format!("preset {}, {size:.1} MB", preset.unwrap_or("unknown"))
                }
            };
            writeln!(out, "  {:<16} {about}{default}", model.name)?;
        }
        if !models.iter().any(|model| model.name == Model::DEFAULT) {
            writeln!(out, "  {:<16} not here: built without weights", Model::DEFAULT)?;
        }
        writeln!(out, "Presets")?;
        for preset in presets {
            writeln!(out, "  {:<16} {}", preset.name, preset.about)?;
        }
        Ok(Answer::Yes)
    }
}
