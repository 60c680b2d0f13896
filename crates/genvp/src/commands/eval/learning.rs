//! Progress of a model that learns for one figure.

use genvp_train::{StepReport, TrainCallback};

use crate::talk::{Progress, Talk};

/// Shows how many puzzles were learned from.
pub struct Learning<'a> {
    talk: &'a Talk,
    progress: Progress,
    batch: u64,
}

impl<'a> Learning<'a> {
    /// Nothing is learned yet.
    pub fn new(talk: &'a Talk) -> Self {
        Self { talk, progress: Progress::Silent, batch: 0 }
    }

    /// It is over.
    pub fn end(&self) {
        self.progress.finish();
    }
}

impl TrainCallback for Learning<'_> {
    fn started(&mut self, step: u64, steps: u64, batch: usize) {
        self.batch = batch as u64;
        self.progress = self.talk.progress("learning", steps.saturating_sub(step) * self.batch);
    }

    fn stepped(&mut self, _report: &StepReport) {
        self.progress.add(self.batch);
    }
}
