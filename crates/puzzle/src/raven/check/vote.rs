//! How far one gets without looking at the question.

use crate::family::vote;
use crate::raven::{Attribute, Component, Entity, Panel};

use super::stated::looks;

/// The choices that agree most with the others, attribute by attribute, as one
/// would vote who never saw the question. Usually one; several where they tie.
///
/// A set of choices is fair when this finds the answer no more often than
/// guessing does.
pub fn majority_vote(choices: &[Panel; 8]) -> Vec<usize> {
    vote::majority(choices.len(), |a, b| shared_attributes(&choices[a], &choices[b]))
}

/// The choices that agree least with the others, attribute by attribute.
pub fn minority_vote(choices: &[Panel; 8]) -> Vec<usize> {
    vote::minority(choices.len(), |a, b| shared_attributes(&choices[a], &choices[b]))
}

/// In how many attributes of all components two panels agree.
fn shared_attributes(a: &Panel, b: &Panel) -> usize {
    a.components
        .iter()
        .zip(&b.components)
        .map(|(a, b)| Attribute::ALL.iter().filter(|&&attribute| agree(a, b, attribute)).count())
        .sum()
}

fn agree(a: &Component, b: &Component, attribute: Attribute) -> bool {
    match attribute {
        Attribute::NumberPosition => false,
        Attribute::Number => a.number() == b.number(),
        Attribute::Position => a.mask() == b.mask(),
        _ if a.mask() == b.mask() => a.entities.iter().all(|a| {
            let same = |b: &Entity| b.slot == a.slot && b.level(attribute) == a.level(attribute);
            b.entities.iter().any(same)
        }),
        _ => looks(a, &[attribute]) == looks(b, &[attribute]),
    }
}
