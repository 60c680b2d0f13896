//! What choices change, against the makers' record.

use std::collections::BTreeSet;

use genvp_puzzle::check::{Order, changes, visibly_equal};
use genvp_puzzle::{Attribute, Change, Layout, Puzzle, Set};

use crate::originals;
use crate::own_puzzles::some;

fn changes_are_recovered(puzzles: &[Puzzle]) {
    for puzzle in puzzles {
        for (choice, recorded) in puzzle.choices.iter().zip(&puzzle.changes) {
            let found = changes(puzzle.answer(), choice, Order::Made);
            let renewed: Vec<u8> = recorded
                .iter()
                .filter(|c| c.attribute == Attribute::Number)
                .map(|c| c.component)
                .collect();
            // Beside a changed number nothing else of that component can be known.
            let known =
                |c: &&Change| c.attribute == Attribute::Number || !renewed.contains(&c.component);
            let recorded: BTreeSet<&Change> = recorded.iter().filter(known).collect();
            assert_eq!(found.iter().collect::<BTreeSet<_>>(), recorded);
        }
    }
}

#[test]
fn changes_are_recovered_where_they_can_be() {
    changes_are_recovered(&some(100));
}

#[test]
fn the_changes_of_the_originals_are_recovered_where_they_can_be() {
    let puzzles = originals::puzzles();
    changes_are_recovered(&puzzles);
}

#[test]
fn a_panel_does_not_differ_from_itself() {
    for puzzle in some(10) {
        for panel in puzzle.panels() {
            assert!(changes(panel, panel, Order::Unknown).is_empty());
            assert!(visibly_equal(panel, panel, puzzle.layout, puzzle.domain));
        }
    }
}

#[test]
fn equal_choices_occur_only_where_the_facts_say() {
    let puzzles = originals::puzzles();
    for puzzle in &puzzles {
        let equal = (1..8).any(|i| {
            (0..i).any(|j| {
                let (a, b) = (&puzzle.choices[i], &puzzle.choices[j]);
                visibly_equal(a, b, puzzle.layout, puzzle.domain)
            })
        });
        let allowed = puzzle.layout == Layout::OutInGrid && puzzle.set != Set::RavenFair;
        assert!(!equal || allowed, "{:?} {}", puzzle.set, puzzle.layout);
    }
}
