//! Parameters of named rules, against the makers' record.

use genvp_puzzle::check::infer_parameters;
use genvp_puzzle::{Group, Puzzle};

use crate::originals;
use crate::own_puzzles::{in_slot_order, some};

/// Checks every parameter; returns how many the panels do not tell.
fn uncertain_parameters(puzzles: &[Puzzle]) -> u32 {
    let mut uncertain = 0;
    for puzzle in puzzles {
        let [a, b, c, d, e, f, g, h] = puzzle.context.each_ref().map(in_slot_order);
        let answer = in_slot_order(puzzle.answer());
        let panels = [&a, &b, &c, &d, &e, &f, &g, &h, &answer];
        let names: Vec<_> =
            puzzle.rules.iter().map(|r| r.0.map(|rule| (rule.attribute, rule.kind))).collect();
        let found = infer_parameters(puzzle.layout, puzzle.domain, &names, panels);
        for (component, fits) in found.iter().enumerate() {
            for group in Group::ALL {
                let rule = puzzle.rules[component].of(group);
                let fit = &fits[group.index()];
                assert_eq!(fit.latin, puzzle.latin[component][group.index()], "{rule}");
                assert!(fit.steps.contains(&rule.step), "{rule} {fit:?}");
                match fit.rule() {
                    Some(found) => assert_eq!(found, rule),
                    None => uncertain += 1,
                }
            }
        }
    }
    uncertain
}

#[test]
fn parameters_are_recovered_from_the_panels() {
    let puzzles = some(100);
    // Two full turns of a slot pattern can look alike in all three rows.
    assert!(uncertain_parameters(&puzzles) < puzzles.len() as u32 / 100);
}

#[test]
fn every_parameter_of_the_originals_is_recovered_with_certainty() {
    let puzzles = originals::puzzles();
    assert_eq!(uncertain_parameters(&puzzles), 0);
}
