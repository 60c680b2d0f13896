//! How fast PGM and VAD puzzles are made, drawn and solved:
//! `cargo bench -p genvp-puzzle --bench relations`.

#![allow(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
#![allow(clippy::unwrap_used, reason = "the requests are possible")]
#![allow(missing_docs, reason = "a program, not a library")]

use std::hint::black_box;
use std::time::Instant;

use genvp_puzzle::relations::render::{self, SIDE};
use genvp_puzzle::relations::{Panel, Split};
use genvp_puzzle::{pgm, vad};

const PUZZLES: u64 = 2_000;
const SOLVED: u64 = 200;

fn main() {
    let maker = pgm::Maker::new(pgm::Request::new(pgm::Regime::Neutral, Split::Train)).unwrap();
    let solver = pgm::exact::Solver::new(SIDE);
    let solve = |puzzle: &pgm::Puzzle| {
        let pixels = render::panels(puzzle.panels());
        let panels = std::array::from_fn(|i| &pixels[i * SIDE * SIDE..(i + 1) * SIDE * SIDE]);
        black_box(solver.solve(&panels));
    };
    let make = |index| maker.puzzle(1, index).unwrap();
    println!("puzzles per second, one thread");
    report("pgm, 16 panels", make, |p, draw| p.panels().for_each(draw), solve);

    let request =
        vad::Request::new(vad::Regime::DomainTransfer, Split::Train, vad::ChoiceKind::Lbc);
    let maker = vad::Maker::new(request).unwrap();
    let solver = vad::exact::Solver::new(SIDE);
    let solve = |puzzle: &vad::Puzzle| {
        let pixels = render::panels(puzzle.panels());
        let panels = std::array::from_fn(|i| &pixels[i * SIDE * SIDE..(i + 1) * SIDE * SIDE]);
        black_box(solver.solve(&panels));
    };
    let make = |index| maker.puzzle(1, index).unwrap();
    report("vad, 9 panels", make, |p, draw| p.panels().for_each(draw), solve);
}

fn report<P>(
    name: &str,
    make: impl Fn(u64) -> P,
    panels: impl Fn(&P, &mut dyn FnMut(&Panel)),
    solve: impl Fn(&P),
) {
    let mut grey = vec![0; SIDE * SIDE];
    let mut ink = vec![0.0; 64 * 64];
    let made = rate(PUZZLES, |index| {
        black_box(make(index));
    });
    let exact = rate(PUZZLES, |index| {
        panels(&make(index), &mut |panel| {
            render::panel_into(panel, &mut grey);
            black_box(&grey);
        });
    });
    let small = rate(PUZZLES, |index| {
        panels(&make(index), &mut |panel| {
            render::ink_into(panel, 64, &mut ink);
            black_box(&ink);
        });
    });
    let puzzles: Vec<P> = (0..SOLVED).map(&make).collect();
    let solved = rate(SOLVED, |index| solve(&puzzles[index as usize]));
    println!(
        "{name:15} made {made:7.0}   made and drawn: 160 u8 {exact:7.0}, 64 f32 {small:7.0}   \
         drawn and solved from pixels {solved:5.0}"
    );
}

/// The best of three passes.
fn rate(n: u64, mut work: impl FnMut(u64)) -> f64 {
    let seconds = (0..3)
        .map(|_| {
            let start = Instant::now();
            (0..n).for_each(&mut work);
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    n as f64 / seconds
}
