//! A few puzzles of our own making, so that a plain clone can test the checker.

use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, Panel, Puzzle, Set};

/// `n` puzzles of every set and layout.
pub fn some(n: u64) -> Vec<Puzzle> {
    let mut all = Vec::new();
    for set in Set::ALL {
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(set, layout)).expect("any rule will do");
            all.extend((0..n).map(|i| maker.puzzle(2025, i).expect("nothing is asked for")));
        }
    }
    all
}

/// A panel as an eye sees it: entities in the order of their slots.
pub fn in_slot_order(panel: &Panel) -> Panel {
    let mut panel = panel.clone();
    for component in &mut panel.components {
        component.entities.sort_by_key(|e| e.slot);
    }
    panel
}

/// The three rows with the answer in place.
pub fn rows(puzzle: &Puzzle) -> [[&Panel; 3]; 3] {
    let [a, b, c, d, e, f, g, h] = &puzzle.context;
    [[a, b, c], [d, e, f], [g, h, puzzle.answer()]]
}
