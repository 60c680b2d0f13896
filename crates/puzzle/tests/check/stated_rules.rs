//! Stated rules against panels.

use genvp_puzzle::check::{Order, Stated, holds, satisfied, score};
use genvp_puzzle::{Group, Panel, Puzzle};

use crate::originals;

fn rows(puzzle: &Puzzle) -> [[&Panel; 3]; 3] {
    let [a, b, c, d, e, f, g, h] = &puzzle.context;
    [[a, b, c], [d, e, f], [g, h, puzzle.answer()]]
}

#[test]
fn every_stated_rule_holds_in_every_row_of_the_originals() {
    let Some(puzzles) = originals::all() else { return };
    for puzzle in &puzzles {
        let stated = Stated::of(puzzle);
        for (index, row) in rows(puzzle).into_iter().enumerate() {
            for part in 0..puzzle.rules.len() {
                for group in Group::ALL {
                    for order in [Order::Made, Order::Unknown] {
                        let row = row.map(|p| &p.parts[part]);
                        assert!(
                            holds(&stated, part, group, index, row, order),
                            "{:?} {} {group:?} row {index} {order:?}",
                            puzzle.set,
                            puzzle.layout,
                        );
                    }
                }
            }
        }
    }
    assert_eq!(puzzles.len(), 630);
}

#[test]
fn the_answer_alone_scores_highest_in_the_originals() {
    let Some(puzzles) = originals::all() else { return };
    for puzzle in &puzzles {
        let target = usize::from(puzzle.target);
        for order in [Order::Made, Order::Unknown] {
            let full = 4 * puzzle.rules.len() as u32;
            for (i, choice) in puzzle.choices.iter().enumerate() {
                let row = [&puzzle.context[6], &puzzle.context[7], choice];
                let score = score(&Stated::of(puzzle), row, order);
                assert_eq!(
                    score == full,
                    i == target,
                    "{:?} {} {i} {target} {order:?}",
                    puzzle.set,
                    puzzle.layout
                );
            }
        }
        assert_eq!(satisfied(puzzle), std::array::from_fn(|i| i == target));
    }
}
