//! A second opinion on puzzles, written from the definitions of the rules alone.
//!
//! The maker keeps only what `genvp_puzzle::check` finds sound, so `check` cannot
//! prove the maker right. Nothing of it is used here: rules are looked up in
//! scene values one by one, and choices are compared by their pixels.

use std::collections::BTreeSet;

use genvp_puzzle::{Attribute, Component, Group, Panel, Puzzle, Rule, RuleKind, render};

/// What is wrong with a puzzle: every row must obey the stated rules, the target
/// alone must complete the third, and no two choices may be the same picture.
pub fn faults(puzzle: &Puzzle) -> Vec<String> {
    let mut faults = Vec::new();
    let target = usize::from(puzzle.target);
    let rows = rows(puzzle, target);
    for component in 0..puzzle.rules.len() {
        for group in Group::ALL {
            if !holds(puzzle, component, group, rows) {
                faults.push(format!("{} is not true", puzzle.rules[component].of(group)));
            }
        }
    }
    let right = right_choices(puzzle);
    if right != [target] {
        faults.push(format!("choices {right:?} satisfy the rules, the target is {target}"));
    }
    let pictures: Vec<Vec<u8>> = puzzle.choices.iter().map(|c| picture(puzzle, c)).collect();
    for (a, b) in (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b))) {
        if pictures[a] == pictures[b] {
            faults.push(format!("choices {a} and {b} are the same picture"));
        }
    }
    faults
}

/// The choices that satisfy every stated rule.
fn right_choices(puzzle: &Puzzle) -> Vec<usize> {
    let satisfies = |&choice: &usize| {
        let rows = rows(puzzle, choice);
        (0..puzzle.rules.len())
            .all(|component| Group::ALL.iter().all(|&group| holds(puzzle, component, group, rows)))
    };
    (0..8).filter(satisfies).collect()
}

fn picture(puzzle: &Puzzle, panel: &Panel) -> Vec<u8> {
    let mut image = vec![0; render::SIDE * render::SIDE];
    render::panel_into(panel, puzzle.layout, puzzle.domain, &mut image);
    image
}

type Rows<'a> = [[&'a Panel; 3]; 3];

fn rows(puzzle: &Puzzle, choice: usize) -> Rows<'_> {
    let [a, b, c, d, e, f, g, h] = &puzzle.context;
    [[a, b, c], [d, e, f], [g, h, &puzzle.choices[choice]]]
}

/// Whether the rule of one group holds in all three rows of a component.
fn holds(puzzle: &Puzzle, component: usize, group: Group, rows: Rows<'_>) -> bool {
    let rule = puzzle.rules[component].of(group);
    let slots = puzzle.layout.components()[component].slot_count() as i32;
    let rows = rows.map(|row| row.map(|panel| &panel.components[component]));
    match rule.attribute {
        Attribute::NumberPosition => rows.iter().all(|[a, b, c]| {
            slots_of(a) == slots_of(b)
                && slots_of(b) == slots_of(c)
                && rule.kind == RuleKind::Constant
        }),
        Attribute::Position => match rule.kind {
            RuleKind::Progression => rows.iter().all(|[a, b, c]| {
                moved(a, rule.step, slots) == slots_of(b)
                    && moved(b, rule.step, slots) == slots_of(c)
            }),
            RuleKind::Arithmetic if rule.step > 0 => {
                rows.iter().all(|[a, b, c]| &slots_of(a) | &slots_of(b) == slots_of(c))
            }
            RuleKind::Arithmetic => {
                rows.iter().all(|[a, b, c]| &slots_of(a) - &slots_of(b) == slots_of(c))
            }
            RuleKind::DistributeThree => {
                let sets = rows.map(|row| row.map(slots_of));
                let number = sets[0][0].len();
                sets.iter().flatten().all(|set| set.len() == number) && latin_square(&sets)
            }
            RuleKind::Constant => false,
        },
        Attribute::Number => {
            numbers_obey(rule, rows.map(|row| row.map(|p| p.entities.len() as i32)))
        }
        Attribute::Type | Attribute::Size | Attribute::Color if rule.kind == RuleKind::Constant => {
            rows.iter().all(|row| constant_in(puzzle, component, rule.attribute, *row))
        }
        Attribute::Type | Attribute::Size | Attribute::Color => {
            // A rule that changes an attribute makes all objects of a panel alike in it.
            let mut levels = [[0; 3]; 3];
            for (level, panel) in levels.iter_mut().flatten().zip(rows.iter().flatten()) {
                let all: BTreeSet<i32> = levels_of(panel, rule.attribute).into_iter().collect();
                match all.first() {
                    Some(&shared) if all.len() == 1 => *level = shared,
                    _ => return false,
                }
            }
            // Sums of sizes count from one, those of colors from zero (white).
            let first = i32::from(rule.attribute == Attribute::Size);
            numbers_obey(rule, levels.map(|row| row.map(|level| level + first)))
        }
    }
}

/// Progressions, sums and distributions of numbers.
fn numbers_obey(rule: Rule, rows: [[i32; 3]; 3]) -> bool {
    let step = i32::from(rule.step);
    match rule.kind {
        RuleKind::Progression => rows.iter().all(|[a, b, c]| *b == a + step && *c == b + step),
        RuleKind::Arithmetic if step > 0 => rows.iter().all(|[a, b, c]| *c == a + b),
        RuleKind::Arithmetic => rows.iter().all(|[a, b, c]| *c == a - b),
        RuleKind::DistributeThree => latin_square(&rows),
        RuleKind::Constant => false,
    }
}

/// Three different values, each once in every row and every column.
fn latin_square<T: Ord>(rows: &[[T; 3]; 3]) -> bool {
    let first: BTreeSet<&T> = rows[0].iter().collect();
    first.len() == 3
        && rows.iter().all(|row| row.iter().collect::<BTreeSet<_>>() == first)
        && (0..3).all(|i| rows.iter().map(|row| &row[i]).collect::<BTreeSet<_>>() == first)
}

/// Whether a type, size or color is constant in a row: in a uniform component all
/// objects have it. In others every object keeps its own, unless the number or
/// position rule makes new objects in every panel: then it is noise.
fn constant_in(
    puzzle: &Puzzle,
    component: usize,
    attribute: Attribute,
    row: [&Component; 3],
) -> bool {
    if puzzle.uniformity[component] == 3 {
        let all = row.iter().flat_map(|panel| levels_of(panel, attribute));
        return all.collect::<BTreeSet<_>>().len() == 1;
    }
    let place = puzzle.rules[component].of(Group::NumberPosition);
    let slots = puzzle.layout.components()[component].slot_count() as i32;
    let kept = |from: &Component, to: &Component| match (place.attribute, place.kind) {
        (Attribute::Number, _) | (_, RuleKind::Arithmetic) => true,
        (_, RuleKind::DistributeThree) => {
            // Objects go anywhere but take all their constant attributes along.
            let constant: Vec<Attribute> = [Group::Type, Group::Size, Group::Color]
                .iter()
                .map(|&group| puzzle.rules[component].of(group))
                .filter(|rule| rule.kind == RuleKind::Constant)
                .map(|rule| rule.attribute)
                .collect();
            crowd(from, &constant) == crowd(to, &constant)
        }
        _ => from.entities.iter().all(|a| {
            let slot = (i32::from(a.slot) + i32::from(place.step)).rem_euclid(slots);
            to.entities
                .iter()
                .any(|b| i32::from(b.slot) == slot && b.level(attribute) == a.level(attribute))
        }),
    };
    kept(row[0], row[1]) && kept(row[1], row[2])
}

fn slots_of(component: &Component) -> BTreeSet<i32> {
    component.entities.iter().map(|e| i32::from(e.slot)).collect()
}

/// The slots after one step, row by row and from the last to the first.
fn moved(component: &Component, step: i8, slots: i32) -> BTreeSet<i32> {
    slots_of(component).into_iter().map(|slot| (slot + i32::from(step)).rem_euclid(slots)).collect()
}

fn levels_of(component: &Component, attribute: Attribute) -> Vec<i32> {
    component.entities.iter().filter_map(|e| e.level(attribute)).map(i32::from).collect()
}

/// The objects by some of their attributes, in sorted order.
fn crowd(component: &Component, attributes: &[Attribute]) -> Vec<Vec<Option<u8>>> {
    let mut all: Vec<Vec<Option<u8>>> = component
        .entities
        .iter()
        .map(|e| attributes.iter().map(|&attribute| e.level(attribute)).collect())
        .collect();
    all.sort();
    all
}
