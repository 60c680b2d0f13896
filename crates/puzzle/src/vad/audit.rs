//! Whether a puzzle is what it claims to be.

use super::Analogy;
use super::choices::completed;
use super::puzzle::Puzzle;
use super::solve::{broken, readings};
use crate::relations::{Relation, completes, counts, holds};

/// What was found out about a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Whether the stated relation holds in both rows with the answer as last panel.
    pub holds: bool,
    /// Whether the source row shows which relation it is: it is no constant, and it
    /// tells OR from XOR.
    pub is_shown: bool,
    /// The relation that each choice completes, as in [`Puzzle::completes`].
    pub completes: [Option<Relation>; 4],
    /// The choices that satisfy the stated analogy.
    pub right: Vec<usize>,
    /// Pairs of choices that show the same scene.
    pub twins: Vec<(usize, usize)>,
    /// Analogies other than the stated one, with the choice that completes them.
    pub others: Vec<(usize, Analogy)>,
}

impl Audit {
    /// Whether exactly one choice is right, it is `target`, and no two choices
    /// look alike.
    pub fn is_sound(&self, target: u8) -> bool {
        self.holds && self.twins.is_empty() && self.right == [usize::from(target)]
    }
}

/// Looks at a puzzle with its truth.
pub fn audit(puzzle: &Puzzle) -> Audit {
    let found = puzzle.choices.each_ref().map(|choice| readings(&puzzle.context, choice));
    let right = (0..4)
        .filter(|&i| broken(&puzzle.context, &puzzle.choices[i], puzzle.analogy).is_none())
        .collect();
    let twins = (1..4)
        .flat_map(|j| (0..j).map(move |i| (i, j)))
        .filter(|&(i, j)| puzzle.choices[i] == puzzle.choices[j])
        .collect();
    let others = found
        .iter()
        .enumerate()
        .flat_map(|(i, analogies)| analogies.iter().map(move |&analogy| (i, analogy)))
        .filter(|(_, analogy)| *analogy != puzzle.analogy)
        .collect();
    let [a, b, c, d, e] = puzzle.context.each_ref();
    let Analogy { relation, source, target } = puzzle.analogy;
    let source = [a, b, c].map(|panel| panel.values(source));
    let target = [d, e, puzzle.answer()].map(|panel| panel.values(target));
    let holds = holds(relation, &source) && completes(relation, &target);
    let completes =
        puzzle.choices.each_ref().map(|choice| completed(puzzle.analogy, [d, e, choice]));
    Audit { completes, holds, is_shown: counts(relation, &[source]), right, twins, others }
}
