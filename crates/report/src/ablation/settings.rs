//! The settings by which the model of a trial is trained.

use genvp_puzzle::Layout;
use genvp_train::RunConfig;
use genvp_train::feed::LayoutWeights;

use super::{Group, Trial};
use crate::error::ReportError;

/// Puzzles that each small model learns from.
pub const SMALL_PUZZLES: u64 = 10_240;

/// How long a trial may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// C-S only, so many puzzles: minutes on two cores.
    Small {
        /// Puzzles to learn from.
        puzzles: u64,
    },
    /// The paper's networks on all layouts, as its preset says.
    Full,
}

/// What all small models share, over `paper-64`: image networks that learn in minutes,
/// experts that share one relation network, and rule labels. No values are told.
const BASE: [&str; 21] = [
    "model.latent.relevant=96",
    "model.latent.irrelevant=16",
    "model.image.encoder={kind=\"small\",channels=[56,96,128],hidden=320}",
    "model.image.decoder={kind=\"patch\",hidden=320,channels=[128,96,64]}",
    "model.experts={family=\"slots\",components=2,widths=[12,12,12,12],rule_rows=[3,1,1,1],code=24,relation=64,hidden=128}",
    "model.image.resize=area",
    "train.batch=16",
    "train.learning_rate=2e-3",
    "train.schedule=cosine",
    "train.warmup_steps=100",
    "train.gradient_clip=100",
    // The average over a thousand steps would lag behind in so short a run.
    "train.ema_decay=0.97",
    "train.warm_up.puzzles=0",
    "train.feed.augment.flip=0",
    "train.feed.augment.roll=0",
    "train.feed.augment.shuffle=0",
    "train.loss.contrast=ce",
    "train.loss.weights.reconstruction=20",
    "train.loss.weights.supervised=50",
    "train.loss.weights.contrast_local=50",
    "train.loss.weights.contrast_global=50",
];

/// Dense experts, the paper's family.
pub(super) const DENSE: &str = "model.experts={family=\"dense\",experts=[128],z_r_posterior=[128,256],z_r_prior=[128],z_o_prior=[256,512]}";
/// Experts with one row encoder.
pub(super) const ROWS: &str = "model.experts={family=\"rows\",relation=128,hidden=256}";
/// A narrow residual network.
pub(super) const RESNET: &str =
    "model.image.encoder={kind=\"resnet\",channels=[8,16,32,48],blocks=[1,1,1,1]}";

/// Without labels the terms that need them go, and two that do without take their place.
pub(super) const RULE_FREE: &[&str] = &[
    "train.loss.rule_free=true",
    "train.loss.contrast=none",
    "train.loss.weights.supervised=0",
    "train.loss.weights.ranking=50",
    "train.loss.weights.rule_prior=0.01",
];

/// The same in full, over [`FULL_LABELS`].
pub(super) const FULL_RULE_FREE: &[&str] = &[
    "train.warm_up.puzzles=0",
    "train.feed.augment.flip=0",
    "train.feed.augment.roll=0",
    "train.feed.augment.shuffle=0",
    "train.loss.rule_free=true",
    "train.loss.contrast=none",
    "train.loss.weights.supervised=0",
    "train.loss.weights.ranking=50",
    "train.loss.weights.rule_prior=0.01",
];

/// What is beside it in full: the paper's warm-up and augmentation need labels, and neither line has them.
pub(super) const FULL_LABELS: &[&str] = &[
    "train.warm_up.puzzles=0",
    "train.feed.augment.flip=0",
    "train.feed.augment.roll=0",
    "train.feed.augment.shuffle=0",
];

impl Group {
    /// What the small versions of its trials start from.
    ///
    /// # Errors
    /// When a setting does not exist.
    pub(super) fn small_base(&self, puzzles: u64) -> Result<RunConfig, ReportError> {
        let mut config = RunConfig::preset("paper-64")?;
        for setting in BASE.iter().chain(self.shares) {
            config = config.with_setting(setting)?;
        }
        config.train.puzzles = puzzles.max(config.train.batch as u64);
        config.train.feed.layouts = LayoutWeights::only(&[Layout::CenterSingle]);
        Ok(config)
    }
}

impl Trial {
    /// The settings by which it is trained.
    ///
    /// # Errors
    /// When a setting does not exist.
    pub fn settings(&self, budget: Budget) -> Result<RunConfig, ReportError> {
        let (mut config, set) = match budget {
            Budget::Small { puzzles } => (self.group.small_base(puzzles)?, self.small),
            Budget::Full => (RunConfig::preset(self.full.0)?, self.full.1),
        };
        for setting in set {
            config = config.with_setting(setting)?;
        }
        Ok(config)
    }
}
