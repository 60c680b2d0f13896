//! The answer from scenes alone, without being told any relation.

use super::puzzle::{Governed, value_matrix};
use crate::relations::{
    Attribute, Axis, Broken, Panel, Relation, Triple, ValueLine, ValueSet, Vocabulary, counts,
    holds,
};

/// A relation that was found to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The triple and its axis.
    pub governed: Governed,
    /// How many bits of evidence it is: the more unlikely it is that random
    /// values satisfy it, the more.
    pub bits: f64,
}

/// What the solver found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The best choice, 0 to 7.
    pub answer: usize,
    /// Bits of evidence for each choice.
    pub scores: [f64; 8],
    /// Whether another choice is as good, so that the answer is a guess.
    pub tied: bool,
    /// What holds when the answer is put into the ninth place.
    pub readings: Vec<Reading>,
}

/// Answers a question: the eight panels of the context, the eight choices.
///
/// A choice's score is the evidence of all relations that count, along rows or
/// columns, when it is put into the ninth place; it depends on the context and
/// that choice alone. Where several choices are the best, as when a panel was
/// misread, relations that hold on the choice's line and one other decide
/// between them. Ties go to the first.
pub fn solve(context: &[Panel; 8], choices: &[Panel; 8]) -> Solution {
    let mut found = choices.each_ref().map(|choice| found(context, choice, Wanted::AllLines));
    let mut scores = found.each_ref().map(|readings| evidence(readings));
    let best = largest(&scores);
    if scores.iter().filter(|&&score| score == best).count() > 1 {
        for ((score, readings), choice) in scores.iter_mut().zip(&mut found).zip(choices) {
            if *score == best {
                let weaker = self::found(context, choice, Wanted::TwoLines);
                *score += TWO_LINES_WEIGHT * evidence(&weaker);
                for reading in weaker {
                    if readings.iter().all(|other| other.governed != reading.governed) {
                        readings.push(reading);
                    }
                }
            }
        }
    }
    let best = largest(&scores);
    let answer = scores.iter().position(|&score| score == best).unwrap_or(0);
    let tied = scores.iter().filter(|&&score| score == best).count() > 1;
    Solution { answer, scores, tied, readings: std::mem::take(&mut found[answer]) }
}

/// What a relation on two lines is worth: less than any on three.
const TWO_LINES_WEIGHT: f64 = 1e-3;

fn evidence(readings: &[Reading]) -> f64 {
    // The sum of no floats would be -0.
    readings.iter().fold(0.0, |sum, reading| sum + reading.bits)
}

fn largest(scores: &[f64; 8]) -> f64 {
    scores.iter().copied().fold(0.0, f64::max)
}

/// The relations that count with `choice` in the ninth place.
pub fn readings(context: &[Panel; 8], choice: &Panel) -> Vec<Reading> {
    found(context, choice, Wanted::AllLines)
}

/// On how many lines a relation must hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    AllLines,
    /// On that of the choice and one other, as evidence of a misread panel.
    TwoLines,
}

fn found(context: &[Panel; 8], choice: &Panel, wanted: Wanted) -> Vec<Reading> {
    let mut all = Vec::new();
    for attribute in Attribute::ALL {
        let matrix = value_matrix(context, choice, attribute);
        for axis in Axis::ALL {
            let lines = axis.lines(&matrix);
            for relation in Relation::ALL {
                let triple = Triple { attribute, relation };
                if !triple.is_legal() {
                    continue;
                }
                let holding: Vec<ValueLine> = match wanted {
                    Wanted::AllLines => lines.to_vec(),
                    Wanted::TwoLines => {
                        let other = lines[..2].iter().find(|line| holds(relation, line));
                        other.into_iter().chain([&lines[2]]).copied().collect()
                    }
                };
                if holding.len() > 1 && counts(relation, &holding) {
                    let bits = holding.iter().map(|line| bits(triple, line)).sum();
                    all.push(Reading { governed: Governed { triple, axis }, bits });
                }
            }
        }
    }
    all
}

/// How unlikely it is that a random third panel satisfies a relation. A set
/// is worth as many bits as there are values, at half weight because few values
/// are usual; a single value the logarithm of their number.
fn bits(triple: Triple, line: &ValueLine) -> f64 {
    let [a, b, _] = *line;
    if a == b {
        return 0.0;
    }
    let values = f64::from(Vocabulary::Pgm.value_count(triple.attribute));
    match triple.relation {
        Relation::Progression | Relation::Union => values.log2(),
        _ => values / 2.0,
    }
}

/// Which of the stated relations a choice breaks, and what each asks for.
pub fn broken(context: &[Panel; 8], choice: &Panel, structure: &[Governed]) -> Vec<Broken> {
    structure
        .iter()
        .filter_map(|governed| {
            let Governed { triple, axis } = *governed;
            let lines = axis.lines(&value_matrix(context, choice, triple.attribute));
            let found = lines[2][2];
            let expected = expected(triple.relation, &lines)?;
            (found != expected).then_some(Broken { triple, axis, expected, found })
        })
        .collect()
}

/// What a relation asks for in the ninth panel; `None` where the context does not
/// follow it.
fn expected(relation: Relation, lines: &[ValueLine; 3]) -> Option<ValueSet> {
    let [a, b, _] = lines[2];
    if let Some(set) = relation.combined(a, b) {
        return Some(set);
    }
    let (first, second) = (a.single()?, b.single()?);
    match relation {
        Relation::Progression => {
            let third = 2 * i16::from(second) - i16::from(first);
            (0..16).contains(&third).then(|| ValueSet::of(third as u8))
        }
        _ => {
            let members = lines[0][0] | lines[0][1] | lines[0][2];
            Some(members ^ (a | b)).filter(|rest| rest.single().is_some())
        }
    }
}
