//! Rendered panels are read back exactly.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a broken file should stop the test")]

mod originals;
mod scenes;

use genvp_puzzle::read::{self, Reading};
use genvp_puzzle::{ComponentKind, Domain, Layout, Panel, Stream, render};
use originals::panel_of_text;
use scenes::{mistakes, random_panel};

const SIDE: usize = render::SIDE;

fn drawn(panel: &Panel, layout: Layout, domain: Domain) -> Vec<u8> {
    let mut grey = vec![0; SIDE * SIDE];
    render::panel_into(panel, layout, domain, &mut grey);
    grey
}

/// Every attribute is right, the angle up to symmetry (the scene draws the same
/// picture), and the size up to the collision that the reading reports.
fn assert_right(reading: &Reading, truth: &Panel, layout: Layout, domain: Domain, pixels: &[u8]) {
    assert_eq!(reading.layout, layout, "{truth:?}");
    assert!(reading.exact, "{layout} {truth:?}\n{:?}", reading.panel);
    assert!(reading.confidence == 1.0);
    assert!(drawn(&reading.panel, layout, domain) == pixels);
    let wrong = mistakes(reading, truth, layout);
    assert_eq!(wrong.total(), 0, "{layout} {truth:?}\n{reading:?}");
}

#[test]
fn every_panel_of_the_originals_is_read_exactly() {
    let Some(root) = genvp_originals::folder() else { return };
    let (mut panels, mut ambiguous) = (0, 0);
    for original in originals::with_pixels(&root) {
        let layout = original.puzzle.layout;
        let pictures: Vec<&[u8]> = original.image.chunks_exact(SIDE * SIDE).collect();
        let puzzle = read::puzzle(&pictures, SIDE, Domain::Standard);
        assert_eq!(puzzle.layout, layout, "{}", original.name);
        for ((reading, truth), pixels) in
            puzzle.panels.iter().zip(original.puzzle.panels()).zip(&pictures)
        {
            assert_right(reading, truth, layout, Domain::Standard, pixels);
            if panels % 40 == 0 {
                let alone = read::panel(pixels, SIDE, Domain::Standard);
                assert_eq!(&alone, reading, "{}", original.name);
            }
            ambiguous += reading.sightings.iter().filter(|s| s.ambiguous_size()).count();
            panels += 1;
        }
    }
    assert_eq!(panels, 10_080);
    println!("{panels} panels read exactly; {ambiguous} objects of ambiguous size");
}

#[test]
fn the_committed_scenes_are_read_back() {
    let golden = include_str!("../../../fixtures/render/panels.txt");
    let lines: Vec<&str> = golden.lines().collect();
    for puzzle in lines.chunks(16) {
        let layout = Layout::parse(puzzle[0].split(' ').next().unwrap()).unwrap();
        let truths: Vec<Panel> =
            puzzle.iter().map(|l| panel_of_text(l.splitn(3, ' ').last().unwrap())).collect();
        let pixels: Vec<Vec<u8>> =
            truths.iter().map(|truth| drawn(truth, layout, Domain::Standard)).collect();
        let pictures: Vec<&[u8]> = pixels.iter().map(Vec::as_slice).collect();
        let readings = read::puzzle(&pictures, SIDE, Domain::Standard).panels;
        for ((reading, truth), pixels) in readings.iter().zip(&truths).zip(&pictures) {
            assert_right(reading, truth, layout, Domain::Standard, pixels);
        }
    }
}

#[test]
fn random_scenes_of_every_layout_and_domain_are_read_back() {
    for domain in Domain::ALL {
        for layout in Layout::ALL {
            // Under size-e the outer object may be smaller than the inner one
            // and hide behind it, so that several scenes are nearly one picture.
            let hidden = domain == Domain::SizeE && layout.components()[0] == ComponentKind::Out;
            for i in 0..12 {
                let truth = random_panel(&mut Stream::new(3, "read", i), layout, domain);
                let pixels = drawn(&truth, layout, domain);
                let reading = read::panel(&pixels, SIDE, domain);
                if hidden {
                    assert!(reading.residual < 1e-4, "{truth:?}\n{reading:?}");
                } else if domain == Domain::SizeE {
                    // Large neighbours touch, and who lies on top is not read.
                    assert_eq!(mistakes(&reading, &truth, layout).total(), 0, "{truth:?}");
                } else {
                    assert_right(&reading, &truth, layout, domain, &pixels);
                }
            }
        }
    }
}

#[test]
fn squares_that_look_alike_are_reported_as_ambiguous() {
    let panel = panel_of_text("0:5,5,0,3|0:2,2,4,3 3:2,4,4,3");
    let pixels = drawn(&panel, Layout::OutInGrid, Domain::Standard);
    let reading = read::panel(&pixels, SIDE, Domain::Standard);
    let ambiguous: Vec<bool> = reading.sightings.iter().map(|s| s.ambiguous_size()).collect();
    assert_eq!(ambiguous, [false, true, false]);
    assert_eq!(reading.sightings[1].possible_sizes, 0b1100);
}
