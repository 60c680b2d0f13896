//! The marks of a model on the puzzles of one layout.

use std::collections::BTreeMap;

use burn::tensor::{Device, Tensor};
use genvp_infer::puzzles_of;
use genvp_model::mixture::NeuralMixture;
use genvp_model::{AnyModel, MixtureKind, ModelError, PuzzleBatch, PuzzleData, Score, select};
use genvp_puzzle::check::{self, Stated};
use genvp_puzzle::family::vote_chance;
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Attribute, Puzzle, RuleKind, RuleMatrix};
use rayon::prelude::*;

use crate::error::ReportError;
use crate::question::{Opened, Question};

/// Puzzles that go through the model at once.
const CHUNK: usize = 32;

/// How well a model did on some puzzles, as counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Puzzles asked.
    pub asked: u64,
    /// Right answers, by the model's own mixture.
    pub right: u64,
    /// Puzzles whose choices are known as scenes.
    pub voted: u64,
    /// The chance of a majority vote among the choices, summed over those.
    pub vote: f64,
    /// What was said about the rules that count, by the true one: how often the
    /// whole group of rows was right, and which kind its row was given (0: none).
    pub rules: BTreeMap<(Attribute, RuleKind), RuleMarks>,
    /// Right answers of each mixture, in the order of [`MixtureKind::ALL`].
    pub mixtures: [u64; 6],
    /// Right answers of each expert alone.
    pub experts: Vec<u64>,
}

/// What was said where one rule was true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleMarks {
    /// How often it was true.
    pub asked: u64,
    /// How often the attribute's group was right.
    pub right: u64,
    /// Which kind was said, by [`RuleKind::column`].
    pub said: [u64; RuleMatrix::RULES],
}

impl Marks {
    /// Rules right and asked, all together.
    pub fn rules_right(&self) -> (u64, u64) {
        self.rules.values().fold((0, 0), |(r, a), own| (r + own.right, a + own.asked))
    }

    /// Adds those of other puzzles.
    pub fn add(&mut self, other: &Self) {
        self.asked += other.asked;
        self.right += other.right;
        self.voted += other.voted;
        self.vote += other.vote;
        for (rule, marks) in &other.rules {
            let own = self.rules.entry(*rule).or_default();
            own.asked += marks.asked;
            own.right += marks.right;
            own.said.iter_mut().zip(marks.said).for_each(|(own, more)| *own += more);
        }
        self.mixtures.iter_mut().zip(other.mixtures).for_each(|(own, more)| *own += more);
        self.experts.resize(self.experts.len().max(other.experts.len()), 0);
        self.experts.iter_mut().zip(&other.experts).for_each(|(own, more)| *own += more);
    }
}

/// Marks a model on puzzles whose answers are known.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'a> {
    model: &'a AnyModel,
    device: &'a Device,
    mixer: Option<&'a NeuralMixture>,
    compares: bool,
}

impl<'a> Evaluator<'a> {
    /// A model for puzzles of the RAVEN family.
    ///
    /// # Errors
    /// When it is for other puzzles.
    pub fn new(model: &'a AnyModel, device: &'a Device) -> Result<Self, ReportError> {
        let p = model.puzzle();
        if !p.holds(&puzzles_of(&Raven)) {
            return Err(ReportError::OtherPuzzles { found: p.to_string() });
        }
        Ok(Self { model, device, mixer: None, compares: false })
    }

    /// Marks every mixture and every expert by itself too; the learned mixture
    /// is `mixer` where there is one.
    pub fn comparing(mut self, mixer: Option<&'a NeuralMixture>) -> Self {
        (self.compares, self.mixer) = (true, mixer);
        self
    }

    /// Marks the model on some questions; `progress` hears how many more are done.
    ///
    /// # Errors
    /// When a question cannot be read, or the device fails.
    pub fn evaluate(
        &self,
        questions: &[Question],
        progress: &dyn Fn(u64),
    ) -> Result<Marks, ReportError> {
        let mut marks = Marks::default();
        let side = self.model.batch_shape().size.unwrap_or_default();
        for chunk in questions.chunks(CHUNK) {
            let opened = chunk.par_iter().map(|question| question.open(side));
            let opened: Vec<Opened> = opened.collect::<Result<_, _>>()?;
            self.mark(&opened, &mut marks)?;
            progress(chunk.len() as u64);
        }
        Ok(marks)
    }

    fn mark(&self, opened: &[Opened], marks: &mut Marks) -> Result<(), ReportError> {
        let batch = PuzzleBatch::new(&self.model.batch_shape(), self.data(opened)?, self.device)?;
        let solved = self.model.solve(&batch)?;
        let targets: Vec<usize> = opened.iter().map(|q| usize::from(q.target)).collect();
        marks.asked += opened.len() as u64;
        marks.right += right(&solved.scores, &targets);
        if self.compares {
            let rules = solved.rules()?;
            for (kind, count) in MixtureKind::ALL.into_iter().zip(&mut marks.mixtures) {
                *count += right(&rules.scores_by(kind, self.mixer)?, &targets);
            }
            let experts = rules.scores_per_expert()?;
            marks.experts.resize(experts.len(), 0);
            for (scores, count) in experts.iter().zip(&mut marks.experts) {
                *count += right(scores, &targets);
            }
        }
        let said = match solved.rules() {
            Ok(rules) => Some(host(rules.mixed.clone().argmax(3).float())?),
            Err(_) => None,
        };
        let p = self.model.puzzle();
        for (index, question) in opened.iter().enumerate() {
            let Some(puzzle) = &question.puzzle else { continue };
            marks.voted += 1;
            marks.vote += vote_chance(&check::majority_vote(&puzzle.choices), targets[index]);
            if let Some(said) = &said {
                let at = (index * p.candidates + targets[index]) * p.attributes;
                let said: [usize; RuleMatrix::ATTRIBUTES] =
                    std::array::from_fn(|row| said[at + row] as usize);
                mark_rules(puzzle, &said, marks);
            }
        }
        Ok(())
    }

    /// What the model looks at: pixels, or the vote among the choices.
    fn data(&self, opened: &[Opened]) -> Result<PuzzleData, ReportError> {
        if self.model.batch_shape().size.is_some() {
            let pixels = opened.iter().flat_map(|question| question.pixels.iter().copied());
            return Ok(PuzzleData { pixels: pixels.collect(), ..PuzzleData::default() });
        }
        let mut voted = Vec::new();
        for question in opened {
            let puzzle = question.puzzle.as_ref().ok_or(ReportError::NoScene)?;
            let most = check::majority_vote(&puzzle.choices);
            voted.extend((0..puzzle.choices.len()).map(|choice| most.contains(&choice)));
        }
        Ok(PuzzleData { voted: Some(voted), ..PuzzleData::default() })
    }
}

fn right(scores: &[Vec<Score>], targets: &[usize]) -> u64 {
    let same = scores.iter().zip(targets).filter(|(own, target)| select::best(own) == **target);
    same.count() as u64
}

fn mark_rules(puzzle: &Puzzle, said: &[usize; RuleMatrix::ATTRIBUTES], marks: &mut Marks) {
    let truth = RuleMatrix::of(&puzzle.rules).columns();
    for (part, group) in check::counted(&Stated::of(puzzle), puzzle.domain) {
        let rule = puzzle.rules[part].of(group);
        let own = marks.rules.entry((rule.attribute, rule.kind)).or_default();
        own.asked += 1;
        own.right += u64::from(check::same_rule(&truth, said, part, group));
        if let Some(count) = own.said.get_mut(said[part * 6 + rule.attribute.index()]) {
            *count += 1;
        }
    }
}

pub(crate) fn host<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>, ReportError> {
    Ok(tensor.try_into_vec_as::<f32>().map_err(|e| ModelError::Device(e.to_string()))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_model::Preset;
    use genvp_puzzle::make::{Maker, Request};
    use genvp_puzzle::{Layout, Set};

    fn model(device: &Device) -> AnyModel {
        Preset::named("cpu-64").unwrap().model.init_seeded(3, device).unwrap()
    }

    #[test]
    fn every_puzzle_is_marked_once_and_marks_of_parts_add_up() {
        let device = Device::flex();
        let model = model(&device);
        let evaluator = Evaluator::new(&model, &device).unwrap().comparing(None);
        let request = Request::new(Set::Raven, Layout::OutInGrid);
        let questions = Question::fresh(&request, 40, 9).unwrap();
        let whole = evaluator.evaluate(&questions, &|_| ()).unwrap();
        assert_eq!((whole.asked, whole.voted, whole.experts.len()), (40, 40, 14));
        assert!(whole.vote > 30.0, "a vote solves RAVEN: {}", whole.vote);
        assert_eq!(whole.mixtures[0], whole.right, "the preset mixes by weighted average");
        let (right, asked) = whole.rules_right();
        assert!(asked > 40 && right <= asked);
        let mut parts = evaluator.evaluate(&questions[..16], &|_| ()).unwrap();
        parts.add(&evaluator.evaluate(&questions[16..], &|_| ()).unwrap());
        assert_eq!(parts.asked, whole.asked);
        assert_eq!(parts.rules, whole.rules);
    }

    #[test]
    fn the_truth_is_all_right_and_said_where_it_is_true() {
        let maker = Maker::new(Request::new(Set::IRaven, Layout::DistributeNine)).unwrap();
        let mut marks = Marks::default();
        for index in 0..50 {
            let puzzle = maker.puzzle(3, index).unwrap();
            mark_rules(&puzzle, &RuleMatrix::of(&puzzle.rules).columns(), &mut marks);
        }
        for ((_, kind), own) in &marks.rules {
            assert_eq!(own.right, own.asked);
            assert_eq!(own.said[kind.column()], own.asked);
        }
        let mut none = Marks::default();
        mark_rules(&maker.puzzle(3, 0).unwrap(), &[0; 12], &mut none);
        assert_eq!(none.rules_right().0, 0);
    }
}
