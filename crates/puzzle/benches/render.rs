//! How fast panels are drawn: `cargo bench -p genvp-puzzle --bench render`.

#![allow(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
#![allow(missing_docs, reason = "a program, not a library")]

#[path = "../tests/scenes/mod.rs"]
mod scenes;

use std::hint::black_box;
use std::time::Instant;

use genvp_puzzle::{Domain, Layout, Panel, Stream, render};

const PUZZLES: usize = 300;

fn main() {
    println!("puzzles of 16 panels per second");
    println!("{:8} {:>10} {:>10} {:>12}", "layout", "160 u8", "64 f32", "annotations");
    let mut seconds = [0.0; 3];
    for layout in Layout::ALL {
        let panels: Vec<Panel> = (0..16 * PUZZLES as u64)
            .map(|i| {
                scenes::random_panel(&mut Stream::new(1, "bench", i), layout, Domain::Standard)
            })
            .collect();
        let mut grey = vec![0; render::SIDE * render::SIDE];
        let mut ink = vec![0.0; 64 * 64];
        let mut exact = |panel: &Panel| {
            render::panel_into(panel, layout, Domain::Standard, &mut grey);
            black_box(&grey);
        };
        panels.iter().for_each(&mut exact); // fills the sprite bank
        let times = [
            time(&panels, exact),
            time(&panels, |panel| {
                render::ink_into(panel, layout, Domain::Standard, 64, &mut ink);
                black_box(&ink);
            }),
            time(&panels, |panel| {
                for (&kind, component) in layout.components().iter().zip(&panel.components) {
                    for entity in &component.entities {
                        black_box(render::annotate(kind, entity, Domain::Standard));
                    }
                }
            }),
        ];
        let rate = times.map(|t| PUZZLES as f64 / t);
        println!("{:8} {:10.0} {:10.0} {:12.0}", layout.short(), rate[0], rate[1], rate[2]);
        seconds.iter_mut().zip(times).for_each(|(sum, t)| *sum += t);
    }
    let rate = seconds.map(|t| (PUZZLES * 7) as f64 / t);
    println!("{:8} {:10.0} {:10.0} {:12.0}   (one thread)", "all", rate[0], rate[1], rate[2]);
}

/// The best of three passes, in seconds.
fn time(panels: &[Panel], mut work: impl FnMut(&Panel)) -> f64 {
    (0..3)
        .map(|_| {
            let start = Instant::now();
            panels.iter().for_each(&mut work);
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}
