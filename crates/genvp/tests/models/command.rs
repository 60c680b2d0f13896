//! Running the command and looking at what it says.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the command in a folder.
pub fn genvp_in(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_genvp"))
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("GENVP_ORIGINALS")
        .output()
        .expect("the command runs")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// Runs a command that must succeed.
pub fn succeed(folder: &Path, args: &[&str]) -> String {
    let output = genvp_in(folder, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

/// Runs a command that must succeed and print JSON, one object a line.
pub fn json(folder: &Path, args: &[&str]) -> Vec<Value> {
    let text = succeed(folder, args);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Runs a command that must fail with this exit code and say this in one line of error.
pub fn refuse(folder: &Path, args: &[&str], code: i32, says: &str) -> String {
    let output = genvp_in(folder, args);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert!(text.contains(says), "{args:?} says: {text}");
    assert!(!text.contains("panicked"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("error:")).count(), 1, "{text}");
    text
}
