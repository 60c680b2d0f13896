//! What can be read at 64 px, the size that a model draws: sharp, rounded to
//! bytes, soft, noisy and faint.
//!
//! `cargo test -p genvp-puzzle --test read_small -- --nocapture` prints the
//! tables.

#![allow(clippy::print_stdout, reason = "the tables are for people")]

mod scenes;

use genvp_puzzle::read;
use genvp_puzzle::{Domain, Layout, Stream, render};
use scenes::{Mistakes, mistakes, random_panel};

const SMALL: usize = 64;

/// How a picture is spoiled before it is read.
#[derive(Clone, Copy)]
enum Spoil {
    Nothing,
    Bytes,
    /// Standard deviation in pixels at 64 px.
    Soft(f32),
    /// Standard deviation in ink.
    Noise(f32),
    /// Both.
    SoftNoise(f32, f32),
    /// Part of the ink that is left.
    Faint(f32),
}

fn spoil(ink: Vec<f32>, spoil: Spoil, stream: &mut Stream) -> Vec<f32> {
    match spoil {
        Spoil::Nothing => ink,
        Spoil::Bytes => ink.iter().map(|v| (v * 255.0).round() / 255.0).collect(),
        Spoil::Soft(sigma) => soften(&ink, sigma),
        Spoil::Noise(sigma) => ink.iter().map(|v| v + sigma * stream.normal()).collect(),
        Spoil::SoftNoise(soft, noise) => {
            soften(&ink, soft).iter().map(|v| v + noise * stream.normal()).collect()
        }
        Spoil::Faint(part) => ink.iter().map(|v| v * part).collect(),
    }
}

/// A Gaussian blur written out plainly.
fn soften(ink: &[f32], sigma: f32) -> Vec<f32> {
    let reach = (3.0 * sigma).ceil() as i32;
    let weight = |d: i32| (-0.5 * (d as f32 / sigma).powi(2)).exp();
    let total: f32 = (-reach..=reach).map(weight).sum();
    let mut picture = ink.to_vec();
    for (dx, dy) in [(1, 0), (0, 1)] {
        let at = |x: i32, y: i32| {
            let inside = 0..SMALL as i32;
            let here = inside.contains(&x) && inside.contains(&y);
            if here { picture[y as usize * SMALL + x as usize] } else { 0.0 }
        };
        picture = (0..(SMALL * SMALL) as i32)
            .map(|i| {
                let (x, y) = (i % SMALL as i32, i / SMALL as i32);
                let sum: f32 =
                    (-reach..=reach).map(|d| weight(d) * at(x + d * dx, y + d * dy)).sum();
                sum / total
            })
            .collect();
    }
    picture
}

struct Row {
    layout: Layout,
    wrong: Mistakes,
    panels: u32,
    /// Panels without any mistake, in percent.
    whole: f32,
    confidence: f32,
}

fn percent(wrong: u32, of: u32) -> f32 {
    100.0 - 100.0 * wrong as f32 / of.max(1) as f32
}

/// Reads random panels one by one and counts.
fn measure(name: &str, how: Spoil, panels: u32) -> Vec<Row> {
    println!("{name}: percent right");
    println!(
        "{:8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>11}",
        "layout", "layout", "slots", "type", "size", "color", "panel", "confidence"
    );
    let rows = Layout::ALL.map(|layout| {
        let (mut sum, mut whole, mut confidence) = (Mistakes::default(), 0, 0.0);
        for i in 0..panels {
            let mut stream = Stream::new(5, "small", u64::from(i));
            let truth = random_panel(&mut stream, layout, Domain::Standard);
            let mut ink = vec![0.0; SMALL * SMALL];
            render::ink_into(&truth, layout, Domain::Standard, SMALL, &mut ink);
            let reading = read::ink(&spoil(ink, how, &mut stream), SMALL, Domain::Standard);
            let wrong = mistakes(&reading, &truth, layout);
            whole += u32::from(wrong.total() == 0);
            confidence += reading.confidence / panels as f32;
            sum.add(&wrong);
        }
        println!(
            "{:8} {:7.1} {:7.1} {:7.1} {:7.1} {:7.1} {:7.1} {:11.3}",
            layout.short(),
            percent(sum.layout, panels),
            percent(sum.slots, sum.parts),
            percent(sum.shape, sum.objects),
            percent(sum.size, sum.objects),
            percent(sum.color, sum.objects),
            percent(panels - whole, panels),
            confidence
        );
        Row { layout, wrong: sum, panels, whole: percent(panels - whole, panels), confidence }
    });
    rows.into()
}

#[test]
fn table() {
    for (name, how) in [
        ("sharp", Spoil::Nothing),
        ("bytes", Spoil::Bytes),
        ("soft 0.5", Spoil::Soft(0.5)),
        ("soft 1.0", Spoil::Soft(1.0)),
        ("soft 1.5", Spoil::Soft(1.5)),
        ("noise 0.05", Spoil::Noise(0.05)),
        ("noise 0.1", Spoil::Noise(0.1)),
        ("noise 0.2", Spoil::Noise(0.2)),
        ("soft 1.0 noise 0.05", Spoil::SoftNoise(1.0, 0.05)),
    ] {
        measure(name, how, 60);
    }
}
