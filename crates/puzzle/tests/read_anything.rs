//! Whatever it is shown, the reader answers.

mod scenes;

use genvp_puzzle::read::{self, Reading};
use genvp_puzzle::{Domain, Layout, Stream, render};
use proptest::prelude::*;
use scenes::{mistakes, random_panel};

const SIDE: usize = render::SIDE;

/// A reading is always a scene that can be drawn.
fn is_sound(reading: &Reading, domain: Domain) -> bool {
    let mut grey = vec![0; SIDE * SIDE];
    render::panel_into(&reading.panel, reading.layout, domain, &mut grey);
    (0.0..=1.0).contains(&reading.confidence)
        && reading.panel.components.len() == reading.layout.components().len()
        && reading.panel.components.iter().all(|component| !component.entities.is_empty())
}

#[test]
fn a_blank_panel_is_read_without_confidence() {
    for grey in [0, 128, 255] {
        let reading = read::panel(&vec![grey; SIDE * SIDE], SIDE, Domain::Standard);
        assert!(is_sound(&reading, Domain::Standard));
        assert!(reading.confidence < 0.7, "{grey}: {}", reading.confidence);
    }
    assert_eq!(read::panel(&[255; 64 * 64], 64, Domain::Standard).confidence, 0.0);
}

#[test]
fn noise_alone_is_read_without_confidence() {
    let mut stream = Stream::new(1, "static", 0);
    let grey: Vec<u8> = (0..SIDE * SIDE).map(|_| stream.below(256) as u8).collect();
    assert!(read::panel(&grey, SIDE, Domain::Standard).confidence < 0.5);
}

#[test]
fn values_that_are_not_numbers_count_as_paper() {
    let mut ink = vec![f32::NAN; 64 * 64];
    ink[7] = f32::INFINITY;
    ink[8] = f32::NEG_INFINITY;
    let reading = read::ink(&ink, 64, Domain::Standard);
    assert!(is_sound(&reading, Domain::Standard));
    assert_eq!(reading.confidence, 0.0);
}

#[test]
fn no_pictures_make_no_panels() {
    assert!(read::puzzle(&[], SIDE, Domain::Standard).panels.is_empty());
}

#[test]
fn a_puzzle_has_one_layout_even_if_one_panel_is_lost() {
    for layout in Layout::ALL {
        let pictures: Vec<Vec<u8>> = (0..9)
            .map(|i| {
                let panel = random_panel(&mut Stream::new(6, "lost", i), layout, Domain::Standard);
                let mut grey = vec![0; SIDE * SIDE];
                render::panel_into(&panel, layout, Domain::Standard, &mut grey);
                if i == 4 { vec![255; SIDE * SIDE] } else { grey }
            })
            .collect();
        let pictures: Vec<&[u8]> = pictures.iter().map(Vec::as_slice).collect();
        let reading = read::puzzle(&pictures, SIDE, Domain::Standard);
        assert_eq!(reading.layout, layout);
        for (i, panel) in reading.panels.iter().enumerate() {
            assert_eq!((panel.layout, panel.exact), (layout, i != 4));
        }
        assert_eq!(reading.confidence, 0.0);
    }
}

#[test]
fn noisy_panels_at_full_size_are_read_right() {
    for layout in Layout::ALL {
        let mut wrong = 0;
        for i in 0..6 {
            let mut stream = Stream::new(7, "full", i);
            let truth = random_panel(&mut stream, layout, Domain::Standard);
            let mut grey = vec![0; SIDE * SIDE];
            render::panel_into(&truth, layout, Domain::Standard, &mut grey);
            for pixel in &mut grey {
                *pixel = (f32::from(*pixel) + 10.0 * stream.normal()).round() as u8;
            }
            let reading = read::panel(&grey, SIDE, Domain::Standard);
            assert!(!reading.exact && is_sound(&reading, Domain::Standard));
            wrong += mistakes(&reading, &truth, layout).total();
        }
        assert_eq!(wrong, 0, "{layout}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn any_bytes_of_any_size_are_read(
        side in 0usize..200,
        seed in any::<u64>(),
        lie in prop::bool::weighted(0.2),
        smooth in any::<bool>(),
    ) {
        let mut stream = Stream::new(seed, "bytes", 0);
        let mut last = 128;
        let mut bytes: Vec<u8> = (0..side * side)
            .map(|_| {
                if !smooth || stream.below(20) == 0 {
                    last = stream.below(256) as u8;
                }
                last
            })
            .collect();
        if lie {
            bytes.push(0);
        }
        for domain in [Domain::Standard, Domain::SizeI] {
            let reading = read::panel(&bytes, side, domain);
            prop_assert!(is_sound(&reading, domain));
            prop_assert!(!lie || reading.confidence == 0.0);
        }
        let together = read::puzzle(&[&bytes, &bytes], side, Domain::Standard);
        prop_assert_eq!(together.panels.len(), 2);
    }
}
