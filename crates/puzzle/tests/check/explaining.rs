//! Why choices are wrong.

use genvp_puzzle::Puzzle;
use genvp_puzzle::check::{FoundRules, Sight, broken_rules, satisfied, solve};

use crate::originals;
use crate::own_puzzles::some;

fn wrong_choices_break_a_stated_rule(puzzles: &[Puzzle]) {
    for puzzle in puzzles {
        let rules = FoundRules::stated(puzzle);
        for (choice, right) in puzzle.choices.iter().zip(satisfied(puzzle)) {
            let broken = broken_rules(
                &puzzle.context,
                choice,
                puzzle.layout,
                puzzle.domain,
                Sight::Levels,
                &rules,
            );
            assert_eq!(broken.is_empty(), right, "{:?} {}", puzzle.set, puzzle.layout);
            for rule in broken {
                assert_ne!(rule.expected, rule.found);
                assert_ne!(rule.expected, "something else");
            }
        }
    }
}

#[test]
fn a_choice_is_wrong_exactly_when_a_broken_rule_can_be_named() {
    wrong_choices_break_a_stated_rule(&some(100));
}

#[test]
fn a_choice_of_the_originals_is_wrong_exactly_when_a_broken_rule_can_be_named() {
    let puzzles = originals::puzzles();
    wrong_choices_break_a_stated_rule(&puzzles);
}

#[test]
fn the_answer_breaks_none_of_the_rules_that_the_solver_found() {
    for puzzle in some(50) {
        let Puzzle { context, choices, layout, domain, .. } = &puzzle;
        let solution = solve(context, choices, *layout, *domain, Sight::Pixels);
        let answer = &choices[solution.answer];
        let broken =
            broken_rules(context, answer, *layout, *domain, Sight::Pixels, &solution.found);
        assert!(broken.is_empty(), "{layout} {broken:?}");
    }
}
