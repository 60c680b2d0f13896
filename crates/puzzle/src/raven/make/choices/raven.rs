//! RAVEN: seven times one change of the answer.
//!
//! Every wrong choice agrees with the answer in all but one attribute, so the
//! choice that agrees most with the others is the answer, question unseen.

use crate::Stream;
use crate::raven::Puzzle;
use crate::raven::make::narrow::Narrowed;

use super::Candidate;
use super::changing_panel::ChangingPanel;
use super::entries::entries;

/// The answer and seven changes of it.
pub fn candidates(
    puzzle: &Puzzle,
    answer: Candidate,
    narrowed: &[Narrowed],
    stream: &mut Stream,
) -> Option<Vec<Candidate>> {
    let list = entries(puzzle, &answer.panel);
    let mut source = ChangingPanel::new(answer.panel.clone(), list);
    let mut candidates = vec![answer];
    while candidates.len() < 8 {
        if source.entries.is_empty() {
            return None;
        }
        let (panel, change) = source.change(narrowed, stream);
        candidates.push(candidates[0].changed(panel, change));
    }
    Some(candidates)
}
