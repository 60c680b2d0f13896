//! How far one gets without looking at the question.

use super::{Attribute, Panel};

/// The choices that agree with the others in most attributes, as one would vote
/// who never saw the question. Usually one; several where they tie.
///
/// A vote needs no training. One that was trained on choices alone may do better, so
/// its share of right answers is the least that the choices give away. The authors'
/// context-blind network reached 22.4 % on the real neutral regime, where guessing
/// gives 12.5 %.
pub fn majority_vote(choices: &[Panel]) -> Vec<usize> {
    let votes = agreements(choices);
    let most = votes.iter().max();
    (0..choices.len()).filter(|&i| votes.get(i) == most).collect()
}

/// The choices that agree with the others in fewest attributes: the answer, where
/// wrong values recur and right ones do not.
pub fn minority_vote(choices: &[Panel]) -> Vec<usize> {
    let votes = agreements(choices);
    let least = votes.iter().min();
    (0..choices.len()).filter(|&i| votes.get(i) == least).collect()
}

/// In how many attributes each choice agrees with another one, itself included.
fn agreements(choices: &[Panel]) -> Vec<usize> {
    let values: Vec<_> = choices.iter().map(Panel::all_values).collect();
    let agreement = |own: &[_; 7]| -> usize {
        let shared = |other: &[_; 7]| {
            Attribute::ALL.iter().filter(|a| own[a.index()] == other[a.index()]).count()
        };
        values.iter().map(shared).sum()
    };
    values.iter().map(agreement).collect()
}
