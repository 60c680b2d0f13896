//! Answering without the question.

use genvp_puzzle::check::majority_vote;
use genvp_puzzle::{Layout, Set};

use crate::originals;

/// Percent of answers that the vote finds; ties count as a guess among them.
fn accuracy(set: Set) -> Option<f64> {
    let mut found = 0.0;
    let mut all = 0;
    for layout in Layout::ALL {
        let (mut f, mut n) = (0.0, 0);
        for puzzle in originals::puzzles(set, layout)? {
            let best = majority_vote(&puzzle.choices);
            if best.contains(&usize::from(puzzle.target)) {
                found += 1.0 / best.len() as f64;
                f += 1.0 / best.len() as f64;
            }
            n += 1;
            all += 1;
        }
        println!("{set:?} {layout} {}", 100.0 * f / n as f64);
    }
    Some(100.0 * found / f64::from(all))
}

#[test]
fn a_vote_finds_the_answers_of_raven_but_not_of_the_fair_sets() {
    for (set, expected) in [(Set::Raven, 98.3), (Set::IRaven, 12.5), (Set::RavenFair, 24.7)] {
        println!("{:?} {:?} {expected}", set, accuracy(set));
    }
}
