//! Teaching a small model for one figure of the report.

use std::path::Path;
use std::time::Instant;

use burn::tensor::Device;
use genvp_model::AnyModel;
use genvp_train::feed::{Fresh, batch_of};
use genvp_train::metrics::{self, Line};
use genvp_train::{
    End, Learner, RunConfig, RunFolder, RunOptions, TrainCallback, TrainError, export, fresh_model,
};

use crate::error::ReportError;

/// A model that has learned.
#[derive(Debug)]
pub struct TrainedModel {
    /// The running average of its weights, after the last step.
    pub model: AnyModel,
    /// Puzzles learned from.
    pub puzzles: u64,
    /// Minutes that it took, over all sessions.
    pub minutes: f64,
    /// Whether it came to its end.
    pub finished: bool,
}

/// Steps by which the speed of this machine is measured, after two to warm up.
const TIMED_STEPS: u64 = 4;

/// Settings for a run that is examined afterwards: no examinations on the way
/// (nothing is chosen by them), no pictures.
pub fn plain(mut config: RunConfig) -> RunConfig {
    config.train.validation.puzzles = 1;
    config.train.validation.every = config.train.puzzles.max(config.train.batch as u64);
    config.train.keep.pictures_every = 0;
    config
}

/// How many puzzles a model can learn from in some minutes on this machine, in
/// whole steps.
///
/// # Errors
/// When the settings cannot be used.
pub fn puzzles_in(config: &RunConfig, minutes: f64, device: &Device) -> Result<u64, ReportError> {
    let device = device.clone().autodiff();
    let mut learner = Learner::new(fresh_model(config, &device)?, device)?;
    let feed = Fresh::new(&config.train.feed, config.train.seed)?;
    let mut best = f64::INFINITY;
    for step in 0..TIMED_STEPS + 2 {
        let puzzles = batch_of(&feed, step, config.feed_shape())?;
        let start = Instant::now();
        learner.learn(puzzles, &config.train)?;
        if step >= 2 {
            best = best.min(start.elapsed().as_secs_f64());
        }
    }
    let steps = (60.0 * minutes / best).floor().clamp(1.0, 1e9) as u64;
    Ok(steps * config.train.batch as u64)
}

/// Teaches a model in a folder, or goes on where that was left. The last
/// weights count, not the best: nothing is chosen by looking at the exam.
///
/// # Errors
/// When the settings cannot be used, the folder is in use, or training fails.
pub fn teach(
    config: &RunConfig,
    folder: &Path,
    device: &Device,
    watch: &mut dyn TrainCallback,
) -> Result<TrainedModel, ReportError> {
    let mut options = RunOptions::new(folder, device.clone());
    options.resume = RunFolder::holds_run(folder);
    let outcome = genvp_train::run(config, &options, watch)?;
    let (model, progress) = export::model_of(&outcome.latest, device)?;
    Ok(TrainedModel {
        model,
        puzzles: progress.step * config.train.batch as u64,
        minutes: seconds(folder)? / 60.0,
        finished: outcome.end == End::Finished,
    })
}

/// The settings of a run that was begun in a folder.
///
/// # Errors
/// When they cannot be read.
pub fn begun(folder: &Path) -> Result<Option<RunConfig>, ReportError> {
    if !folder.join("config.toml").exists() {
        return Ok(None);
    }
    Ok(Some(RunFolder::config(folder)?))
}

fn seconds(folder: &Path) -> Result<f64, TrainError> {
    let lines = metrics::read(&folder.join("metrics.jsonl"))?;
    Ok(lines.iter().fold(0.0, |most, line| match line {
        Line::Steps(steps) => steps.seconds.max(most),
        Line::Validation { seconds, .. } => seconds.max(most),
    }))
}
