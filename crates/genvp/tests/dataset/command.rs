//! Running the command and looking at what it says and writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

pub fn genvp(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_genvp")).args(args).output().expect("the command runs")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// Runs a command that must succeed.
pub fn succeed(args: &[&str]) -> String {
    let output = genvp(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

/// Runs a command that must fail with this exit code and say this.
pub fn refuse(args: &[&str], code: i32, says: &str) {
    let output = genvp(args);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert!(text.contains(says), "{args:?} says: {text}");
    assert!(!text.contains("panicked"), "{text}");
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path of ours")
}

/// One JSON value.
pub fn json(text: &str) -> Value {
    serde_json::from_str(text.trim()).expect("JSON")
}

/// One JSON value a line.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(json).collect()
}

/// Every file below a folder with its bytes.
pub fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).expect("below the root").to_owned();
                files.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    files
}

/// Kills `dataset make` after each of some times, checks what is visible, resumes it.
pub fn kill_and_resume(make: &[&str], after_milliseconds: [u64; 3]) {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole");
    succeed(&[make, &["--out", text(&whole)]].concat());
    let expected = tree(&whole);
    for milliseconds in after_milliseconds {
        let cut = folder.path().join(milliseconds.to_string());
        let mut run = Command::new(env!("CARGO_BIN_EXE_genvp"))
            .args(make)
            .args(["--out", text(&cut)])
            .stderr(Stdio::null())
            .spawn()
            .expect("the command runs");
        std::thread::sleep(Duration::from_millis(milliseconds));
        run.kill().expect("killed");
        run.wait().expect("ended");
        // A run that is killed at once has not made its folder yet.
        let visible = if cut.exists() { tree(&cut) } else { BTreeMap::new() };
        for (name, bytes) in visible {
            if name.extension().is_some_and(|e| e == "npz" || e == "xml") {
                assert_eq!(expected.get(&name), Some(&bytes), "{} is whole", name.display());
            }
        }
        succeed(&[make, &["--out", text(&cut), "--resume"]].concat());
        assert!(tree(&cut) == expected, "resumed and uninterrupted runs give the same tree");
    }
}
