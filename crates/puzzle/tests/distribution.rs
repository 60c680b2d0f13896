//! Puzzles made faithfully follow the originals' distributions.
//!
//! The short form runs with every `cargo test`; the full one, 20,000 puzzles per
//! layout and set, is `cargo test --release -p genvp-puzzle --test distribution -- --ignored`.

#![allow(clippy::unwrap_used)]

mod originals;

use std::collections::BTreeMap;

use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Attribute, Change, Group, Layout, Puzzle, Rule, RuleKind, Set};

fn faithful(set: Set, layout: Layout, n: u64) -> impl Iterator<Item = Puzzle> {
    let mut request = Request::new(set, layout);
    request.faithful = true;
    let maker = Maker::new(request).unwrap();
    (0..n).map(move |index| maker.puzzle(99, index).unwrap())
}

/// Chi-square of counts against probabilities, in units of its standard
/// deviation: above 5 happens by chance once in a million tests.
fn excess(counts: &[(u64, f64)]) -> f64 {
    let n: u64 = counts.iter().map(|c| c.0).sum();
    let chi: f64 = counts
        .iter()
        .map(|&(count, p)| (count as f64 - n as f64 * p).powi(2) / (n as f64 * p))
        .sum();
    let freedom = (counts.len() - 1).max(1) as f64;
    (chi - freedom) / (2.0 * freedom).sqrt()
}

fn check_rules(n: u64) {
    for layout in Layout::ALL {
        let mut counts: BTreeMap<(usize, String), u64> = BTreeMap::new();
        for puzzle in faithful(Set::Raven, layout, n) {
            for (component, rules) in puzzle.rules.iter().enumerate() {
                for rule in rules.0 {
                    *counts.entry((component, rule.to_string())).or_default() += 1;
                }
            }
        }
        let maker = Maker::new(Request::new(Set::Raven, layout)).unwrap();
        for component in 0..layout.components().len() {
            let probabilities: Vec<(Rule, f64)> = maker.rule_probabilities(component);
            for group in Group::ALL {
                let of_group: Vec<(u64, f64)> = probabilities
                    .iter()
                    .filter(|(rule, _)| rule.attribute.group() == group)
                    .map(|(rule, p)| {
                        (counts.get(&(component, rule.to_string())).copied().unwrap_or(0), *p)
                    })
                    .collect();
                assert_eq!(of_group.iter().map(|c| c.0).sum::<u64>(), n);
                let excess = excess(&of_group);
                assert!(excess < 5.0, "{layout} part {component} {group:?}: {of_group:?}");
            }
        }
    }
}

/// How many objects the first panel has, given the rule on number or position.
fn check_numbers(n: u64) {
    for (layout, component) in
        [(Layout::DistributeFour, 0), (Layout::DistributeNine, 0), (Layout::OutInGrid, 1)]
    {
        let mut counts: BTreeMap<String, BTreeMap<i32, u64>> = BTreeMap::new();
        for puzzle in faithful(Set::Raven, layout, n) {
            let rule = puzzle.rules[component].of(Group::NumberPosition);
            let number = puzzle.context[0].components[component].number();
            *counts.entry(rule.to_string()).or_default().entry(number).or_default() += 1;
        }
        // Facts B3, for the rules whose range is not the whole.
        let four = layout != Layout::DistributeNine;
        for (rule, lo, hi) in [
            ("number/position=constant", 0, if four { 3 } else { 8 }),
            ("number=progression:+1", 0, if four { 1 } else { 6 }),
            ("number=progression:-1", 2, if four { 3 } else { 8 }),
            ("position=progression:+1", 0, if four { 1 } else { 6 }),
            ("number=arithmetic:+", 0, if four { 2 } else { 7 }),
            ("number=arithmetic:-", 1, if four { 3 } else { 8 }),
            ("position=arithmetic:+", 0, if four { 2 } else { 7 }),
            ("position=arithmetic:-", if four { 1 } else { 4 }, if four { 2 } else { 7 }),
            ("number=distribute-three", 0, if four { 3 } else { 8 }),
            ("position=distribute-three", 0, if four { 2 } else { 7 }),
        ] {
            let found = &counts[rule];
            let levels = f64::from(hi - lo + 1);
            let table: Vec<(u64, f64)> = (lo..=hi)
                .map(|level| (found.get(&level).copied().unwrap_or(0), 1.0 / levels))
                .collect();
            let inside: u64 = table.iter().map(|c| c.0).sum();
            assert_eq!(inside, found.values().sum::<u64>(), "{layout} {rule}: {found:?}");
            assert!(excess(&table) < 5.0, "{layout} {rule}: {found:?}");
        }
    }
}

/// Facts C3 and C4: how many changes the wrong choices carry.
fn check_depths(n: u64) {
    let mut fair = [0u64; 6];
    let mut bisected = 0;
    for layout in Layout::ALL {
        for puzzle in faithful(Set::RavenFair, layout, n) {
            for changes in &puzzle.changes {
                fair[changes.len()] += 1;
            }
        }
        bisected += faithful(Set::IRaven, layout, n)
            .filter(|p| p.changes.iter().map(|c| c.len()).sum::<usize>() == 12)
            .count();
    }
    let negatives: u64 = fair[1..].iter().sum();
    let percent = |depth: usize| 100.0 * fair[depth] as f64 / negatives as f64;
    for (depth, wanted, tolerance) in
        [(1, 39.0, 2.0), (2, 39.0, 2.0), (3, 20.0, 2.0), (4, 2.0, 1.0), (5, 0.2, 0.3)]
    {
        let found = percent(depth);
        assert!((found - wanted).abs() < tolerance, "{depth} changes: {found:.1} %");
    }
    let percent = 100.0 * bisected as f64 / (7 * n) as f64;
    assert!((percent - 98.0).abs() < 1.5, "{percent:.1} % of I-RAVEN are full bisection trees");
}

/// How often the wrong choices of the originals change each attribute.
fn original_changes(set: &str, layout: Layout) -> BTreeMap<Change, u64> {
    let table = include_str!("../../../fixtures/originals/changes.tsv");
    let mut changes = BTreeMap::new();
    for line in table.lines() {
        let [of_set, of_layout, component, attribute, count] =
            line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        if (of_set, of_layout) == (set, layout.folder()) {
            let attribute = Attribute::parse(attribute).unwrap();
            let change = Change { component: component.parse().unwrap(), attribute };
            changes.insert(change, count.parse().unwrap());
        }
    }
    changes
}

#[test]
fn the_committed_counts_are_those_of_the_originals() {
    if genvp_originals::folder().is_none() {
        return;
    }
    let mut found: BTreeMap<(Set, Layout), BTreeMap<Change, u64>> = BTreeMap::new();
    for puzzle in originals::puzzles() {
        let counts = found.entry((puzzle.set, puzzle.layout)).or_default();
        for change in puzzle.changes.iter().flatten() {
            *counts.entry(*change).or_default() += 1;
        }
    }
    for (set, folder) in SETS {
        for layout in Layout::ALL {
            assert_eq!(
                found[&(set, layout)],
                original_changes(folder, layout),
                "{folder} {layout}"
            );
        }
    }
}

const SETS: [(Set, &str); 3] =
    [(Set::Raven, "RAVEN"), (Set::IRaven, "I-RAVEN"), (Set::RavenFair, "RAVEN-F")];

/// Two samples of changed attributes, compared by chi-square.
fn check_changes(n: u64) {
    for (set, folder) in SETS {
        for layout in Layout::ALL {
            let theirs = original_changes(folder, layout);
            let mut ours: BTreeMap<Change, u64> = BTreeMap::new();
            for puzzle in faithful(set, layout, n) {
                for change in puzzle.changes.iter().flatten() {
                    *ours.entry(*change).or_default() += 1;
                }
            }
            let total: u64 = ours.values().sum();
            let mut table = Vec::new();
            for (change, count) in &ours {
                let found = theirs.get(change).copied().unwrap_or(0);
                table.push((found, *count as f64 / total as f64));
            }
            assert_eq!(table.iter().map(|c| c.0).sum::<u64>(), theirs.values().sum::<u64>());
            // Changes of one puzzle hang together, so the spread is wider than
            // that of independent draws: up to four of a kind, hence 4 x 5.
            let excess = excess(&table);
            assert!(excess < 20.0, "{folder} {layout}: {excess:.1} {table:?}");
        }
    }
}

#[test]
fn rules_and_parameters_are_as_frequent_as_in_the_originals() {
    check_rules(2_000);
}

#[test]
fn numbers_of_objects_are_as_frequent_as_in_the_originals() {
    check_numbers(4_000);
}

#[test]
fn wrong_choices_carry_as_many_changes_as_in_the_originals() {
    check_depths(1_000);
}

#[test]
fn wrong_choices_change_the_same_attributes_as_in_the_originals() {
    check_changes(1_000);
}

#[test]
#[ignore = "long: 20,000 puzzles per layout and set"]
fn all_frequencies_at_full_length() {
    check_rules(20_000);
    check_numbers(20_000);
    check_depths(20_000);
    check_changes(20_000);
}

/// Facts B5 on rows whose colors add up: plus and minus stay distinguishable.
#[test]
fn two_rows_never_both_hide_the_sign_of_a_color_sum() {
    for puzzle in faithful(Set::Raven, Layout::CenterSingle, 4_000) {
        let rule = puzzle.rules[0].of(Group::Color);
        if rule.kind == RuleKind::Arithmetic {
            let second = |row: usize| puzzle.context[row * 3 + 1].components[0].entities[0].color;
            assert!(second(0) != 0 || second(1) != 0);
        }
    }
}
