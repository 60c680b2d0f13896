//! Print-ready items: a puzzle with its key, what each wrong choice breaks, and
//! words for those who cannot see it.

mod metadata;
mod page;
pub mod pdf;
mod sheet;

pub use metadata::{csv, csv_cell};
pub use page::{Paper, page_size};
pub use sheet::{Sheet, sheet};

use genvp_puzzle::check::{FoundRules, Sight, broken_rules};
use genvp_puzzle::draw::alt_text;
use genvp_puzzle::{Puzzle, RuleKind, RuleMatrix};

/// Where an item comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Made by rules.
    Engine,
    /// Imagined by a model, read by the judge, drawn anew.
    Model,
}

impl Source {
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
    pub puzzle: Puzzle,
    /// Where it comes from.
    pub source: Source,
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

    /// The letter of the right choice.
    pub fn key(&self) -> char {
        Self::letter(usize::from(self.puzzle.target))
    }

    /// What each choice breaks, in words; nothing for the answer.
    pub fn broken(&self) -> [Vec<String>; 8] {
        let rules = FoundRules::stated(&self.puzzle);
        std::array::from_fn(|choice| {
            if choice == usize::from(self.puzzle.target) {
                return Vec::new();
            }
            let broken = broken_rules(
                &self.puzzle.context,
                &self.puzzle.choices[choice],
                self.puzzle.layout,
                self.puzzle.domain,
                Sight::Levels,
                &rules,
            );
            broken.iter().map(ToString::to_string).collect()
        })
    }

    /// The rules in text form.
    pub fn rules(&self) -> String {
        RuleMatrix::of(&self.puzzle.rules).text(self.puzzle.layout)
    }

    /// How many rules change something from panel to panel: a rough measure of
    /// difficulty, predicted and not normed.
    pub fn active_rules(&self) -> usize {
        let rules = self.puzzle.rules.iter().flat_map(|part| part.0);
        rules.filter(|rule| rule.kind != RuleKind::Constant).count()
    }

    /// The largest number of objects in a panel.
    pub fn most_objects(&self) -> usize {
        let count = |p: &genvp_puzzle::Panel| p.components.iter().map(|p| p.entities.len()).sum();
        self.puzzle.panels().map(count).max().unwrap_or(0)
    }

    /// The item in words, without its answer.
    pub fn alt_text(&self) -> String {
        alt_text::puzzle(&self.puzzle)
    }
}
