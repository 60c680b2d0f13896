//! Every puzzle that is made has exactly one right answer and eight different
//! choices, by a checker that uses nothing of the one the maker filters with.
//!
//! The long check, 100,000 puzzles per layout and set, is
//! `cargo test --release -p genvp-puzzle --test sound -- --ignored`.

#![allow(clippy::unwrap_used)]

mod mutations;
mod plain;

use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, Puzzle, Set};

/// A maker for every set and layout.
fn makers() -> Vec<Maker> {
    let requests = Set::ALL.into_iter().flat_map(|s| Layout::ALL.map(|l| Request::new(s, l)));
    requests.map(|r| Maker::new(r).unwrap()).collect()
}

fn name(puzzle: &Puzzle, index: u64) -> String {
    format!("{:?} {} {index}", puzzle.set, puzzle.layout)
}

/// Makes `n` puzzles of every layout and set on all cores, and looks at each.
fn look(n: u64) {
    let makers = makers();
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let makers = &makers;
            scope.spawn(move || {
                for maker in makers {
                    for index in (thread..n).step_by(threads as usize) {
                        let puzzle = maker.puzzle(2024, index).unwrap();
                        let faults = plain::faults(&puzzle);
                        assert!(faults.is_empty(), "{}: {faults:?}", name(&puzzle, index));
                    }
                }
            });
        }
    });
}

#[test]
fn every_puzzle_has_one_right_answer_and_eight_different_choices() {
    look(500);
}

#[test]
#[ignore = "long: 100,000 puzzles per layout and set, all of them drawn"]
fn every_puzzle_of_many_has_one_right_answer_and_eight_different_choices() {
    look(100_000);
}
