//! The help texts, and that their examples work.

use std::fs;
use std::path::Path;

use genvp_puzzle::Layout;

use crate::command::{genvp_in, stderr, succeed};
use crate::puzzles::{puzzle, sheet, write_npz};

/// The commands that are tested here.
const COMMANDS: [&[&str]; 9] = [
    &["solve"],
    &["rules"],
    &["doctor"],
    &["model", "list"],
    &["model", "card"],
    &["model", "params"],
    &["model", "verify"],
    &["model", "export"],
    &["eval", "speed", "solve"],
];

fn help(command: &[&str]) -> String {
    succeed(Path::new("."), &[command, &["--help"]].concat())
}

#[test]
fn help_says_what_it_said() {
    for command in COMMANDS {
        insta::assert_snapshot!(command.join("-"), help(command));
    }
    insta::assert_snapshot!("model", help(&["model"]));
}

/// What the examples speak of.
fn prepare(root: &Path) {
    succeed(root, &["dataset", "make", "iraven", "-n", "10", "--out", "I-RAVEN"]);
    let stored = puzzle(Layout::DistributeNine, 0);
    fs::write(root.join("sheet.png"), sheet(&stored.images, 0..16, 4).encode()).unwrap();
    write_npz(&root.join("mixed/good.npz"), &stored);
    fs::write(root.join("mixed/bad.npz"), "bad").unwrap();
}

#[test]
fn every_example_works() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    prepare(root);
    let mut ran = 0;
    for command in COMMANDS {
        let text = help(command);
        let examples: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("  genvp ")).collect();
        assert!(!examples.is_empty(), "{command:?} shows how it is used");
        for example in examples {
            // PyTorch is not among what we test with.
            if example.contains("--torch") {
                continue;
            }
            let args: Vec<&str> = example.split_whitespace().collect();
            let output = genvp_in(root, &args);
            assert_eq!(output.status.code(), Some(0), "{example}: {}", stderr(&output));
            ran += 1;
        }
    }
    assert!(ran >= 15, "{ran}");
}
