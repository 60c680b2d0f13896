//! Whether a puzzle is what it claims to be.

use super::puzzle::{Governed, Puzzle};
use super::solve::{broken, readings};
use super::value_matrix;
use crate::relations::{counts, holds_on_all};

/// What was found out about a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Stated relations that do not hold with the answer in the ninth place.
    pub failing: Vec<Governed>,
    /// Stated relations that hold without counting: no line tells OR from XOR, or all
    /// are constant.
    pub unshown: Vec<Governed>,
    /// Which stated relations each choice breaks, as in [`Puzzle::broken`].
    pub broken: [u8; 8],
    /// Pairs of choices that show the same scene.
    pub twins: Vec<(usize, usize)>,
    /// Relations that count without having been stated, with the choice that has
    /// to be in the ninth place.
    pub accidents: Vec<(usize, Governed)>,
}

impl Audit {
    /// The choices that satisfy all stated relations.
    pub fn right(&self) -> impl Iterator<Item = usize> {
        (0..8).filter(|&choice| self.broken[choice] == 0)
    }

    /// Whether exactly one choice is right, it is `target`, and no two choices
    /// look alike.
    pub fn is_sound(&self, target: u8) -> bool {
        self.failing.is_empty() && self.twins.is_empty() && self.right().eq([usize::from(target)])
    }
}

/// Looks at a puzzle with its truth.
pub fn audit(puzzle: &Puzzle) -> Audit {
    let context = &puzzle.context;
    let mask = |choice| {
        let found = broken(context, choice, &puzzle.structure);
        let is_broken = |governed: &Governed| {
            found.iter().any(|b| b.triple == governed.triple && b.axis == governed.axis)
        };
        let bits = puzzle.structure.iter().enumerate().filter(|(_, g)| is_broken(g));
        bits.fold(0, |mask, (i, _)| mask | 1 << i)
    };
    let lines = |governed: &Governed| {
        let matrix = value_matrix(context, puzzle.answer(), governed.triple.attribute);
        governed.axis.lines(&matrix)
    };
    let (failing, holding): (Vec<Governed>, Vec<Governed>) = puzzle
        .structure
        .iter()
        .partition(|governed| !holds_on_all(governed.triple.relation, &lines(governed)));
    let is_unshown = |governed: &Governed| !counts(governed.triple.relation, &lines(governed));
    let twins = (1..8)
        .flat_map(|j| (0..j).map(move |i| (i, j)))
        .filter(|&(i, j)| puzzle.choices[i] == puzzle.choices[j])
        .collect();
    let accidents = puzzle
        .choices
        .iter()
        .enumerate()
        .flat_map(|(i, choice)| readings(context, choice).into_iter().map(move |r| (i, r.governed)))
        .filter(|(_, governed)| !puzzle.structure.contains(governed))
        .collect();
    Audit {
        failing,
        unshown: holding.into_iter().filter(is_unshown).collect(),
        broken: puzzle.choices.each_ref().map(mask),
        twins,
        accidents,
    }
}
