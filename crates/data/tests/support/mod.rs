//! What several tests share.
#![allow(dead_code, clippy::print_stdout, reason = "each test uses a part; skipping is told")]

use std::path::{Path, PathBuf};

use genvp_puzzle::{Layout, Set};

/// The puzzles made by the original programs, where they are at hand.
pub fn originals() -> Option<PathBuf> {
    let root = match std::env::var_os("GENVP_ORIGINALS") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .skip(2)
            .map(|folder| folder.join("shared/data/raven-originals"))
            .find(|folder| folder.is_dir())?,
    };
    root.is_dir().then_some(root)
}

/// Says that a test has nothing to work on.
pub fn skip() {
    println!("skipped: set GENVP_ORIGINALS to the puzzles of the original programs");
}

/// The three sets of the originals with the names of their folders.
pub const SETS: [(Set, &str); 3] =
    [(Set::Raven, "RAVEN"), (Set::IRaven, "I-RAVEN"), (Set::RavenFair, "RAVEN-F")];

/// Every puzzle of the originals: set, layout, and the path of its npz.
pub fn original_puzzles(root: &Path) -> Vec<(Set, Layout, PathBuf)> {
    let mut out = Vec::new();
    for (set, name) in SETS {
        for layout in Layout::ALL {
            for index in 0..30 {
                let file = format!("{}.npz", genvp_data::names::stem(index));
                out.push((set, layout, root.join(name).join(layout.folder()).join(file)));
            }
        }
    }
    out
}
