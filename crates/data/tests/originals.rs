//! The files of the original programs, read and written again.

mod support;

use std::fs;
use std::io::Read;

use flate2::read::DeflateDecoder;
use genvp_data::{Images, Scene, StoredPuzzle, npz, truth, xml};
use genvp_puzzle::{Attribute, Domain, Layout, Set, render};
use sha2::{Digest, Sha256};

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
    let Some(root) = genvp_originals::folder() else { return };
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
    let Some(root) = genvp_originals::folder() else { return };
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
    let Some(root) = genvp_originals::folder() else { return };
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
    let Some(root) = genvp_originals::folder() else { return };
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
                    let hidden = |component: u8| {
                        recorded
                            .iter()
                            .any(|c| c.component == component && c.attribute == Attribute::Number)
                    };
                    let mut wanted: Vec<_> = recorded
                        .iter()
                        .filter(|c| c.attribute == Attribute::Number || !hidden(c.component))
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

/// The members of an archive that we wrote: name and unpacked bytes.
fn members(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    let mut at = 0;
    while bytes[at..].starts_with(b"PK\x03\x04") {
        let number = |offset: usize, width: usize| {
            let digits = bytes[at + offset..at + offset + width].iter().rev();
            digits.fold(0, |number, &byte| number << 8 | usize::from(byte))
        };
        let start = at + 30 + number(26, 2) + number(28, 2);
        let packed = &bytes[start..start + number(18, 4)];
        let mut member = Vec::new();
        match number(8, 2) {
            0 => member.extend_from_slice(packed),
            _ => drop(DeflateDecoder::new(packed).read_to_end(&mut member).expect("ours")),
        }
        let name =
            String::from_utf8(bytes[at + 30..at + 30 + number(26, 2)].to_vec()).expect("ours");
        out.push((name, member));
        at = start + packed.len();
    }
    out
}

fn hex(digest: impl AsRef<[u8]>) -> String {
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// On a plain clone: the files of two puzzles of each set and layout, made from
/// their scenes alone, hash to those that the original programs wrote.
#[test]
fn the_files_of_the_committed_puzzles_hash_to_the_originals() {
    let root = genvp_originals::committed();
    let table = fs::read_to_string(root.join("files.tsv")).unwrap();
    let mut seen = 0;
    for (set, name) in support::SETS {
        for layout in Layout::ALL {
            let lines = root.join("truth").join(name).join(format!("{layout}.jsonl"));
            for line in truth::read(&lines, set, layout, Domain::Standard).unwrap() {
                let (index, puzzle) = line.unwrap();
                let head = format!("{name}\t{layout}\t{index}\t");
                let hashes = table.lines().find_map(|line| line.strip_prefix(&head)).unwrap();
                let images = Images::new(render::SIDE, render::puzzle(&puzzle));
                let stored = StoredPuzzle::of_puzzle(&puzzle, images);

                let npz = stored.encode_npz(set);
                let mut unpacked = Sha256::new();
                for (name, bytes) in members(&npz) {
                    unpacked.update(name);
                    unpacked.update(bytes);
                }
                let whole = match set {
                    Set::RavenFair => "-".to_owned(),
                    _ => hex(Sha256::digest(without_time(npz))),
                };
                let xml = Sha256::digest(xml::encode(&stored.scene.unwrap(), set));
                let ours = format!("{}\t{}\t{whole}", hex(xml), hex(unpacked.finalize()));
                assert_eq!(ours, hashes, "{head}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 42);
}
