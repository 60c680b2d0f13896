//! `genvp model export`.

use std::path::PathBuf;

use clap::Args;
use genvp_data::DataError;
use genvp_infer::{InferError, Model, Weights, seal};
use genvp_model::DeviceChoice;

use crate::failure::{Answer, Failure};
use crate::talk::Talk;

/// Write a model into a folder.
#[derive(Args, Debug)]
#[command(after_help = "\
Writes NAME.safetensors (with its digest inside), NAME.config.json (what the model is made of)
and NAME.card.json (where it comes from, how good it is).

Examples:
  genvp model export --out exported
  genvp model export exported/raven-cpu-64.safetensors --out exported --force")]
pub struct Export {
    /// Which model: one in the box, or a weights file
    #[arg(value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// The folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

impl Export {
    pub(super) fn run(&self, talk: &Talk) -> Result<Answer, Failure> {
        let weights = Weights::find(&self.model)?;
        let (device, _) = DeviceChoice::Cpu.open().map_err(InferError::from)?;
        // What cannot be loaded is not worth spreading.
        let model = weights.load(&device)?;
        let sealed = seal::seal(weights.bytes())
            .map_err(|source| InferError::Weights { origin: weights.origin(), source })?;
        let text = |value: &serde_json::Value| {
            let text = serde_json::to_string_pretty(value);
            text.map(|text| format!("{text}\n").into_bytes())
                .map_err(|error| Failure::system(error.to_string()))
        };
        let card = model.card();
        let config = card.to_json()["config"].take();
        let files = [
            ("config.json", text(&config)?),
            ("card.json", text(card.said())?),
            // The weights last: where they are, the others are too.
            ("safetensors", sealed),
        ]
        .map(|(ending, bytes)| (self.out.join(format!("{}.{ending}", weights.name)), bytes));
        if let Some((path, _)) = files.iter().find(|(path, _)| path.exists() && !self.force) {
            let failure = Failure::from(DataError::Exists { path: path.clone() });
            return Err(failure.hint("choose another folder, or pass --force to replace"));
        }
        for (path, bytes) in &files {
            genvp_data::write_file(path, bytes, self.force)?;
            talk.note(&format!("wrote {}", path.display()));
        }
        Ok(Answer::Yes)
    }
}
