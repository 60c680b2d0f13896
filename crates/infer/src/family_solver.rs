//! Answering puzzles of any family, as its sheets show them.

use genvp_data::inputs::{Entry, PuzzleStream};
use genvp_data::{Note, PuzzleFile};
use genvp_model::{ModelError, Predictions, PuzzleBatch, PuzzleData, Score, select, to_host};
use genvp_puzzle::family::{Family, Sheet, Stratum};

use crate::error::InferError;
use crate::explain::kind_name;
use crate::model::Model;
use crate::rule_table::RuleTable;
use crate::worker_pool;

/// Answers puzzles of the family that a model is for.
///
/// Only pixels reach the model, averaged over the area of each of its own pixels as in training.
#[derive(Clone)]
pub struct FamilySolver<'m> {
    model: &'m Model,
    family: &'static dyn Family,
    with_experts: bool,
}

/// What a model makes of one puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilySolution {
    /// The chosen candidate, counted from 0.
    pub answer: usize,
    /// Every candidate's score. It depends on the question and that candidate alone.
    pub scores: Vec<Score>,
    /// For every candidate the rules of the puzzle that it completes, all experts together.
    pub candidates: Vec<RuleTable>,
    /// What each kind of expert says of every candidate; empty if it was not asked.
    pub kinds: Vec<(&'static str, Vec<RuleTable>)>,
}

impl FamilySolution {
    /// The rules of the puzzle as completed by the answer.
    pub fn rules(&self) -> &RuleTable {
        &self.candidates[self.answer]
    }
}

/// What is known of a solved file besides its pixels. The model never sees it.
#[derive(Clone, Debug)]
pub struct FamilyFile {
    /// Its file.
    pub file: String,
    /// What it is counted under.
    pub stratum: Option<Stratum>,
    /// The right choice.
    pub target: Option<usize>,
    /// What was left out or reinterpreted in its file.
    pub notes: Vec<Note>,
}

/// A puzzle and its solution, or what is wrong with the file.
pub type FamilyOutcome = Result<(FamilyFile, FamilySolution), InferError>;

impl std::fmt::Debug for FamilySolver<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FamilySolver").field("family", &self.family.id()).finish_non_exhaustive()
    }
}

impl<'m> FamilySolver<'m> {
    /// How many puzzles to hand over at once.
    pub const BATCH: usize = 32;

    /// A solver that gives answers and rules.
    ///
    /// # Errors
    /// When the model is for puzzles of no family that is known, looks at no pixels, or does not
    /// name rules.
    pub fn new(model: &'m Model) -> Result<Self, InferError> {
        let family = model.family().ok_or(ModelError::Cannot {
            what: "solve files: it is for puzzles of none of the families",
        })?;
        if model.config().batch_shape().size.is_none() {
            let what = "solve from pictures: it compares the scenes of choices";
            return Err(ModelError::Cannot { what }.into());
        }
        if !model.genvp().names_rules() {
            return Err(ModelError::Cannot { what: "name rules" }.into());
        }
        Ok(Self { model, family, with_experts: false })
    }

    /// Whether to keep what every kind of expert said.
    pub fn with_experts(mut self, with_experts: bool) -> Self {
        self.with_experts = with_experts;
        self
    }

    /// The family whose puzzles it solves.
    pub fn family(&self) -> &'static dyn Family {
        self.family
    }

    /// Solves puzzles, all at once. On a CPU every core takes some of them.
    ///
    /// # Errors
    /// When a puzzle has another form, or the device fails.
    pub fn solve(&self, sheets: &[&Sheet]) -> Result<Vec<FamilySolution>, InferError> {
        let mut ink = Vec::with_capacity(sheets.len() * self.inks());
        for sheet in sheets {
            if sheet.form != self.family.form() {
                let (found, wanted) = (sheet.form, self.family.form());
                return Err(InferError::OtherForm { found, wanted });
            }
            self.add_ink(sheet, &mut ink);
        }
        if ink.is_empty() || !self.model.is_on_cpu() {
            return self.solve_ink(ink);
        }
        let parts = worker_pool::split(&ink, self.inks(), |part| self.solve_ink(part.to_vec()));
        Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    fn side(&self) -> usize {
        self.model.config().batch_shape().size.unwrap_or_default()
    }

    /// How many numbers the pixels of a puzzle are.
    fn inks(&self) -> usize {
        self.family.form().inputs() * self.side().pow(2)
    }

    /// Appends the pixels of a puzzle as the model sees them.
    fn add_ink(&self, sheet: &Sheet, ink: &mut Vec<f32>) {
        let (side, start) = (self.side(), ink.len());
        let resize = self.model.config().batch_shape().resize;
        ink.resize(start + self.inks(), 0.0);
        for (panel, out) in sheet.panels().zip(ink[start..].chunks_exact_mut(side * side)) {
            resize.ink_into(panel, sheet.side, side, out);
        }
    }

    fn solve_ink(&self, ink: Vec<f32>) -> Result<Vec<FamilySolution>, InferError> {
        if ink.is_empty() {
            return Ok(Vec::new());
        }
        let (config, space) = (self.model.config(), self.family.rule_space());
        let puzzle = *config.puzzle();
        let data = PuzzleData { pixels: ink, ..PuzzleData::default() };
        let batch = PuzzleBatch::new(&config.batch_shape(), data, self.model.device())?;
        let solved = self.model.genvp().solve(&batch)?;
        let rules = solved.rules()?;
        let tables = |cells: Vec<f32>| -> Vec<Vec<RuleTable>> {
            let tables =
                cells.chunks(puzzle.cells()).map(|own| RuleTable::new(space, own.to_vec()));
            let tables: Vec<RuleTable> = tables.collect();
            tables.chunks(puzzle.candidates).map(<[RuleTable]>::to_vec).collect()
        };
        let mixed = tables(to_host(rules.mixed.clone())?);
        let mut kinds: Vec<(&'static str, Vec<Vec<RuleTable>>)> = Vec::new();
        if self.with_experts {
            let experts = rules.experts()?;
            let all = experts.probabilities();
            for (name, predictions) in by_kind(experts.predictions()) {
                let own = predictions.iter().map(|&e| all.clone().narrow(0, e, 1));
                let own = burn::tensor::Tensor::cat(own.collect(), 0).mean_dim(0);
                kinds.push((name, tables(to_host(own.squeeze_dim::<4>(0))?)));
            }
        }
        let solution = |(index, candidates): (usize, Vec<RuleTable>)| {
            let scores = solved.scores[index].clone();
            FamilySolution {
                answer: select::best(&scores),
                scores,
                candidates,
                kinds: kinds.iter().map(|(name, own)| (*name, own[index].clone())).collect(),
            }
        };
        Ok(mixed.into_iter().enumerate().map(solution).collect())
    }

    /// Solves the files of a stream in their order and hands the outcomes to `each`, `batch` at a
    /// time. On a CPU every core reads and solves batches of its own. Files of other families are
    /// errors that say what the model is for.
    ///
    /// # Errors
    /// When the model or the device fails, or when `each` does; what is wrong with a file is its
    /// outcome.
    pub fn solve_all<E: From<InferError>>(
        &self,
        stream: &mut PuzzleStream<'_>,
        batch: usize,
        mut each: impl FnMut(FamilyOutcome) -> Result<(), E>,
    ) -> Result<(), E> {
        let work = |block: genvp_data::inputs::Block| {
            let mut ink = Vec::with_capacity(block.count() * self.inks());
            let entries = block.read_files(|family, PuzzleFile { sheet, .. }| {
                // The panels at the model's size are all that is kept of a file.
                let mut own = Vec::new();
                let is_own = family.id() == self.family.id();
                if is_own {
                    self.add_ink(&sheet, &mut own);
                }
                Ok((is_own.then_some(own).ok_or(family), sheet.stratum, sheet.target))
            });
            let entries: Vec<(String, Vec<Note>, Result<_, InferError>)> = entries
                .into_iter()
                .map(|Entry { file, notes, made, .. }| {
                    let made = match made {
                        Ok((Ok(own), stratum, target)) => {
                            ink.extend_from_slice(&own);
                            Ok((stratum, target))
                        }
                        Ok((Err(other), ..)) => Err(self.other_family(&file, other)),
                        Err(error) => Err(error.into()),
                    };
                    (file, notes, made)
                })
                .collect();
            let mut solved = self.solve_ink(ink)?.into_iter();
            let outcome = |(file, notes, made): (String, Vec<Note>, Result<_, InferError>)| {
                let (stratum, target) = made?;
                // Every puzzle that could be read has its pixels in the batch.
                let solution = solved.next().expect("one solution for each puzzle");
                Ok((FamilyFile { file, stratum, target, notes }, solution))
            };
            Ok::<Vec<FamilyOutcome>, InferError>(entries.into_iter().map(outcome).collect())
        };
        worker_pool::in_order(
            || stream.block(batch),
            work,
            |outcomes| outcomes?.into_iter().try_for_each(&mut each),
        )
    }

    fn other_family(&self, file: &str, other: &'static dyn Family) -> InferError {
        InferError::OtherFamily {
            file: file.to_owned(),
            model: self.model.card().name().to_owned(),
            wanted: self.family.id(),
            found: other.id(),
        }
    }
}

/// The predictions of each kind of expert.
fn by_kind(predictions: &Predictions) -> Vec<(&'static str, Vec<usize>)> {
    let mut kinds: Vec<(&'static str, Vec<usize>)> = Vec::new();
    for (index, kind) in predictions.kinds().into_iter().enumerate() {
        let name = kind_name(kind);
        match kinds.iter_mut().find(|(known, _)| *known == name) {
            Some((_, own)) => own.push(index),
            None => kinds.push((name, vec![index])),
        }
    }
    kinds
}
