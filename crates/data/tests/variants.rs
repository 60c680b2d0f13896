//! One puzzle in every form that is in circulation; see fixtures/variants.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;

use genvp_data::{PngImage, npz};
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
        let notes: Vec<String> = puzzle.notes.iter().map(ToString::to_string).collect();
        let odd = odd_members(&name);
        assert_eq!(notes.len(), odd.len(), "{name}: {notes:?}");
        for (note, words) in notes.iter().zip(odd) {
            assert!(note.contains(words), "{name}: {note} lacks {words}");
        }
        let bare = name == "image-only.npz";
        assert_eq!(puzzle.target, (!bare).then_some(5), "{name}");
        let whole = !bare && !["sizes-follow.npz", "pgm.npz"].contains(&name.as_str());
        let has_structure = whole && name != "odd-meta-structure.npz";
        assert_eq!(puzzle.meta_structure.is_some(), has_structure, "{name}");
        if name.starts_with("odd-meta-matrix") {
            assert_eq!(puzzle.rules(), None, "{name}");
        } else if whole {
            let rules = puzzle.rules().unwrap();
            let rule = |kind| Row::Rule(kind, None);
            assert_eq!(rules.row(0, Attribute::NumberPosition), rule(RuleKind::Constant), "{name}");
            assert_eq!(rules.row(0, Attribute::Type), rule(RuleKind::Progression), "{name}");
            assert_eq!(rules.row(0, Attribute::Size), rule(RuleKind::Arithmetic), "{name}");
            assert_eq!(rules.row(0, Attribute::Color), rule(RuleKind::DistributeThree), "{name}");
        }
        let has_target = !odd.iter().any(|words| words.contains("meta_target"));
        assert_eq!(puzzle.meta_target.is_some(), whole && has_target, "{name}");
        assert_eq!(puzzle.predict.is_some(), whole && name != "odd-predict.npz", "{name}");
        let faulty = name.starts_with("odd-") || name == "pgm.npz";
        assert_eq!(puzzle.notes.iter().any(|note| note.fault().is_some()), faulty, "{name}");
        if let Some(words) = puzzle.structure {
            assert_eq!(words[3], "Center_Single", "{name}");
        }
        count += 1;
    }
    assert!(count >= 39, "{count}");
}

/// What the notes on a file say, one after another.
fn odd_members(name: &str) -> &'static [&'static str] {
    match name {
        "words-pickled.npz" => &["skipped: member `structure` holds pickled Python objects"],
        "extra-member.npz" => &["skipped: member `modifications.npy` is not known"],
        "image-pgm-order.npz" => &["as PGM keeps them"],
        "odd-meta-target.npz" => &["skipped: member `meta_target`: shape (12,), wanted (9,)"],
        "odd-meta-structure.npz" => &["`meta_structure`: value 7 at 0, wanted 0 or 1"],
        "odd-meta-matrix-shape.npz" => &["`meta_matrix`: shape (8, 8), wanted (8, 9)"],
        "odd-meta-matrix-value.npz" => &["`meta_matrix`: value 7 at 0, wanted 0 or 1"],
        "odd-predict.npz" => &["`predict`: value 9 at 0, wanted choices from 0 to 7"],
        "odd-words.npz" => &["`structure`: element type <i8, wanted text"],
        "odd-complex.npz" => &["`structure`: element type <c16, wanted numbers or text"],
        "pgm.npz" => &[
            "as PGM keeps them",
            "`meta_target`: shape (12,), wanted (9,)",
            "`relation_structure.npy` is not known",
            "`relation_structure_encoded.npy` is not known",
        ],
        _ => &[],
    }
}

#[test]
fn an_interlaced_picture_is_read_like_any_other() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/variants");
    let picture = PngImage::read(&folder.join("interlaced.png")).unwrap();
    let pixels: Vec<u8> = (0..64).map(|i| i / 8 * 11 + i % 8 * 3).collect();
    assert_eq!((picture.width(), picture.height()), (8, 8));
    assert_eq!(picture.pixels(), pixels);
}
