//! What is called while a model learns.

use std::path::Path;

use genvp_model::CodebookFit;

use crate::metrics::Steps;
use crate::step::StepReport;
use crate::validate::Validation;

/// Is called while a model learns. Every method does nothing by default.
pub trait TrainCallback {
    /// A run starts, or goes on, before `step` of `steps`.
    fn started(&mut self, _step: u64, _steps: u64, _batch: usize) {}
    /// Values were found in the codes of a model that imagines by its own.
    fn found_values(&mut self, _fit: &CodebookFit) {}
    /// A step was made.
    fn stepped(&mut self, _report: &StepReport) {}
    /// The mean of the last steps.
    fn measured(&mut self, _steps: &Steps) {}
    /// The model was examined.
    fn examined(&mut self, _step: u64, _result: &Validation, _is_best: bool) {}
    /// The model seems to have stopped telling puzzles apart.
    fn warned(&mut self, _step: u64, _warning: &str) {}
    /// A checkpoint was kept.
    fn kept(&mut self, _path: &Path) {}
}

/// Does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCallback;

impl TrainCallback for NoCallback {}
