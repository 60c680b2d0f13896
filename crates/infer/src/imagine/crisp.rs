//! From what the judge read to a clean puzzle with choices.

use arrayvec::ArrayVec;
use genvp_puzzle::check::{self, RuleNames, infer_parameters};
use genvp_puzzle::make::with_choices;
use genvp_puzzle::{ComponentRules, Domain, Group, Puzzle, Rule, Set};

use crate::judge::Verdict;

/// Turns a verdict that [agrees](Verdict::agrees) into a puzzle: the scenes that
/// were read, and seven wrong choices around the ninth, made by the engine such
/// that exactly one choice is right. `None` where the judge does not agree, or
/// no such choices can be made.
pub fn crisp(verdict: &Verdict, set: Set, seed: u64, index: u64) -> Option<Puzzle> {
    if !verdict.agrees() {
        return None;
    }
    let layout = verdict.layout;
    let panels = verdict.panels();
    let mut rules: ArrayVec<ComponentRules, 2> = ArrayVec::new();
    for component in 0..layout.components().len() {
        let own = |group: Group| {
            let ruling = verdict.ruling(component, group);
            Rule { attribute: ruling.attribute, kind: ruling.kind, step: ruling.step }
        };
        rules.push(ComponentRules(Group::ALL.map(own)));
    }
    let names: ArrayVec<RuleNames, 2> =
        rules.iter().map(|r| r.0.map(|rule| (rule.attribute, rule.kind))).collect();
    let views = std::array::from_fn(|i| &panels[i]);
    let fits = infer_parameters(layout, Domain::Standard, &names, views);
    let mut latin = [[None; 4]; 2];
    for (component, fits) in fits.iter().enumerate() {
        latin[component] = std::array::from_fn(|group| fits[group].latin);
    }
    let alike = |component: usize| {
        panels.iter().all(|panel| {
            let looks = [Group::Type, Group::Size, Group::Color].map(|g| g.attributes()[0]);
            looks.iter().all(|&a| panel.components[component].shared(a).is_some())
        })
    };
    let uniformity = std::array::from_fn(|component| {
        if component < layout.components().len() && alike(component) { 3 } else { 0 }
    });
    let [a, b, c, d, e, f, g, h, answer] = panels.clone();
    let puzzle = Puzzle {
        set,
        layout,
        domain: Domain::Standard,
        rules,
        latin,
        uniformity,
        context: [a, b, c, d, e, f, g, h],
        choices: std::array::from_fn(|_| answer.clone()),
        target: 0,
        changes: Default::default(),
    };
    let puzzle = with_choices(puzzle, seed, index)?;
    check::Audit::of(&puzzle).is_sound().then_some(puzzle)
}
