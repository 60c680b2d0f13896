//! The files of PGM and VAD: what is written is read back, whatever it is; every
//! form in circulation is read; what is cut off is refused.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use genvp_data::relations::{
    Conditions, Format, Name, RelationFile, RelationPuzzle, Truth, contradictions, parse, read,
    stream,
};
use genvp_data::{FormatError, Images, Note, tar_gz};
use genvp_puzzle::relations::{Split, Triple};
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
        let truth = Truth { name: puzzle.name(index), puzzle };
        prop_assert_eq!(Truth::parse(&truth.encode(), 1).unwrap(), truth);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for format in Format::ALL {
            let _ = parse(&bytes, format);
        }
        let _ = Format::of_npz(&bytes);
        let _ = tar_gz::parse(&bytes);
        let _ = Truth::parse(&String::from_utf8_lossy(&bytes), 1);
    }
}

#[test]
fn the_header_says_the_originals_wrong_shape_and_words_are_as_wide_as_they_need() {
    let pgm = small(Format::Pgm);
    let bytes = pgm.encode();
    let has = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|w| w == text.as_bytes());
    // Deflated members do not show their headers, so the file is told by its reading.
    assert_eq!(Format::of_npz(&bytes), Ok(Some(Format::Pgm)));
    assert_eq!(Format::of_npz(&small(Format::Vad).encode()), Ok(Some(Format::Vad)));
    assert!(has(&bytes, "relation_structure_encoded.npy") && has(&bytes, "meta_target.npy"));
    assert!(!has(&small(Format::Vad).encode(), "meta_target.npy"));
    let bits = |o, a, r| Triple::parse(o, a, r).unwrap();
    let triples = vec![bits("shape", "position", "OR"), bits("line", "type", "OR")];
    let file = RelationFile::of_images(Format::Pgm, pgm.images).with_truth(0, triples);
    assert_eq!(file.meta_target, Some(0b0010_0101_0011), "110010100100 from bit 0 on");
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
        let text = Truth { name: puzzle.name(2), puzzle }.encode();
        for length in 0..text.len() {
            assert!(Truth::parse(&text[..length], 1).is_err(), "{length}");
        }
    }
}

#[test]
fn a_truth_that_contradicts_itself_is_refused() {
    let pgm = puzzle(Format::Pgm, 2, 2);
    let pgm = Truth { name: pgm.name(2), puzzle: pgm }.encode();
    let vad = puzzle(Format::Vad, 2, 2);
    let vad = Truth { name: vad.name(2), puzzle: vad }.encode();
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
        let message = Truth::parse(&changed, 7).unwrap_err().to_string();
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
        let unknown = matches!(name.as_str(), "pgm-flat" | "pgm-fixed") && file.triples().is_none();
        assert_eq!(told, (!unknown).then_some(format), "{name}");
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
        lines += &(Truth { name, puzzle }.encode() + "\n");
    }
    fs::write(folder.path().join("truth.jsonl"), &lines).unwrap();
    fs::write(folder.path().join("PGM_neutral_train_0.npz"), small(Format::Pgm).encode()).unwrap();
    let files: Vec<_> = stream(folder.path()).unwrap().collect();
    let found = files[..3].iter().map(|e| e.as_ref().unwrap().name().unwrap().id());
    assert!(found.eq([4, 2, 8]));
    assert_eq!(files.len(), 4);
    let error = files[3].as_ref().unwrap_err().to_string();
    assert!(error.ends_with("truth.jsonl: 1 puzzles beside it are not in it"), "{error}");
    fs::write(folder.path().join("truth.jsonl"), lines + "{}").unwrap();
    let error = stream(folder.path()).unwrap().find_map(Result::err).unwrap().to_string();
    assert!(error.contains("truth.jsonl: line 4: missing field `file`"), "{error}");
}

/// Every way in which a file and its truth can be at odds.
#[test]
fn what_file_and_truth_say_against_each_other_is_named_and_nothing_else() {
    for format in Format::ALL {
        for (seed, index) in [(0, 0), (2, 3), (2, 4), (1, 1)] {
            let puzzle = puzzle(format, seed, index);
            let name = puzzle.name(index);
            let truth = Truth { name, puzzle: puzzle.clone() };
            let file = RelationFile::of_puzzle(&puzzle);
            let audit = |file: &RelationFile, truth: &Truth| {
                contradictions(file, Some(name), Some(truth), &Conditions::default())
            };
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

            let mut other = truth.clone();
            match &mut other.puzzle {
                RelationPuzzle::Pgm(p) => p.target = (p.target + 1) % 8,
                RelationPuzzle::Vad(p) => p.target = (p.target + 1) % 4,
            }
            assert_eq!(audit(&file, &other), ["target and truth name different choices"]);

            let mut other = truth.clone();
            if let RelationPuzzle::Pgm(p) = &mut other.puzzle {
                p.broken.swap(usize::from(p.target), usize::from(p.target + 1) % 8);
                let problems = audit(&file, &other);
                assert!(problems[0].contains("breaks other relations than the truth says"));
            }
        }
    }
}
