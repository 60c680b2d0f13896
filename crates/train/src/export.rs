//! From a run to weights in a box: one small file, and a card that says where
//! they come from and how good they are.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use burn::module::Module;
use burn::tensor::Device;
use genvp_model::Genvp;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{self, Progress};
use crate::config::{RunConfig, ValidationConfig};
use crate::error::TrainError;
use crate::metrics::{self, Line};
use crate::parameters;
use crate::validate::{Exam, Validation};
use crate::whole_file::write_whole;

/// What is said about weights, inside their file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// The preset.
    pub preset: String,
    /// Steps made.
    pub steps: u64,
    /// Puzzles learned from.
    pub puzzles: u64,
    /// Hours of running time before the checkpoint was made.
    pub hours: f64,
    /// The seed of weights, puzzles and noise.
    pub seed: u64,
    /// The seed of the puzzles by which the checkpoint was chosen.
    pub validation_seed: u64,
    /// The seed of the puzzles on which the figures below were measured.
    pub exam_seed: u64,
    /// Parameters.
    pub parameters: usize,
    /// The digest of all settings.
    pub config_sha256: String,
    /// The figures.
    pub exam: Validation,
}

/// The model of a checkpoint with the running average of its weights, ready for solving.
///
/// # Errors
/// When the checkpoint cannot be used.
pub fn model_of(path: &Path, device: &Device) -> Result<(Genvp, Progress), TrainError> {
    let (progress, bytes) = checkpoint::read_progress(path)?;
    // Its own autodiff form says which tensors are trained, as when it was written.
    let model = crate::fresh_model(&progress.config, &device.clone().autodiff())?;
    let (places, _) = parameters::read(&model)?;
    let state = checkpoint::read_state(path, &bytes, &places)?;
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
        .ok_or_else(|| TrainError::NothingToResume { folder: run.to_owned() })
}

/// Examines a run's best checkpoint on `puzzles` puzzles of every layout and set,
/// of a seed that neither training nor the choice of the checkpoint has used,
/// and writes `NAME.safetensors` and its card `NAME.md`. Parts of the model (`writer`) can be
/// taken from the latest checkpoint of another run, which taught only these.
///
/// # Errors
/// When the run cannot be read or the files cannot be written.
pub fn export(
    run: &Path,
    parts: &[(String, PathBuf)],
    out: &Path,
    puzzles: u64,
    device: &Device,
) -> Result<Card, TrainError> {
    let path = best_of(run)?;
    let (mut model, progress) = model_of(&path, device)?;
    for (part, run) in parts {
        let path = best_of(run)?;
        let bytes = std::fs::read(&path).map_err(|e| TrainError::file("read", &path, e))?;
        let (places, values) = parameters::read(&model)?;
        let others = |name: &str| !name.starts_with(part.as_str());
        let values = checkpoint::adopt(&path, &bytes, &places, values, others)?;
        model = parameters::with_values(model, &values);
    }
    let train = &progress.config.train;
    let exam_seed = (1..).map(|n| train.validation.seed + n).find(|&seed| seed != train.seed);
    let exam_seed = exam_seed.expect("a seed is free");
    let exam = ValidationConfig { seed: exam_seed, puzzles, every: train.validation.every };
    let exam = Exam::new(&exam, &train.feed.layouts.used(), progress.config.model.image.size)?;
    let card = Card {
        preset: progress.config.preset.clone(),
        steps: progress.step,
        puzzles: progress.step * train.batch as u64,
        hours: seconds_before(run, progress.step) / 3600.0,
        seed: train.seed,
        validation_seed: train.validation.seed,
        exam_seed,
        parameters: model.count_parameters().parameters,
        config_sha256: progress.config.hash(),
        exam: exam.take(&model, device)?,
    };
    let bytes = model.to_bytes(serde_json::to_value(&card).unwrap_or_default())?;
    write_whole(out, &bytes)?;
    let text = text(&card, &progress.config, bytes.len());
    write_whole(&out.with_extension("md"), text.as_bytes())?;
    Ok(card)
}

/// Seconds of running time before a step, as far as the metrics tell.
fn seconds_before(run: &Path, step: u64) -> f64 {
    let lines = metrics::read(&run.join("metrics.jsonl")).unwrap_or_default();
    let seconds = lines.iter().filter_map(|line| match line {
        Line::Steps(steps) if steps.step <= step => Some(steps.seconds),
        _ => None,
    });
    seconds.fold(0.0, f64::max)
}

/// The card for people.
pub fn text(card: &Card, config: &RunConfig, bytes: usize) -> String {
    let mut text = String::new();
    let train = &config.train;
    let mut line = |words: std::fmt::Arguments<'_>| {
        // Writing into a String cannot fail.
        let _ = text.write_fmt(words);
        text.push('\n');
    };
    line(format_args!("# {}\n", card.preset));
    line(format_args!(
        "{} parameters, {:.1} MB, {} px panels. One model for {}.\n",
        card.parameters,
        bytes as f64 / 1e6,
        config.model.image.size,
        names(config)
    ));
    line(format_args!("## Where it comes from\n"));
    line(format_args!(
        "Taught on {} fresh puzzles of this project's own engine ({} steps of {}), RAVEN-style and I-RAVEN-style wrong choices {}:{}; no puzzle twice, none of RAVEN-FAIR, none of the original programs.",
        card.puzzles, card.steps, train.batch, train.feed.sets.raven, train.feed.sets.iraven
    ));
    line(format_args!(
        "{:.1} hours of running time. Seed {}; checkpoint chosen on fresh puzzles of seed {}; settings sha256 `{}`. The weights are the running average (decay {}).\n",
        card.hours, card.seed, card.validation_seed, card.config_sha256, train.ema_decay
    ));
    line(format_args!("## How good it is\n"));
    line(format_args!(
        "On fresh puzzles of seed {}, which neither training nor the choice of the checkpoint has seen; percent right with 95 % intervals (Wilson). A majority vote among the same choices, the question unseen, reaches {:.1} (RAVEN) and {:.1} (I-RAVEN).\n",
        card.exam_seed, card.exam.majority_raven, card.exam.majority_iraven
    ));
    line(format_args!("| layout | n each | RAVEN | I-RAVEN | rules | squared error a panel |"));
    line(format_args!("|---|---|---|---|---|---|"));
    for (layout, own) in &card.exam.layouts {
        line(format_args!(
            "| {layout} | {} | {:.1} ({:.1}-{:.1}) | {:.1} ({:.1}-{:.1}) | {:.2} ({:.2}-{:.2}) | {:.1} |",
            own.raven.n,
            own.raven.percent,
            own.raven.low,
            own.raven.high,
            own.iraven.percent,
            own.iraven.low,
            own.iraven.high,
            own.rules.percent,
            own.rules.low,
            own.rules.high,
            own.squared_error
        ));
    }
    let exam = &card.exam;
    line(format_args!(
        "| mean | | {:.1} | {:.1} | {:.2} | {:.1} |\n",
        exam.raven, exam.iraven, exam.rules, exam.squared_error
    ));
    line(format_args!("Z_o-bar carries {:.1} nats a panel.\n", exam.kl_irrelevant));
    line(format_args!("## Limits\n"));
    line(format_args!(
        "Puzzles of the RAVEN family only: eight panels and eight choices drawn as the original programs draw them. \
         Rules are counted over attributes that can carry more than one rule; number and position count once, and a constant that is noise does not count. \
         Other shapes, sizes, greys and angles than the standard ones were never seen."
    ));
    text
}

fn names(config: &RunConfig) -> String {
    let used = config.train.feed.layouts.used();
    used.iter().map(|layout| layout.short()).collect::<Vec<_>>().join(", ")
}
