//! How often other rules fit a question and single out another choice.
//!
//! The table of docs, 1,000 puzzles of every set and layout, is printed by
//! `cargo test --release -p genvp-puzzle --test check rivals_of_a_thousand -- --ignored --nocapture`.

use genvp_puzzle::check::{Audit, rivals};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, Puzzle, RuleMatrix, Set};

use crate::originals;
use crate::own_puzzles::some;

fn with_rivals<'a>(puzzles: impl IntoIterator<Item = &'a Puzzle>) -> usize {
    puzzles.into_iter().filter(|puzzle| !rivals(puzzle).is_empty()).count()
}

fn maker(set: Set, layout: Layout, change: impl Fn(&mut Request)) -> Maker {
    let mut request = Request::new(set, layout);
    change(&mut request);
    Maker::new(request).expect("possible")
}

/// Steps of two look like sums where two rows begin alike.
const OFTEN: &str = "size=progression:+2";

#[test]
fn puzzles_without_rivals_have_none_and_are_sound() {
    for set in Set::ALL {
        for layout in Layout::ALL {
            let maker = maker(set, layout, |request| request.no_rivals = true);
            for index in 0..40 {
                let puzzle = maker.puzzle(2025, index).expect("most have none");
                let audit = Audit::of(&puzzle);
                assert!(audit.is_sound() && audit.rivals.is_empty(), "{set:?} {layout} {index}");
            }
        }
    }
    let layout = Layout::CenterSingle;
    let count = |no_rivals: bool| {
        let maker = maker(Set::Raven, layout, |request| {
            request.no_rivals = no_rivals;
            request.rules = RuleMatrix::parse(OFTEN, layout).expect("a rule");
        });
        let puzzles: Vec<Puzzle> = (0..200).map(|i| maker.puzzle(5, i).expect("made")).collect();
        with_rivals(&puzzles)
    };
    assert!(count(false) > 2, "without the wish some have rivals");
    assert_eq!(count(true), 0);
}

#[test]
fn stated_rules_faithfulness_and_domains_go_with_it() {
    let layout = Layout::DistributeNine;
    let rules = RuleMatrix::parse("number=progression:+1", layout).expect("a rule");
    let maker = maker(Set::Raven, layout, |request| {
        request.no_rivals = true;
        request.faithful = true;
        request.domain = genvp_puzzle::Domain::SizeE;
        request.rules = rules;
    });
    for index in 0..20 {
        let puzzle = maker.puzzle(3, index).expect("most have none");
        assert!(rivals(&puzzle).is_empty());
        assert!(RuleMatrix::of(&puzzle.rules).text(layout).contains("number=progression:+1"));
    }
}

fn by_set(puzzles: &[Puzzle]) -> [usize; 3] {
    Set::ALL.map(|set| with_rivals(puzzles.iter().filter(|p| p.set == set)))
}

#[test]
fn fewer_than_one_in_fifty_has_rivals() {
    for count in by_set(&some(300)) {
        assert!((1..42).contains(&count), "{count} of 2100");
    }
}

/// The originals' three sets share most questions, so these are not three samples.
#[test]
fn the_rivals_of_the_originals_are_counted() {
    let puzzles = originals::puzzles();
    let expected = if puzzles.len() == originals::ALL { [6, 5, 5] } else { COMMITTED };
    assert_eq!(by_set(&puzzles), expected);
}

/// Of the fourteen committed puzzles of each set.
const COMMITTED: [usize; 3] = [0, 0, 0];

#[test]
#[ignore = "long: 1,000 puzzles of every set and layout; prints a table"]
fn rivals_of_a_thousand() {
    let theirs = originals::puzzles();
    for whose in ["ours", "originals"] {
        for set in Set::ALL {
            print!("{whose} {}", set.key());
            let (mut all, mut of) = (0, 0);
            for layout in Layout::ALL {
                let puzzles: Vec<Puzzle> = if whose == "ours" {
                    let maker = maker(set, layout, |_| ());
                    (0..1000).map(|i| maker.puzzle(2_000_000_011, i).expect("possible")).collect()
                } else {
                    let here = |p: &&Puzzle| (p.set, p.layout) == (set, layout);
                    theirs.iter().filter(here).cloned().collect()
                };
                let found = with_rivals(&puzzles);
                all += found;
                of += puzzles.len();
                print!(" {}={found}", layout.short());
            }
            println!(" all={all} of {of}");
        }
    }
}
