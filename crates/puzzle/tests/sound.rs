//! No puzzle with two right answers or two equal choices is ever made.
//!
//! The long check, 100,000 puzzles per layout and set, is
//! `cargo test --release -p genvp-puzzle --test sound -- --ignored`.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, Set, check, render};

/// Makes `n` puzzles of every layout and set on all cores, and looks at each:
/// by its scenes always, by its pixels every `pixels_every`-th time.
fn look(n: u64, pixels_every: u64) {
    let requests = Set::ALL.into_iter().flat_map(|s| Layout::ALL.map(|l| Request::new(s, l)));
    let makers: Vec<Maker> = requests.map(|r| Maker::new(r).unwrap()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let makers = &makers;
            scope.spawn(move || {
                for maker in makers {
                    for index in (thread..n).step_by(threads as usize) {
                        look_at(maker, index, index % pixels_every == 0);
                    }
                }
            });
        }
    });
}

fn look_at(maker: &Maker, index: u64, pixels: bool) {
    let puzzle = maker.puzzle(2024, index).unwrap();
    let name = format!("{:?} {} {index}", puzzle.set, puzzle.layout);
    let right = check::satisfied(&puzzle);
    assert_eq!(right.iter().filter(|&&r| r).count(), 1, "{name}: one right answer");
    assert!(right[usize::from(puzzle.target)], "{name}: and it is the target");
    if pixels {
        let images: HashSet<Vec<u8>> = puzzle
            .choices
            .iter()
            .map(|choice| {
                let mut image = vec![0; render::SIDE * render::SIDE];
                render::panel_into(choice, puzzle.layout, puzzle.domain, &mut image);
                image
            })
            .collect();
        assert_eq!(images.len(), 8, "{name}: eight different pictures");
    }
}

#[test]
fn every_puzzle_has_one_right_answer_and_eight_different_choices() {
    look(2_000, 10);
}

#[test]
#[ignore = "long: 100,000 puzzles per layout and set, all of them drawn"]
fn every_puzzle_of_many_has_one_right_answer_and_eight_different_choices() {
    look(100_000, 1);
}
