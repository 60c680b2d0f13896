//! Whether a puzzle is sound: one right answer, no two choices alike, and what
//! else might lead a solver astray.

use arrayvec::ArrayVec;

use crate::raven::{Group, Puzzle, Rule};

use super::solve::{FoundRules, singled_out};
use super::stated::components;
use super::{Order, Stated, holds, majority_vote, satisfied, visibly_equal};

/// What an audit of one puzzle found.
#[derive(Clone, Debug)]
pub struct Audit {
    /// Which choices satisfy all stated rules.
    pub satisfied: [bool; 8],
    /// Pairs of choices that look alike to one who takes no notice of angles.
    pub duplicates: Vec<(usize, usize)>,
    /// Stated rules without which the answer would be the same and as certain,
    /// with their component.
    pub unneeded: Vec<(usize, Rule)>,
    /// Other rules that explain the question as well and single out another
    /// choice.
    pub rivals: Vec<Rival>,
    /// The choices that agree most with the other choices.
    pub vote: Vec<usize>,
}

/// Rules that fit the question but point to another choice than the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Rival {
    /// The choice that they single out.
    pub choice: usize,
    /// The rules of each component.
    pub rules: ArrayVec<FoundRules, 2>,
}

impl Audit {
    /// Audits a puzzle.
    pub fn of(puzzle: &Puzzle) -> Self {
        Self {
            satisfied: satisfied(puzzle),
            duplicates: duplicates(puzzle),
            unneeded: unneeded(puzzle),
            rivals: rivals(puzzle),
            vote: majority_vote(&puzzle.choices),
        }
    }

    /// Whether exactly one choice satisfies all rules and no two look alike.
    pub fn is_sound(&self) -> bool {
        self.satisfied.iter().filter(|&&s| s).count() == 1 && self.duplicates.is_empty()
    }
}

/// Other readings of a puzzle: rules that explain the question as well as the
/// stated ones do and single out another choice, one for each such choice.
///
/// All rules of the generating process are tried for every component, with all
/// their parameters, by what is visible.
pub fn rivals(puzzle: &Puzzle) -> Vec<Rival> {
    let target = usize::from(puzzle.target);
    singled_out(puzzle)
        .into_iter()
        .filter(|(choice, _)| *choice != target)
        .map(|(choice, rules)| Rival { choice, rules })
        .collect()
}

fn duplicates(puzzle: &Puzzle) -> Vec<(usize, usize)> {
    let pairs = (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b)));
    let alike = |&(a, b): &(usize, usize)| {
        let choices = &puzzle.choices;
        visibly_equal(&choices[a], &choices[b], puzzle.layout, puzzle.domain)
    };
    pairs.filter(alike).collect()
}

fn unneeded(puzzle: &Puzzle) -> Vec<(usize, Rule)> {
    let stated = Stated::of(puzzle);
    let rules: Vec<(usize, Group)> = (0..puzzle.rules.len())
        .flat_map(|component| Group::ALL.map(|group| (component, group)))
        .collect();
    let [.., seventh, eighth] = &puzzle.context;
    let broken: Vec<Vec<(usize, Group)>> = puzzle
        .choices
        .iter()
        .map(|choice| {
            let row = [seventh, eighth, choice];
            let is_broken = |&&(component, group): &&(usize, Group)| {
                !holds(&stated, component, group, 2, components(row, component), Order::Unknown)
            };
            rules.iter().filter(is_broken).copied().collect()
        })
        .collect();
    // A rule is needed when a choice breaks it and nothing else.
    let needed = |rule: &(usize, Group)| broken.iter().any(|b| b.as_slice() == [*rule]);
    rules
        .iter()
        .filter(|rule| !needed(rule))
        .map(|&(component, group)| (component, puzzle.rules[component].of(group)))
        .collect()
}
