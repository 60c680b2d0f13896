//! Whether relations hold on lines of value sets.

use super::{Attribute, Relation, Triple, ValueSet};

/// The values of one attribute in three panels.
pub type ValueLine = [ValueSet; 3];

/// Whether a relation holds on one line, degenerate or not. A union on one line
/// is three different single values.
pub fn holds(relation: Relation, line: &ValueLine) -> bool {
    let [a, b, c] = *line;
    match relation.combined(a, b) {
        Some(wanted) => c == wanted,
        None => match (a.single(), b.single(), c.single()) {
            (Some(a), Some(b), Some(c)) if relation == Relation::Progression => {
                a < b && i16::from(b) - i16::from(a) == i16::from(c) - i16::from(b)
            }
            (Some(a), Some(b), Some(c)) => a != b && b != c && a != c,
            _ => false,
        },
    }
}

/// Whether a line shows more than a constant: its first two panels differ. (The
/// third then differs from one of them, whatever it is.)
pub(super) fn is_telling(line: &ValueLine) -> bool {
    line[0] != line[1]
}

/// Whether a third panel completes a line under a relation that another line has
/// shown: it holds, and the line is more than a constant. The line need not tell
/// OR from XOR, because the other one does.
pub fn completes(relation: Relation, line: &ValueLine) -> bool {
    is_telling(line) && holds(relation, line)
}

/// Whether a line is completed under any legal relation of an attribute but a
/// union; any increase is a progression.
pub(crate) fn any_completes(attribute: Attribute, line: &ValueLine) -> bool {
    is_telling(line)
        && Relation::ALL.into_iter().any(|relation| {
            let legal = Triple { attribute, relation }.is_legal();
            legal
                && match relation {
                    Relation::Union => false,
                    Relation::Progression => increases(line),
                    _ => holds(relation, line),
                }
        })
}

/// Whether OR and XOR disagree about the third panel of a line.
pub fn tells(line: &ValueLine) -> bool {
    !(line[0] & line[1]).is_empty()
}

/// Which progressions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progressions {
    /// Those with the same step on every line, as they are made.
    Even,
    /// Those with any steps upward: nobody can be blamed for seeing these.
    Any,
}

/// Whether a relation holds on all lines and counts: at least one line is not
/// degenerate, and at least one tells OR from XOR. A constant never counts. The
/// lines of a progression share one step, those of a union one set.
pub fn counts(relation: Relation, lines: &[ValueLine]) -> bool {
    counts_as(relation, lines, Progressions::Even)
}

/// Whether a relation holds on all lines, constants or not, whether or not any line
/// tells OR from XOR. The lines of a progression share one step, those of a union one
/// set.
pub fn holds_on_all(relation: Relation, lines: &[ValueLine]) -> bool {
    lines.iter().all(|line| holds(relation, line))
        && match relation {
            Relation::Xor | Relation::Or | Relation::And => true,
            Relation::Union => lines.iter().all(|line| members(line) == members(&lines[0])),
            Relation::Progression => lines.iter().all(|line| step(line) == step(&lines[0])),
        }
}

pub(super) fn counts_as(
    relation: Relation,
    lines: &[ValueLine],
    progressions: Progressions,
) -> bool {
    let all = match (relation, progressions) {
        (Relation::Progression, Progressions::Any) => lines.iter().all(increases),
        _ => holds_on_all(relation, lines),
    };
    let is_told = || match relation {
        Relation::Xor | Relation::Or => lines.iter().any(tells),
        _ => true,
    };
    all && lines.iter().any(is_telling) && is_told()
}

fn increases(line: &ValueLine) -> bool {
    match line.map(ValueSet::single) {
        [Some(a), Some(b), Some(c)] => a < b && b < c,
        _ => false,
    }
}

fn members(line: &ValueLine) -> ValueSet {
    line[0] | line[1] | line[2]
}

fn step(line: &ValueLine) -> Option<i16> {
    Some(i16::from(line[1].single()?) - i16::from(line[0].single()?))
}

/// Whether any legal relation of an attribute other than `stated` counts.
pub(crate) fn others_count(
    attribute: Attribute,
    stated: Option<Relation>,
    lines: &[ValueLine],
    progressions: Progressions,
    unions: bool,
) -> bool {
    // Most attributes are constant along some line, and no line of a constant tells anything.
    lines.iter().any(is_telling)
        && Relation::ALL.into_iter().any(|relation| {
            Some(relation) != stated
                && (unions || relation != Relation::Union)
                && Triple { attribute, relation }.is_legal()
                && counts_as(relation, lines, progressions)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(sets: [&[u8]; 3]) -> ValueLine {
        sets.map(|set| set.iter().copied().collect())
    }

    #[test]
    fn a_constant_never_counts() {
        let same = [line([&[1], &[1], &[1]]); 3];
        for relation in Relation::ALL {
            assert!(!counts(relation, &same), "{relation}");
        }
        assert!(holds(Relation::Or, &same[0]) && holds(Relation::And, &same[0]));
    }

    #[test]
    fn disjoint_sets_do_not_tell_or_from_xor() {
        let disjoint = [line([&[1], &[2], &[1, 2]]); 3];
        assert!(!counts(Relation::Or, &disjoint) && !counts(Relation::Xor, &disjoint));
        let mut one_tells = disjoint;
        one_tells[1] = line([&[1, 2], &[2], &[1, 2]]);
        assert!(counts(Relation::Or, &one_tells) && !counts(Relation::Xor, &one_tells));
    }

    #[test]
    fn a_line_is_completed_without_telling_or_from_xor() {
        let disjoint = line([&[1], &[2], &[1, 2]]);
        assert!(completes(Relation::Or, &disjoint) && completes(Relation::Xor, &disjoint));
        assert!(holds_on_all(Relation::Or, &[disjoint; 3]));
        assert!(any_completes(Attribute::ShapeColor, &disjoint));
        assert!(!any_completes(Attribute::ShapeNumber, &disjoint), "numbers have no OR");
        assert!(!completes(Relation::And, &line([&[1], &[1], &[1]])), "a constant");
        assert!(any_completes(Attribute::ShapeSize, &line([&[1], &[2], &[9]])), "it grows");
    }

    #[test]
    fn a_progression_keeps_its_step_on_every_line() {
        let rows = |third: u8| [line([&[0], &[1], &[2]]), line([&[4], &[5], &[third]])];
        assert!(counts(Relation::Progression, &rows(6)));
        assert!(!counts(Relation::Progression, &rows(7)));
        assert!(counts_as(Relation::Progression, &rows(7), Progressions::Any));
        let steps = [line([&[0], &[1], &[2]]), line([&[4], &[6], &[8]])];
        assert!(!counts(Relation::Progression, &steps));
    }

    #[test]
    fn a_union_has_the_same_set_on_every_line() {
        let rows = |third: u8| [line([&[0], &[1], &[2]]), line([&[2], &[0], &[third]])];
        assert!(counts(Relation::Union, &rows(1)));
        assert!(!counts(Relation::Union, &rows(3)));
    }
}
