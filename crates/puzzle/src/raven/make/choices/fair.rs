//! RAVEN-FAIR: a random tree of changes that grows from the answer.

use crate::Stream;
use crate::raven::check::{self, Order, Stated};
use crate::raven::make::narrow::Narrowed;
use crate::raven::{Panel, Puzzle};

use super::Candidate;
use super::changing_panel::ChangingPanel;
use super::entries::entries;

/// Changes that may be refused before the tree is given up and begun again.
const MOST_REFUSALS: u32 = 200;

/// The answer and seven changes of it or of one another. A change is refused if
/// it satisfies as many rules as the answer, or looks like a choice that is
/// already there. An attribute name is changed once on any path.
pub fn candidates(
    puzzle: &Puzzle,
    answer: Candidate,
    narrowed: &[Narrowed],
    stream: &mut Stream,
) -> Option<Vec<Candidate>> {
    let stated = Stated::of(puzzle);
    let [.., seventh, eighth] = &puzzle.context;
    let score = |panel: &Panel| check::score(&stated, [seventh, eighth, panel], Order::Made);
    let best = score(&answer.panel);
    let mut sources =
        vec![ChangingPanel::new(answer.panel.clone(), entries(puzzle, &answer.panel))];
    let mut candidates = vec![answer];
    let mut refusals = 0;
    while candidates.len() < 8 {
        let open: Vec<usize> =
            (0..sources.len()).filter(|&i| !sources[i].entries.is_empty()).collect();
        if open.is_empty() || refusals > MOST_REFUSALS {
            return None;
        }
        let parent = *stream.pick(&open);
        let (panel, change) = sources[parent].change(narrowed, stream);
        let seen =
            |c: &Candidate| check::visibly_equal(&c.panel, &panel, puzzle.layout, puzzle.domain);
        if score(&panel) >= best || candidates.iter().any(seen) {
            refusals += 1;
            continue;
        }
        let candidate = candidates[parent].changed(panel, change);
        let mut list = entries(puzzle, &candidate.panel);
        list.retain(|entry| {
            candidate.changes.iter().all(|c| c.attribute != entry.change.attribute)
        });
        sources.push(ChangingPanel::new(candidate.panel.clone(), list));
        candidates.push(candidate);
    }
    Some(candidates)
}
