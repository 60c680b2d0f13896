//! How far one gets without looking at the question.

use super::{Attribute, Panel};
use crate::family::vote;

/// The choices that agree with the others in most attributes, as one would vote
/// who never saw the question. Usually one; several where they tie.
///
/// A vote needs no training. One that was trained on choices alone may do better, so
/// its share of right answers is the least that the choices give away. The authors'
/// context-blind network reached 22.4 % on the real neutral regime, where guessing
/// gives 12.5 %.
pub fn majority_vote(choices: &[Panel]) -> Vec<usize> {
    vote::majority(choices.len(), shared_attributes(choices))
}

/// The choices that agree with the others in fewest attributes: the answer, where
/// wrong values recur and right ones do not.
pub fn minority_vote(choices: &[Panel]) -> Vec<usize> {
    vote::minority(choices.len(), shared_attributes(choices))
}

/// In how many attributes two choices agree.
fn shared_attributes(choices: &[Panel]) -> impl Fn(usize, usize) -> usize {
    let values: Vec<_> = choices.iter().map(Panel::all_values).collect();
    move |a, b| {
        let same =
            |attribute: &&Attribute| values[a][attribute.index()] == values[b][attribute.index()];
        Attribute::ALL.iter().filter(same).count()
    }
}
