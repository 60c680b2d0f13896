//! Solving without a model: reading the scene and reasoning about rules.

use genvp_puzzle::family::{ExactSolution, Sheet};
use numpy::PyReadonlyArray4;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays::Panels;
use crate::{error, family, threads};

/// What the exact solver says of a puzzle.
#[pyclass(frozen, get_all, module = "genvp._core")]
pub struct ExactAnswer {
    /// The best choice, counted from 0.
    answer: usize,
    /// The score of each choice; larger is better.
    scores: Vec<f64>,
    /// Whether another choice is as good.
    tied: bool,
    /// The rules that hold with the answer.
    rules: String,
    /// The layout or regime that was read, where it can be told.
    stratum: Option<&'static str>,
    /// How sure the reading is, where the family says so.
    confidence: Option<f32>,
    /// For each choice the rules that it breaks, if that was asked for.
    broken: Option<Vec<Vec<String>>>,
}

impl From<ExactSolution> for ExactAnswer {
    fn from(found: ExactSolution) -> Self {
        Self {
            answer: found.answer,
            scores: found.scores,
            tied: found.tied,
            rules: found.rules,
            stratum: found.read_as.map(|stratum| stratum.name),
            confidence: found.confidence,
            broken: found.explanation.map(|explanation| explanation.broken),
        }
    }
}

/// Solves puzzles by reading their pixels; `oods` names for each the shifted values that RAVEN's
/// levels stand for, if any.
#[pyfunction]
pub fn solve_exactly(
    py: Python<'_>,
    panels: PyReadonlyArray4<'_, u8>,
    family: &str,
    oods: Vec<Option<String>>,
    explain: bool,
) -> PyResult<Vec<ExactAnswer>> {
    let family = family::by_id(family)?;
    let mut sheets = Panels::of(panels)?.sheets(family.form())?;
    for (sheet, ood) in sheets.iter_mut().zip(&oods) {
        sheet.domain = ood.as_deref().map(|name| family::domain(family, name)).transpose()?;
    }
    let mut answers = Vec::with_capacity(sheets.len());
    for block in sheets.chunks(threads::block(4)) {
        let solve = |sheet: &Sheet| family.solve(sheet, explain);
        let solved =
            threads::work(py, || block.par_iter().map(solve).collect::<Result<Vec<_>, _>>())?;
        answers.extend(solved.map_err(error::family)?.into_iter().map(ExactAnswer::from));
        py.check_signals()?;
    }
    Ok(answers)
}
