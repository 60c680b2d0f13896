//! Answering puzzles, many at a time.

use burn::tensor::{Int, Tensor, TensorData};
use genvp_data::Images;
use genvp_model::{
    ModelError, PuzzleBatch, PuzzleConfig, PuzzleData, Score, SolvedExperts, select, to_host,
};
use genvp_puzzle::Layout;
use genvp_puzzle::raven::Raven;
use rayon::prelude::*;

use crate::confidence::{self, Confidence, Constants};
use crate::error::InferError;
use crate::explain::Experts;
use crate::model::Model;
use crate::rules::RuleProbabilities;
use crate::structure::{Structure, layout_of};
use crate::worker_pool;

const LAYOUTS: usize = Layout::ALL.len();

/// Answers puzzles from their pixels. How many panels, choices and rules there are is what the
/// model says; layouts and rules are named as in the RAVEN family.
///
/// The pixels reach the model exactly as in training: made smaller as its configuration says
/// ([`Resize`](genvp_model::Resize)), ink = 1.
///
/// ```no_run
/// use genvp_infer::{Model, Solver};
///
/// let model = Model::shipped()?;
/// let puzzle = genvp_data::npz::read("RAVEN_8_test.npz".as_ref())?;
/// for solution in Solver::new(&model)?.solve(&[&puzzle.images])? {
///     let sure = solution.confidence.map_or(0.0, |c| 100.0 * c.value);
///     assert!(solution.answer < 8 && sure <= 100.0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver<'m> {
    model: &'m Model,
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
    pub candidates: Vec<RuleProbabilities>,
    /// The layout: by the dividing line in all panels, else by the model's own
    /// word, which not every model gives. `None` if neither is sure.
    pub layout: Option<Layout>,
    /// How the components of its panels stand to each other.
    pub structure: Structure,
    /// How sure the answer is; `None` if it was not asked, or the model does not draw.
    pub confidence: Option<Confidence>,
    /// What every expert said; `None` if it was not asked.
    pub experts: Option<Experts>,
}

impl Solution {
    /// The rules of the puzzle as completed by the answer.
    pub fn rules(&self) -> &RuleProbabilities {
        &self.candidates[self.answer]
    }

    /// The rules in words, such as `type=progression size=constant`.
    pub fn rules_text(&self) -> String {
        self.rules().matrix().text(self.naming())
    }

    /// The layout by which components are named: the puzzle's, or one whose
    /// components have the same names.
    pub fn naming(&self) -> Layout {
        self.layout.unwrap_or_else(|| self.structure.naming())
    }
}

impl<'m> Solver<'m> {
    /// How many puzzles to hand over at once: more make it no faster (see docs/solving.md).
    pub const BATCH: usize = 32;

    /// A solver that gives answers, rules and confidence.
    ///
    /// # Errors
    /// When the model is for other puzzles than those of the RAVEN family.
    pub fn new(model: &'m Model) -> Result<Self, InferError> {
        model.config().puzzle().check_for(&Raven).map_err(|source| InferError::OtherPuzzles {
            origin: model.card().name().to_owned(),
            source,
        })?;
        if model.config().batch_shape().size.is_none() {
            let what = "solve from pictures: it compares the scenes of choices";
            return Err(ModelError::Cannot { what }.into());
        }
        let constants = Constants::of(model.card());
        Ok(Self { model, with_confidence: true, with_experts: false, constants })
    }

    /// Compute confidence; this reconstructs the panels of the question and the answer.
    pub fn with_confidence(mut self, with_confidence: bool) -> Self {
        self.with_confidence = with_confidence;
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

    /// Solves puzzles, all at once: grey panels of any side, as many as the model's puzzles have.
    ///
    /// # Errors
    /// When the device fails.
    pub fn solve(&self, puzzles: &[&Images]) -> Result<Vec<Solution>, InferError> {
        self.solve_ink(self.ink(puzzles))
    }

    /// Whether the model is on the CPU, where every core can ask it something else.
    pub fn is_on_cpu(&self) -> bool {
        self.model.is_on_cpu()
    }

    /// The pixels as the model sees them, puzzle by puzzle: ink = 1, paper = 0.
    pub fn ink(&self, puzzles: &[&Images]) -> Vec<f32> {
        let mut ink = vec![0.0; puzzles.len() * self.inks()];
        ink.par_chunks_mut(self.inks()).zip(puzzles).for_each(|(out, images)| {
            self.write_ink(images, out);
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

    /// Writes the pixels of a puzzle as the model sees them.
    ///
    /// # Panics
    /// When `out` is not [`inks`](Self::inks) long, or the images are fewer.
    pub fn write_ink(&self, images: &Images, out: &mut [f32]) {
        self.write_ink_of(images.pixels(), images.side(), out);
    }

    /// The same for whoever has grey panels of a side, one after another, but no [`Images`].
    ///
    /// # Panics
    /// When `out` is not [`inks`](Self::inks) long, or the panels are fewer.
    pub fn write_ink_of(&self, pixels: &[u8], pixels_side: usize, out: &mut [f32]) {
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
        let (puzzle, side) = (*self.puzzle(), self.side());
        let seen: Vec<PixelFacts> = ink
            .chunks_exact(self.inks())
            .map(|own| PixelFacts::of(own, side, puzzle.context()))
            .collect();
        let data = PuzzleData { pixels: ink, ..PuzzleData::default() };
        let shape = self.model.config().batch_shape();
        let batch = PuzzleBatch::new(&shape, data, self.model.device())?;
        let solved = self.model.genvp().solve(&batch)?;
        let errors = match &solved.z {
            Some(z) if self.with_confidence => {
                Some(self.redraw(&batch, &z.mean, &solved.answers())?)
            }
            _ => None,
        };
        let rules = solved.rules()?;
        let mixed = to_host(rules.mixed.clone())?;
        let layouts = solved.layout.clone().filter(|layouts| layouts.dims()[1] == LAYOUTS);
        let layouts = layouts.map(to_host).transpose()?;
        let experts = if self.with_experts { Some(self.experts(rules.experts()?)?) } else { None };
        let solution = |index: usize| {
            let rules = &mixed[index * puzzle.candidates * puzzle.cells()..];
            let rules = rules.chunks_exact(puzzle.cells()).take(puzzle.candidates);
            let candidates: Vec<_> = rules.map(RuleProbabilities::of_cells).collect();
            let scores = solved.scores[index].clone();
            let answer = select::best(&scores);
            let confidence = errors.as_ref().map(|errors| {
                let errors = &errors[index * puzzle.panels()..][..puzzle.panels()];
                let blank = seen[index].blank(answer);
                Confidence::new(&scores, answer, errors, blank, self.constants)
            });
            let said = layouts.as_ref().map(|said| &said[index * LAYOUTS..(index + 1) * LAYOUTS]);
            let layout = layout_of(seen[index].line, said);
            let structure =
                layout.map_or_else(|| Structure::by_rules(&candidates[answer]), Structure::of);
            Solution {
                answer,
                scores,
                layout,
                structure,
                candidates,
                confidence,
                experts: experts.as_ref().map(|experts| experts[index].clone()),
            }
        };
        Ok((0..batch.len()).map(solution).collect())
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

    fn experts(&self, solved: &SolvedExperts) -> Result<Vec<Experts>, InferError> {
        let [said, puzzles, choices, ..] = solved.logits.dims();
        let cells = to_host(solved.probabilities())?;
        let width = self.puzzle().cells();
        let of_puzzle = |prediction: usize, puzzle: usize| {
            let own = &cells[(prediction * puzzles + puzzle) * choices * width..];
            own.chunks_exact(width).take(choices).map(RuleProbabilities::of_cells).collect()
        };
        let experts = |puzzle| {
            let said = (0..said).map(|prediction| of_puzzle(prediction, puzzle));
            Experts::new(solved.predictions(), said.collect())
        };
        Ok((0..puzzles).map(experts).collect())
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
