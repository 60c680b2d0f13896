//! The examination of a model on fresh puzzles of a seed kept apart, or on a stored split.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use burn::tensor::Device;
use genvp_data::{Split, StoredPuzzle};
use genvp_exam::{Evaluator, ExamError, Marks, Question, Share, TestSet};
use genvp_model::AnyModel;
use genvp_puzzle::family::{Family, PuzzleSpec};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Attribute, Group, Layout, Puzzle, RuleMatrix, Set};
use serde::{Deserialize, Serialize};

use crate::collapse::entropy;
use crate::config::ValidationConfig;
use crate::error::TrainError;

/// Puzzles of some strata: fresh ones, as many of each, of RAVEN's layouts and sets or of the regimes
/// of another family; or those of a stored validation split by their layouts.
#[derive(Clone, Debug)]
pub struct Exam {
    test_sets: TestSets,
    examples: Vec<Puzzle>,
}

#[derive(Clone)]
enum TestSets {
    Layouts(Vec<(Layout, Set, TestSet)>),
    Stored(Vec<(Layout, TestSet)>),
    Regimes(&'static dyn Family, Vec<TestSet>),
}

impl fmt::Debug for TestSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layouts(sets) => f.debug_tuple("Layouts").field(sets).finish(),
            Self::Stored(sets) => f.debug_tuple("Stored").field(sets).finish(),
            Self::Regimes(family, sets) => {
                f.debug_tuple("Regimes").field(&family.id()).field(sets).finish()
            }
        }
    }
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
    /// Each layout by its short name, where the puzzles are those of a stored validation split:
    /// `raven`, `iraven` and the votes on them are then not told.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: BTreeMap<String, StoredResult>,
    /// Each regime by its name, in families that have those; of the above, only rules and their
    /// entropies are then told.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub regimes: BTreeMap<String, RegimeResult>,
}

/// How well a model did on one layout of a stored split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredResult {
    /// Right answers.
    pub answers: Share,
    /// What a majority vote among the same choices reaches, of puzzles whose scenes are known.
    pub majority: f64,
    /// Right rules of complete puzzles.
    pub rules: Share,
    /// Summed squared error of a reconstructed panel.
    pub squared_error: f64,
}

/// How well a model did on one regime.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegimeResult {
    /// Right answers.
    pub answers: Share,
    /// What a majority vote among the same choices reaches.
    pub majority: f64,
    /// Right rules of complete puzzles.
    pub rules: Share,
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
        let regimes = self.regimes.values().map(|own| own.answers.percent);
        let answers: Vec<f64> =
            self.stored.values().map(|own| own.answers.percent).chain(regimes).collect();
        if answers.is_empty() {
            return (self.raven + self.iraven) / 2.0;
        }
        answers.iter().sum::<f64>() / answers.len() as f64
    }
}

impl Exam {
    /// Makes the puzzles by which a run is followed: with RAVEN's choices and with I-RAVEN's.
    ///
    /// # Errors
    /// When one cannot be made.
    pub fn new(config: &ValidationConfig, layouts: &[Layout]) -> Result<Self, TrainError> {
        Self::of_sets(&[Set::Raven, Set::IRaven], config, layouts)
    }

    /// Makes the puzzles of some sets.
    ///
    /// # Errors
    /// When one cannot be made.
    pub fn of_sets(
        sets: &[Set],
        config: &ValidationConfig,
        layouts: &[Layout],
    ) -> Result<Self, TrainError> {
        let kinds = layouts.iter().flat_map(|&layout| sets.iter().map(move |&set| (layout, set)));
        let test_sets = kinds.map(|(layout, set)| {
            let spec = PuzzleSpec::new(Raven::stratum(set, layout));
            Ok((layout, set, TestSet::fresh(&Raven, &spec, config.puzzles, config.seed)?))
        });
        let test_sets = test_sets.collect::<Result<Vec<_>, TrainError>>()?;
        let own = test_sets.iter().filter(|(_, set, _)| *set == Set::IRaven);
        let first = |set: &TestSet| set.questions.first()?.made::<Puzzle>().cloned();
        let examples = own.filter_map(|(_, _, test_set)| first(test_set)).collect();
        Ok(Self { test_sets: TestSets::Layouts(test_sets), examples })
    }

    /// Finds the puzzles of a folder's validation split, at most `config.puzzles` of each layout.
    ///
    /// # Errors
    /// When the folder cannot be read, or holds none.
    pub fn stored(
        folder: &Path,
        config: &ValidationConfig,
        layouts: &[Layout],
    ) -> Result<Self, TrainError> {
        // The kind of wrong choices plays no part in how stored puzzles are read and counted.
        let strata: Vec<_> =
            layouts.iter().map(|&layout| Raven::stratum(Set::Raven, layout)).collect();
        let found = match TestSet::stored(folder, &strata, Some(Split::Val), None) {
            Err(ExamError::NoPuzzles { .. }) => Vec::new(),
            found => found?,
        };
        let (mut test_sets, mut examples) = (Vec::new(), Vec::new());
        for mut test_set in found {
            // A file whose name does not say its split is learned from.
            test_set.questions.retain(|question| is_of_split(question, Split::Val));
            test_set.questions.truncate(config.puzzles as usize);
            let layout = layouts.iter().find(|layout| layout.folder() == test_set.stratum.name);
            if let (Some(&layout), Some(question)) = (layout, test_set.questions.first()) {
                examples.extend(restored(question)?);
                test_sets.push((layout, test_set));
            }
        }
        if test_sets.is_empty() {
            return Err(TrainError::Settings {
                origin: folder.display().to_string(),
                message: "no puzzle of its validation split, which chooses the best checkpoint: set train.validation.source to \"fresh\"".into(),
            });
        }
        Ok(Self { test_sets: TestSets::Stored(test_sets), examples })
    }

    /// Makes puzzles of regimes of a family.
    ///
    /// # Errors
    /// When one cannot be made.
    pub fn of_specs(
        family: &'static dyn Family,
        specs: &[PuzzleSpec],
        config: &ValidationConfig,
    ) -> Result<Self, TrainError> {
        let test_sets =
            specs.iter().map(|spec| Ok(TestSet::fresh(family, spec, config.puzzles, config.seed)?));
        let test_sets = test_sets.collect::<Result<_, TrainError>>()?;
        Ok(Self { test_sets: TestSets::Regimes(family, test_sets), examples: Vec::new() })
    }

    /// A puzzle of every layout, for pictures, where scenes are known.
    pub fn examples(&self) -> &[Puzzle] {
        &self.examples
    }

    /// Examines a model that is ready for solving.
    ///
    /// # Errors
    /// When the puzzles do not fit the model, or the device fails.
    pub fn take(&self, model: &AnyModel, device: &Device) -> Result<Validation, TrainError> {
        match &self.test_sets {
            TestSets::Layouts(test_sets) => {
                let evaluator = Evaluator::new(model, device, &Raven)?.with_reconstructions();
                let mut marks: BTreeMap<Layout, BTreeMap<Set, Marks>> = BTreeMap::new();
                for (layout, set, test_set) in test_sets {
                    let own = evaluator.evaluate(&test_set.questions, &|_| ())?;
                    marks.entry(*layout).or_default().insert(*set, own);
                }
                Ok(summary(&marks))
            }
            TestSets::Stored(test_sets) => {
                let evaluator = Evaluator::new(model, device, &Raven)?.with_reconstructions();
                let of = |(layout, test_set): &(Layout, TestSet)| {
                    Ok((*layout, evaluator.evaluate(&test_set.questions, &|_| ())?))
                };
                let marks = test_sets.iter().map(of).collect::<Result<Vec<_>, TrainError>>()?;
                Ok(summary_of_stored(&marks))
            }
            TestSets::Regimes(family, test_sets) => {
                let evaluator = Evaluator::new(model, device, *family)?;
                let of = |test_set: &TestSet| {
                    let own = evaluator.evaluate(&test_set.questions, &|_| ())?;
                    Ok((test_set.stratum.name.to_owned(), own))
                };
                let marks = test_sets.iter().map(of).collect::<Result<Vec<_>, TrainError>>()?;
                Ok(summary_of_regimes(&marks))
            }
        }
    }
}

/// How often each rule was named for type, size and color, and how often it was true. (Of the
/// three rows for number and position two are always empty, whatever a model has learned.)
fn rule_counts<'a>(marks: impl Iterator<Item = &'a Marks>) -> [[u64; RuleMatrix::RULES]; 2] {
    let (mut said, mut truth) = ([0; RuleMatrix::RULES], [0; RuleMatrix::RULES]);
    for (&(row, rule), own) in marks.flat_map(|marks| &marks.rules) {
        if Attribute::of_row(row).group() != Group::NumberPosition {
            said.iter_mut().zip(&own.said).for_each(|(sum, n)| *sum += n);
            truth[rule] += own.asked;
        }
    }
    [said, truth]
}

/// How often each rule was named and how often it was true, over all attributes.
fn all_rule_counts<'a>(marks: impl Iterator<Item = &'a Marks>) -> [Vec<u64>; 2] {
    let (mut said, mut truth) = (Vec::new(), Vec::new());
    for (&(_, rule), own) in marks.flat_map(|marks| &marks.rules) {
        said.resize(said.len().max(own.said.len()), 0);
        said.iter_mut().zip(&own.said).for_each(|(sum, n)| *sum += n);
        truth.resize(truth.len().max(rule + 1), 0);
        truth[rule] += own.asked;
    }
    [said, truth]
}

/// Whether the name of a question's file says that it is of a split.
fn is_of_split(question: &Question, split: Split) -> bool {
    match question {
        Question::Stored(found) => found.split == Some(split),
        Question::Made(_) => false,
    }
}

/// The scene of a stored question, where its file tells it.
fn restored(question: &Question) -> Result<Option<Puzzle>, TrainError> {
    let Question::Stored(found) = question else { return Ok(None) };
    let stored = StoredPuzzle::read(&found.npz, found.domain)?;
    let (Some(scene), Some(target)) = (stored.scene, stored.target) else { return Ok(None) };
    Ok(scene.restore(Set::Raven, target).map(|restored| restored.puzzle))
}

fn summary_of_stored(marks: &[(Layout, Marks)]) -> Validation {
    let counts = rule_counts(marks.iter().map(|(_, own)| own));
    let [rule_entropy, true_rule_entropy] = counts.map(|counts| entropy(&counts));
    let mut result = Validation { rule_entropy, true_rule_entropy, ..Validation::default() };
    let part = 1.0 / marks.len().max(1) as f64;
    for (layout, own) in marks {
        let (asked, (right, rules)) = (own.asked.max(1) as f64, own.rules_right());
        let layout_result = StoredResult {
            answers: Share::of(own.right, own.asked),
            majority: 100.0 * own.vote / own.voted.max(1) as f64,
            rules: Share::of(right, rules),
            squared_error: own.squared_error / asked,
        };
        result.rules += layout_result.rules.percent * part;
        result.squared_error += layout_result.squared_error * part;
        result.kl_irrelevant += own.kl_irrelevant / asked * part;
        result.stored.insert(layout.short().to_owned(), layout_result);
    }
    result
}

fn summary_of_regimes(marks: &[(String, Marks)]) -> Validation {
    let counts = all_rule_counts(marks.iter().map(|(_, own)| own));
    let [rule_entropy, true_rule_entropy] = counts.map(|counts| entropy(&counts));
    let result = |own: &Marks| {
        let (right, asked) = own.rules_right();
        RegimeResult {
            answers: Share::of(own.right, own.asked),
            majority: 100.0 * own.vote / own.voted.max(1) as f64,
            rules: Share::of(right, asked),
        }
    };
    let regimes: BTreeMap<String, RegimeResult> =
        marks.iter().map(|(name, own)| (name.clone(), result(own))).collect();
    let rules = regimes.values().map(|own| own.rules.percent).sum::<f64>();
    let rules = rules / regimes.len().max(1) as f64;
    Validation { rules, rule_entropy, true_rule_entropy, regimes, ..Validation::default() }
}

fn summary(marks: &BTreeMap<Layout, BTreeMap<Set, Marks>>) -> Validation {
    let nothing = Marks::default();
    let counts = rule_counts(marks.values().flat_map(BTreeMap::values));
    let [rule_entropy, true_rule_entropy] = counts.map(|counts| entropy(&counts));
    let mut result = Validation { rule_entropy, true_rule_entropy, ..Validation::default() };
    for (layout, sets) in marks {
        let of = |set| sets.get(&set).unwrap_or(&nothing);
        let (raven, iraven) = (of(Set::Raven), of(Set::IRaven));
        let share = |marks: &Marks| Share::of(marks.right, marks.asked);
        let asked = (raven.asked + iraven.asked).max(1) as f64;
        let (rules, of_rules) = (raven.rules_right(), iraven.rules_right());
        let own = LayoutResult {
            raven: share(raven),
            iraven: share(iraven),
            raven_fair: sets.get(&Set::RavenFair).map(share),
            rules: Share::of(rules.0 + of_rules.0, rules.1 + of_rules.1),
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
        result.kl_irrelevant += (raven.kl_irrelevant + iraven.kl_irrelevant) / asked * part;
        result.layouts.insert(layout.short().to_owned(), own);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::RuleKind;
    use genvp_puzzle::family::AnyPuzzle;

    #[test]
    fn a_model_that_calls_everything_constant_has_collapsed_and_the_truth_has_not() {
        let config = ValidationConfig { seed: 5, puzzles: 20, ..ValidationConfig::default() };
        let exam = Exam::of_sets(&[Set::IRaven], &config, &Layout::ALL).unwrap();
        let validation = |says_truth: bool| {
            let mut marks: BTreeMap<Layout, BTreeMap<Set, Marks>> = BTreeMap::new();
            let TestSets::Layouts(test_sets) = &exam.test_sets else { panic!("of layouts") };
            for (layout, set, test_set) in test_sets {
                let own = marks.entry(*layout).or_default().entry(*set).or_default();
                for question in &test_set.questions {
                    let puzzle = question.made::<Puzzle>().unwrap();
                    let truth = RuleMatrix::of(&puzzle.rules).columns();
                    let constant = [RuleKind::Constant.column(); RuleMatrix::ATTRIBUTES];
                    let said = if says_truth { truth } else { constant };
                    own.mark_rules(&puzzle.truth(), &said, RuleMatrix::RULES);
                }
            }
            Validation { kl_irrelevant: 1.0, ..summary(&marks) }
        };
        let warnings = |result: &Validation| crate::collapse::warnings(result, true, true);
        let truth = validation(true);
        assert_eq!(truth.rule_entropy, truth.true_rule_entropy);
        assert!((truth.rules - 100.0).abs() < 1e-9, "{}", truth.rules);
        assert!(warnings(&truth).is_empty());
        assert!(warnings(&validation(false))[0].contains("experts have collapsed"));
    }

    #[test]
    fn the_examples_are_one_of_each_layout() {
        let config = ValidationConfig { seed: 5, puzzles: 2, ..ValidationConfig::default() };
        let exam = Exam::new(&config, &Layout::ALL).unwrap();
        let layouts: Vec<Layout> = exam.examples().iter().map(|puzzle| puzzle.layout).collect();
        assert_eq!(layouts, Layout::ALL);
    }
}
