//! Panels are read back: exactly where we drew them, nearly where others did.

use genvp_puzzle::Stream;
use genvp_puzzle::pgm::{Maker, Regime, Request};
use genvp_puzzle::relations::read::Reader;
use genvp_puzzle::relations::render::{self, SIDE};
use genvp_puzzle::relations::{BLACK, Line, LineType, Panel, Shape, Split, ValueSet, Vocabulary};

/// Any panel at all, not only those of puzzles.
fn random_panel(stream: &mut Stream, vocabulary: Vocabulary) -> Panel {
    let mut panel = Panel::default();
    let density = stream.below(10);
    for position in 0..9 {
        if stream.below(10) < density {
            panel.shapes.push(Shape {
                position,
                kind: *stream.pick(vocabulary.shapes()),
                size: stream.below(10) as u8,
                color: stream.below(10) as u8,
            });
        }
    }
    loop {
        let wanted: Vec<LineType> =
            vocabulary.lines().iter().copied().filter(|_| stream.coin()).collect();
        let set: ValueSet = wanted.iter().map(|kind| kind.value()).collect();
        if LineType::are_readable(set) {
            let line = |kind| Line { kind, color: stream.below(u32::from(BLACK) + 1) as u8 };
            panel.lines = wanted.into_iter().map(line).collect();
            return panel;
        }
    }
}

fn grey(panel: &Panel, side: usize) -> Vec<u8> {
    if side == SIDE {
        return render::panels([panel]);
    }
    let mut ink = vec![0f32; side * side];
    render::ink_into(panel, side, &mut ink);
    ink.iter().map(|v| (255.0 * (1.0 - v)).round() as u8).collect()
}

#[test]
fn every_panel_of_160_pixels_is_read_exactly() {
    for vocabulary in [Vocabulary::Pgm, Vocabulary::Vad] {
        let reader = Reader::new(SIDE, vocabulary);
        for index in 0..1_000 {
            let panel = random_panel(&mut Stream::new(1, "read", index), vocabulary);
            let reading = reader.panel(&grey(&panel, SIDE));
            assert_eq!(reading.panel, panel, "{vocabulary:?} {index}");
            assert_eq!(reading.error, 0.0);
        }
    }
}

#[test]
fn panels_averaged_to_80_and_64_pixels_are_read_exactly() {
    for (vocabulary, side) in [(Vocabulary::Pgm, 80), (Vocabulary::Vad, 64)] {
        let reader = Reader::new(side, vocabulary);
        for index in 0..150 {
            let panel = random_panel(&mut Stream::new(2, "read", index), vocabulary);
            let reading = reader.panel(&grey(&panel, side));
            assert_eq!(reading.panel, panel, "{side} {index}");
            assert!(reading.error < 0.5);
        }
    }
}

#[test]
fn ink_that_a_model_sees_is_read_as_well() {
    let reader = Reader::new(64, Vocabulary::Pgm);
    for index in 0..50 {
        let panel = random_panel(&mut Stream::new(3, "read", index), Vocabulary::Pgm);
        let mut ink = vec![0f32; 64 * 64];
        render::ink_into(&panel, 64, &mut ink);
        assert_eq!(reader.ink(&ink).panel, panel, "{index}");
    }
}

/// How many of the objects of some puzzles are read exactly after their pixels
/// went through `change`.
fn share_read(change: impl Fn(&mut Vec<u8>, &mut Stream)) -> f64 {
    let maker = Maker::new(Request::new(Regime::Neutral, Split::Train)).unwrap();
    let reader = Reader::new(SIDE, Vocabulary::Pgm);
    let (mut right, mut all) = (0, 0);
    for index in 0..6 {
        for panel in maker.puzzle(4, index).unwrap().panels() {
            let mut pixels = grey(panel, SIDE);
            change(&mut pixels, &mut Stream::new(4, "noise", index));
            let found = reader.panel(&pixels).panel;
            right += panel.shapes.iter().filter(|s| found.shapes.contains(s)).count();
            right += panel.lines.iter().filter(|l| found.lines.contains(l)).count();
            all += panel.shapes.len().max(found.shapes.len());
            all += panel.lines.len().max(found.lines.len());
        }
    }
    f64::from(right as u32) / f64::from(all as u32)
}

#[test]
fn noise_in_the_greys_is_forgiven() {
    let share = share_read(|pixels, stream| {
        for pixel in pixels {
            *pixel = (i32::from(*pixel) + stream.between(-6, 6)).clamp(0, 255) as u8;
        }
    });
    assert!(share > 0.98, "{share:.3} of all objects");
}

#[test]
fn a_slight_blur_is_forgiven() {
    let share = share_read(|pixels, _| {
        let from = pixels.clone();
        for at in SIDE + 1..from.len() - SIDE - 1 {
            let around = [at - 1, at + 1, at - SIDE, at + SIDE];
            let sum: u32 = around.iter().map(|&i| u32::from(from[i])).sum();
            pixels[at] = ((sum + 12 * u32::from(from[at]) + 8) / 16) as u8;
        }
    });
    assert!(share > 0.95, "{share:.3} of all objects");
}

#[test]
fn an_empty_panel_and_arbitrary_pixels_are_read_without_a_panic() {
    let reader = Reader::new(SIDE, Vocabulary::Vad);
    assert_eq!(reader.panel(&vec![255; SIDE * SIDE]).panel, Panel::default());
    for (index, fill) in [0, 23, 128, 254].into_iter().enumerate() {
        assert!(reader.panel(&vec![fill; SIDE * SIDE]).error >= 0.0);
        let mut stream = Stream::new(5, "pixels", index as u64);
        let pixels: Vec<u8> = (0..SIDE * SIDE).map(|_| stream.below(256) as u8).collect();
        assert!(reader.panel(&pixels).error > 0.0);
    }
}
