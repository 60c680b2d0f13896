//! Audits and the rules that hold.

use genvp_puzzle::check::{Audit, Sight, Stated, broken_rules, rules_of};
use genvp_puzzle::{Group, Puzzle, RuleKind};

use crate::originals;
use crate::own_puzzles::{rows, some};

#[test]
fn what_we_make_is_sound() {
    for puzzle in some(50) {
        assert!(Audit::of(&puzzle).is_sound());
    }
}

#[test]
fn the_originals_are_sound_but_for_one() {
    let puzzles = originals::puzzles();
    let unsound = puzzles.iter().filter(|p| !Audit::of(p).is_sound()).count();
    // The one is not among the committed puzzles.
    assert_eq!(unsound, usize::from(puzzles.len() == originals::ALL));
}

#[test]
fn a_rule_is_unneeded_exactly_when_no_choice_breaks_it_alone() {
    for puzzle in some(20) {
        let audit = Audit::of(&puzzle);
        for (component, rule) in &audit.unneeded {
            // Wiping the rule out of every list of broken rules leaves no choice
            // without one.
            let rules = genvp_puzzle::check::FoundRules::stated(&puzzle);
            for (i, choice) in puzzle.choices.iter().enumerate() {
                let broken = broken_rules(
                    &puzzle.context,
                    choice,
                    puzzle.layout,
                    puzzle.domain,
                    Sight::Levels,
                    &rules,
                );
                let others =
                    broken.iter().filter(|b| (b.component, b.rule) != (*component, *rule)).count();
                assert_eq!(others == 0, i == usize::from(puzzle.target));
            }
        }
    }
}

#[test]
fn a_rival_fits_the_question_and_leaves_one_other_choice() {
    let mut found = 0;
    for puzzle in some(100) {
        for rival in Audit::of(&puzzle).rivals {
            found += 1;
            assert_ne!(rival.choice, usize::from(puzzle.target));
            for (i, choice) in puzzle.choices.iter().enumerate() {
                let broken = broken_rules(
                    &puzzle.context,
                    choice,
                    puzzle.layout,
                    puzzle.domain,
                    Sight::Pixels,
                    &rival.rules,
                );
                assert_eq!(broken.is_empty(), i == rival.choice, "{broken:?}");
            }
        }
    }
    assert!(found > 0, "a few puzzles in a thousand have one");
}

fn stated_rules_are_among_those_that_hold(puzzles: &[Puzzle]) {
    for puzzle in puzzles {
        let [[a, b, c], [d, e, f], [g, h, i]] = rows(puzzle);
        let holding =
            rules_of([a, b, c, d, e, f, g, h, i], puzzle.layout, puzzle.domain, Sight::Levels);
        let stated = Stated::of(puzzle);
        for (component, rules) in puzzle.rules.iter().enumerate() {
            for group in Group::ALL.into_iter().filter(|&g| !stated.is_noise(component, g)) {
                let rule = rules.of(group);
                let found = holding.iter().find(|h| h.component == component && h.rule == rule);
                assert!(found.is_some_and(|h| h.everywhere), "{rule} {found:?}");
            }
        }
    }
}

#[test]
fn the_stated_rules_are_among_those_that_hold() {
    stated_rules_are_among_those_that_hold(&some(50));
}

#[test]
fn the_stated_rules_of_the_originals_are_among_those_that_hold() {
    let puzzles = originals::puzzles();
    stated_rules_are_among_those_that_hold(&puzzles);
}

#[test]
fn few_rules_hold_by_accident() {
    let mut extra = 0;
    let puzzles = some(50);
    for puzzle in &puzzles {
        let [[a, b, c], [d, e, f], [g, h, i]] = rows(puzzle);
        let holding =
            rules_of([a, b, c, d, e, f, g, h, i], puzzle.layout, puzzle.domain, Sight::Levels);
        extra += holding
            .iter()
            .filter(|h| h.everywhere && h.rule.kind != RuleKind::Constant)
            .filter(|h| !puzzle.rules[h.component].0.contains(&h.rule))
            .count();
    }
    assert!(extra < puzzles.len() / 10, "{extra}");
}
