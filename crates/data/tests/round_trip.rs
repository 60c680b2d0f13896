//! What is written is read back, whatever it is; what is cut off is refused.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use genvp_data::{FormatError, Images, PngImage, Scene, StoredPuzzle, npz, truth, xml};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Domain, Layout, Puzzle, Set};
use proptest::prelude::*;

fn any_puzzle() -> impl Strategy<Value = Puzzle> {
    let request = (
        prop::sample::select(&Set::ALL[..]),
        prop::sample::select(&Layout::ALL[..]),
        prop::sample::select(&Domain::ALL[..]),
    );
    (request, any::<u64>(), 0..1_000_000u64).prop_map(|((set, layout, domain), seed, index)| {
        let request = Request { domain, ..Request::new(set, layout) };
        Maker::new(request).unwrap().puzzle(seed, index).unwrap()
    })
}

fn any_images(most: usize) -> impl Strategy<Value = Images> {
    (1..=most).prop_flat_map(|side| {
        prop::collection::vec(any::<u8>(), 16 * side * side)
            .prop_map(move |pixels| Images::new(side, pixels))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_puzzle_survives_its_files(puzzle in any_puzzle(), images in any_images(6)) {
        let stored = StoredPuzzle::of_puzzle(&puzzle, images);
        let read = npz::parse(&stored.encode_npz(puzzle.set)).unwrap();
        prop_assert_eq!(read, StoredPuzzle { scene: None, ..stored.clone() });

        let scene = stored.scene.unwrap();
        let read = xml::parse(xml::encode(&scene, puzzle.set).as_bytes(), puzzle.domain).unwrap();
        let changes = scene.changes.clone().filter(|_| puzzle.set == Set::IRaven);
        prop_assert_eq!(read, Scene { changes, ..scene });

        let line = truth::encode(9, &puzzle);
        let read = truth::parse(&line, 1, puzzle.set, puzzle.layout, puzzle.domain).unwrap();
        prop_assert_eq!(read, (9, puzzle));
    }

    #[test]
    fn what_comparing_shows_is_what_was_changed(puzzle in any_puzzle()) {
        let derived = Scene::of(&puzzle).derived_changes(puzzle.target);
        for (derived, true_changes) in derived.iter().zip(&puzzle.changes) {
            let numbers: Vec<u8> = true_changes
                .iter()
                .filter(|c| c.attribute == genvp_puzzle::Attribute::Number)
                .map(|c| c.component)
                .collect();
            // New objects hide what else changed in their component.
            let visible = |c: &&genvp_puzzle::Change| {
                c.attribute == genvp_puzzle::Attribute::Number || !numbers.contains(&c.component)
            };
            let mut wanted: Vec<_> = true_changes.iter().filter(visible).copied().collect();
            wanted.sort();
            wanted.dedup();
            prop_assert_eq!(derived.to_vec(), wanted);
        }
    }

    #[test]
    fn a_picture_survives_its_file(images in any_images(40)) {
        let side = images.side();
        let picture = PngImage::new(side, side, images.panel(3).to_vec());
        prop_assert_eq!(PngImage::decode(&picture.encode()).unwrap(), picture);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = npz::parse(&bytes);
        let _ = npz::parse_npy(&bytes);
        let _ = xml::parse(&bytes, Domain::Standard);
        let _ = PngImage::decode(&bytes);
    }
}

fn small_npz(set: Set) -> Vec<u8> {
    let puzzle = Maker::new(Request::new(set, Layout::OutInGrid)).unwrap().puzzle(1, 2).unwrap();
    let images = Images::new(4, (0..=255).collect());
    StoredPuzzle::of_puzzle(&puzzle, images).encode_npz(set)
}

#[test]
fn an_npz_cut_off_at_any_byte_is_refused() {
    for set in [Set::Raven, Set::RavenFair] {
        let whole = small_npz(set);
        assert!(npz::parse(&whole).is_ok());
        for length in 0..whole.len() {
            let format_error = npz::parse(&whole[..length]).unwrap_err();
            assert!(matches!(format_error, FormatError::NotZip(_)), "{length}: {format_error}");
        }
    }
}

#[test]
fn an_npz_with_any_bit_flipped_is_refused_or_read_as_it_was() {
    for set in [Set::Raven, Set::RavenFair] {
        let whole = small_npz(set);
        let good = npz::parse(&whole).unwrap();
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                // Times and rights may change unnoticed, and the name of an optional
                // member; pixels may not.
                if let Ok(read) = npz::parse(&bytes) {
                    assert_eq!(read.images, good.images, "byte {at} bit {bit}");
                }
            }
        }
    }
}

#[test]
fn an_xml_cut_off_at_any_byte_is_refused() {
    let puzzle =
        Maker::new(Request::new(Set::IRaven, Layout::CenterSingle)).unwrap().puzzle(3, 4).unwrap();
    let text = xml::encode(&Scene::of(&puzzle), Set::IRaven);
    for length in (0..text.len()).step_by(97).chain(text.len() - 200..text.len()) {
        assert!(xml::parse(&text.as_bytes()[..length], Domain::Standard).is_err(), "{length}");
    }
}
