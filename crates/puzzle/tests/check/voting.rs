//! Answering without the question.

use genvp_puzzle::check::majority_vote;
use genvp_puzzle::{Puzzle, Set};

use crate::originals;
use crate::own_puzzles::some;

/// Percent of answers that the vote finds; ties count as a guess among them.
fn accuracy(puzzles: &[Puzzle], set: Set) -> f64 {
    let puzzles: Vec<&Puzzle> = puzzles.iter().filter(|p| p.set == set).collect();
    let chance = |puzzle: &&Puzzle| {
        let best = majority_vote(&puzzle.choices);
        let hit = best.contains(&usize::from(puzzle.target));
        if hit { 1.0 / best.len() as f64 } else { 0.0 }
    };
    100.0 * puzzles.iter().map(chance).sum::<f64>() / puzzles.len() as f64
}

fn a_vote_is_worth(puzzles: &[Puzzle]) {
    for (set, expected, tolerance) in
        [(Set::Raven, 98.3, 2.7), (Set::IRaven, 12.5, 0.5), (Set::RavenFair, 24.7, 6.0)]
    {
        let found = accuracy(puzzles, set);
        assert!((found - expected).abs() < tolerance, "{set:?}: {found} instead of {expected}");
    }
}

#[test]
fn a_vote_finds_the_answers_of_raven_but_not_of_the_fairer_sets() {
    a_vote_is_worth(&some(100));
}

#[test]
fn a_vote_is_worth_the_same_on_the_originals() {
    let puzzles = originals::puzzles();
    // Fourteen puzzles a set are too few for a share.
    if puzzles.len() == originals::ALL {
        a_vote_is_worth(&puzzles);
    } else {
        assert!(accuracy(&puzzles, Set::Raven) > 80.0);
        assert_eq!(accuracy(&puzzles, Set::IRaven), 12.5);
    }
}
