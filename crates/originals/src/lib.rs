//! For tests: where the puzzles of the original programs are.
//!
//! They are not part of this project. `GENVP_ORIGINALS` names their folder; else
//! it is looked for beside the project, in `shared/data/raven-originals`. Where
//! they are not at hand a test says so on standard error, past the capture of
//! `cargo test`, and does with what is committed: two puzzles of each set and
//! layout, and hashes of their files (`fixtures/originals`).

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

/// The folder of all 630 puzzles: `RAVEN`, `I-RAVEN`, `RAVEN-F` and `truth`.
/// `None`, said aloud, where they are not at hand.
///
/// # Panics
/// When `GENVP_ORIGINALS` names something that is no folder: a mistyped name must
/// not turn tests off.
pub fn folder() -> Option<PathBuf> {
    let found = find();
    if found.is_none() {
        say("it needs the 630 puzzles of the original programs");
    }
    found
}

/// The folder of all 630 puzzles; else, said aloud, that of the 42 committed
/// ones, which has their `truth` alone.
///
/// # Panics
/// As [`folder`] does.
pub fn folder_or_committed() -> PathBuf {
    find().unwrap_or_else(|| {
        say("it looks at the 42 committed puzzles instead of all 630 of the original programs");
        committed()
    })
}

/// The folder of what is committed.
pub fn committed() -> PathBuf {
    workspace().join("fixtures/originals")
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("GENVP_ORIGINALS") {
        let folder = PathBuf::from(named);
        assert!(folder.is_dir(), "GENVP_ORIGINALS: {} is no folder", folder.display());
        return Some(folder);
    }
    let beside = workspace().join("../shared/data/raven-originals");
    beside.is_dir().then_some(beside)
}

/// Says that something is skipped. `println!` and `eprintln!` of a test that
/// passes are not shown: this is.
fn say(why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = writeln!(stderr(), "\nSKIPPED {test}: {why} (GENVP_ORIGINALS names their folder)");
}
