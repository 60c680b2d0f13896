//! How fast panels are read: `cargo bench -p genvp-puzzle --bench read`.

#![allow(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
#![allow(missing_docs, reason = "a program, not a library")]

#[path = "../tests/scenes/mod.rs"]
mod scenes;

use std::hint::black_box;
use std::time::Instant;

use genvp_puzzle::{Domain, Layout, Stream, read, render};

const SIDE: usize = render::SIDE;
const PUZZLES: usize = 10;

fn main() {
    let panel = scenes::random_panel(
        &mut Stream::new(1, "first", 0),
        Layout::CenterSingle,
        Domain::Standard,
    );
    let mut grey = vec![0; SIDE * SIDE];
    render::panel_into(&panel, Layout::CenterSingle, Domain::Standard, &mut grey);
    for (what, grey) in [("a rendered panel", grey), ("a grey sheet", vec![200; SIDE * SIDE])] {
        let start = Instant::now();
        black_box(read::panel(&grey, SIDE, Domain::Standard));
        println!("first {what}, which builds banks: {:.2} s", start.elapsed().as_secs_f64());
    }
    println!("panels per second, one thread");
    println!(
        "{:8} {:>10} {:>10} {:>10} {:>12}",
        "layout", "alone 160", "of 16, 160", "alone 64", "noisy 64"
    );
    let mut seconds = [0.0; 4];
    for layout in Layout::ALL {
        let mut exact = Vec::new();
        let mut small = Vec::new();
        let mut noisy = Vec::new();
        for i in 0..16 * PUZZLES as u64 {
            let mut stream = Stream::new(1, "bench", i);
            let panel = scenes::random_panel(&mut stream, layout, Domain::Standard);
            let mut grey = vec![0; SIDE * SIDE];
            render::panel_into(&panel, layout, Domain::Standard, &mut grey);
            let mut ink = vec![0.0; 64 * 64];
            render::resize_area(&grey, SIDE, 64, &mut ink);
            exact.push(grey);
            noisy.push(ink.iter().map(|v| v + 0.1 * stream.normal()).collect::<Vec<f32>>());
            small.push(ink);
        }
        let pictures: Vec<&[u8]> = exact.iter().map(Vec::as_slice).collect();
        black_box(read::ink(&noisy[0], 64, Domain::Standard)); // fills the banks
        let times = [
            time(|| exact.iter().for_each(|grey| keep(read::panel(grey, SIDE, Domain::Standard)))),
            time(|| {
                pictures.chunks(16).for_each(|p| keep(read::puzzle(p, SIDE, Domain::Standard)))
            }),
            time(|| small.iter().for_each(|ink| keep(read::ink(ink, 64, Domain::Standard)))),
            time(|| noisy.iter().for_each(|ink| keep(read::ink(ink, 64, Domain::Standard)))),
        ];
        let rate = times.map(|t| (16 * PUZZLES) as f64 / t);
        println!(
            "{:8} {:10.0} {:10.0} {:10.0} {:12.0}",
            layout.short(),
            rate[0],
            rate[1],
            rate[2],
            rate[3]
        );
        seconds.iter_mut().zip(times).for_each(|(sum, t)| *sum += t);
    }
    let rate = seconds.map(|t| (7 * 16 * PUZZLES) as f64 / t);
    println!("{:8} {:10.0} {:10.0} {:10.0} {:12.0}", "all", rate[0], rate[1], rate[2], rate[3]);
}

fn keep<T>(value: T) {
    black_box(value);
}

/// The better of two passes, in seconds.
fn time(mut work: impl FnMut()) -> f64 {
    (0..2)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}
