//! What PGM and VAD share behind the seam of all families.

use std::sync::{Arc, Mutex, PoisonError};

use super::read::{PanelReading, confidence};
use super::{Attribute, Axis, Broken, Panel, Relation, SpecError, Triple};
use crate::family::{ExactSolution, Explanation, FamilyError, Form, PuzzleSpec, RuleSpace, Sheet};

/// The 10 x 6 rules: number, position and size of lines have rows that are
/// always `none`.
pub(crate) const RULES: RuleSpace = RuleSpace {
    attributes: &[
        "shape.color",
        "shape.number",
        "shape.position",
        "shape.size",
        "shape.type",
        "line.color",
        "line.number",
        "line.position",
        "line.size",
        "line.type",
    ],
    rules: &["none", "progression", "XOR", "OR", "AND", "consistent_union"],
};

/// The name of an attribute in rule texts: `shape.color`.
pub(crate) fn key(attribute: Attribute) -> String {
    format!("{}.{}", attribute.object().name(), attribute.name())
}

/// The numbers of shapes and lines of a panel, by name.
pub(crate) fn object_counts(panel: &Panel) -> [String; 2] {
    [format!("shapes={}", panel.shapes.len()), format!("lines={}", panel.lines.len())]
}

/// Sides at which panels can be read.
pub const SIDES: std::ops::RangeInclusive<usize> = 40..=640;

/// Checks that a puzzle has the form of a family and can be read.
pub(crate) fn check_form(
    family: &'static str,
    wanted: Form,
    sheet: &Sheet,
) -> Result<(), FamilyError> {
    let (found, side) = (sheet.form, sheet.side);
    if found != wanted {
        return Err(FamilyError::OtherForm { family, found, wanted });
    }
    if !SIDES.contains(&side) {
        let (least, most) = (*SIDES.start(), *SIDES.end());
        return Err(FamilyError::Side { family, found: side, least, most });
    }
    Ok(())
}

/// A name that a family does not know.
pub(crate) fn unknown(
    family: &'static str,
    what: &'static str,
    found: &str,
    known: &[&str],
) -> FamilyError {
    FamilyError::Unknown { family, what, found: found.to_owned(), known: known.join(", ") }
}

/// What the exact solver of a family found.
pub(crate) struct Answered<'a> {
    /// The best choice.
    pub answer: usize,
    /// Bits of evidence for each choice.
    pub scores: &'a [f64],
    /// Whether another choice is as good.
    pub tied: bool,
    /// The rules that hold with the answer, in the family's text form.
    pub rules: Vec<String>,
    /// What was seen, panel by panel.
    pub readings: &'a [PanelReading],
    /// The choices as they were read.
    pub choices: &'a [Panel],
}

impl Answered<'_> {
    /// The same as all families say it; `broken` tells what a choice breaks.
    pub fn solution(self, explain: bool, broken: impl Fn(usize) -> Vec<Broken>) -> ExactSolution {
        let Self { answer, scores, tied, rules, readings, choices } = self;
        let in_words = |choice| broken(choice).iter().map(ToString::to_string).collect();
        let is_twin = |choice: &usize| *choice != answer && choices[*choice] == choices[answer];
        ExactSolution {
            answer,
            scores: scores.to_vec(),
            chances: None,
            tied,
            rules: rules.join(" "),
            read_as: None,
            confidence: Some(confidence(readings)),
            explanation: explain.then(|| Explanation {
                broken: (0..choices.len()).map(in_words).collect(),
                twins: (0..choices.len()).filter(is_twin).collect(),
            }),
        }
    }
}

/// Rejects the options that only RAVEN has.
pub(crate) fn refuse_raven_options(
    family: &'static str,
    spec: &PuzzleSpec,
) -> Result<(), FamilyError> {
    let options = [
        ("--ood", spec.ood.is_some()),
        ("--uniform", spec.uniform),
        ("--no-rivals", spec.no_rivals),
    ];
    match options.into_iter().find(|(_, wanted)| *wanted) {
        Some((option, _)) => Err(FamilyError::NoOption { family, option }),
        None => Ok(()),
    }
}

/// A rule text: which row it speaks about (in VAD), the triple, and the axis
/// where it is stated.
pub(crate) type StatedTriple<'a> = (Option<&'a str>, Triple, Option<Axis>);

/// Reads rules such as `shape.color=XOR:columns`, or `source.shape.color=XOR`.
pub(crate) fn parse_rules(text: &str) -> Result<Vec<StatedTriple<'_>>, SpecError> {
    let pieces = text.split(|c: char| c.is_whitespace() || c == ',').filter(|p| !p.is_empty());
    pieces.map(parse_rule).collect()
}

fn parse_rule(text: &str) -> Result<StatedTriple<'_>, SpecError> {
    let not_a_rule = || SpecError::NotARule(text.to_owned());
    let (key, value) = text.split_once('=').ok_or_else(not_a_rule)?;
    let (row, object, attribute) = match key.split('.').collect::<Vec<_>>()[..] {
        [object, attribute] => (None, object, attribute),
        [row, object, attribute] => (Some(row), object, attribute),
        _ => return Err(not_a_rule()),
    };
    let (relation, axis) = match value.split_once(':') {
        Some((relation, axis)) => (relation, Some(Axis::parse(axis).ok_or_else(not_a_rule)?)),
        None => (value, None),
    };
    let attribute = Attribute::parse(object, attribute)?;
    let known = Relation::ALL.into_iter().find(|r| r.name().eq_ignore_ascii_case(relation));
    let relation = known.ok_or_else(|| SpecError::UnknownRelation(relation.to_owned()))?;
    Ok((row, Triple::new(attribute, relation)?, axis))
}

/// Things that are costly to make and depend on the side of panels; those of the
/// last few sides are kept.
pub(crate) struct BySide<T>(Mutex<Vec<(usize, Arc<T>)>>);

/// How many sides are kept.
const KEPT: usize = 4;

impl<T> BySide<T> {
    /// Nothing is made yet.
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The one of a side, made if need be.
    pub fn of(&self, side: usize, make: impl FnOnce(usize) -> T) -> Arc<T> {
        // What is kept is whole at all times, whoever panicked.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = kept.iter().find(|(known, _)| *known == side) {
            return found.clone();
        }
        let made = Arc::new(make(side));
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((side, made.clone()));
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_with_their_row_and_axis() {
        let rules = parse_rules("shape.color=xor:columns target.line.type=OR").expect("rules");
        let color = Triple { attribute: Attribute::ShapeColor, relation: Relation::Xor };
        let lines = Triple { attribute: Attribute::LineType, relation: Relation::Or };
        assert_eq!(rules, [(None, color, Some(Axis::Columns)), (Some("target"), lines, None)]);
        for bad in ["shape.color", "color=XOR", "shape.color=XOR:diagonals", "a.b.c.d=XOR"] {
            assert!(matches!(parse_rules(bad), Err(SpecError::NotARule(_))), "{bad}");
        }
        assert!(matches!(parse_rules("shape.smell=XOR"), Err(SpecError::UnknownAttribute(_))));
        assert!(matches!(parse_rules("shape.color=NOR"), Err(SpecError::UnknownRelation(_))));
        assert!(matches!(parse_rules("line.type=progression"), Err(SpecError::IllegalTriple(_))));
    }

    #[test]
    fn only_the_last_few_sides_are_kept() {
        let sides = BySide::new();
        for side in 40..50 {
            assert_eq!(*sides.of(side, |side| side), side);
        }
        assert_eq!(sides.0.lock().expect("nobody panicked").len(), KEPT);
        assert_eq!(*sides.of(49, |_| 0), 49, "kept");
        assert_eq!(*sides.of(40, |_| 0), 0, "made anew");
    }
}
