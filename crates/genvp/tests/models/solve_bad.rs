//! Bad input to `genvp solve`: one clear line, the right exit code, no panic.

use std::fs;
use std::path::{Path, PathBuf};

use genvp_puzzle::Layout;

use crate::command::{genvp_in, json, refuse, stderr, stdout};
use crate::puzzles::{puzzle, sheet, write_npz};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

#[test]
fn every_bad_file_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let images = puzzle(Layout::CenterSingle, 0).images;
    fs::write(root.join("fifteen.png"), sheet(&images, 0..15, 5).encode()).unwrap();
    let mut cut = sheet(&images, 0..16, 4).encode();
    cut.truncate(cut.len() / 2);
    fs::write(root.join("cut.png"), cut).unwrap();
    fs::write(root.join("words.png"), "not a picture").unwrap();
    fs::write(root.join("words.npz"), "not a puzzle").unwrap();
    fs::write(root.join("words.parquet"), "not a table").unwrap();
    for (name, count) in [("many", 17), ("few", 15)] {
        fs::create_dir(root.join(name)).unwrap();
        for i in 0..count {
            let picture = sheet(&images, i % 16..i % 16 + 1, 1);
            fs::write(root.join(name).join(format!("{i}.png")), picture.encode()).unwrap();
        }
    }
    fs::create_dir(root.join("empty")).unwrap();
    for (name, says) in [
        ("fifteen.png", "fifteen.png: a sheet of 800x480"),
        ("cut.png", "cut.png: "),
        ("words.png", "words.png: "),
        ("words.npz", "words.npz: not a whole zip archive"),
        ("words.parquet", "words.parquet: "),
        ("few", "few: 15 pictures"),
        ("many", "many: 17 pictures"),
        ("empty", "empty: no puzzles in this folder"),
        ("nowhere.npz", "nowhere.npz: cannot read"),
    ] {
        refuse(root, &["solve", name], 1, says);
        refuse(root, &["rules", name], 1, says);
    }
    for (name, says) in [
        ("panels-15.npz", "panels-15.npz"),
        ("panels-17.npz", "panels-17.npz"),
        ("pixel-nan.npz", "pixel-nan.npz"),
        ("bomb-ratio.npz", "more than 1000 times"),
        ("pickle.npz", "pickled"),
        ("huge.png", "huge.png"),
        ("jpeg.png", "jpeg.png"),
        ("oblong.png", "oblong.png"),
    ] {
        let path = fixture("attacks").join(name);
        refuse(root, &["solve", path.to_str().unwrap()], 1, says);
    }
}

#[test]
fn bad_files_among_good_ones_stop_or_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for index in 0..3 {
        let name = format!("mixed/center_single/RAVEN_{index}_train.npz");
        write_npz(&root.join(name), &puzzle(Layout::CenterSingle, index));
    }
    fs::write(root.join("mixed/center_single/RAVEN_1_train.npz"), "PK but no zip").unwrap();
    fs::create_dir(root.join("mixed/sheets")).unwrap();
    let images = puzzle(Layout::UpDown, 7).images;
    fs::write(root.join("mixed/sheets/a.png"), sheet(&images, 0..16, 4).encode()).unwrap();
    fs::write(root.join("mixed/sheets/b.png"), "no picture").unwrap();
    fs::create_dir(root.join("mixed/nothing")).unwrap();
    refuse(root, &["solve", "mixed"], 1, "RAVEN_1_train.npz");
    let lines = json(root, &["solve", "mixed", "--skip-bad", "--json"]);
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[3]["summary"]["n"], 3);
    assert_eq!(lines[3]["summary"]["skipped"], 2);
    let output = genvp_in(root, &["solve", "mixed", "--skip-bad"]);
    assert!(stdout(&output).contains("2 files could not be read and were left out"));
    assert_eq!(stderr(&output).matches("warning: skipped:").count(), 2);
    // Nothing but bad files is a bad input, skipped or not.
    let output = genvp_in(root, &["solve", "mixed/sheets/b.png", "--skip-bad", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("\"n\":0"));
}

#[test]
fn bad_requests_are_usage_errors() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write_npz(&root.join("p.npz"), &puzzle(Layout::CenterSingle, 0));
    refuse(root, &["solve"], 2, "PATHS");
    refuse(root, &["solve", "p.npz", "--exact", "--model", "x"], 2, "cannot be used with");
    refuse(root, &["solve", "p.npz", "--batch", "0"], 2, "invalid value '0'");
    refuse(root, &["solve", "p.npz", "--batch", "many"], 2, "invalid value");
    refuse(root, &["solve", "p.npz", "--model", "raven-gpu-9"], 1, "no model `raven-gpu-9`");
}

#[test]
fn weights_that_cannot_be_trusted_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write_npz(&root.join("p.npz"), &puzzle(Layout::CenterSingle, 0));
    assert_eq!(genvp_in(root, &["model", "export", "--out", "w", "-q"]).status.code(), Some(0));
    let path = root.join("w/raven-cpu-64.safetensors");
    let bytes = fs::read(&path).unwrap();
    let mut changed = bytes.clone();
    let end = changed.len();
    changed[end - 4] ^= 1;
    fs::write(root.join("changed.safetensors"), &changed).unwrap();
    fs::write(root.join("half.safetensors"), &bytes[..end / 2]).unwrap();
    for (name, says) in [
        ("changed.safetensors", "the weights were changed"),
        ("half.safetensors", "half.safetensors"),
        ("p.npz", "p.npz: these are no safetensors weights"),
        ("w", "w: cannot read"),
    ] {
        refuse(root, &["solve", "p.npz", "--model", name], 1, says);
        refuse(root, &["rules", "p.npz", "--model", name], 1, says);
        refuse(root, &["model", "verify", name], 1, says);
    }
    let by_name = json(root, &["solve", "p.npz", "--json", "--model", "raven-cpu-64"]);
    let by_path = ["solve", "p.npz", "--json", "--model", "w/raven-cpu-64.safetensors"];
    assert_eq!(json(root, &by_path), by_name);
}
