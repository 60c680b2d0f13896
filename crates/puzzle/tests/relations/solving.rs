//! The exact solver finds the answer from pixels, and says why the others are
//! wrong.

use std::sync::atomic::{AtomicU64, Ordering};

use genvp_puzzle::relations::Split;
use genvp_puzzle::relations::render::{self, SIDE};
use genvp_puzzle::{pgm, vad};

use super::on_all_cores;

const PANEL: usize = SIDE * SIDE;

/// The share of `n` puzzles of each regime that is solved, in percent, least
/// first; a third of each split.
fn solved_pgm(n: u64) -> Vec<(f64, pgm::Regime)> {
    let solver = pgm::exact::Solver::new(SIDE);
    let mut all: Vec<_> = pgm::Regime::ALL
        .into_iter()
        .map(|regime| {
            let makers =
                Split::ALL.map(|split| pgm::Maker::new(pgm::Request::new(regime, split)).unwrap());
            let right = AtomicU64::new(0);
            on_all_cores(n, |index| {
                let puzzle = makers[index as usize % 3].puzzle(31, index / 3).unwrap();
                let pixels = render::panels(puzzle.panels());
                let panels = std::array::from_fn(|i| &pixels[i * PANEL..(i + 1) * PANEL]);
                let exact = solver.solve(&panels);
                let solution = &exact.solution;
                let hit = solution.answer == usize::from(puzzle.target) && !solution.tied;
                right.fetch_add(u64::from(hit), Ordering::Relaxed);
            });
            (100.0 * right.into_inner() as f64 / n as f64, regime)
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

fn solved_vad(n: u64) -> Vec<(f64, vad::Regime)> {
    let solver = vad::exact::Solver::new(SIDE);
    let mut all: Vec<_> = vad::Regime::ALL
        .into_iter()
        .map(|regime| {
            let request = |split, kind| vad::Request::new(regime, split, kind);
            let makers: Vec<vad::Maker> = Split::ALL
                .into_iter()
                .flat_map(|split| vad::ChoiceKind::ALL.map(|kind| request(split, kind)))
                .map(|request| vad::Maker::new(request).unwrap())
                .collect();
            let right = AtomicU64::new(0);
            on_all_cores(n, |index| {
                let puzzle = makers[index as usize % 6].puzzle(31, index / 6).unwrap();
                let pixels = render::panels(puzzle.panels());
                let panels = std::array::from_fn(|i| &pixels[i * PANEL..(i + 1) * PANEL]);
                let solution = solver.solve(&panels).solution;
                let hit = solution.answer == usize::from(puzzle.target) && !solution.tied;
                right.fetch_add(u64::from(hit), Ordering::Relaxed);
            });
            (100.0 * right.into_inner() as f64 / n as f64, regime)
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

#[test]
fn puzzles_are_solved_from_pixels() {
    let (pgm, vad) = (solved_pgm(150), solved_vad(150));
    assert_eq!(pgm[0].0, 100.0, "{pgm:?}");
    assert_eq!(vad[0].0, 100.0, "{vad:?}");
}

#[test]
#[ignore = "long: 5,000 puzzles a regime"]
fn many_puzzles_are_solved_from_pixels() {
    let (pgm, vad) = (solved_pgm(5_000), solved_vad(5_000));
    println!("PGM {pgm:?}\nVAD {vad:?}");
    assert!(pgm[0].0 >= 99.5, "{pgm:?}");
    assert!(vad[0].0 >= 99.5, "{vad:?}");
}

/// Which share of puzzles with accidents the solver answers, in percent: its rules are
/// those of puzzles without.
#[test]
#[ignore = "a table for people"]
fn puzzles_with_accidents_are_not_always_solved() {
    const N: u64 = 5_000;
    let right = AtomicU64::new(0);
    let mut request = pgm::Request::new(pgm::Regime::Neutral, Split::Train);
    request.faithful = true;
    let maker = pgm::Maker::new(request).unwrap();
    on_all_cores(N, |index| {
        let puzzle = maker.puzzle(31, index).unwrap();
        let solution = pgm::solve(&puzzle.context, &puzzle.choices);
        let hit = solution.answer == usize::from(puzzle.target);
        right.fetch_add(u64::from(hit), Ordering::Relaxed);
    });
    println!("PGM neutral: {:.1} %", 100.0 * right.into_inner() as f64 / N as f64);
    for regime in [vad::Regime::DomainTransfer, vad::Regime::Interpolation] {
        let right = AtomicU64::new(0);
        let mut request = vad::Request::new(regime, Split::Train, vad::ChoiceKind::Lbc);
        request.faithful = true;
        let maker = vad::Maker::new(request).unwrap();
        on_all_cores(N, |index| {
            let puzzle = maker.puzzle(31, index).unwrap();
            let solution = vad::solve(&puzzle.context, &puzzle.choices);
            let hit = solution.answer == usize::from(puzzle.target);
            right.fetch_add(u64::from(hit), Ordering::Relaxed);
        });
        println!("VAD {regime}: {:.1} %", 100.0 * right.into_inner() as f64 / N as f64);
    }
}

#[test]
fn the_solver_names_the_structure_and_what_each_choice_breaks() {
    let solver = pgm::exact::Solver::new(SIDE);
    let request = pgm::Request::new(pgm::Regime::HeldOutAttributePairs, Split::Test);
    let maker = pgm::Maker::new(request).unwrap();
    for index in 0..30 {
        let puzzle = maker.puzzle(8, index).unwrap();
        let pixels = render::panels(puzzle.panels());
        let panels = std::array::from_fn(|i| &pixels[i * PANEL..(i + 1) * PANEL]);
        let exact = solver.solve(&panels);
        let mut found: Vec<_> = exact.solution.readings.iter().map(|r| r.governed).collect();
        let mut stated = puzzle.structure.to_vec();
        found.sort();
        stated.sort();
        assert_eq!(found, stated, "{index}");
        for choice in 0..8 {
            let mut broken: Vec<_> = exact.broken(choice).iter().map(|b| b.triple).collect();
            let mut truth: Vec<_> = puzzle.broken_by(choice).map(|g| g.triple).collect();
            broken.sort();
            truth.sort();
            assert_eq!(broken, truth, "{index}, choice {choice}");
        }
    }
}

#[test]
fn one_misread_panel_of_the_context_seldom_costs_the_answer() {
    let maker = pgm::Maker::new(pgm::Request::new(pgm::Regime::Neutral, Split::Train)).unwrap();
    let right = (0..200).filter(|&index| {
        let mut puzzle = maker.puzzle(9, index).unwrap();
        puzzle.context[0] = Default::default();
        let solution = pgm::solve(&puzzle.context, &puzzle.choices);
        solution.answer == usize::from(puzzle.target)
    });
    let right = right.count();
    assert!(right >= 140, "{right} of 200 without the first panel");
}

#[test]
fn the_solver_names_the_analogy() {
    let solver = vad::exact::Solver::new(SIDE);
    let kind = vad::ChoiceKind::Lbc;
    let request = vad::Request::new(vad::Regime::Interpolation, Split::Test, kind);
    let maker = vad::Maker::new(request).unwrap();
    for index in 0..50 {
        let puzzle = maker.puzzle(8, index).unwrap();
        let pixels = render::panels(puzzle.panels());
        let panels = std::array::from_fn(|i| &pixels[i * PANEL..(i + 1) * PANEL]);
        let exact = solver.solve(&panels);
        assert_eq!(exact.solution.analogies, [puzzle.analogy], "{index}");
        for choice in 0..4 {
            let is_right = choice == usize::from(puzzle.target);
            assert_eq!(exact.broken(choice).is_empty(), is_right, "{index}, choice {choice}");
        }
    }
}
