//! One puzzle in every form that is in circulation; see fixtures/variants.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;

use genvp_data::{Picture, npz};
use genvp_puzzle::{Attribute, Row, RuleKind};

#[test]
fn every_form_in_circulation_is_read_as_the_same_puzzle() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/variants");
    let panels: Vec<u8> =
        (0..16 * 64).map(|i| (i / 64 * 37 + i / 8 % 8 * 11 + i % 8 * 3) as u32 as u8).collect();
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "npz") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let puzzle = npz::read(&path).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(puzzle.images.side(), 8, "{name}");
        assert_eq!(puzzle.images.pixels(), panels, "{name}");
        let bare = name == "image-only.npz";
        assert_eq!(puzzle.target, (!bare).then_some(5), "{name}");
        let whole = !bare && name != "sizes-follow.npz";
        assert_eq!(puzzle.meta_structure.is_some(), whole, "{name}");
        if whole {
            let rules = puzzle.rules().unwrap();
            let rule = |kind| Row::Rule(kind, None);
            assert_eq!(rules.row(0, Attribute::NumberPosition), rule(RuleKind::Constant), "{name}");
            assert_eq!(rules.row(0, Attribute::Type), rule(RuleKind::Progression), "{name}");
            assert_eq!(rules.row(0, Attribute::Size), rule(RuleKind::Arithmetic), "{name}");
            assert_eq!(rules.row(0, Attribute::Color), rule(RuleKind::DistributeThree), "{name}");
        }
        match name.as_str() {
            "words-pickled.npz" => {
                assert_eq!(puzzle.structure, None);
                assert!(puzzle.notes[0].contains("skipped `structure`"), "{:?}", puzzle.notes);
            }
            "image-pgm-order.npz" => assert!(puzzle.notes[0].contains("as PGM keeps them")),
            _ => assert!(puzzle.notes.is_empty(), "{name}: {:?}", puzzle.notes),
        }
        if let Some(words) = puzzle.structure {
            assert_eq!(words[3], "Center_Single", "{name}");
        }
        count += 1;
    }
    assert!(count >= 29, "{count}");
}

#[test]
fn an_interlaced_picture_is_read_like_any_other() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/variants");
    let picture = Picture::read(&folder.join("interlaced.png")).unwrap();
    let pixels: Vec<u8> = (0..64).map(|i| i / 8 * 11 + i % 8 * 3).collect();
    assert_eq!((picture.width(), picture.height()), (8, 8));
    assert_eq!(picture.pixels(), pixels);
}
