//! Progress of a model that learns for one figure.

use genvp_train::{StepReport, TrainCallback};

use crate::console::{Console, Progress};

/// Shows how many puzzles were learned from.
pub struct Learning<'a> {
    console: &'a Console,
    progress: Progress,
    batch: u64,
}

impl<'a> Learning<'a> {
    /// Nothing is learned yet.
    pub fn new(console: &'a Console) -> Self {
        Self { console, progress: Progress::Silent, batch: 0 }
    }

    /// It is over.
    pub fn end(&self) {
        self.progress.finish();
    }
}

impl TrainCallback for Learning<'_> {
    fn started(&mut self, step: u64, steps: u64, batch: usize) {
        self.batch = batch as u64;
        self.progress = self.console.progress("learning", steps.saturating_sub(step) * self.batch);
    }

    fn stepped(&mut self, _report: &StepReport) {
        self.progress.add(self.batch);
    }
}
