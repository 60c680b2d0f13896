//! PGM and VAD: what is made is sound, is what its regime says, can be drawn,
//! read back and solved.
//!
//! The long checks, 100,000 puzzles a regime and the exact solver on 5,000, are
//! `cargo test --release -p genvp-puzzle --test relations -- --ignored --nocapture`.

#![allow(clippy::unwrap_used)]

mod blind;
mod brute;
mod drawing;
mod pgm_puzzles;
mod reading;
mod real_puzzle;
mod requests;
mod solving;
mod vad_puzzles;

/// Runs `work` on 0 to n - 1, spread over all cores.
fn on_all_cores(n: u64, work: impl Fn(u64) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let work = &work;
            scope.spawn(move || (thread..n).step_by(threads as usize).for_each(work));
        }
    });
}
