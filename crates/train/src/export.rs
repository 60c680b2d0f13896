//! From a run to weights in a box: the running average of a checkpoint, and a card that says
//! where it comes from.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use burn::module::Module;
use burn::tensor::Device;
use genvp_model::AnyModel;
use genvp_puzzle::Layout;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{self, Progress};
use crate::error::TrainError;
use crate::feed::Supervision;
use crate::metrics::{self, Line};
use crate::parameters;
use crate::runs::Runs;

/// What is said about weights, inside their file. Figures are added by who measures them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// The preset.
    pub preset: String,
    /// The most that a run which led to the weights was taught with.
    pub supervision: Supervision,
    /// Steps of the last run.
    pub steps: u64,
    /// Puzzles that the last run learned from.
    pub puzzles: u64,
    /// Puzzles of every run that led to the weights, by the digest of its settings.
    pub runs: Runs,
    /// Hours of running time of the last run before the checkpoint was made.
    pub hours: f64,
    /// The seed of the last run's weights, puzzles and noise.
    pub seed: u64,
    /// The seeds of all runs that led to the weights.
    pub training_seeds: BTreeSet<u64>,
    /// The seed of the puzzles by which the checkpoint was chosen.
    pub validation_seed: u64,
    /// All seeds by which settings or checkpoints were chosen.
    pub settings_seeds: BTreeSet<u64>,
    /// A seed of none of these, for the figures.
    pub exam_seed: u64,
    /// Parameters.
    pub parameters: usize,
    /// The digest of all settings of the last run.
    pub config_sha256: String,
}

/// A model that is fit for a box.
#[derive(Debug)]
pub struct Export {
    /// The model, ready for solving.
    pub model: AnyModel,
    /// Where it comes from.
    pub card: Card,
    /// The layouts that the last run learned.
    pub layouts: Vec<Layout>,
}

/// The model of a checkpoint with the running average of its weights, ready for solving.
///
/// # Errors
/// When the checkpoint cannot be used.
pub fn model_of(path: &Path, device: &Device) -> Result<(AnyModel, Progress), TrainError> {
    let (progress, bytes) = checkpoint::read_progress(path)?;
    // Its own autodiff form says which tensors are trained, as when it was written.
    let model = crate::fresh_model(&progress.config, &device.clone().autodiff())?;
    let (slots, _) = parameters::read(&model)?;
    let state = checkpoint::read_state(path, &bytes, &slots)?;
    Ok((parameters::with_values(model.valid(), &state.average), progress))
}

/// The checkpoint of a run that is worth shipping: the best one, else the latest.
///
/// # Errors
/// When there is none.
pub fn best_of(run: &Path) -> Result<PathBuf, TrainError> {
    let named = |pointer: &str| {
        let name = std::fs::read_to_string(run.join(pointer)).ok()?;
        let path = run.join("checkpoints").join(name.trim());
        path.is_file().then_some(path)
    };
    named("best")
        .or_else(|| named("latest"))
        .ok_or_else(|| TrainError::NoCheckpoint { folder: run.to_owned() })
}

/// The model of a run folder (its best checkpoint, else its latest) or of a checkpoint. Parts of
/// it (`writer`) can be taken from other runs or checkpoints, which taught only these.
///
/// # Errors
/// When a file cannot be used, or there is no such part; the file is named.
pub fn export(
    source: &Path,
    parts: &[(String, PathBuf)],
    device: &Device,
) -> Result<Export, TrainError> {
    let path = checkpoint_of(source)?;
    let (mut model, progress) = model_of(&path, device)?;
    let (mut seeds, mut supervision) = (progress.seeds(), progress.supervision());
    let mut runs = progress.runs();
    for (part, source) in parts {
        let path = checkpoint_of(source)?;
        let (other, bytes) = checkpoint::read_progress(&path)?;
        let (slots, values) = parameters::read(&model)?;
        let is_other = |name: &str| {
            let rest = name.strip_prefix(part.as_str());
            !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if slots.iter().all(|slot| is_other(&slot.name)) {
            return Err(TrainError::NoPart { part: part.clone(), path: source.clone() });
        }
        let values = checkpoint::adopt(&path, &bytes, &slots, values, is_other)?;
        model = parameters::with_values(model, &values);
        seeds = seeds.with(&other.seeds());
        supervision = supervision.max(other.supervision());
        runs = runs.with(&other.runs());
    }
    let train = &progress.config.train;
    let card = Card {
        preset: progress.config.preset.clone(),
        supervision,
        steps: progress.step,
        puzzles: progress.step * train.batch as u64,
        runs,
        hours: seconds_before(&path, progress.step) / 3600.0,
        seed: train.seed,
        validation_seed: train.validation.seed,
        exam_seed: seeds.free_from(train.validation.seed.wrapping_add(1)),
        training_seeds: seeds.training,
        settings_seeds: seeds.settings,
        parameters: model.count_parameters().parameters,
        config_sha256: progress.config.hash(),
    };
    Ok(Export { model, card, layouts: train.feed.layouts.used() })
}

/// The checkpoint that a path names: itself, or that of the run folder.
fn checkpoint_of(source: &Path) -> Result<PathBuf, TrainError> {
    if source.is_dir() { best_of(source) } else { Ok(source.to_owned()) }
}

/// Seconds of running time before a step of a checkpoint's run, as far as its metrics tell.
fn seconds_before(checkpoint: &Path, step: u64) -> f64 {
    // A checkpoint lies in `checkpoints` of its run.
    let Some(run) = checkpoint.parent().and_then(Path::parent) else { return 0.0 };
    let lines = metrics::read(&run.join("metrics.jsonl")).unwrap_or_default();
    let seconds = lines.iter().filter_map(|line| match line {
        Line::Steps(steps) if steps.step <= step => Some(steps.seconds),
        _ => None,
    });
    seconds.fold(0.0, f64::max)
}
