//! `genvp solve` with the model in the box.

use std::fs;
use std::path::Path;

use genvp_puzzle::{Layout, Set, render};
use serde_json::Value;

use crate::command::{genvp_in, json, stderr, stdout, succeed};
use crate::puzzles::{encode, puzzle, sheet, write_npz};

#[test]
fn a_folder_gives_a_line_a_puzzle_and_a_summary_last() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    succeed(root, &["dataset", "make", "iraven", "-n", "10", "--out", "set"]);
    let lines = json(root, &["solve", "set", "--json", "--batch", "16"]);
    assert_eq!(lines.len(), 71);
    let mut right = 0;
    for line in &lines[..70] {
        let mut fields: Vec<&String> = line.as_object().unwrap().keys().collect();
        fields.sort();
        assert_eq!(fields, ["answer", "file", "layout", "rules", "scores", "target"]);
        let scores: Vec<f64> =
            line["scores"].as_array().unwrap().iter().map(|s| s.as_f64().unwrap()).collect();
        let answer = line["answer"].as_u64().unwrap() as usize;
        assert_eq!(scores.len(), 8);
        assert!(scores.iter().all(|s| *s <= scores[answer] + 1e-6));
        assert!(line["file"].as_str().unwrap().contains(line["layout"].as_str().unwrap()));
        right += u64::from(line["answer"] == line["target"]);
    }
    let summary = &lines[70]["summary"];
    assert_eq!(summary["n"], 70);
    let accuracy = summary["accuracy"].as_f64().unwrap();
    assert!((accuracy - 100.0 * right as f64 / 70.0).abs() < 1e-9);
    let layouts: Vec<&String> = summary["per_layout"].as_object().unwrap().keys().collect();
    let mut folders = Layout::ALL.map(Layout::folder);
    folders.sort_unstable();
    assert_eq!(layouts, folders);
    // Neither the size of a batch nor the number of threads changes an answer.
    let answers = |lines: &[Value]| lines.iter().map(|l| l["answer"].clone()).collect::<Vec<_>>();
    let others = json(root, &["solve", "set", "--json", "--batch", "7", "--threads", "1"]);
    assert_eq!(answers(&lines), answers(&others));
}

#[test]
fn files_with_foreign_or_odd_members_are_solved_from_their_image() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let names = ["image-only.npz", "pgm.npz", "odd-meta-target.npz", "odd-predict.npz"];
    for name in names {
        let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/variants");
        fs::copy(Path::new(fixtures).join(name), root.join(name)).unwrap();
    }
    for exact in [&["--json"][..], &["--json", "--exact"]] {
        let lines = json(root, &[&["solve"], &names[..], exact].concat());
        for line in &lines[1..names.len()] {
            assert_eq!(line["scores"], lines[0]["scores"], "{line}");
            assert_eq!(line["target"], 5, "{line}");
        }
        let args = [&["solve", "pgm.npz", "-v"], exact].concat();
        let told = stderr(&genvp_in(root, &args));
        let note = "pgm.npz: skipped: member `meta_target`: shape (12,), wanted (9,)";
        assert!(told.contains(note), "{told}");
        let args = [&["solve", "pgm.npz"], exact].concat();
        assert!(!stderr(&genvp_in(root, &args)).contains("skipped"));
    }
}

#[test]
fn files_of_another_family_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let make = ["dataset", "make", "pgm", "--regime", "neutral", "--split", "test"];
    succeed(root, &[&make[..], &["-n", "2", "--out", "PGM"]].concat());
    let make = ["dataset", "make", "vad", "--regime", "interpolation"];
    succeed(root, &[&make[..], &["-n", "2", "--out", "VAD"]].concat());
    write_npz(&root.join("RAVEN_0_train.npz"), &puzzle(Layout::CenterSingle, 0));
    let told = |args: &[&str]| {
        let output = genvp_in(root, args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        stderr(&output)
    };
    for command in ["solve", "rules"] {
        let warned = told(&[command, "PGM", "--model", "raven-cpu-64"]);
        assert!(warned.contains("warning: files named as puzzles of pgm: 2;"), "{warned}");
        assert!(!told(&[command, "RAVEN_0_train.npz"]).contains("files named"));
        // Without a name they are given to the box's model of their family.
        let lines = json(root, &[command, "PGM", "--json"]);
        let named = json(root, &[command, "PGM", "--json", "--model", "pgm-64-cpu"]);
        assert!(lines.len() >= 2 && lines[0]["rules"].is_string(), "{lines:?}");
        assert_eq!(lines, named);
        let lines = json(root, &[command, "VAD", "--json"]);
        assert_eq!(lines, json(root, &[command, "VAD", "--json", "--model", "vad-64-cpu"]));
    }
    assert!(!told(&["solve", "--exact", "PGM"]).contains("files named"));
}

#[test]
fn the_answer_comes_from_the_pixels_alone() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let honest = puzzle(Layout::OutInCenter, 0);
    write_npz(&root.join("honest.npz"), &honest);
    let mut lying = honest.clone();
    lying.target = honest.target.map(|t| (t + 3) % 8);
    lying.predict = Some(vec![(honest.target.unwrap() + 5) % 8]);
    lying.meta_matrix = Some([[1; 9]; 8]);
    write_npz(&root.join("lying.npz"), &lying);
    let bare = genvp_data::StoredPuzzle::of_images(honest.images.clone());
    write_npz(&root.join("bare.npz"), &bare);
    let lines = json(root, &["solve", "honest.npz", "lying.npz", "bare.npz", "--json"]);
    for line in &lines[1..3] {
        assert_eq!(line["scores"], lines[0]["scores"]);
        assert_eq!(line["answer"], lines[0]["answer"]);
    }
    assert_eq!(lines[2]["target"], Value::Null);
    let alone = json(root, &["solve", "bare.npz", "--json"]);
    assert_eq!(alone[1]["summary"]["accuracy"], Value::Null);
}

#[test]
fn a_puzzle_gets_the_same_scores_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let stored = puzzle(Layout::OutInGrid, 1);
    let images = &stored.images;
    write_npz(&root.join("puzzle.npz"), &stored);
    let whole = sheet(images, 0..16, 4);
    fs::write(root.join("grey.png"), whole.encode()).unwrap();
    fs::write(root.join("color.png"), encode(&whole, png::ColorType::Rgb)).unwrap();
    fs::write(root.join("alpha.png"), encode(&whole, png::ColorType::Rgba)).unwrap();
    fs::write(root.join("wide.png"), sheet(images, 0..16, 8).encode()).unwrap();
    fs::write(root.join("question.png"), sheet(images, 0..8, 3).encode()).unwrap();
    fs::write(root.join("choices.png"), sheet(images, 8..16, 4).encode()).unwrap();
    for (name, files) in [("panels", 16), ("pair", 2)] {
        fs::create_dir(root.join(name)).unwrap();
        for i in 0..files {
            let (path, picture) = if files == 16 {
                (format!("{name}/panel{i}.png"), sheet(images, i..i + 1, 1))
            } else {
                let panels = i * 8..i * 8 + 8;
                (
                    format!("{name}/{}.png", ["a-question", "b-choices"][i]),
                    sheet(images, panels, 4 - (1 - i)),
                )
            };
            fs::write(root.join(path), picture.encode()).unwrap();
        }
    }
    let wanted = &json(root, &["solve", "puzzle.npz", "--json"])[0];
    for form in [
        &["grey.png"][..],
        &["color.png"],
        &["alpha.png"],
        &["wide.png"],
        &["question.png", "choices.png"],
        &["choices.png", "question.png"],
        &["panels"],
        &["pair"],
    ] {
        let lines = json(root, &[&["solve", "--json"], form].concat());
        assert_eq!(lines.len(), 2, "{form:?} is one puzzle");
        assert_eq!(lines[0]["scores"], wanted["scores"], "{form:?}");
        assert_eq!(lines[0]["target"], Value::Null);
    }
}

#[test]
fn a_table_is_solved_row_by_row() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    succeed(root, &["dataset", "make", "iraven", "-n", "3", "--layout", "c-s", "--out", "set"]);
    succeed(root, &["dataset", "convert", "set", "--to", "parquet", "--out", "tables"]);
    let files = json(root, &["solve", "set", "--json"]);
    let rows = json(root, &["solve", "tables", "--json", "--batch", "2"]);
    assert_eq!((files.len(), rows.len()), (4, 4));
    for (file, row) in files[..3].iter().zip(&rows) {
        assert_eq!(file["scores"], row["scores"]);
        assert_eq!(file["target"], row["target"]);
        assert!(row["file"].as_str().unwrap().contains(".parquet#"), "{row}");
    }
}

#[test]
fn an_explanation_shows_experts_and_what_the_others_lose() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write_npz(&root.join("p.npz"), &puzzle(Layout::LeftRight, 0));
    let text = succeed(root, &["solve", "p.npz", "--explain"]);
    for words in ["l-r", "% sure", "full", "context", "rows", "row-latents", "keeps the most rules"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let rows = text
        .lines()
        .filter(|line| line.get(1..).is_some_and(|l| l.starts_with(" choice ")))
        .count();
    assert_eq!(rows, 8, "{text}");
    let line = &json(root, &["solve", "p.npz", "--explain", "--json"])[0];
    assert_eq!(line["read_layout"], "left_center_single_right_center_single");
    assert_eq!(line["experts"].as_object().unwrap().len(), 14);
    assert_eq!(line["broken"].as_array().unwrap().len(), 8);
    assert!(line["rules"].as_str().unwrap().contains("left.type="));
    assert!((0.0..=1.0).contains(&line["confidence"].as_f64().unwrap()));
}

#[test]
fn a_blank_puzzle_is_answered_without_confidence() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let white = genvp_data::Images::new(render::SIDE, vec![255; 16 * render::SIDE * render::SIDE]);
    let blank = genvp_data::StoredPuzzle::of_images(white);
    fs::write(root.join("white.npz"), blank.encode_npz(Set::IRaven)).unwrap();
    let line = &json(root, &["solve", "white.npz", "--json", "--confidence"])[0];
    assert!(line["confidence"].as_f64().unwrap() < 0.2, "{line}");
    assert!(succeed(root, &["solve", "white.npz"]).contains(" % sure"));
}

#[test]
fn a_reader_that_hangs_up_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write_npz(&root.join("p.npz"), &puzzle(Layout::CenterSingle, 0));
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_genvp"))
        .args(["solve", "p.npz", "--json"])
        .current_dir(root)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(run.stdout.take());
    let output = run.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    assert_eq!(stdout(&genvp_in(root, &["solve", "p.npz", "-q"])).lines().count(), 1);
}
