//! Parameters of named rules, against the originals' record.

use genvp_puzzle::check::infer_parameters;
use genvp_puzzle::{Group, RuleKind};

use crate::originals;

#[test]
fn the_parameters_of_the_originals_are_recovered() {
    let Some(puzzles) = originals::all() else { return };
    let mut uncertain = 0;
    for puzzle in &puzzles {
        let [a, b, c, d, e, f, g, h] = puzzle.context.each_ref().map(originals::in_slot_order);
        let answer = originals::in_slot_order(puzzle.answer());
        let panels = [&a, &b, &c, &d, &e, &f, &g, &h, &answer];
        let names: Vec<_> =
            puzzle.rules.iter().map(|r| r.0.map(|rule| (rule.attribute, rule.kind))).collect();
        let found = infer_parameters(puzzle.layout, puzzle.domain, &names, panels);
        for (part, fits) in found.iter().enumerate() {
            for group in Group::ALL {
                let rule = puzzle.rules[part].of(group);
                let fit = &fits[group.index()];
                assert_eq!(fit.latin, puzzle.latin[part][group.index()], "{rule}");
                assert!(fit.steps.contains(&rule.step), "{rule} {fit:?}");
                uncertain += u32::from(fit.rule().is_none());
                assert_eq!(fit.latin.is_some(), rule.kind == RuleKind::DistributeThree);
            }
        }
    }
    // Every parameter of the 630 puzzles is determined by their panels.
    assert_eq!(uncertain, 0);
}
