//! The exact solver answers the originals' puzzles from pixels alone.

mod support;

use std::path::Path;

use genvp_data::{StoredPuzzle, truth};
use genvp_puzzle::{Domain, Layout, exact, render};

/// Whether the exact solver finds the target in sixteen panels.
fn is_right(panels: &[u8], side: usize, target: u8, layout: Layout, name: &str) -> bool {
    let panels: Vec<&[u8]> = panels.chunks_exact(side * side).collect();
    let panels = std::array::from_fn(|i| panels[i]);
    let exact = exact::solve(&panels, side, Domain::Standard);
    assert_eq!(exact.reading.layout, layout, "{name}");
    exact.solution.answer == usize::from(target)
}

#[test]
fn all_630_are_right() {
    let Some(root) = genvp_originals::folder() else { return };
    let files = support::original_puzzles(&root);
    assert_eq!(files.len(), 630);
    let mut wrong = Vec::new();
    for (_, layout, path) in &files {
        let name = path.display().to_string();
        let puzzle = StoredPuzzle::read(path, Domain::Standard).unwrap();
        let (pixels, side) = (puzzle.images.pixels(), puzzle.images.side());
        if !is_right(pixels, side, puzzle.target.unwrap(), *layout, &name) {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The pixels are drawn here; that they are the originals' is proved elsewhere,
/// by the hashes of their files.
#[test]
fn the_committed_puzzles_are_answered_from_their_pixels() {
    for (set, folder) in support::SETS {
        for layout in Layout::ALL {
            let path = Path::new("truth").join(folder).join(format!("{layout}.jsonl"));
            let path = genvp_originals::committed().join(path);
            for line in truth::read(&path, set, layout, Domain::Standard).unwrap() {
                let (index, puzzle) = line.unwrap();
                let name = format!("{folder} {layout} {index}");
                let pixels = render::puzzle(&puzzle);
                assert!(is_right(&pixels, render::SIDE, puzzle.target, layout, &name), "{name}");
            }
        }
    }
}

#[test]
fn every_stated_rule_of_the_originals_is_true() {
    let Some(root) = genvp_originals::folder() else { return };
    for (set, _, path) in support::original_puzzles(&root) {
        let stored = StoredPuzzle::read(&path, Domain::Standard).unwrap();
        let scene = stored.scene.as_ref().unwrap();
        let restored = scene.restore(set, stored.target.unwrap()).unwrap();
        assert!(restored.untrue.is_empty(), "{}: {:?}", path.display(), restored.untrue);
    }
}
