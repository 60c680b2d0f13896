//! Answering puzzles of any family, many at a time.

use burn::tensor::{Int, Tensor, TensorData};
use genvp_model::{
    ModelError, PuzzleBatch, PuzzleConfig, PuzzleData, Score, Solved, SolvedExperts, select,
    to_host,
};
use genvp_puzzle::Layout;
use genvp_puzzle::family::{Family, Sheet, families};
use rayon::prelude::*;

use crate::confidence::{self, Confidence, Constants};
use crate::error::InferError;
use crate::explain::Experts;
use crate::model::Model;
use crate::rule_table::RuleTable;
use crate::structure::{LayoutReading, Structure};
use crate::worker_pool;

const LAYOUTS: usize = Layout::ALL.len();

/// Answers puzzles of the family that a model is for, from their pixels. How many panels, choices
/// and rules there are is what the model says.
///
/// The pixels reach the model exactly as in training: made smaller as its configuration says
/// ([`Resize`](genvp_model::Resize)), ink = 1.
///
/// ```no_run
/// use genvp_infer::{Model, Solver};
/// use genvp_puzzle::family::{Family, PuzzleSpec};
/// use genvp_puzzle::pgm::Pgm;
///
/// let (device, _) = genvp_model::DeviceChoice::Cpu.open()?;
/// let model = Model::open("pgm-64-cpu", &device)?;
/// let puzzle = Pgm.generator(&PuzzleSpec::new(Pgm.strata()[0]))?.puzzle(1, 0)?.sheet();
/// for solution in Solver::new(&model)?.solve(&[&puzzle])? {
///     println!("choice {}: {}", solution.answer + 1, solution.rules_text());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Solver<'m> {
    model: &'m Model,
    family: &'static dyn Family,
    with_confidence: bool,
    with_experts: bool,
    constants: Constants,
}

/// What the model makes of one puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The chosen candidate, counted from 0.
    pub answer: usize,
    /// Every candidate's score. It depends on the question and that candidate alone.
    pub scores: Vec<Score>,
    /// For every candidate the rules of the puzzle that it completes, all experts together.
    pub candidates: Vec<RuleTable>,
    /// What the panels show of their layout, in families with layouts.
    pub reading: Option<LayoutReading>,
    /// How sure the answer is; `None` if it was not asked, or the model does not draw.
    pub confidence: Option<Confidence>,
    /// What every expert said; `None` if it was not asked.
    pub experts: Option<Experts>,
}

impl Solution {
    /// The rules of the puzzle as completed by the answer.
    pub fn rules(&self) -> &RuleTable {
        &self.candidates[self.answer]
    }

    /// The rules in words, such as `type=progression size=constant`.
    pub fn rules_text(&self) -> String {
        match &self.reading {
            Some(reading) => reading.rules_text(self.rules()),
            None => self.rules().text(),
        }
    }

    /// The layout, if there is one and it is sure.
    pub fn layout(&self) -> Option<Layout> {
        self.reading.and_then(|reading| reading.layout)
    }

    /// The name of a row of its rule matrices, such as `shape.color` or `out.size`.
    pub fn row_name(&self, row: usize) -> String {
        match &self.reading {
            Some(reading) => reading.row_name(row),
            None => self.rules().space().attributes[row].to_owned(),
        }
    }

    /// How many rows of its rule matrices speak of something that the panels have: a layout may
    /// have one component where the matrix has room for two.
    pub fn rows(&self) -> usize {
        self.reading.map_or(self.rules().space().attributes.len(), LayoutReading::rows)
    }
}

impl std::fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver").field("family", &self.family.id()).finish_non_exhaustive()
    }
}

impl<'m> Solver<'m> {
    /// How many puzzles to hand over at once: more make it no faster (see docs/solving.md).
    pub const BATCH: usize = 32;

    /// A solver of the model's own family that gives answers and rules and, where the family's
    /// models have been fitted for it, confidence.
    ///
    /// # Errors
    /// When the model is for puzzles of no family, or looks at no pixels.
    pub fn new(model: &'m Model) -> Result<Self, InferError> {
        // A model of no family says how its puzzles differ from those of the first.
        Self::of_family(model, model.family().unwrap_or(families()[0]))
    }

    /// The same for whoever has puzzles of a certain family.
    ///
    /// # Errors
    /// When the model is for other puzzles, or looks at no pixels.
    pub fn of_family(model: &'m Model, family: &'static dyn Family) -> Result<Self, InferError> {
        model.config().puzzle().check_for(family).map_err(|source| InferError::OtherPuzzles {
            origin: model.card().name().to_owned(),
            source,
        })?;
        if model.config().batch_shape().size.is_none() {
            let what = "solve from pictures: it compares the scenes of choices";
            return Err(ModelError::Cannot { what }.into());
        }
        let constants = Constants::of(model.card());
        let solver = Self { model, family, with_confidence: false, with_experts: false, constants };
        Ok(solver.with_confidence(true))
    }

    /// Compute confidence; this reconstructs the panels of the question and the answer. It has been
    /// fitted for families with layouts only: others have none, whatever is asked.
    pub fn with_confidence(mut self, with_confidence: bool) -> Self {
        self.with_confidence = with_confidence && self.family.has_layouts();
        self
    }

    /// What confidence depends on besides a puzzle.
    pub fn constants(&self) -> Constants {
        self.constants
    }

    /// Whether to keep what every expert said.
    pub fn with_experts(mut self, with_experts: bool) -> Self {
        self.with_experts = with_experts;
        self
    }

    /// The family whose puzzles it solves.
    pub fn family(&self) -> &'static dyn Family {
        self.family
    }

    /// The model that it asks.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Solves puzzles, all at once: panels of any side. On a CPU every core takes some of them.
    ///
    /// # Errors
    /// When a puzzle has another form, or the device fails.
    pub fn solve(&self, puzzles: &[&Sheet]) -> Result<Vec<Solution>, InferError> {
        let wanted = self.family.form();
        if let Some(other) = puzzles.iter().find(|sheet| sheet.form != wanted) {
            return Err(InferError::OtherForm { found: other.form, wanted });
        }
        self.solve_ink(self.ink(puzzles))
    }

    /// The pixels as the model sees them, puzzle by puzzle: ink = 1, paper = 0.
    pub fn ink(&self, puzzles: &[&Sheet]) -> Vec<f32> {
        let mut ink = vec![0.0; puzzles.len() * self.inks()];
        ink.par_chunks_mut(self.inks()).zip(puzzles).for_each(|(out, sheet)| {
            self.write_ink(&sheet.pixels, sheet.side, out);
        });
        ink
    }

    /// The puzzles that the model is for.
    fn puzzle(&self) -> &PuzzleConfig {
        self.model.config().puzzle()
    }

    /// Side of a panel as the model sees it.
    fn side(&self) -> usize {
        self.model.config().batch_shape().size.unwrap_or_default()
    }

    /// How many numbers the pixels of a puzzle are.
    pub fn inks(&self) -> usize {
        self.puzzle().inputs() * self.side().pow(2)
    }

    /// Writes grey panels of a side, one after another, as the model sees them.
    ///
    /// # Panics
    /// When `out` is not [`inks`](Self::inks) long, or the panels are fewer.
    pub fn write_ink(&self, pixels: &[u8], pixels_side: usize, out: &mut [f32]) {
        let (side, size) = (self.side(), pixels_side * pixels_side);
        assert_eq!(out.len(), self.inks(), "all panels, {side}x{side}");
        let resize = self.model.config().batch_shape().resize;
        for (panel, out) in out.chunks_exact_mut(side * side).enumerate() {
            resize.ink_into(&pixels[panel * size..][..size], pixels_side, side, out);
        }
    }

    /// Solves puzzles that are [`ink`](Self::ink) already, for those who read and prepare them
    /// themselves.
    ///
    /// # Errors
    /// When the pixels are not whole puzzles or not finite, or the device fails.
    pub fn solve_ink(&self, ink: Vec<f32>) -> Result<Vec<Solution>, InferError> {
        if ink.is_empty() {
            return Ok(Vec::new());
        }
        if !self.model.is_on_cpu() || rayon::current_num_threads() == 1 {
            return self.solve_together(ink);
        }
        let parts =
            worker_pool::split(&ink, self.inks(), |part| self.solve_together(part.to_vec()));
        Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    fn solve_together(&self, ink: Vec<f32>) -> Result<Vec<Solution>, InferError> {
        let facts = self.pixel_facts(&ink);
        let data = PuzzleData { pixels: ink, ..PuzzleData::default() };
        let shape = self.model.config().batch_shape();
        let batch = PuzzleBatch::new(&shape, data, self.model.device())?;
        let solved = self.model.genvp().solve(&batch)?;
        let confidence = self.confidence(&batch, &solved, &facts)?;
        let rules = solved.rules()?;
        let mixed = self.tables(to_host(rules.mixed.clone())?);
        let layouts = solved.layout.clone().filter(|layouts| layouts.dims()[1] == LAYOUTS);
        let layouts = layouts.map(to_host).transpose()?;
        let experts = if self.with_experts { Some(self.experts(rules.experts()?)?) } else { None };
        let solution = |(index, candidates): (usize, Vec<RuleTable>)| {
            let scores = solved.scores[index].clone();
            let answer = select::best(&scores);
            let said = layouts.as_ref().map(|said| &said[index * LAYOUTS..(index + 1) * LAYOUTS]);
            let reading = facts
                .get(index)
                .map(|facts| LayoutReading::new(facts.line, said, &candidates[answer]));
            Solution {
                answer,
                scores,
                candidates,
                reading,
                confidence: confidence.as_ref().map(|confidence| confidence[index]),
                experts: experts.as_ref().map(|experts| experts[index].clone()),
            }
        };
        Ok(mixed.into_iter().enumerate().map(solution).collect())
    }

    /// What pixels alone tell about layouts, in families that have them.
    fn pixel_facts(&self, ink: &[f32]) -> Vec<PixelFacts> {
        let (side, context) = (self.side(), self.puzzle().context());
        let of_puzzle = |own| PixelFacts::of(own, side, context);
        if !self.family.has_layouts() {
            return Vec::new();
        }
        ink.chunks_exact(self.inks()).map(of_puzzle).collect()
    }

    /// How sure every answer is; `None` if it is not asked, or the model does not draw.
    fn confidence(
        &self,
        batch: &PuzzleBatch,
        solved: &Solved,
        facts: &[PixelFacts],
    ) -> Result<Option<Vec<Confidence>>, InferError> {
        let Some(z) = solved.z.as_ref().filter(|_| self.with_confidence) else { return Ok(None) };
        let answers = solved.answers();
        let errors = self.redraw(batch, &z.mean, &answers)?;
        let errors = errors.chunks_exact(self.puzzle().panels());
        let puzzles = solved.scores.iter().zip(answers).zip(errors).zip(facts);
        let sure = puzzles.map(|(((scores, answer), errors), facts)| {
            Confidence::new(scores, answer, errors, facts.blank(answer), self.constants)
        });
        Ok(Some(sure.collect()))
    }

    /// The summed squared errors of the question's panels and the answer, redrawn.
    ///
    /// # Shapes
    /// `[b · MN]`
    fn redraw(
        &self,
        batch: &PuzzleBatch,
        means: &Tensor<2>,
        answers: &[usize],
    ) -> Result<Vec<f32>, InferError> {
        let (context, inputs) = (self.puzzle().context(), self.puzzle().inputs());
        let completed = answers.iter().enumerate().flat_map(|(puzzle, &answer)| {
            let panels = (0..context).chain([context + answer]);
            panels.map(move |panel| (puzzle * inputs + panel) as i64)
        });
        let completed: Vec<i64> = completed.collect();
        let count = completed.len();
        let completed: Tensor<1, Int> =
            Tensor::from_data(TensorData::new(completed, [count]), self.model.device());
        let drawn = self.model.genvp().redraw(means.clone().select(0, completed.clone()))?;
        let wanted = batch.images().select(0, completed);
        let pixels = self.side().pow(2);
        Ok(to_host((drawn - wanted).square().reshape([count, pixels]).sum_dim(1))?)
    }

    /// Rule matrices as tensors hold them, for each puzzle those of its candidates.
    ///
    /// # Shapes
    /// `[b, C, K_R, N_R]`
    fn tables(&self, cells: Vec<f32>) -> Vec<Vec<RuleTable>> {
        let (puzzle, space) = (self.puzzle(), self.family.rule_space());
        let table = |own: &[f32]| RuleTable::new(space, own.to_vec());
        let of_puzzle = |own: &[f32]| own.chunks_exact(puzzle.cells()).map(table).collect();
        cells.chunks_exact(puzzle.candidates * puzzle.cells()).map(of_puzzle).collect()
    }

    fn experts(&self, solved: &SolvedExperts) -> Result<Vec<Experts>, InferError> {
        let puzzles = solved.logits.dims()[1];
        let mut said = self.tables(to_host(solved.probabilities())?);
        let mut of_puzzle = vec![Vec::new(); puzzles];
        for (index, candidates) in said.drain(..).enumerate() {
            of_puzzle[index % puzzles].push(candidates);
        }
        let experts = of_puzzle.into_iter().map(|own| Experts::new(solved.predictions(), own));
        Ok(experts.collect())
    }
}

/// What pixels alone tell, noted before the device takes them.
struct PixelFacts {
    /// Whether each panel is of one shade.
    blank: Vec<bool>,
    /// How many panels the question has.
    context: usize,
    line: Option<Structure>,
}

impl PixelFacts {
    fn of(ink: &[f32], side: usize, context: usize) -> Self {
        let panel = side * side;
        Self {
            blank: ink.chunks_exact(panel).map(confidence::is_blank).collect(),
            context,
            line: Structure::by_line(&ink[..context * panel], side),
        }
    }

    /// Whether a panel of the question, or the answer, shows nothing.
    fn blank(&self, answer: usize) -> bool {
        self.blank[..self.context].contains(&true) || self.blank[self.context + answer]
    }
}
