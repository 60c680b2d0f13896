//! `genvp model export`.

use std::path::{Path, PathBuf};

use clap::Args;
use genvp_data::DataError;
use genvp_infer::{Card, InferError, Model, Weights, digest};
use genvp_model::{AnyModel, DeviceChoice};
use genvp_puzzle::Layout;
use genvp_train::{Seeds, checkpoint};
use serde_json::{Value, json};

use super::examine::{Examination, MOST_IMAGINED};
use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Puzzles of each layout and set by which a run's weights are examined.
const EXAMINED: u64 = 500;

/// Export the weights of a built-in model, a weights file, a run or a checkpoint.
#[derive(Args, Debug)]
#[command(after_help = "\
A run folder gives its best checkpoint, else its latest; of a checkpoint the running average of the
weights is taken. Their card says where they come from (also the seeds of every run they began from)
and how good they are on fresh puzzles of a seed of their own. A weights file keeps its card unless
--examine, --seeds, --settings-seeds or --taught-with is given. A name in the box means that model,
also where a folder is called so.

If W ends in .safetensors that file is written, with card and digest inside. Else W is a folder that
gets NAME.safetensors, NAME.config.json (what the model is made of) and NAME.card.json.

Examples:
  genvp model export --out exported
  genvp model export exported/raven-cpu-64.safetensors --out again.safetensors
  genvp model export runs/mine --out mine.safetensors
  genvp model export runs/mine --part decoder=runs/drawing --examine 0 --out mine --force")]
pub struct Export {
    /// Model: a built-in name (see `genvp model list`), a weights file, a run folder or a
    /// checkpoint
    #[arg(value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Output: a weights file (.safetensors), or a folder
    #[arg(long, value_name = "W")]
    out: PathBuf,
    /// Take a part of the model from another run or checkpoint, e.g. decoder=RUN
    #[arg(long, value_name = "PART=RUN", value_parser = parse_part)]
    part: Vec<ModelPart>,
    /// Measure the card's figures on N fresh puzzles per layout and set; 0: no figures [default:
    /// 500 for a run or checkpoint]
    #[arg(long, value_name = "N")]
    examine: Option<u64>,
    /// Draw and judge N puzzles of each layout for the card; 0: no figures of drawings [default:
    /// as many as --examine says, at most 200]
    #[arg(long, value_name = "N")]
    drawings: Option<u64>,
    /// Seeds of earlier training runs that are not on the source's card
    #[arg(long, value_name = "SEEDS", value_delimiter = ',')]
    seeds: Vec<u64>,
    /// Seeds of puzzles that settings were chosen on and that are not on the source's card
    #[arg(long, value_name = "SEEDS", value_delimiter = ',')]
    settings_seeds: Vec<u64>,
    /// One line for the card: what the model was trained on
    #[arg(long, value_name = "TEXT")]
    taught_with: Option<String>,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// A part of a model and the run that has it.
#[derive(Clone, Debug)]
struct ModelPart {
    name: String,
    run: PathBuf,
}

fn parse_part(text: &str) -> Result<ModelPart, String> {
    match text.split_once('=') {
        Some((name, run)) if !name.is_empty() && !run.is_empty() => {
            Ok(ModelPart { name: name.to_owned(), run: PathBuf::from(run) })
        }
        _ => Err("it is PART=RUN, such as decoder=runs/decoder".to_owned()),
    }
}

/// What is to be written.
struct ExportSource {
    name: String,
    genvp: AnyModel,
    card: Value,
    layouts: Vec<Layout>,
    /// Weights that are written as they are, unless their card changes.
    bytes: Option<Vec<u8>>,
}

impl Export {
    pub(super) fn run(&self, console: &Console) -> Result<Answer, Failure> {
        let is_named = Model::names().iter().any(|name| self.model.as_os_str() == *name);
        let is_run =
            !is_named && (self.model.is_dir() || checkpoint::read_progress(&self.model).is_ok());
        if !is_run && !self.part.is_empty() {
            let model = self.model.display();
            return Err(Failure::bad(format!("{model}: --part is for runs and checkpoints")));
        }
        let name = if is_run { stem(&self.model) } else { Weights::find(&self.model)?.name };
        // TwinReport before the figures are measured, which takes minutes.
        let paths = self.paths(&name);
        if let Some(path) = paths.iter().find(|path| path.exists() && !self.force) {
            let failure = Failure::from(DataError::Exists { path: path.clone() });
            return Err(failure.hint("choose another place, or pass --force to replace"));
        }
        let mut source = if is_run { self.learned(name)? } else { self.stored()? };
        self.describe(&mut source, is_run, console)?;
        let ExportSource { name, genvp, card, bytes, .. } = source;
        let wrong = |source| Failure::from(InferError::Weights { origin: name.clone(), source });
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => genvp.to_bytes(card.clone()).map_err(wrong)?,
        };
        let sealed = digest::with_digest(&bytes).map_err(wrong)?;
        let text = |value: &Value| {
            let text = serde_json::to_string_pretty(value);
            text.map(|text| format!("{text}\n").into_bytes())
                .map_err(|error| Failure::system(error.to_string()))
        };
        let contents = match paths.len() {
            1 => vec![sealed],
            // The weights last: where they are, the others are too.
            _ => vec![text(&json!(genvp.config()))?, text(&card)?, sealed],
        };
        for (path, bytes) in paths.iter().zip(contents) {
            genvp_data::write_file(path, &bytes, self.force)?;
            console.note(&format!("wrote {}", path.display()));
        }
        Ok(Answer::Yes)
    }

    /// The files that are written.
    fn paths(&self, name: &str) -> Vec<PathBuf> {
        if self.out.extension().is_some_and(|ending| ending == "safetensors") {
            return vec![self.out.clone()];
        }
        let endings = ["config.json", "card.json", "safetensors"];
        endings.map(|ending| self.out.join(format!("{name}.{ending}"))).into()
    }

    fn learned(&self, name: String) -> Result<ExportSource, Failure> {
        let (device, _) = DeviceChoice::Cpu.open().map_err(InferError::from)?;
        let parts: Vec<_> = self.part.iter().map(|p| (p.name.clone(), p.run.clone())).collect();
        let learned = genvp_train::export::export(&self.model, &parts, &device)
            .map_err(crate::commands::train::failure)?;
        let card = serde_json::to_value(&learned.card)
            .map_err(|error| Failure::system(error.to_string()))?;
        Ok(ExportSource { name, genvp: learned.model, card, layouts: learned.layouts, bytes: None })
    }

    fn stored(&self) -> Result<ExportSource, Failure> {
        let weights = Weights::find(&self.model)?;
        let (device, _) = DeviceChoice::Cpu.open().map_err(InferError::from)?;
        // What cannot be loaded is not worth spreading.
        let model = weights.load(&device)?;
        let card = model.card().said().clone();
        let examined = card.pointer("/exam/layouts").and_then(Value::as_object);
        let layouts = match examined {
            Some(layouts) => layouts.keys().filter_map(|name| Layout::parse(name)).collect(),
            None => Layout::ALL.into(),
        };
        let (name, bytes) = (weights.name.clone(), Some(weights.bytes().to_vec()));
        Ok(ExportSource { name, genvp: model.genvp().clone(), card, layouts, bytes })
    }

    /// Adds to the card what was asked for.
    fn describe(
        &self,
        source: &mut ExportSource,
        is_run: bool,
        console: &Console,
    ) -> Result<(), Failure> {
        if !self.seeds.is_empty() || !self.settings_seeds.is_empty() {
            let more = Seeds {
                training: self.seeds.iter().copied().collect(),
                settings: self.settings_seeds.iter().copied().collect(),
            };
            let seeds = Seeds::of_card(&source.card).with(&more);
            if !source.card.is_object() {
                source.card = json!({});
            }
            source.card["training_seeds"] = json!(seeds.training);
            source.card["settings_seeds"] = json!(seeds.settings);
            source.bytes = None;
        }
        if let Some(text) = &self.taught_with {
            if !source.card.is_object() {
                source.card = json!({});
            }
            source.card["taught_with"] = json!(text);
            source.bytes = None;
        }
        let n = self.examine.or(is_run.then_some(EXAMINED));
        let Some(n) = n.filter(|n| *n > 0) else { return Ok(()) };
        let card = Card::new(&source.name, source.genvp.config(), source.card.clone());
        let (device, _) = DeviceChoice::Cpu.open().map_err(InferError::from)?;
        let model = Model::of(source.genvp.clone(), card, &device);
        let figures = Examination {
            n,
            drawings: self.drawings.unwrap_or(n.min(MOST_IMAGINED)),
            layouts: &source.layouts,
        }
        .take(&model, console)?;
        if !source.card.is_object() {
            source.card = json!({});
        }
        for (key, value) in figures {
            source.card[key] = value;
        }
        source.bytes = None;
        Ok(())
    }
}

fn stem(path: &Path) -> String {
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    name.map_or_else(|| "model".to_owned(), |name| name.to_string_lossy().into_owned())
}
