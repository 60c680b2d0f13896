//! The plain checker finds what is wrong: puzzles are spoilt in every way that it
//! guards against, and none of them passes.

use std::collections::BTreeMap;

use genvp_puzzle::{Attribute, Domain, Group, Panel, Puzzle, RuleKind};

use super::plain::faults;
use super::{makers, name};

/// Puzzles of every set and layout.
fn each_puzzle(n: u64, mut look: impl FnMut(&Puzzle, &str)) {
    for maker in makers() {
        for index in 0..n {
            let puzzle = maker.puzzle(77, index).unwrap();
            look(&puzzle, &name(&puzzle, index));
        }
    }
}

#[test]
fn another_target_is_found() {
    each_puzzle(10, |puzzle, name| {
        for other in (0..8).filter(|&other| other != puzzle.target) {
            let spoilt = Puzzle { target: other, ..puzzle.clone() };
            let found = faults(&spoilt);
            assert!(found.iter().any(|f| f.contains("the target is")), "{name}: {found:?}");
        }
    });
}

#[test]
fn a_second_right_answer_is_found_though_its_picture_differs() {
    let mut tried = 0;
    each_puzzle(10, |puzzle, name| {
        // Angles follow no rule: the answer turned is as right as the answer.
        let mut turned = puzzle.answer().clone();
        let objects = turned.components.iter_mut().flat_map(|component| &mut component.entities);
        // A triangle looks different at every angle.
        let Some(object) = objects.into_iter().find(|e| e.shape == 1) else { return };
        object.angle = (object.angle + 1) % Domain::Standard.angles().len() as u8;
        let other = (usize::from(puzzle.target) + 3) % 8;
        let mut spoilt = puzzle.clone();
        spoilt.choices[other] = turned;
        let found = faults(&spoilt);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0].contains("satisfy the rules"), "{name}: {found:?}");
        tried += 1;
    });
    assert!(tried > 30, "{tried}");
}

#[test]
fn a_choice_that_stands_there_twice_is_found() {
    each_puzzle(10, |puzzle, name| {
        let (a, b) = ((usize::from(puzzle.target) + 1) % 8, (usize::from(puzzle.target) + 4) % 8);
        let mut spoilt = puzzle.clone();
        spoilt.choices[a] = spoilt.choices[b].clone();
        let found = faults(&spoilt);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0].contains("the same picture"), "{name}: {found:?}");
    });
}

/// Changes one object such that the rule of a group no longer holds; `None` where
/// the component leaves no room for that.
fn spoil(puzzle: &Puzzle, component: usize, group: Group, panel: &Panel) -> Option<Panel> {
    let kind = puzzle.layout.components()[component];
    let attribute = puzzle.rules[component].of(group).attribute;
    let mut panel = panel.clone();
    let entities = &mut panel.components[component].entities;
    match attribute {
        Attribute::Number if entities.len() > 1 => drop(entities.pop()),
        Attribute::Number | Attribute::NumberPosition | Attribute::Position => {
            let taken = |slot: &u8| entities.iter().any(|e| e.slot == *slot);
            let free = (0..kind.slot_count() as u8).find(|slot| !taken(slot))?;
            let moved = genvp_puzzle::Entity { slot: free, ..entities[0] };
            if attribute == Attribute::Number {
                entities.push(moved);
            } else {
                entities[0] = moved;
            }
        }
        _ => {
            let range = puzzle.domain.range(kind, attribute);
            let level = i32::from(entities[0].level(attribute)?);
            let other = range.iter().find(|&other| other != level)?;
            entities[0].set_level(attribute, other as u8);
        }
    }
    Some(panel)
}

#[test]
fn a_broken_rule_is_found_whichever_it_is() {
    let mut tried: BTreeMap<(Attribute, RuleKind), u32> = BTreeMap::new();
    each_puzzle(60, |puzzle, name| {
        for component in 0..puzzle.rules.len() {
            let place = puzzle.rules[component].of(Group::NumberPosition);
            let renewed =
                place.attribute == Attribute::Number || place.kind == RuleKind::Arithmetic;
            for group in Group::ALL {
                let rule = puzzle.rules[component].of(group);
                let is_look = group != Group::NumberPosition;
                let constant = rule.kind == RuleKind::Constant;
                if is_look && constant && renewed && puzzle.uniformity[component] != 3 {
                    continue; // noise
                }
                // The last panel of the first row and the answer: both follow from the rule.
                let mut spoilt = puzzle.clone();
                let Some(panel) = spoil(puzzle, component, group, &puzzle.context[2]) else {
                    continue;
                };
                spoilt.context[2] = panel;
                let untrue = format!("{rule} is not true");
                let found = faults(&spoilt);
                assert!(found.contains(&untrue), "{name} {rule}: {found:?}");

                let target = usize::from(puzzle.target);
                let mut spoilt = puzzle.clone();
                let Some(panel) = spoil(puzzle, component, group, puzzle.answer()) else {
                    continue;
                };
                spoilt.choices[target] = panel;
                let found = faults(&spoilt);
                assert!(found.iter().any(|f| f.contains("[] satisfy")), "{name} {rule}: {found:?}");
                *tried.entry((rule.attribute, rule.kind)).or_default() += 1;
            }
        }
    });
    // Seven on number and position, three on type, four each on size and color.
    assert_eq!(tried.len(), 18, "{tried:?}");
}
