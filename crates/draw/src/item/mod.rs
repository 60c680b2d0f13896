//! Print-ready items: a puzzle with its key, what each wrong choice breaks, and
//! words for those who cannot see it.

mod export;
mod metadata;
mod page;
mod sheet;

pub use export::{File, jspsych, moodle, png, psychopy, svg};
pub use metadata::{csv, csv_cell};
pub use page::{PaperSize, page_size};
pub use sheet::{ItemSheet, sheet};

use std::sync::Arc;

use genvp_puzzle::family::{AnyPuzzle, family_of_set};
use genvp_puzzle::{Puzzle, pgm, vad};

use crate::Board;

/// Where an item comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemSource {
    /// Made by rules.
    Engine,
    /// Imagined by a model, read by the judge, drawn anew.
    Model,
}

impl ItemSource {
    /// The name on the command line.
    pub fn key(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Model => "model",
        }
    }
}

/// One item.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name on the sheet, in the key and in the table.
    pub name: String,
    /// The puzzle.
    pub puzzle: Arc<dyn AnyPuzzle>,
    /// Its panels in the clean style.
    pub board: Board,
    /// Where it comes from.
    pub source: ItemSource,
    /// Seed and number by which it can be made again.
    pub seed: u64,
    /// See `seed`.
    pub index: u64,
}

impl Item {
    /// The letter of a choice: A to H.
    pub fn letter(choice: usize) -> char {
        char::from(b'A' + (choice as u8).min(25))
    }

    /// An item of a puzzle; `None` in families that have no clean drawing.
    pub fn new(
        name: String,
        puzzle: Arc<dyn AnyPuzzle>,
        source: ItemSource,
        (seed, index): (u64, u64),
    ) -> Option<Self> {
        let board = Board::of_scenes(puzzle.as_ref())?;
        Some(Self { name, puzzle, board, source, seed, index })
    }

    /// The letter of the right choice.
    pub fn key(&self) -> char {
        Self::letter(self.puzzle.target())
    }

    /// The short name of its layout, or the name of its regime.
    pub fn kind(&self) -> &'static str {
        let stratum = self.puzzle.stratum();
        family_of_set(stratum.set).map_or(stratum.name, |family| family.short_name(stratum))
    }

    /// What each choice breaks, in words; nothing for the answer.
    pub fn broken(&self) -> Vec<Vec<String>> {
        self.puzzle.broken()
    }

    /// The rules in text form.
    pub fn rules(&self) -> String {
        self.puzzle.rules_text()
    }

    /// How many rules change something from panel to panel: a rough measure of
    /// difficulty, predicted and not normed.
    pub fn active_rules(&self) -> usize {
        self.rules().split(' ').filter(|rule| !rule.ends_with("=constant")).count()
    }

    /// The largest number of objects in a panel.
    pub fn most_objects(&self) -> usize {
        let puzzle: &dyn std::any::Any = self.puzzle.as_ref();
        let of_relations = |p: &genvp_puzzle::relations::Panel| p.shapes.len() + p.lines.len();
        if let Some(puzzle) = puzzle.downcast_ref::<pgm::Puzzle>() {
            return puzzle.panels().map(of_relations).max().unwrap_or(0);
        }
        if let Some(puzzle) = puzzle.downcast_ref::<vad::Puzzle>() {
            return puzzle.panels().map(of_relations).max().unwrap_or(0);
        }
        let count = |p: &genvp_puzzle::Panel| p.components.iter().map(|p| p.entities.len()).sum();
        let raven = puzzle.downcast_ref::<Puzzle>();
        raven.and_then(|puzzle| puzzle.panels().map(count).max()).unwrap_or(0)
    }

    /// The item in words, without its answer.
    pub fn alt_text(&self) -> String {
        self.board.description.clone()
    }
}
