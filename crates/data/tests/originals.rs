//! The files of the original programs, read and written again.

mod support;

use std::fs;

use genvp_data::{Scene, StoredPuzzle, npz, truth, xml};
use genvp_puzzle::{Attribute, Domain, Layout, Set};

/// The zip entries with the time of day blanked: numpy puts the clock in.
fn without_time(mut bytes: Vec<u8>) -> Vec<u8> {
    for at in 0..bytes.len().saturating_sub(16) {
        match &bytes[at..at + 4] {
            b"PK\x03\x04" => bytes[at + 10..at + 14].fill(0),
            b"PK\x01\x02" => bytes[at + 12..at + 16].fill(0),
            _ => {}
        }
    }
    bytes
}

#[test]
fn every_npz_of_the_originals_is_written_again_byte_for_byte() {
    let Some(root) = support::originals() else { return support::skip() };
    let mut sizes = [0usize; 2];
    for (set, _, path) in support::original_puzzles(&root) {
        let original = fs::read(&path).unwrap();
        let puzzle = npz::parse(&original).unwrap();
        assert!(puzzle.notes.is_empty(), "{}: {:?}", path.display(), puzzle.notes);
        let ours = puzzle.encode_npz(set);
        if set == Set::RavenFair {
            // Deflate leaves the packing to the program: what is unpacked is the same.
            assert_eq!(npz::parse(&ours).unwrap(), puzzle, "{}", path.display());
            sizes[0] += original.len();
            sizes[1] += ours.len();
        } else {
            assert!(without_time(ours) == without_time(original), "{}", path.display());
        }
    }
    println!("RAVEN-FAIR deflated: theirs {} bytes, ours {}", sizes[0], sizes[1]);
    assert!(sizes[1] < sizes[0] * 5 / 4);
}

#[test]
fn every_xml_of_the_originals_is_written_again_byte_for_byte() {
    let Some(root) = support::originals() else { return support::skip() };
    for (set, layout, path) in support::original_puzzles(&root) {
        let path = path.with_extension("xml");
        let original = fs::read_to_string(&path).unwrap();
        let scene = xml::parse(original.as_bytes(), Domain::Standard).unwrap();
        assert_eq!(scene.layout, layout);
        assert_eq!(scene.changes.is_some(), set == Set::IRaven);
        let ours = xml::encode(&scene, set);
        if ours != original {
            let at = ours.bytes().zip(original.bytes()).take_while(|(a, b)| a == b).count();
            let near = at.saturating_sub(40)..(at + 20).min(ours.len()).min(original.len());
            panic!("{}: {} is not {}", path.display(), &ours[near.clone()], &original[near]);
        }
    }
}

#[test]
fn what_the_two_files_say_of_a_puzzle_agrees() {
    let Some(root) = support::originals() else { return support::skip() };
    for (_, _, path) in support::original_puzzles(&root) {
        let puzzle = StoredPuzzle::read(&path, Domain::Standard).unwrap();
        let scene = puzzle.scene.clone().unwrap();
        let derived = StoredPuzzle::of_scene(scene, puzzle.images.clone());
        let kept = StoredPuzzle { target: None, predict: None, ..puzzle.clone() };
        assert_eq!(derived, kept, "{}", path.display());
        let by_matrix = StoredPuzzle { scene: None, ..puzzle.clone() };
        assert_eq!(by_matrix.rules(), puzzle.rules(), "{}", path.display());
    }
}

#[test]
fn the_recorded_truth_agrees_with_the_files() {
    let Some(root) = support::originals() else { return support::skip() };
    let mut negatives = 0;
    for (set, name) in support::SETS {
        for layout in Layout::ALL {
            let lines = root.join("truth").join(name).join(format!("{layout}.jsonl"));
            for line in truth::read(&lines, set, layout, Domain::Standard).unwrap() {
                let (index, puzzle) = line.unwrap();
                let stem = genvp_data::names::stem(index);
                let path = root.join(name).join(layout.folder()).join(format!("{stem}.npz"));
                let stored = StoredPuzzle::read(&path, Domain::Standard).unwrap();
                assert_eq!(stored.target, Some(puzzle.target), "{}", path.display());
                let mut scene = stored.scene.unwrap();
                let derived = scene.derived_changes(puzzle.target);
                if set != Set::IRaven {
                    // Only I-RAVEN's xml says what a choice changes.
                    scene.changes = Some(puzzle.changes.clone());
                }
                assert_eq!(Scene::of(&puzzle), scene, "{}", path.display());

                for (choice, (derived, recorded)) in derived.iter().zip(&puzzle.changes).enumerate()
                {
                    // New objects hide what else changed in their component.
                    let hidden = |part: u8| {
                        recorded.iter().any(|c| c.part == part && c.attribute == Attribute::Number)
                    };
                    let mut wanted: Vec<_> = recorded
                        .iter()
                        .filter(|c| c.attribute == Attribute::Number || !hidden(c.part))
                        .copied()
                        .collect();
                    wanted.sort();
                    wanted.dedup();
                    assert_eq!(derived.to_vec(), wanted, "{} choice {choice}", path.display());
                    negatives += usize::from(!recorded.is_empty());
                }
            }
        }
    }
    assert_eq!(negatives, 630 * 7);
}
