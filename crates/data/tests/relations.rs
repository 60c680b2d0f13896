//! The files of PGM and VAD: what is written is read back, whatever it is; every
//! form in circulation is read; what is cut off is refused.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use genvp_data::audit::{PuzzleAudit, examine};
use genvp_data::inputs::{FoundPuzzles, PuzzleStream, gather_all, sources};
use genvp_data::relations::{
    Conditions, Format, Name, RelationFile, RelationMaker, RelationPlan, RelationPuzzle, TruthLine,
    contradictions, parse, read, stream,
};
use genvp_data::table::{RelationTableWriter, parse_relations, read_relations};
use genvp_data::{FormatError, Images, Note, tar_gz};
use genvp_puzzle::family::family_named;
use genvp_puzzle::relations::{Attribute, Relation, Split, Triple};
use genvp_puzzle::vad::ChoiceKind;
use genvp_puzzle::{pgm, vad};
use proptest::prelude::*;

fn puzzle(format: Format, seed: u64, index: u64) -> RelationPuzzle {
    let split = Split::ALL[(seed % 3) as usize];
    match format {
        Format::Pgm => {
            let regime = pgm::Regime::ALL[(index % 8) as usize];
            let maker = pgm::Maker::new(pgm::Request::new(regime, split)).unwrap();
            RelationPuzzle::Pgm(maker.puzzle(seed, index).unwrap())
        }
        Format::Vad => {
            let regime = vad::Regime::ALL[(index % 5) as usize];
            let kind = ChoiceKind::ALL[(index % 2) as usize];
            let maker = vad::Maker::new(vad::Request::new(regime, split, kind)).unwrap();
            RelationPuzzle::Vad(maker.puzzle(seed, index).unwrap())
        }
    }
}

/// A small file with the relations of a puzzle.
fn small(format: Format) -> RelationFile {
    let puzzle = puzzle(format, 5, 3);
    let panels = format.panels();
    let pixels = (0..panels * 16).map(|i| (i * 7 % 256) as u8).collect();
    let images = Images::of_panels(panels, 4, pixels);
    RelationFile::of_images(format, images).with_truth(puzzle.target(), puzzle.recorded())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_puzzle_survives_its_files(pgm in any::<bool>(), seed in any::<u64>(), index in 0..1_000_000u64) {
        let format = if pgm { Format::Pgm } else { Format::Vad };
        let puzzle = puzzle(format, seed, index);
        let file = RelationFile::of_puzzle(&puzzle);
        prop_assert_eq!(parse(&file.encode(), format).unwrap(), file);
        let truth = TruthLine { name: puzzle.name(index), puzzle };
        prop_assert_eq!(TruthLine::parse(&truth.encode(), 1).unwrap(), truth);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for format in Format::ALL {
            let _ = parse(&bytes, format);
        }
        let _ = Format::of_npz(&bytes);
        let _ = tar_gz::parse(&bytes);
        let _ = TruthLine::parse(&String::from_utf8_lossy(&bytes), 1);
    }
}

/// The unpacked bytes of a member of an npz.
fn member(npz: &[u8], name: &str) -> Option<Vec<u8>> {
    let number = |at: usize, n: usize| {
        npz[at..at + n].iter().rev().fold(0usize, |all, &byte| all << 8 | usize::from(byte))
    };
    let mut at = 0;
    while npz[at..].starts_with(b"PK\x03\x04") {
        let (method, packed) = (number(at + 8, 2), number(at + 18, 4));
        let (name_length, extra) = (number(at + 26, 2), number(at + 28, 2));
        let data = at + 30 + name_length + extra;
        let bytes = &npz[data..data + packed];
        if &npz[at + 30..at + 30 + name_length] == format!("{name}.npy").as_bytes() {
            let mut out = Vec::new();
            match method {
                0 => out.extend_from_slice(bytes),
                _ => drop(flate2::read::DeflateDecoder::new(bytes).read_to_end(&mut out).unwrap()),
            }
            return Some(out);
        }
        at = data + packed;
    }
    None
}

#[test]
fn the_header_says_the_originals_wrong_shape_and_words_are_as_wide_as_they_need() {
    let header = |npz: &[u8], name: &str| {
        let bytes = member(npz, name).unwrap_or_else(|| panic!("no {name}"));
        let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        String::from_utf8(bytes[10..10 + length].to_vec()).unwrap()
    };
    for (format, image, rows) in [
        (Format::Pgm, "'shape': (4, 4, 16)", "'shape': (4, 12)"),
        (Format::Vad, "'shape': (4, 4, 9)", "'shape': (1, 12)"),
    ] {
        let npz = small(format).encode();
        assert_eq!(Format::of_npz(&npz), Ok(Some(format)));
        assert!(header(&npz, "image").contains(image), "{}", header(&npz, "image"));
        assert!(header(&npz, "relation_structure_encoded").contains(rows), "{format}");
        assert_eq!(member(&npz, "meta_target").is_some(), format == Format::Pgm);
    }
    let triple = |o, a, r| Triple::parse(o, a, r).unwrap();
    let position = triple("shape", "position", "OR");
    let images = small(Format::Pgm).images;
    let of = |triples: Vec<Triple>| {
        RelationFile::of_images(Format::Pgm, images.clone()).with_truth(0, triples)
    };
    for (other, wide) in [
        (triple("line", "type", "OR"), "'|S8'"),
        (triple("shape", "size", "progression"), "'|S11'"),
        (triple("line", "type", "consistent_union"), "'|S16'"),
    ] {
        let words = header(&of(vec![position, other]).encode(), "relation_structure");
        assert!(words.contains(wide) && words.contains("'shape': (2, 3)"), "{words}");
    }
    let file = of(vec![position, triple("line", "type", "OR")]);
    assert_eq!(file.meta_target, Some(0b0010_0101_0011), "110010100100 from bit 0 on");
}

/// Without a name, large panels with the originals' wrong header are PGM's; small ones may
/// be RAVEN's.
#[test]
fn panels_under_the_wrong_header_are_told_without_relations() {
    let of_side = |side: usize| {
        let images = Images::of_panels(16, side, vec![255; 16 * side * side]);
        Format::certain_of_npz(&RelationFile::of_images(Format::Pgm, images).encode()).unwrap()
    };
    assert_eq!(of_side(160), Some(Format::Pgm));
    assert_eq!(of_side(8), None);
}

#[test]
fn an_npz_cut_off_at_any_byte_is_refused() {
    for format in Format::ALL {
        let whole = small(format).encode();
        assert!(parse(&whole, format).is_ok());
        for length in 0..whole.len() {
            let format_error = parse(&whole[..length], format).unwrap_err();
            assert!(matches!(format_error, FormatError::NotZip(_)), "{length}: {format_error}");
        }
    }
}

#[test]
fn an_npz_with_any_bit_flipped_is_refused_or_has_the_same_pixels() {
    for format in Format::ALL {
        let whole = small(format).encode();
        let good = parse(&whole, format).unwrap();
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                if let Ok(read) = parse(&bytes, format) {
                    assert_eq!(read.images, good.images, "byte {at} bit {bit}");
                }
            }
        }
    }
}

#[test]
fn a_truth_cut_off_at_any_byte_is_refused() {
    for format in Format::ALL {
        let puzzle = puzzle(format, 2, 2);
        let text = TruthLine { name: puzzle.name(2), puzzle }.encode();
        for length in 0..text.len() {
            assert!(TruthLine::parse(&text[..length], 1).is_err(), "{length}");
        }
    }
}

#[test]
fn a_truth_that_contradicts_itself_is_refused() {
    let pgm = puzzle(Format::Pgm, 2, 2);
    let pgm = TruthLine { name: pgm.name(2), puzzle: pgm }.encode();
    let vad = puzzle(Format::Vad, 2, 2);
    let vad = TruthLine { name: vad.name(2), puzzle: vad }.encode();
    let cases = [
        (&pgm, "\"target\":", "\"target\":8,\"t\":", "unknown field `t`"),
        (&pgm, "PGM_", "PGM_sweet.", "is not the name of a puzzle"),
        (&pgm, "\"broken\":[[", "\"broken\":[[7],[", "there is no triple 7"),
        (&pgm, "\"shapes\":[", "\"shapes\":[[9,0,0,0],", "no shape"),
        (&pgm, "\"lines\":[", "\"lines\":[[6,0],", "no line 6"),
        (&vad, "\"source\":[\"", "\"source\":[\"x", "is not an attribute"),
        (&vad, "\"completes\":[", "\"completes\":[null,", "completions of 5 choices, wanted 4"),
        (&vad, "\"panels\":[", "\"panels\":[{\"shapes\":[],\"lines\":[]},", "10 panels, wanted 9"),
    ];
    for (text, from, to, says) in cases {
        let changed = text.replacen(from, to, 1);
        assert_ne!(&changed, text, "{from}");
        let message = TruthLine::parse(&changed, 7).unwrap_err().to_string();
        assert!(message.starts_with("line 7: ") && message.contains(says), "{message}");
    }
}

fn fixtures(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder)
}

#[test]
fn every_form_in_circulation_is_read_as_the_same_puzzle() {
    let mut count = 0;
    for entry in fs::read_dir(fixtures("variants/relations")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (format, form) = name.split_once('-').unwrap();
        let format = Format::parse(format).unwrap();
        let file =
            parse(&fs::read(&path).unwrap(), format).unwrap_or_else(|e| panic!("{name}: {e}"));
        let panels: Vec<u8> = (0..format.panels() * 64)
            .map(|i| (37 * (i / 64) + 11 * (i / 8 % 8) + 3 * (i % 8)) as u8)
            .collect();
        assert_eq!(file.images.side(), 8, "{name}");
        assert_eq!(file.images.panels(), format.panels(), "{name}");
        assert_eq!(file.images.pixels(), panels, "{name}");
        assert_eq!(file.target, (form != "image-only").then_some(1), "{name}");
        let wanted = match format {
            Format::Pgm => &["shape position OR", "line type OR"][..],
            Format::Vad => &["shape color XOR"],
        };
        if form == "image-only" {
            assert_eq!(file.triples(), None, "{name}");
        } else {
            let found: Vec<String> =
                file.triples().unwrap().iter().map(Triple::to_string).collect();
            assert_eq!(found, wanted, "{name}");
        }
        let notes: Vec<String> = file.notes.iter().map(Note::to_string).collect();
        let odd: &[&str] = match form {
            "extra-member" => &["skipped: member `colors.npy` is not known"],
            "words-pickled" => {
                &["skipped: member `relation_structure` holds pickled Python objects"]
            }
            _ => &[],
        };
        assert_eq!(notes.len(), odd.len(), "{name}: {notes:?}");
        assert!(notes.iter().zip(odd).all(|(note, words)| note.starts_with(words)), "{notes:?}");
        // Neither the name nor anything but the file tells whose it is.
        let told = Format::of_npz(&fs::read(&path).unwrap()).unwrap();
        assert_eq!(told, Some(format), "{name}");
        count += 1;
    }
    assert!(count >= 60, "{count}");
}

/// An archive as `tar` writes it, of members that are not packed.
fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, bytes) in members {
        let mut header = [0u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|&b| u32::from(b)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        out.extend_from_slice(&header);
        out.extend_from_slice(bytes);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

#[test]
fn an_archive_is_read_as_a_stream_and_cut_off_at_any_byte_it_is_refused() {
    let file = small(Format::Pgm).encode();
    let whole = tar_of(&[
        ("neutral/PGM_neutral_train_0.npz", &file),
        ("neutral/README", b"nothing to see"),
        ("neutral/PGM_neutral_test_7.npz", &file),
    ]);
    for bytes in [whole.clone(), gz(&whole)] {
        let members = tar_gz::parse(&bytes).unwrap();
        let names: Vec<&str> = members.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["neutral/PGM_neutral_train_0.npz", "neutral/PGM_neutral_test_7.npz"]);
        assert!(members.iter().all(|m| m.bytes == file));
        for length in 0..bytes.len() {
            let format_error = tar_gz::parse(&bytes[..length]).unwrap_err();
            assert!(matches!(&format_error, FormatError::NotTar(_)), "{length}: {format_error}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("neutral.tar.gz");
    fs::write(&path, gz(&whole)).unwrap();
    let entries: Vec<_> = stream(&path).unwrap().map(Result::unwrap).collect();
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[1].path, path.join("neutral/PGM_neutral_test_7.npz"));
    assert_eq!(entries[1].name().unwrap().split(), Split::Test);
    assert_eq!(entries[1].read().unwrap(), small(Format::Pgm));
}

#[test]
fn long_names_and_sizes_in_extended_headers_are_read() {
    let file = small(Format::Vad).encode();
    let name = "analogy_novel.target.domain.shape.color_train_normal_599999.npz";
    let long = format!("{}/{name}", "a".repeat(120));
    let record = |text: String| {
        let length = (text.len() + 3..).find(|n| n.to_string().len() + 1 + text.len() == *n);
        format!("{} {text}", length.unwrap())
    };
    let header = record(format!("path={long}\n")) + &record(format!("size={}\n", file.len()));
    let mut bytes = tar_of(&[("header", header.as_bytes()), ("short.npz", &file)]);
    bytes[156] = b'x';
    let sum = |block: &mut [u8]| {
        block[148..156].fill(b' ');
        let sum: u32 = block[..512].iter().map(|&b| u32::from(b)).sum();
        block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    };
    sum(&mut bytes);
    let members = tar_gz::parse(&bytes).unwrap();
    assert_eq!(members[0].name, long);
    assert_eq!(members[0].bytes, file);
    assert!(Name::of_file(&members[0].name).is_some());
}

#[test]
fn a_flat_folder_comes_in_the_order_of_splits_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let file = small(Format::Pgm).encode();
    for name in ["train_10", "test_3", "train_9", "val_0"] {
        fs::write(folder.path().join(format!("PGM_neutral_{name}.npz")), &file).unwrap();
    }
    fs::write(folder.path().join("other.npz"), &file).unwrap();
    fs::create_dir(folder.path().join(".partial")).unwrap();
    fs::write(folder.path().join(".partial/PGM_neutral_train_1.npz"), "half").unwrap();
    let found: Vec<String> = stream(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let wanted = [
        "PGM_neutral_train_9",
        "PGM_neutral_train_10",
        "PGM_neutral_val_0",
        "PGM_neutral_test_3",
        "other",
    ];
    assert_eq!(found, wanted);
    assert_eq!(read(&folder.path().join("other.npz")).unwrap().format, Format::Pgm);
}

#[test]
fn a_folder_with_truth_comes_in_its_order_and_what_it_does_not_name_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = String::new();
    for index in [4, 2, 8] {
        let puzzle = puzzle(Format::Pgm, 0, index);
        let name = puzzle.name(index);
        let path = folder.path().join(format!("{name}.npz"));
        fs::write(path, RelationFile::of_puzzle(&puzzle).encode()).unwrap();
        lines += &(TruthLine { name, puzzle }.encode() + "\n");
    }
    fs::write(folder.path().join("truth.jsonl"), &lines).unwrap();
    fs::write(folder.path().join("PGM_neutral_train_0.npz"), small(Format::Pgm).encode()).unwrap();
    let files: Vec<_> = stream(folder.path()).unwrap().collect();
    let found = files[..3].iter().map(|e| e.as_ref().unwrap().name().unwrap().id());
    assert!(found.eq([4, 2, 8]));
    assert_eq!(files.len(), 4);
    let error = files[3].as_ref().unwrap_err().to_string();
    assert!(error.ends_with("truth.jsonl: 1 puzzles beside it are not in it"), "{error}");
    // As many lines as files, while one is named twice and another not at all.
    let twice = lines.clone() + lines.lines().next().unwrap() + "\n";
    fs::write(folder.path().join("truth.jsonl"), twice).unwrap();
    let error = stream(folder.path()).unwrap().find_map(Result::err).unwrap().to_string();
    let other = "it names other puzzles than those beside it, or one of them twice";
    assert!(error.ends_with(other), "{error}");
    // Every file is named, one of them twice.
    fs::remove_file(folder.path().join("PGM_neutral_train_0.npz")).unwrap();
    let error = stream(folder.path()).unwrap().find_map(Result::err).unwrap().to_string();
    assert!(error.ends_with(other), "{error}");
    // A file that is named and not there is whoever's who reads it.
    fs::write(folder.path().join("truth.jsonl"), &lines).unwrap();
    let name = puzzle(Format::Pgm, 0, 2).name(2);
    let missing = folder.path().join(format!("{name}.npz"));
    let bytes = fs::read(&missing).unwrap();
    fs::remove_file(&missing).unwrap();
    let files: Vec<_> = stream(folder.path()).unwrap().map(Result::unwrap).collect();
    assert!(files.len() == 3 && files[1].read().is_err());
    fs::write(&missing, bytes).unwrap();
    fs::write(folder.path().join("truth.jsonl"), lines + "{}").unwrap();
    let error = stream(folder.path()).unwrap().find_map(Result::err).unwrap().to_string();
    assert!(error.contains("truth.jsonl: line 4: missing field `file`"), "{error}");
}

#[test]
fn files_that_no_list_of_a_part_names_come_after_those_that_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("below");
    fs::create_dir(&below).unwrap();
    for index in 0..6 {
        let name = format!("{}.npz", puzzle(Format::Pgm, 0, index).name(index));
        fs::write(folder.path().join(&name), small(Format::Pgm).encode()).unwrap();
        fs::write(below.join(name), small(Format::Pgm).encode()).unwrap();
    }
    let line = |index: u64| {
        let puzzle = puzzle(Format::Pgm, 0, index);
        TruthLine { name: puzzle.name(index), puzzle }.encode() + "\n"
    };
    let write = |list: &str, text: String| fs::write(folder.path().join(list), text).unwrap();
    write("truth-train.jsonl", line(4) + &line(1));
    write("truth-val.jsonl", line(2));
    let ids = || -> Vec<(u64, bool)> {
        let files = stream(folder.path()).unwrap().map(Result::unwrap);
        files.map(|e| (e.name().unwrap().id(), e.truth.is_some())).collect()
    };
    let own = [(4, true), (1, true), (2, true), (0, false), (3, false), (5, false)];
    let others = (0..6).map(|id| (id, false));
    assert!(own.into_iter().chain(others).eq(ids()), "{:?}", ids());
    write("truth-val.jsonl", line(1));
    let error = stream(folder.path()).unwrap().find_map(Result::err).unwrap().to_string();
    assert!(error.ends_with("or one of them twice"), "{error}");
}

/// What an audit says about a file, its name and its truth.
fn said(file: &RelationFile, name: Name, truth: &TruthLine) -> Vec<String> {
    contradictions(file, Some(name), Some(truth), &Conditions::default())
}

#[test]
fn what_file_and_truth_say_against_each_other_is_named_and_nothing_else() {
    for format in Format::ALL {
        for (seed, index) in [(0, 0), (2, 3), (2, 4), (1, 1)] {
            let puzzle = puzzle(format, seed, index);
            let name = puzzle.name(index);
            let truth = TruthLine { name, puzzle: puzzle.clone() };
            let file = RelationFile::of_puzzle(&puzzle);
            let audit = |file: &RelationFile, truth: &TruthLine| said(file, name, truth);
            assert_eq!(audit(&file, &truth), [""; 0], "{name}");

            let mut wrong = file.clone();
            wrong.target = Some((puzzle.target() + 1) % 4);
            assert_eq!(audit(&wrong, &truth), ["target and truth name different choices"]);

            let mut pixels = file.images.pixels().to_vec();
            pixels[3] ^= 1;
            let wrong = RelationFile {
                images: Images::of_panels(format.panels(), 160, pixels),
                ..file.clone()
            };
            assert_eq!(audit(&wrong, &truth), ["panel 1 is not the picture of its scene"]);

            let wrong = RelationFile { named: None, encoded: None, ..file.clone() };
            let problem = "relation_structure and truth name different relations";
            assert_eq!(audit(&wrong, &truth), [problem]);

            let mut other = truth.clone();
            match &mut other.puzzle {
                RelationPuzzle::Pgm(p) => p.target = (p.target + 1) % 8,
                RelationPuzzle::Vad(p) => p.target = (p.target + 1) % 4,
            }
            assert_eq!(audit(&file, &other)[0], "target and truth name different choices");

            let mut other = truth.clone();
            match &mut other.puzzle {
                RelationPuzzle::Pgm(p) => {
                    p.broken.swap(usize::from(p.target), usize::from(p.target + 1) % 8);
                    let problems = audit(&file, &other);
                    assert!(problems[0].contains("breaks other relations than the truth says"));
                }
                RelationPuzzle::Vad(p) => {
                    p.completes[usize::from(p.target)] = None;
                    let number = p.target + 1;
                    let problem =
                        format!("choice {number} completes another relation than the truth says");
                    assert_eq!(audit(&file, &other), [problem]);
                }
            }
        }
    }
}

#[test]
fn a_file_with_the_truth_of_another_family_is_named() {
    let [pgm, vad] = Format::ALL.map(|format| puzzle(format, 0, 0));
    let (name, file) = (pgm.name(0), RelationFile::of_puzzle(&pgm));
    let truth = TruthLine { name: vad.name(0), puzzle: vad };
    assert_eq!(said(&file, name, &truth), ["its truth is of vad"]);
}

#[test]
fn the_panels_of_another_family_than_the_name_says_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let lies = [("PGM_0", Format::Vad, "16 square panels"), ("analogy_0", Format::Pgm, "9 square")];
    for (name, format, wanted) in lies {
        let path = folder.path().join(format!("{name}.npz"));
        fs::write(&path, small(format).encode()).unwrap();
        let found: Vec<_> = sources(&[path]).map(Result::unwrap).collect();
        let read = found[0].format().unwrap();
        assert_ne!(read.family().id(), format.name(), "{name}");
        for error in [read.pixels(&found[0]).unwrap_err(), read.whole(&found[0]).unwrap_err()] {
            assert!(error.to_string().contains(wanted), "{error}");
        }
        assert!(examine(&found[0]).problems[0].contains(wanted), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_in_a_folder_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let (pipe, device) = ("PGM_neutral_test_0.npz", "PGM_neutral_test_1.npz");
    let made = std::process::Command::new("mkfifo").arg(folder.path().join(pipe)).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no mkfifo here");
        return;
    }
    std::os::unix::fs::symlink("/dev/zero", folder.path().join(device)).unwrap();
    let found: Vec<_> = sources(&[folder.path().to_owned()]).map(Result::unwrap).collect();
    assert_eq!(found.len(), 2);
    for source in found {
        let problem = &examine(&source).problems[0];
        assert!(problem.contains("a pipe, socket or device, not a file"), "{problem}");
    }
}

#[test]
fn a_family_that_a_user_names_wins_over_names_and_members() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("RAVEN_0_test.npz");
    let made = RelationFile::of_puzzle(&puzzle(Format::Pgm, 3, 0));
    fs::write(&path, made.encode()).unwrap();
    let read = |family| {
        let found =
            FoundPuzzles::from(gather_all(std::slice::from_ref(&path)).unwrap()).as_family(family);
        let mut stream = PuzzleStream::of(found.sources);
        stream.block(1).unwrap().read_files(|family, file| Ok((family.id(), file.sheet.form)))
    };
    assert_eq!(read(None)[0].made.as_ref().unwrap().0, "raven");
    assert_eq!(read(family_named("pgm"))[0].made.as_ref().unwrap().0, "pgm");
    let error = read(family_named("vad")).remove(0).made.unwrap_err().to_string();
    assert!(error.contains("9 square panels"), "{error}");
}

#[test]
fn an_attribute_that_is_wrongly_said_to_distract_or_not_is_named() {
    let mut seen = [0, 0];
    for index in 0..40 {
        let puzzle = puzzle(Format::Pgm, 0, index);
        let (name, file) = (puzzle.name(index), RelationFile::of_puzzle(&puzzle));
        let RelationPuzzle::Pgm(p) = &puzzle else { panic!("PGM") };
        for attribute in Attribute::ALL {
            let mut other = p.clone();
            let distracts = &mut other.distracting[attribute.index()];
            *distracts = !*distracts;
            let was_distracting = p.distracting[attribute.index()];
            let truth = TruthLine { name, puzzle: RelationPuzzle::Pgm(other) };
            let problems = said(&file, name, &truth);
            let governs = p.structure.iter().any(|g| g.triple.attribute == attribute);
            if governs {
                assert_eq!(problems, [format!("{attribute} is governed, but said to distract")]);
                seen[0] += 1;
            } else if was_distracting {
                // By chance, what distracts may be the same everywhere.
                let problem = format!("{attribute} changes, but is not said to distract");
                assert!(problems.is_empty() || problems == [problem], "{problems:?}");
                seen[1] += problems.len();
            }
        }
    }
    assert!(seen.iter().all(|&n| n >= 40), "{seen:?}");
}

#[test]
fn colors_and_sizes_of_another_split_are_named() {
    let maker = |split| pgm::Maker::new(pgm::Request::new(pgm::Regime::Extrapolation, split));
    let mut puzzle = maker(Split::Test).unwrap().puzzle(1, 0).unwrap();
    let file = RelationFile::of_puzzle(&RelationPuzzle::Pgm(puzzle.clone()));
    puzzle.split = Split::Train;
    let puzzle = RelationPuzzle::Pgm(puzzle);
    let name = puzzle.name(0);
    let problems = said(&file, name, &TruthLine { name, puzzle });
    assert!(problems.iter().any(|p| p.ends_with("of another split")), "{problems:?}");
}

#[test]
fn a_truth_in_which_a_choice_completes_a_union_is_refused() {
    let mut puzzle = puzzle(Format::Vad, 2, 2);
    if let RelationPuzzle::Vad(p) = &mut puzzle {
        p.completes[0] = Some(Relation::Union);
    }
    let text = TruthLine { name: puzzle.name(2), puzzle }.encode();
    let message = TruthLine::parse(&text, 1).unwrap_err().to_string();
    assert!(message.ends_with("no choice of VAD completes a consistent_union"), "{message}");
}

/// A list of what is held out that cannot be one is no list that says nothing.
#[test]
fn a_manifest_with_a_list_that_its_regime_cannot_hold_out_is_refused() {
    let plan = |maker: RelationMaker, list: &[&str]| {
        let mut plan = RelationPlan::new(&[maker], 1, 1);
        if !list.is_empty() {
            plan.held_out = list.iter().map(|line| (*line).to_owned()).collect();
        }
        Conditions::of(plan)
    };
    let pgm = |regime| {
        let request = pgm::Request::new(regime, Split::Train);
        RelationMaker::Pgm(pgm::Maker::new(request).unwrap())
    };
    let vad = |regime| {
        let request = vad::Request::new(regime, Split::Train, ChoiceKind::Lbc);
        RelationMaker::Vad(vad::Maker::new(request).unwrap())
    };
    use {pgm::Regime as Pgm, vad::Regime as Vad};
    for regime in Pgm::ALL {
        assert!(plan(pgm(regime), &[]).is_ok(), "{regime}");
    }
    for regime in Vad::ALL {
        assert!(plan(vad(regime), &[]).is_ok(), "{regime}");
    }
    let said = |found: Result<Conditions, FormatError>| found.unwrap_err().to_string();
    let message = said(plan(pgm(Pgm::HeldOutTriples), &["shape taste XOR"]));
    assert!(message.contains("held_out: ") && message.contains("`shape taste`"), "{message}");
    let message = said(plan(pgm(Pgm::Neutral), &["shape color XOR"]));
    assert!(message.contains("held_out: "), "{message}");
    let message = said(plan(pgm(Pgm::HeldOutTriples), &["shape color XOR"; 2]));
    assert!(message.contains("listed twice"), "{message}");
    let message = said(plan(vad(Vad::DomainTransfer), &["shape number -> shape position"]));
    assert!(message.contains("no relation leads from"), "{message}");
}

/// A puzzle's file as a command finds it, alone in its folder or beside its truth.
fn examined(file: &RelationFile, name: Name, truth: Option<&TruthLine>) -> PuzzleAudit {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(format!("{name}.npz")), file.encode()).unwrap();
    if let Some(truth) = truth {
        fs::write(folder.path().join("truth.jsonl"), truth.encode() + "\n").unwrap();
    }
    let mut sources = sources(&[folder.path().to_owned()]);
    let source = sources.next().unwrap().unwrap();
    assert!(sources.next().is_none());
    examine(&source)
}

#[test]
fn a_puzzle_that_is_drawn_otherwise_is_neither_sound_nor_unsound() {
    for format in Format::ALL {
        let puzzle = puzzle(format, 0, 1);
        let name = puzzle.name(1);
        let mut file = RelationFile::of_puzzle(&puzzle);
        let good = examined(&file, name, None);
        assert!(good.is_examined && good.problems.is_empty(), "{format}: {good:?}");
        // Every third row of pixels a little darker, as no panel of ours has it.
        let mut pixels = file.images.pixels().to_vec();
        for (at, pixel) in pixels.iter_mut().enumerate() {
            *pixel -= if at / 160 % 3 == 0 { *pixel / 20 } else { 0 };
        }
        file.images = Images::of_panels(format.panels(), 160, pixels);
        file.target = file.target.map(|target| (target + 1) % 4);
        let found = examined(&file, name, None);
        assert!(!found.is_examined && found.problems.is_empty(), "{format}: {found:?}");
    }
}

#[test]
fn panels_of_another_size_are_compared_with_averages_of_the_truth() {
    for format in Format::ALL {
        let puzzle = puzzle(format, 0, 1);
        let name = puzzle.name(1);
        let truth = TruthLine { name, puzzle: puzzle.clone() };
        let full = RelationFile::of_puzzle(&puzzle);
        let (panels, side) = (format.panels(), 80);
        let mut pixels = Vec::new();
        for index in 0..panels {
            for at in 0..side * side {
                let (x, y) = (2 * (at % side), 2 * (at / side));
                let panel = full.images.panel(index);
                let four = [0, 1, 160, 161].map(|step| u32::from(panel[160 * y + x + step]));
                pixels.push(((four.iter().sum::<u32>() + 2) / 4) as u8);
            }
        }
        let with = |pixels: Vec<u8>| {
            let images = Images::of_panels(panels, side, pixels);
            examined(&RelationFile { images, ..full.clone() }, name, Some(&truth))
        };
        let found = with(pixels.clone());
        assert!(found.is_examined && found.problems.is_empty(), "{format}: {found:?}");
        let noise = (0..pixels.len()).map(|i| (i * 7 % 251) as u8).collect();
        let found = with(noise);
        assert!(!found.is_examined, "{format}: {found:?}");
    }
}

#[test]
fn rows_of_a_table_have_names_of_their_own_and_their_members_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.parquet");
    let mut writer = RelationTableWriter::create(&path, false).unwrap();
    let good = small(Format::Pgm);
    for _ in 0..150 {
        writer.put("x", &good, None).unwrap();
    }
    let color = Triple::parse("shape", "color", "AND").unwrap();
    let other = RelationFile { encoded: Some(vec![color]), ..good.clone() };
    writer.put("x", &other, None).unwrap();
    let many = RelationFile { named: Some(vec![color; 5]), ..good.clone() };
    writer.put("x", &many, None).unwrap();
    writer.put("x", &good, None).unwrap();
    writer.finish().unwrap();
    let found: Vec<_> = sources(&[path]).map(Result::unwrap).collect();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let names: Vec<String> = found.iter().map(|source| name(&source.path)).collect();
    let wanted: Vec<String> = (0..151).map(|row| format!("pgm_table_{row}.npz")).collect();
    assert_eq!(names[..151], wanted);
    let notes = found[150].read_relations(Format::Pgm).unwrap().notes;
    assert!(notes[0].to_string().contains("`relation_structure_encoded` says shape color AND"));
    let error = found[151].read_relations(Format::Pgm).unwrap_err().to_string();
    assert!(error.ends_with("table.parquet: row 151: 5 triples, wanted at most 4"), "{error}");
    assert_eq!(names.len(), 153, "a row follows the bad one");
    assert_eq!(found[152].read_relations(Format::Pgm).unwrap(), small(Format::Pgm));
}

#[test]
fn a_block_of_rows_that_cannot_be_read_is_named_and_the_next_one_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.parquet");
    let mut writer = RelationTableWriter::create(&path, false).unwrap();
    for _ in 0..150 {
        writer.put("x", &small(Format::Vad), None).unwrap();
    }
    writer.finish().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    // The first page of the first column begins after the four letters of the format.
    bytes[4..40].fill(0xff);
    let rows: Vec<_> = parse_relations(bytes).unwrap().rows.collect();
    let error = rows[0].as_ref().unwrap_err().to_string();
    assert!(error.contains("rows 0 to 99: "), "{error}");
    let numbers: Vec<usize> = rows[1..].iter().map(|row| row.as_ref().unwrap().number).collect();
    assert_eq!(numbers, (100..150).collect::<Vec<_>>());
}

#[test]
fn a_page_over_which_the_parquet_library_panics_is_a_damaged_table() {
    let bytes = fs::read(fixtures("attacks/tables/dictionary-cut.parquet")).unwrap();
    let table = parse_relations(bytes).unwrap();
    let errors: Vec<String> =
        table.rows.map(|row| row.map(drop).unwrap_err().to_string()).collect();
    assert!(!errors.is_empty() && errors.iter().all(|e| e.contains("damaged")), "{errors:?}");
}

#[test]
fn a_table_cut_off_at_any_byte_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.parquet");
    let mut writer = RelationTableWriter::create(&path, false).unwrap();
    writer.put("x", &small(Format::Vad), None).unwrap();
    writer.finish().unwrap();
    let whole = fs::read(&path).unwrap();
    assert_eq!(parse_relations(whole.clone()).unwrap().rows.count(), 1);
    for length in 0..whole.len() {
        assert!(parse_relations(whole[..length].to_vec()).is_err(), "{length}");
    }
}

#[test]
fn a_relation_that_vad_cannot_have_is_named() {
    let puzzle = puzzle(Format::Vad, 0, 1);
    let name = puzzle.name(1);
    let said = |attribute, relation| {
        let triples = vec![Triple { attribute, relation }];
        let file = RelationFile::of_puzzle(&puzzle).with_truth(puzzle.target(), triples);
        examined(&file, name, None).problems
    };
    use Attribute::{LineType, ShapeColor, ShapeNumber, ShapePosition};
    use Relation::{And, Or, Progression, Union, Xor};
    assert_eq!(said(ShapeColor, Union), ["vad has no shape color consistent_union"]);
    for relation in [Xor, Or, And] {
        assert_eq!(said(ShapeNumber, relation), [format!("vad has no shape number {relation}")]);
    }
    for attribute in [ShapePosition, LineType] {
        let problem = format!("no puzzle that is drawn as this one has {attribute} progression");
        assert_eq!(said(attribute, Progression), [problem]);
    }
}

/// Tables of another program, with pages of either version, packed or not.
#[test]
fn tables_that_arrow_wrote_are_read() {
    let mut count = 0;
    for entry in fs::read_dir(fixtures("../fuzz/seeds/table")).unwrap() {
        let path = entry.unwrap().path();
        // What fuzzing found is no table of anybody's.
        if path.ends_with("dictionary-cut.parquet") {
            continue;
        }
        for row in read_relations(&path).unwrap().unwrap().rows {
            let row = row.unwrap();
            let file = row.read().unwrap();
            let (format, panels) = (row.format, row.format.panels());
            assert_eq!((file.images.side(), file.images.panels()), (2, panels), "{path:?}");
            assert_eq!((file.target, file.notes.len()), (Some(1), 0), "{path:?}");
            assert_eq!((file.named.as_ref(), row.name.is_some()), (file.encoded.as_ref(), true));
            assert_eq!(file.meta_target.is_some(), format == Format::Pgm, "{path:?}");
            count += 1;
        }
    }
    assert_eq!(count, 12);
}
