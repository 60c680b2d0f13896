//! The examination of a model on fresh puzzles of a seed kept apart.

use std::collections::BTreeMap;

use burn::tensor::{Device, Tensor};
use genvp_model::latent::split;
use genvp_model::{AnyModel, ModelError, PuzzleBatch, select};
use genvp_puzzle::check::{self, Stated};
use genvp_puzzle::family::vote_chance;
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Attribute, Group, Layout, Puzzle, RuleMatrix, Set};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::collapse::entropy;
use crate::config::ValidationConfig;
use crate::error::TrainError;
use crate::feed::{Batch, ChoiceOrder, FeedShape, write};
use crate::wilson::Share;

/// Puzzles that go through the model at once.
const CHUNK: usize = 32;

/// Fresh puzzles of some layouts, as many with the choices of each set.
#[derive(Clone, Debug)]
pub struct Exam {
    test_sets: Vec<TestSet>,
    side: usize,
}

/// The puzzles of one layout and set.
#[derive(Clone, Debug)]
struct TestSet {
    set: Set,
    layout: Layout,
    puzzles: Vec<Puzzle>,
}

/// How well a model did. All shares are in percent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// Right answers among RAVEN's choices, the mean over layouts.
    pub raven: f64,
    /// Right answers among I-RAVEN's choices, the mean over layouts.
    pub iraven: f64,
    /// Right answers among RAVEN-FAIR's choices, the mean over layouts, if they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raven_fair: Option<f64>,
    /// Right rules of complete puzzles, the mean over layouts.
    pub rules: f64,
    /// What a majority vote reaches on the same RAVEN choices.
    pub majority_raven: f64,
    /// What a majority vote reaches on the same I-RAVEN choices.
    pub majority_iraven: f64,
    /// Summed squared error of a reconstructed panel, the mean over layouts.
    pub squared_error: f64,
    /// KL of Z_o-bar in nats a panel: near 0, it says nothing.
    pub kl_irrelevant: f64,
    /// How much the rules vary that the model names for type, size and color, in nats: near 0,
    /// it says the same of all.
    #[serde(default)]
    pub rule_entropy: f64,
    /// How much the true ones vary.
    #[serde(default)]
    pub true_rule_entropy: f64,
    /// Each layout by its short name.
    pub layouts: BTreeMap<String, LayoutResult>,
}

/// How well a model did on one layout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayoutResult {
    /// Right answers among RAVEN's choices.
    pub raven: Share,
    /// Right answers among I-RAVEN's choices.
    pub iraven: Share,
    /// Right answers among RAVEN-FAIR's choices, if they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raven_fair: Option<Share>,
    /// Right rules of complete puzzles.
    pub rules: Share,
    /// Summed squared error of a reconstructed panel.
    pub squared_error: f64,
}

impl Validation {
    /// What decides which checkpoint is best.
    pub fn score(&self) -> f64 {
        (self.raven + self.iraven) / 2.0
    }
}

impl Exam {
    /// Makes the puzzles by which a run is followed: with RAVEN's choices and with I-RAVEN's.
    ///
    /// # Errors
    /// When one cannot be made.
    pub fn new(
        config: &ValidationConfig,
        layouts: &[Layout],
        side: usize,
    ) -> Result<Self, TrainError> {
        Self::of_sets(&[Set::Raven, Set::IRaven], config, layouts, side)
    }

    /// Makes the puzzles of some sets.
    ///
    /// # Errors
    /// When one cannot be made.
    pub fn of_sets(
        sets: &[Set],
        config: &ValidationConfig,
        layouts: &[Layout],
        side: usize,
    ) -> Result<Self, TrainError> {
        let kinds: Vec<(Layout, Set)> =
            layouts.iter().flat_map(|&layout| sets.iter().map(move |&set| (layout, set))).collect();
        let test_sets = kinds.par_iter().map(|&(layout, set)| {
            let maker = Maker::new(Request::new(set, layout))?;
            let puzzles = (0..config.puzzles).map(|index| maker.puzzle(config.seed, index));
            Ok(TestSet { set, layout, puzzles: puzzles.collect::<Result<_, _>>()? })
        });
        Ok(Self { test_sets: test_sets.collect::<Result<_, TrainError>>()?, side })
    }

    /// Some puzzles of every layout, for pictures.
    pub fn examples(&self) -> impl Iterator<Item = &Puzzle> {
        self.test_sets
            .iter()
            .filter(|test_set| test_set.set == Set::IRaven)
            .filter_map(|test_set| test_set.puzzles.first())
    }

    /// Examines a model that is ready for solving.
    ///
    /// # Errors
    /// When the puzzles do not fit the model, or the device fails.
    pub fn take(&self, model: &AnyModel, device: &Device) -> Result<Validation, TrainError> {
        let mut marks: BTreeMap<Layout, BTreeMap<Set, Marks>> = BTreeMap::new();
        for test_set in &self.test_sets {
            let own = marks.entry(test_set.layout).or_default().entry(test_set.set).or_default();
            for puzzles in test_set.puzzles.chunks(CHUNK) {
                mark(model, device, puzzles, self.side, own)?;
            }
        }
        Ok(summary(&marks))
    }
}

/// Counts of one layout and set.
#[derive(Clone, Debug, Default)]
struct Marks {
    right: u64,
    asked: u64,
    vote: f64,
    rules_right: u64,
    rules_asked: u64,
    squared_error: f64,
    kl: f64,
    said: [u64; RuleMatrix::RULES],
    truth: [u64; RuleMatrix::RULES],
}

fn mark(
    model: &AnyModel,
    device: &Device,
    puzzles: &[Puzzle],
    side: usize,
    marks: &mut Marks,
) -> Result<(), TrainError> {
    let mut batch = Batch::new(FeedShape::pictures(puzzles.len(), side));
    let mut examples: Vec<_> = batch.examples().collect();
    examples
        .par_iter_mut()
        .zip(puzzles)
        .for_each(|(example, puzzle)| write(puzzle, ChoiceOrder::AsMade, example));
    drop(examples);
    let targets = batch.targets.clone();
    let (b, p) = (puzzles.len(), *model.puzzle());
    let batch = PuzzleBatch::new(&model.batch_shape(), batch.into_data(), device)?;
    let solved = model.solve(&batch)?;
    for (scores, &target) in solved.scores.iter().zip(&targets) {
        marks.right += u64::from(select::best(scores) == usize::from(target));
    }
    marks.asked += b as u64;
    marks.vote += puzzles.iter().map(vote).sum::<f64>();

    let said = host(solved.rules()?.mixed.clone().argmax(3).float())?;
    let (rows, stride) = (RuleMatrix::ATTRIBUTES, p.attributes);
    for (index, (puzzle, &target)) in puzzles.iter().zip(&targets).enumerate() {
        let at = (index * p.candidates + usize::from(target)) * stride;
        let (right, asked) = rule_marks(puzzle, &said[at..at + rows]);
        marks.rules_right += right;
        marks.rules_asked += asked;
        count_rules(puzzle, &said[at..at + rows], marks);
    }

    let (Some(z), Some(latent)) = (&solved.z, model.config().latent().cloned()) else {
        return Ok(());
    };
    // The panels of the question: the choices are drawn no worse.
    let (panels, inputs) = (p.context(), p.inputs());
    let shown = |t: Tensor<2>| {
        let width = t.dims()[1];
        t.reshape([b, inputs, width]).narrow(1, 0, panels).reshape([b * panels, width])
    };
    let drawn = model.redraw(shown(z.mean.clone()))?;
    let wanted = shown(batch.images().reshape([b * inputs, side * side])).reshape(drawn.dims());
    marks.squared_error += f64::from(sum((drawn - wanted).square())?) / panels as f64;
    let (_, irrelevant) = split(z, latent.relevant);
    marks.kl += f64::from(sum(irrelevant.kl_standard())?) / inputs as f64;
    Ok(())
}

/// The chance that a vote among the choices finds the answer.
fn vote(puzzle: &Puzzle) -> f64 {
    vote_chance(&check::majority_vote(&puzzle.choices), usize::from(puzzle.target))
}

fn host<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>, TrainError> {
    Ok(tensor.try_into_vec_as::<f32>().map_err(|e| ModelError::Device(e.to_string()))?)
}

fn sum<const D: usize>(tensor: Tensor<D>) -> Result<f32, TrainError> {
    Ok(host(tensor.sum())?.first().copied().unwrap_or_default())
}

/// How many of the rules that count were said right, and how many count.
fn rule_marks(puzzle: &Puzzle, said: &[f32]) -> (u64, u64) {
    let truth = RuleMatrix::of(&puzzle.rules).columns();
    let said = std::array::from_fn(|row| said[row] as usize);
    let counted = check::counted(&Stated::of(puzzle), puzzle.domain);
    let right = counted.iter().filter(|&&(part, g)| check::same_rule(&said, &truth, part, g));
    (right.count() as u64, counted.len() as u64)
}

/// Counts which rules were named for type, size and color, and which there are. (Of the
/// three rows for number and position two are always empty, whatever a model has learned.)
fn count_rules(puzzle: &Puzzle, said: &[f32], marks: &mut Marks) {
    let truth = RuleMatrix::of(&puzzle.rules).columns();
    let counted = check::counted(&Stated::of(puzzle), puzzle.domain);
    for (part, group) in counted.into_iter().filter(|(_, g)| *g != Group::NumberPosition) {
        for attribute in group.attributes() {
            let row = part * Attribute::ALL.len() + attribute.index();
            // A model may have columns of R that never occur.
            if let Some(count) = marks.said.get_mut(said[row] as usize) {
                *count += 1;
            }
            marks.truth[truth[row]] += 1;
        }
    }
}

fn summary(marks: &BTreeMap<Layout, BTreeMap<Set, Marks>>) -> Validation {
    let mut result = Validation::default();
    let nothing = Marks::default();
    let all = |of: fn(&Marks) -> &[u64; RuleMatrix::RULES]| {
        let mut sum = [0; RuleMatrix::RULES];
        for marks in marks.values().flat_map(BTreeMap::values) {
            sum.iter_mut().zip(of(marks)).for_each(|(sum, n)| *sum += n);
        }
        entropy(&sum)
    };
    result.rule_entropy = all(|marks| &marks.said);
    result.true_rule_entropy = all(|marks| &marks.truth);
    for (layout, sets) in marks {
        let of = |set| sets.get(&set).unwrap_or(&nothing);
        let (raven, iraven) = (of(Set::Raven), of(Set::IRaven));
        let share = |marks: &Marks| Share::of(marks.right, marks.asked);
        let asked = (raven.asked + iraven.asked).max(1) as f64;
        let own = LayoutResult {
            raven: share(raven),
            iraven: share(iraven),
            raven_fair: sets.get(&Set::RavenFair).map(share),
            rules: Share::of(
                raven.rules_right + iraven.rules_right,
                raven.rules_asked + iraven.rules_asked,
            ),
            squared_error: (raven.squared_error + iraven.squared_error) / asked,
        };
        let part = 1.0 / marks.len() as f64;
        result.raven += own.raven.percent * part;
        result.iraven += own.iraven.percent * part;
        if let Some(own) = own.raven_fair {
            *result.raven_fair.get_or_insert_default() += own.percent * part;
        }
        result.rules += own.rules.percent * part;
        result.squared_error += own.squared_error * part;
        result.majority_raven += 100.0 * raven.vote / raven.asked.max(1) as f64 * part;
        result.majority_iraven += 100.0 * iraven.vote / iraven.asked.max(1) as f64 * part;
        result.kl_irrelevant += (raven.kl + iraven.kl) / asked * part;
        result.layouts.insert(layout.short().to_owned(), own);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_calls_everything_constant_has_collapsed_and_the_truth_has_not() {
        let constant = genvp_puzzle::RuleKind::Constant.column() as f32;
        let validation = |says_truth: bool| {
            let mut marks: BTreeMap<Layout, BTreeMap<Set, Marks>> = BTreeMap::new();
            for layout in Layout::ALL {
                let maker = Maker::new(Request::new(Set::IRaven, layout)).unwrap();
                let own = marks.entry(layout).or_default().entry(Set::IRaven).or_default();
                for index in 0..20 {
                    let puzzle = maker.puzzle(5, index).unwrap();
                    let truth = RuleMatrix::of(&puzzle.rules).columns().map(|c| c as f32);
                    let said = if says_truth { truth } else { [constant; 12] };
                    count_rules(&puzzle, &said, own);
                }
            }
            Validation { kl_irrelevant: 1.0, ..summary(&marks) }
        };
        let warnings = |result| crate::collapse::warnings(&result, true, true);
        assert!(warnings(validation(true)).is_empty());
        assert!(warnings(validation(false))[0].contains("experts have collapsed"));
    }

    #[test]
    fn saying_the_truth_is_all_right_and_saying_none_is_all_wrong() {
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(Set::IRaven, layout)).unwrap();
            for index in 0..40 {
                let puzzle = maker.puzzle(4, index).unwrap();
                let truth = RuleMatrix::of(&puzzle.rules).columns().map(|c| c as f32);
                let (right, asked) = rule_marks(&puzzle, &truth);
                assert!(asked > 0 && right == asked);
                assert_eq!(rule_marks(&puzzle, &[0.0; 12]).0, 0);
            }
        }
    }
}
