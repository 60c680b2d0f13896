//! What can be read at 64 px, the size that a model draws: sharp, rounded to
//! bytes, soft, noisy and faint.
//!
//! The tables in the documentation of `genvp_puzzle::read` come from
//! `cargo test --release -p genvp-puzzle --test read_small -- --ignored --nocapture`.

#![allow(clippy::print_stdout, reason = "the tables are for people")]

mod scenes;

use genvp_puzzle::read;
use genvp_puzzle::{Domain, Layout, Stream, render};
use scenes::{Mistakes, mistakes, random_panel};

const SMALL: usize = 64;

/// How a picture is spoiled before it is read.
#[derive(Clone, Copy, Debug)]
enum Spoil {
    Nothing,
    Bytes,
    /// Standard deviation in pixels at 64 px.
    Soft(f32),
    /// Standard deviation in ink.
    Noise(f32),
    /// Both.
    SoftNoise(f32, f32),
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

/// What came out of reading many panels of one layout, in percent.
struct Row {
    layout: Layout,
    layouts: f32,
    slots: f32,
    shape: f32,
    size: f32,
    color: f32,
    /// Panels without any mistake.
    panel: f32,
    confidence: f32,
}

fn percent_right(wrong: u32, of: u32) -> f32 {
    100.0 - 100.0 * wrong as f32 / of.max(1) as f32
}

/// Reads random panels one by one and counts.
fn measure(how: Spoil, panels: u32) -> Vec<Row> {
    println!("{how:?}, {panels} panels per layout, percent right");
    println!(
        "{:8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>11}",
        "", "layout", "slots", "type", "size", "color", "panel", "confidence"
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
        let row = Row {
            layout,
            layouts: percent_right(sum.layout, panels),
            slots: percent_right(sum.slots, sum.components),
            shape: percent_right(sum.shape, sum.objects),
            size: percent_right(sum.size, sum.objects),
            color: percent_right(sum.color, sum.objects),
            panel: percent_right(panels - whole, panels),
            confidence,
        };
        println!(
            "{:8} {:7.1} {:7.1} {:7.1} {:7.1} {:7.1} {:7.1} {:11.3}",
            layout.short(),
            row.layouts,
            row.slots,
            row.shape,
            row.size,
            row.color,
            row.panel,
            row.confidence
        );
        row
    });
    rows.into()
}

/// The smallest objects, 2 to 4 px at 64 px, stand in the inner grid.
fn is_tiny(row: &Row) -> bool {
    row.layout == Layout::OutInGrid
}

#[test]
fn sharp_pictures_are_read_without_a_mistake() {
    for how in [Spoil::Nothing, Spoil::Bytes] {
        for row in measure(how, 30) {
            assert_eq!(row.panel, 100.0, "{how:?} {}", row.layout);
            assert!(row.confidence > 0.98, "{how:?} {}: {}", row.layout, row.confidence);
        }
    }
}

#[test]
fn soft_pictures_are_read_almost_without_a_mistake() {
    for how in [Spoil::Soft(0.5), Spoil::Soft(1.0), Spoil::Soft(1.5)] {
        for row in measure(how, 6) {
            assert_eq!([row.layouts, row.slots], [100.0; 2], "{how:?} {}", row.layout);
            let least = row.shape.min(row.size).min(row.color);
            assert!(least >= 95.0, "{how:?} {}: {least}", row.layout);
        }
    }
}

#[test]
fn noise_hides_the_color_of_the_smallest_objects_first() {
    for (how, color, tiny_color) in
        [(Spoil::Noise(0.1), 97.0, 80.0), (Spoil::Noise(0.2), 85.0, 55.0)]
    {
        for row in measure(how, 6) {
            let wanted = if is_tiny(&row) { tiny_color } else { color };
            assert!(row.layouts.min(row.slots) >= 90.0, "{how:?} {}", row.layout);
            assert!(row.shape.min(row.size) >= 90.0, "{how:?} {}", row.layout);
            assert!(row.color >= wanted, "{how:?} {}: {}", row.layout, row.color);
        }
    }
}

#[test]
fn confidence_falls_as_the_noise_grows() {
    let mean = |how| measure(how, 3).iter().map(|row| row.confidence).sum::<f32>() / 7.0;
    let levels = [0.0, 0.05, 0.1, 0.2, 0.4, 0.8].map(|sigma| mean(Spoil::Noise(sigma)));
    assert!(levels.is_sorted_by(|a, b| a > b), "{levels:?}");
    assert!(levels[0] > 0.99 && levels[5] < 0.2, "{levels:?}");
}

#[test]
#[ignore = "minutes: the tables of the documentation"]
fn all_tables() {
    for how in [
        Spoil::Nothing,
        Spoil::Bytes,
        Spoil::Soft(0.5),
        Spoil::Soft(1.0),
        Spoil::Soft(1.5),
        Spoil::Noise(0.05),
        Spoil::Noise(0.1),
        Spoil::Noise(0.2),
        Spoil::SoftNoise(1.0, 0.05),
        Spoil::SoftNoise(1.0, 0.1),
    ] {
        measure(how, 300);
    }
}

#[test]
fn other_sizes_and_raises_resize_are_read_too() {
    type Resize = fn(&[u8], usize, &mut [f32]);
    let area: Resize = |grey, to, out| render::resize_area(grey, render::SIDE, to, out);
    let raise: Resize = |grey, to, out| render::raise_bilinear(grey, render::SIDE, to, out);
    for (resize, side) in [(area, 80), (area, 224), (raise, 64)] {
        let mut sum = Mistakes::default();
        for layout in Layout::ALL {
            for i in 0..6 {
                let truth = random_panel(&mut Stream::new(8, "sizes", i), layout, Domain::Standard);
                let mut grey = vec![0; render::SIDE * render::SIDE];
                render::panel_into(&truth, layout, Domain::Standard, &mut grey);
                let mut ink = vec![0.0; side * side];
                resize(&grey, side, &mut ink);
                sum.add(&mistakes(&read::ink(&ink, side, Domain::Standard), &truth, layout));
            }
        }
        assert_eq!(sum.total() - sum.color, 0, "{side}: {sum:?}");
        assert!(percent_right(sum.color, sum.objects) >= 95.0, "{side}: {sum:?}");
    }
}
