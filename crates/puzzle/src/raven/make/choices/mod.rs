//! The seven wrong choices: three ways to make them.

mod changing_panel;
mod entries;
mod fair;
mod iraven;
mod raven;

use arrayvec::ArrayVec;

use crate::Stream;
use crate::raven::{Change, Panel, Puzzle, Set};

use super::narrow::Narrowed;

/// A choice and what it changes in the answer, in order of application.
#[derive(Clone, Debug)]
struct Candidate {
    panel: Panel,
    changes: ArrayVec<Change, 8>,
}

impl Candidate {
    fn changed(&self, panel: Panel, change: Change) -> Self {
        let mut changes = self.changes.clone();
        changes.push(change);
        Self { panel, changes }
    }
}

/// Fills in the choices of a puzzle whose choice 0 is the answer, and shuffles
/// them. Returns false where no full list could be made.
pub fn complete(puzzle: &mut Puzzle, upright: bool, stream: &mut Stream) -> bool {
    let narrowed: ArrayVec<Narrowed, 2> = puzzle
        .layout
        .components()
        .iter()
        .zip(&puzzle.rules)
        .filter_map(|(&kind, rules)| Narrowed::new(puzzle.domain, kind, rules, upright))
        .collect();
    let answer = Candidate { panel: puzzle.choices[0].clone(), changes: ArrayVec::new() };
    let candidates = match puzzle.set {
        Set::Raven => raven::candidates(puzzle, answer, &narrowed, stream),
        Set::IRaven => iraven::candidates(puzzle, answer, stream),
        Set::RavenFair => fair::candidates(puzzle, answer, &narrowed, stream),
    };
    let Some(mut candidates) = candidates.filter(|c| c.len() == 8) else { return false };
    stream.shuffle(&mut candidates);
    for (index, candidate) in candidates.into_iter().enumerate() {
        if candidate.changes.is_empty() {
            puzzle.target = index as u8;
        }
        puzzle.choices[index] = candidate.panel;
        puzzle.changes[index] = candidate.changes;
    }
    true
}
