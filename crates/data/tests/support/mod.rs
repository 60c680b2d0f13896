//! What several tests share.
#![allow(dead_code, reason = "each test uses a part")]

use std::path::{Path, PathBuf};

use genvp_puzzle::{Layout, Set};

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
