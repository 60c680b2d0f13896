//! The help texts, and that every example in them and in the README works.

use std::fs;
use std::path::Path;

use genvp_puzzle::Layout;

use crate::command::{genvp_in, stderr, succeed};
use crate::puzzles::{puzzle, sheet, write_npz};

fn help(command: &[String]) -> String {
    let mut args: Vec<&str> = command.iter().map(String::as_str).collect();
    args.push("--help");
    succeed(Path::new("."), &args)
}

/// Every command and subcommand, with its help.
fn commands() -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(command) = open.pop() {
        let text = help(&command);
        let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1);
        for line in listed.take_while(|line| !line.is_empty()) {
            let name = line.split_whitespace().next().unwrap_or_default();
            if name != "help" {
                open.push([command.clone(), vec![name.to_owned()]].concat());
            }
        }
        found.push((command, text));
    }
    found
}

#[test]
fn help_says_what_it_said() {
    let commands = commands();
    assert!(commands.len() > 30, "{} commands", commands.len());
    for (command, text) in commands {
        let name = if command.is_empty() { "genvp".to_owned() } else { command.join("-") };
        insta::assert_snapshot!(name, text);
    }
}

/// What the examples speak of.
fn prepare(root: &Path) {
    let make = |set, out| succeed(root, &["dataset", "make", set, "-n", "10", "--out", out]);
    make("iraven", "I-RAVEN");
    succeed(root, &["dataset", "make", "raven-fair", "-n", "1", "--out", "RAVEN-F"]);
    succeed(root, &["dataset", "make", "pgm", "--regime", "attr.rels", "-n", "2", "--out", "PGM"]);
    let stored = puzzle(Layout::DistributeNine, 0);
    fs::write(root.join("sheet.png"), sheet(&stored.images, 0..16, 4).encode()).unwrap();
    write_npz(&root.join("mixed/good.npz"), &stored);
    fs::write(root.join("mixed/bad.npz"), "bad").unwrap();
}

/// An example as words, with less to do: fewer puzzles, less time, no PyTorch.
fn shortened(example: &str, root: &Path) -> Option<Vec<String>> {
    // What follows is a remark, or belongs to the shell.
    let end = [" > ", " | ", "    ", " #"].iter().filter_map(|mark| example.find(mark)).min();
    let example = &example[..end.unwrap_or(example.len())];
    // The studio runs until it is stopped: `tests/serve.rs` does.
    if example.contains("--torch") || example.starts_with("serve") {
        return None;
    }
    let home = root.join("home").display().to_string();
    let mut words: Vec<String> = Vec::new();
    for (index, piece) in example.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(piece.to_owned());
        } else {
            words.extend(piece.split_whitespace().map(|word| word.replace('~', &home)));
        }
    }
    for i in 1..words.len() {
        let most = match words[i - 1].as_str() {
            "-n" => 10,
            "--puzzles" => 16,
            _ => continue,
        };
        if words[i].parse::<u64>().is_ok_and(|n| n > most) {
            words[i] = most.to_string();
        }
    }
    let is = |words: &[String], command: &[&str]| {
        words.len() >= command.len() && words.iter().zip(command).all(|(a, b)| a == b)
    };
    if is(&words, &["model", "export", "runs/mine"]) && !words.contains(&"--examine".to_owned()) {
        words.extend(["--examine", "0"].map(str::to_owned));
    }
    if is(&words, &["train"]) {
        words.retain(|word| word != "--minutes" && word != "30");
        words.extend(["--minutes", "0.01"].map(str::to_owned));
    }
    for measured in [&["eval", "solve"][..], &["eval", "speed", "dataset"]] {
        if is(&words, measured) && !words.contains(&"-n".to_owned()) {
            words.extend(["-n", "2"].map(str::to_owned));
        }
    }
    Some(words)
}

fn run(root: &Path, example: &str) -> usize {
    let Some(words) = shortened(example, root) else { return 0 };
    let args: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = genvp_in(root, &args);
    assert_eq!(output.status.code(), Some(0), "{example}: {}", stderr(&output));
    1
}

/// Commands whose examples are tried where the commands are tested.
const ELSEWHERE: [&str; 6] = ["imagine", "complete", "item", "demo", "eval", "serve"];

#[test]
fn every_example_works() {
    let mut ran = 0;
    for (command, text) in commands() {
        let name = command.join(" ");
        let elsewhere = ELSEWHERE.iter().any(|other| name.starts_with(other));
        if elsewhere && !name.starts_with("eval speed") {
            continue;
        }
        let examples: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("  genvp ")).collect();
        let is_group = text.lines().any(|line| line == "Commands:");
        assert!(is_group || !examples.is_empty(), "{command:?} shows how it is used");
        if examples.is_empty() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        prepare(root);
        if name == "model export" {
            for out in ["runs/mine", "runs/drawing"] {
                succeed(root, &["train", "--out", out, "--minutes", "0"]);
            }
        }
        for example in examples {
            // Nothing is written over what is there.
            if example.starts_with("dataset make iraven --layout all") {
                fs::remove_dir_all(root.join("I-RAVEN")).unwrap();
            }
            if example.contains("--out sheet.png") {
                fs::remove_file(root.join("sheet.png")).unwrap();
            }
            ran += run(root, example);
        }
    }
    assert!(ran >= 30, "{ran}");
}

#[test]
fn every_command_in_the_readme_works() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let ran: usize = readme
        .lines()
        .filter_map(|line| line.strip_prefix("genvp "))
        .map(|example| run(root, example))
        .sum();
    assert!(ran >= 20, "{ran}");
}
