//! Rules that fit a question, by the choices that they leave.

use arrayvec::ArrayVec;

use crate::raven::check::hypotheses::possible;
use crate::raven::{ComponentKind, Group, Puzzle, Rule, RuleKind};

use super::chance::{Rows, of_levels, of_places};
use super::component::{Objects, dealt_chance, kept, objects};
use super::seen::Seen;
use super::{FoundRules, SeenContext, Sight};

/// A set of choices, as bits.
type Choices = u8;

/// For every choice that some set of rules singles out (the rules fit the
/// question, and this choice alone completes it), that choice and such rules.
pub(in crate::raven::check) fn singled_out(
    puzzle: &Puzzle,
) -> Vec<(usize, ArrayVec<FoundRules, 2>)> {
    let question = SeenContext::new(&puzzle.context, puzzle.layout, puzzle.domain, Sight::Pixels);
    let choices = puzzle.choices.each_ref().map(|panel| question.see(panel));
    let left: Vec<Vec<(Choices, FoundRules)>> = puzzle
        .layout
        .components()
        .iter()
        .enumerate()
        .map(|(component, &kind)| choices_left(&question, kind, component, &choices))
        .collect();
    (0..8)
        .filter_map(|choice| {
            let wanted = 1 << choice;
            let rules = match left.as_slice() {
                [only] => only.iter().find(|o| o.0 == wanted).map(|o| [o.1].into_iter().collect()),
                [first, second] => first.iter().find_map(|a| {
                    let b = second.iter().find(|b| a.0 & b.0 == wanted)?;
                    Some([a.1, b.1].into_iter().collect())
                }),
                _ => None,
            };
            Some((choice, rules?))
        })
        .collect()
}

/// The sets of choices that the rules of one component can leave, each with
/// rules that do.
fn choices_left(
    question: &SeenContext,
    kind: ComponentKind,
    component: usize,
    choices: &[Vec<Seen>; 8],
) -> Vec<(Choices, FoundRules)> {
    let domain = question.domain;
    let which = |fits: &dyn Fn(&Rows<'_>) -> bool| -> Choices {
        (0..8)
            .filter(|&i| fits(&question.rows(&choices[i], component)))
            .fold(0, |set, i| set | 1 << i)
    };
    let groups = [Group::Type, Group::Size, Group::Color];
    let rules = groups.map(|group| possible(kind, domain, group));
    let governed: [Vec<(Choices, Rule)>; 3] = std::array::from_fn(|look| {
        let changing = rules[look].iter().map(|r| r.0).filter(|r| r.kind != RuleKind::Constant);
        let left = |rule| {
            let fits = |rows: &Rows<'_>| {
                let sets = rows.map(|row| row.map(|p| p.common[look]));
                of_levels(kind, domain, rule, sets) > 0.0
            };
            (which(&fits), rule)
        };
        changing.map(left).filter(|option| option.0 != 0).collect()
    });
    let mut found: Vec<(Choices, FoundRules)> = Vec::new();
    for (position, _) in possible(kind, domain, Group::NumberPosition) {
        let by_position = which(&|rows| of_places(kind, domain, position, rows) > 0.0);
        if by_position == 0 {
            continue;
        }
        for uniform in [true, false] {
            for constants in 0u32..8 {
                let fits = |rows: &Rows<'_>| constant(kind, position, uniform, constants, rows);
                let start = by_position & which(&fits);
                let mut sets = vec![(start, [Some(position), None, None, None])];
                for look in 0..3 {
                    let options: Vec<(Choices, Rule)> = if constants & (1 << look) == 0 {
                        governed[look].clone()
                    } else {
                        let rule = rules[look].iter().find(|r| r.0.kind == RuleKind::Constant);
                        rule.map(|r| (Choices::MAX, r.0)).into_iter().collect()
                    };
                    sets = narrowed(&sets, look, &options);
                }
                for (set, rules) in sets {
                    if found.iter().all(|f| f.0 != set) {
                        found.push((set, FoundRules { rules, uniform }));
                    }
                }
            }
        }
    }
    found
}

/// Sets of choices with the rules that leave them, when a look also follows one of some rules; each
/// set once.
fn narrowed(
    sets: &[(Choices, [Option<Rule>; 4])],
    look: usize,
    options: &[(Choices, Rule)],
) -> Vec<(Choices, [Option<Rule>; 4])> {
    let mut next: Vec<(Choices, [Option<Rule>; 4])> = Vec::new();
    for (set, chosen) in sets {
        for (option, rule) in options {
            let both = set & option;
            if both != 0 && next.iter().all(|n| n.0 != both) {
                let mut chosen = *chosen;
                chosen[look + 1] = Some(*rule);
                next.push((both, chosen));
            }
        }
    }
    next
}

/// Whether the looks in `constants` can be constant.
fn constant(
    kind: ComponentKind,
    place: Rule,
    uniform: bool,
    constants: u32,
    rows: &Rows<'_>,
) -> bool {
    let mut looks = (0..3).filter(|look| constants & (1 << look) != 0);
    if uniform {
        let alike = |look: usize| {
            rows.iter().all(|[a, b, c]| a.common[look] & b.common[look] & c.common[look] != 0)
        };
        return looks.all(alike);
    }
    match objects(Some(place)) {
        Objects::Renewed => true,
        Objects::Kept(step) => {
            looks.all(|look| rows.iter().all(|row| kept(kind.slot_count(), row, look, step)))
        }
        Objects::Dealt => dealt_chance(rows, constants) > 0.0,
    }
}
