//! Files of every family are checked, counted, shown and solved by the same commands.

use std::fs;
use std::path::Path;

use genvp_data::relations::{RelationFile, RelationPuzzle};
use genvp_puzzle::family::Split;
use genvp_puzzle::vad::ChoiceKind;
use genvp_puzzle::{pgm, vad};
use serde_json::Value;

use crate::command::{genvp, lines, stdout, succeed};

/// `n` puzzles of two regimes of either family, and whether each was broken.
fn write_puzzles(root: &Path, n: u64) {
    for index in 0..n {
        for regime in [pgm::Regime::Neutral, pgm::Regime::Extrapolation] {
            let maker = pgm::Maker::new(pgm::Request::new(regime, Split::Test)).expect("plain");
            let puzzle = maker.puzzle(3, index).expect("a puzzle");
            write(root, &RelationPuzzle::Pgm(puzzle), index);
        }
        let request = vad::Request::new(vad::Regime::Interpolation, Split::Train, ChoiceKind::Lbc);
        let puzzle = vad::Maker::new(request).expect("plain").puzzle(3, index).expect("a puzzle");
        write(root, &RelationPuzzle::Vad(puzzle), index);
    }
}

fn write(root: &Path, puzzle: &RelationPuzzle, index: u64) {
    let path = root.join(format!("{}.npz", puzzle.name(index)));
    fs::write(path, RelationFile::of_puzzle(puzzle).encode()).expect("a file");
}

#[test]
fn pgm_and_vad_are_checked_counted_and_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().to_str().expect("UTF-8");
    write_puzzles(folder.path(), 4);

    let checked = &lines(&succeed(&["dataset", "check", root, "--json"]))[0];
    assert_eq!(
        (&checked["n"], &checked["sound"], &checked["audited"]),
        (&12.into(), &12.into(), &12.into())
    );
    assert_eq!(checked["per_stratum"]["pgm/extrapolation"]["n"], 4);

    let counted = &lines(&succeed(&["dataset", "stats", root, "--json"]))[0]["per_stratum"];
    assert_eq!(counted["pgm/neutral"]["targets"].as_array().map(Vec::len), Some(8));
    assert_eq!(counted["vad/interpolation"]["targets"].as_array().map(Vec::len), Some(4));
    let told = succeed(&["dataset", "stats", root]);
    assert!(told.contains("right choice is number 1 to 4: "), "{told}");

    let solved = lines(&succeed(&["solve", "--exact", "--explain", root, "--json"]));
    for line in &solved[..12] {
        assert_eq!(line["answer"], line["target"], "{line}");
        assert_eq!(line["layout"], Value::Null);
        assert!(line["stratum"].is_string() && line["rules"].is_string(), "{line}");
        assert_eq!(
            line["scores"].as_array().map(Vec::len),
            line["broken"].as_array().map(Vec::len)
        );
    }
    let summary = &solved[12]["summary"];
    assert_eq!(summary["per_stratum"]["pgm/neutral"], 100.0);
    assert_eq!(summary["per_layout"], serde_json::json!({}));
}

#[test]
fn pgm_and_vad_are_shown_and_explained_to_people() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().to_str().expect("UTF-8");
    write_puzzles(folder.path(), 1);
    let picture = folder.path().join("sheet.png");
    succeed(&["dataset", "show", root, "-n", "3", "--out", picture.to_str().expect("UTF-8")]);
    assert!(fs::metadata(&picture).expect("a picture").len() > 1000);
    let drawn = succeed(&["dataset", "show", root, "-n", "3"]);
    assert!(drawn.contains("shape: ") || drawn.contains("line: "), "{drawn}");
    let told = succeed(&["solve", "--exact", "--explain", root]);
    assert!(told.contains(" bits  fits") && told.contains(" asks for "), "{told}");
}

#[test]
fn a_choice_that_is_said_to_be_right_and_is_not_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let maker = pgm::Maker::new(pgm::Request::new(pgm::Regime::Neutral, Split::Test));
    let mut puzzle = maker.expect("plain").puzzle(3, 0).expect("a puzzle");
    puzzle.target = (puzzle.target + 1) % 8;
    write(folder.path(), &RelationPuzzle::Pgm(puzzle), 0);
    let output = genvp(&["dataset", "check", folder.path().to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(1));
    let told = stdout(&output);
    assert!(told.contains("is stated but not true"), "{told}");
}

#[test]
fn a_file_of_another_name_is_known_by_what_it_states() {
    let folder = tempfile::tempdir().expect("a folder");
    let maker = pgm::Maker::new(pgm::Request::new(pgm::Regime::Neutral, Split::Test));
    let puzzle = RelationPuzzle::Pgm(maker.expect("plain").puzzle(3, 0).expect("a puzzle"));
    let path = folder.path().join("puzzle.npz");
    fs::write(&path, RelationFile::of_puzzle(&puzzle).encode()).expect("a file");
    let path = path.to_str().expect("UTF-8");
    let checked = &lines(&succeed(&["dataset", "check", path, "--json"]))[0];
    assert_eq!((&checked["n"], &checked["sound"]), (&1.into(), &1.into()), "{checked}");
    let solved = &lines(&succeed(&["solve", "--exact", path, "--json"]))[0];
    assert_eq!((&solved["layout"], &solved["answer"]), (&Value::Null, &solved["target"]));
    let told = solved["rules"].as_str().expect("rules");
    let has_axis = |rule: &str| rule.ends_with(":rows") || rule.ends_with(":columns");
    assert!(told.split(' ').all(has_axis), "{solved}");
}
