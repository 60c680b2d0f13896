//! The answer from scenes alone, without being told the relation.

use super::Analogy;
use crate::relations::{
    Attribute, Axis, Broken, Panel, Relation, Triple, ValueSet, Vocabulary, completes, counts,
};

/// What the solver found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The best choice, 0 to 3.
    pub answer: usize,
    /// Bits of evidence for each choice: how unlikely it is that random panels
    /// would share a relation of the source row.
    pub scores: [f64; 4],
    /// Whether another choice is as good, so that the answer is a guess.
    pub tied: bool,
    /// The analogies that the answer completes.
    pub analogies: Vec<Analogy>,
}

/// Answers a question: the source row and two panels of the target row, and the
/// four choices. Ties go to the first.
pub fn solve(context: &[Panel; 5], choices: &[Panel; 4]) -> Solution {
    let mut found = choices.each_ref().map(|choice| readings(context, choice));
    let evidence = |analogies: &Vec<Analogy>| -> f64 {
        let both = |a: &Analogy| bits(a.source_triple()) + bits(a.target_triple());
        // The sum of no floats would be -0.
        analogies.iter().fold(0.0, |sum, analogy| sum + both(analogy))
    };
    let scores = found.each_ref().map(evidence);
    let best = scores.iter().copied().fold(0.0, f64::max);
    let answer = scores.iter().position(|&score| score == best).unwrap_or(0);
    let tied = scores.iter().filter(|&&score| score == best).count() > 1;
    Solution { answer, scores, tied, analogies: std::mem::take(&mut found[answer]) }
}

/// The analogies that hold with `choice` as the last panel.
pub fn readings(context: &[Panel; 5], choice: &Panel) -> Vec<Analogy> {
    let source = [&context[0], &context[1], &context[2]];
    let target = [&context[3], &context[4], choice];
    let is_legal = |attribute, relation| Triple { attribute, relation }.is_legal();
    let line = |row: &[&Panel; 3], attribute| row.map(|panel| panel.values(attribute));
    // The source row shows which relation it is; the target row repeats it.
    let shows = |attribute: &Attribute, relation| {
        is_legal(*attribute, relation) && counts(relation, &[line(&source, *attribute)])
    };
    let repeats = |attribute: &Attribute, relation| {
        is_legal(*attribute, relation) && completes(relation, &line(&target, *attribute))
    };
    let mut all = Vec::new();
    for relation in Relation::ALL.into_iter().filter(|&r| r != Relation::Union) {
        for from in Attribute::ALL.into_iter().filter(|from| shows(from, relation)) {
            let targets = Attribute::ALL.into_iter().filter(|&to| to != from);
            let targets = targets.filter(|to| repeats(to, relation));
            all.extend(targets.map(|to| Analogy { relation, source: from, target: to }));
        }
    }
    all
}

/// How unlikely it is that a random third panel satisfies a relation; as in PGM.
fn bits(triple: Triple) -> f64 {
    let values = f64::from(Vocabulary::Vad.value_count(triple.attribute));
    if triple.relation == Relation::Progression { values.log2() } else { values / 2.0 }
}

/// How a choice breaks an analogy in the target row; `None` where it does not, or
/// where the row cannot follow the relation at all.
pub fn broken(context: &[Panel; 5], choice: &Panel, analogy: Analogy) -> Option<Broken> {
    let triple = analogy.target_triple();
    let [a, b, found] =
        [&context[3], &context[4], choice].map(|panel| panel.values(triple.attribute));
    let expected = match triple.relation.combined(a, b) {
        Some(set) => set,
        None => {
            let third = (2 * b.single()?).checked_sub(a.single()?)?;
            (third < 16).then(|| ValueSet::of(third))?
        }
    };
    (found != expected).then_some(Broken { triple, axis: Axis::Rows, expected, found })
}
