//! A model so small that a step takes milliseconds.

#![allow(dead_code, reason = "every test file uses its own part of this")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use burn::tensor::Device;
use genvp_model::Preset;
use genvp_train::{RunConfig, RunOptions, StepReport, Stop, TrainCallback};
use sha2::{Digest, Sha256};

const PRESET: &str = r#"
name = "tiny"
about = "for tests"

[model.puzzle]
rows = 3
columns = 3
candidates = 8
attributes = 12
rules = 5
layouts = 7

[model.latent]
relevant = 20
irrelevant = 2

[model.image]
size = 16

[model.image.encoder]
kind = "small"
channels = [8, 8]
hidden = 16

[model.image.decoder]
kind = "patch"
hidden = 16
channels = [8, 8]

[model.experts]
family = "slots"
components = 2
widths = [4, 2, 2, 2]
rule_rows = [3, 1, 1, 1]
code = 4
relation = 8
hidden = 8

[train]
batch = 4
puzzles = 80
warmup_steps = 5

[train.loss]
contrast = "ce"

[train.validation]
puzzles = 2
every = 40

[train.keep]
metrics_steps = 5
pictures_every = 1

[train.warm_up]
puzzles = 16
"#;

pub fn config() -> RunConfig {
    RunConfig::of(Preset::parse(PRESET).unwrap()).unwrap()
}

pub fn options(out: &Path) -> RunOptions {
    RunOptions::new(out, Device::flex())
}

/// Asks to stop after some steps.
pub struct StopAfter {
    pub steps: u64,
    pub stop: Stop,
}

impl TrainCallback for StopAfter {
    fn stepped(&mut self, report: &StepReport) {
        if report.step + 1 == self.steps {
            self.stop.ask();
        }
    }
}

pub fn sha256(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
