//! How fast datasets are written. Run with
//! `cargo test --release -p genvp-data --test speed -- --ignored --nocapture`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::time::Instant;

use genvp_data::dataset::{DatasetWriter, Plan, Start};
use genvp_data::{Images, StoredPuzzle, truth, xml};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, PuzzleError, Set, render};

#[derive(Debug)]
enum Failure {
    Data,
    Puzzle,
}

impl From<genvp_data::DataError> for Failure {
    fn from(_: genvp_data::DataError) -> Self {
        Self::Data
    }
}

impl From<PuzzleError> for Failure {
    fn from(_: PuzzleError) -> Self {
        Self::Puzzle
    }
}

/// What this thread has used of the processor; a busy machine does not count.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// What all threads have used, in steps of 10 ms.
fn cpu_seconds_of_all() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split(' ').collect();
    let ticks = |i: usize| fields.get(i).and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(12) + ticks(13)) / 100.0
}

#[test]
#[ignore = "a measurement; needs 2 GB of disk"]
fn puzzles_written_per_second() {
    const COUNT: u64 = 500;
    for set in Set::ALL {
        let folder = tempfile::tempdir().unwrap();
        let plan = Plan::new(set, 7, COUNT, &Layout::ALL);
        let (begin, used) = (Instant::now(), cpu_seconds_of_all());
        let writer = DatasetWriter::open(folder.path(), plan, Start::Create).unwrap();
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(set, layout)).unwrap();
            writer.fill(layout, |index| Ok::<_, Failure>(maker.puzzle(7, index)?)).unwrap();
        }
        let filled = begin.elapsed();
        let manifest = writer.finish().unwrap();
        let bytes: u64 = manifest.layouts.values().map(|l| l.bytes).sum();
        let all = 7.0 * COUNT as f64;
        println!(
            "{:10} {:6.0} puzzles/s made and written, {:6.0} with the final sync, \
             {:4.0} us of one core each, {} kB each",
            set.key(),
            all / filled.as_secs_f64(),
            all / begin.elapsed().as_secs_f64(),
            (cpu_seconds_of_all() - used) * 1e6 / all,
            bytes / 1000 / (7 * COUNT)
        );
    }
}

#[test]
#[ignore = "a measurement"]
fn microseconds_for_each_step() {
    const COUNT: u64 = 150;
    let mut spent = [0.0; 5];
    for set in [Set::Raven, Set::RavenFair] {
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(set, layout)).unwrap();
            for index in 0..COUNT {
                let mut clock = cpu_seconds();
                let mut lap = |step: usize| {
                    spent[step] += cpu_seconds() - clock;
                    clock = cpu_seconds();
                };
                let puzzle = maker.puzzle(7, index).unwrap();
                lap(0);
                let images = Images::new(render::SIDE, render::puzzle(&puzzle));
                let stored = StoredPuzzle::of_puzzle(&puzzle, images);
                lap(1);
                let npz = stored.encode_npz(set);
                lap(2);
                let text = xml::encode(stored.scene.as_ref().unwrap(), set);
                lap(3);
                let line = truth::encode(index, &puzzle);
                lap(4);
                assert!(npz.len() + text.len() + line.len() > 0);
            }
        }
        let each = spent.map(|s| (s * 1e6 / (7 * COUNT) as f64).round());
        println!("{}: make, draw, npz, xml, truth: {each:?} us", set.key());
        spent = [0.0; 5];
    }
}
