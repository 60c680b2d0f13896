//! The exact solver answers the originals' puzzles from pixels alone.

use std::path::PathBuf;

use genvp_data::StoredPuzzle;
use genvp_puzzle::{Domain, Layout, Set, exact};

fn originals() -> Option<PathBuf> {
    let folder = std::env::var_os("GENVP_ORIGINALS").map(PathBuf::from).unwrap_or_else(|| {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/raven-originals")
    });
    folder.is_dir().then_some(folder)
}

fn npz_files(set: &str, layout: Layout) -> Vec<PathBuf> {
    let Some(root) = originals() else { return Vec::new() };
    let Ok(entries) = std::fs::read_dir(root.join(set).join(layout.folder())) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "npz"))
        .collect()
}

#[test]
fn at_least_99_percent_are_right_and_only_lookalike_squares_are_an_excuse() {
    let (mut asked, mut right) = (0, 0);
    for set in ["RAVEN", "I-RAVEN", "RAVEN-F"] {
        for layout in Layout::ALL {
            for path in npz_files(set, layout) {
                let puzzle = StoredPuzzle::read(&path, Domain::Standard).unwrap();
                let panels = std::array::from_fn(|i| puzzle.images.panel(i));
                let exact = exact::solve(&panels, puzzle.images.side(), Domain::Standard);
                assert_eq!(exact.reading.layout, layout, "{}", path.display());
                asked += 1;
                if exact.solution.answer == usize::from(puzzle.target.unwrap()) {
                    right += 1;
                } else {
                    println!("{}: tied {}", path.display(), exact.solution.tied);
                    assert_eq!(layout, Layout::OutInGrid, "{}", path.display());
                }
            }
        }
    }
    println!("{right} of {asked}");
    if asked == 0 {
        println!("skipped: the originals' puzzles are not here (set GENVP_ORIGINALS)");
    } else {
        assert!(right * 100 >= asked * 99, "{right} of {asked}");
    }
}

#[test]
fn every_stated_rule_of_the_originals_is_true() {
    for (folder, set) in
        [("RAVEN", Set::Raven), ("I-RAVEN", Set::IRaven), ("RAVEN-F", Set::RavenFair)]
    {
        for layout in Layout::ALL {
            for path in npz_files(folder, layout) {
                let stored = StoredPuzzle::read(&path, Domain::Standard).unwrap();
                let scene = stored.scene.as_ref().unwrap();
                let restored = scene.restore(set, stored.target.unwrap()).unwrap();
                assert!(restored.untrue.is_empty(), "{}: {:?}", path.display(), restored.untrue);
            }
        }
    }
}
