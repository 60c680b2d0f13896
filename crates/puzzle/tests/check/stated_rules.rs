//! Stated rules against panels.

use genvp_puzzle::check::{Order, Stated, holds, satisfied, score};
use genvp_puzzle::{Group, Puzzle};

use crate::originals;
use crate::own_puzzles::{rows, some};

fn every_stated_rule_holds(puzzles: &[Puzzle]) {
    for puzzle in puzzles {
        let stated = Stated::of(puzzle);
        for (index, row) in rows(puzzle).into_iter().enumerate() {
            for component in 0..puzzle.rules.len() {
                let row = row.map(|p| &p.components[component]);
                for group in Group::ALL {
                    for order in [Order::Made, Order::Unknown] {
                        assert!(
                            holds(&stated, component, group, index, row, order),
                            "{:?} {} {group:?} row {index} {order:?}",
                            puzzle.set,
                            puzzle.layout,
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn every_stated_rule_holds_in_every_row() {
    every_stated_rule_holds(&some(100));
}

#[test]
fn every_stated_rule_of_the_originals_holds_in_every_row() {
    let puzzles = originals::puzzles();
    assert!([42, originals::ALL].contains(&puzzles.len()));
    every_stated_rule_holds(&puzzles);
}

fn scores(puzzle: &Puzzle, order: Order) -> [u32; 8] {
    std::array::from_fn(|choice| {
        let row = [&puzzle.context[6], &puzzle.context[7], &puzzle.choices[choice]];
        score(&Stated::of(puzzle), row, order)
    })
}

#[test]
fn only_the_answer_reaches_the_full_score() {
    for puzzle in some(100) {
        let full = 4 * puzzle.rules.len() as u32;
        let only_answer = std::array::from_fn(|i| i == usize::from(puzzle.target));
        assert_eq!(satisfied(&puzzle), only_answer);
        assert_eq!(scores(&puzzle, Order::Unknown).map(|s| s == full), only_answer);
        assert_eq!(scores(&puzzle, Order::Made).map(|s| s == full), only_answer);
    }
}

#[test]
fn the_answer_alone_satisfies_all_rules_of_the_originals() {
    let puzzles = originals::puzzles();
    let mut doubtful = 0;
    for puzzle in &puzzles {
        let full = 4 * puzzle.rules.len() as u32;
        let only_answer = std::array::from_fn(|i| i == usize::from(puzzle.target));
        assert_eq!(scores(puzzle, Order::Made).map(|s| s == full), only_answer);
        let visible = satisfied(puzzle);
        assert_eq!(visible, scores(puzzle, Order::Unknown).map(|s| s == full));
        assert!(visible[usize::from(puzzle.target)]);
        doubtful += u32::from(visible != only_answer);
    }
    // In one I-RAVEN puzzle on the 2x2 grid two objects swap their shapes while
    // positions are handed out anew: only their noisy angles tell them apart.
    assert_eq!(doubtful, u32::from(puzzles.len() == originals::ALL));
}

#[test]
fn the_committed_puzzles_are_those_of_the_originals() {
    let committed = originals::committed();
    assert_eq!(committed.len(), 42);
    let all = originals::puzzles();
    assert!(committed.iter().all(|(_, puzzle)| all.contains(puzzle)));
}
