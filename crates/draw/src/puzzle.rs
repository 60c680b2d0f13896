//! One puzzle on a page: title, board, and the rules written out.

use genvp_puzzle::{Puzzle, RuleMatrix};

use super::board::{Board, board_height, draw_board};
use super::font::{self, Weight};
use super::picture::{Anchor, Area, Picture, Text};
use super::rule_lines::{RuleLine, rule_lines, write_rules};
use super::style::{EDGE, LINE, PAPER, TEXT};

/// What is written around a board. Everything is optional.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Notes {
    /// A heading.
    pub title: String,
    /// Which choice is right, counted from 0: it is framed and ticked.
    pub answer: Option<usize>,
    /// The rules, from [`rule_lines`].
    pub rules: Vec<RuleLine>,
}

impl Notes {
    /// The answer and the rules of a puzzle whose truth is known.
    pub fn of_puzzle(puzzle: &Puzzle) -> Self {
        Self {
            title: String::new(),
            answer: Some(usize::from(puzzle.target)),
            rules: rule_lines(&RuleMatrix::of(&puzzle.rules), puzzle.layout),
        }
    }

    /// What the notes say, in plain words.
    pub(super) fn words(&self) -> String {
        let mut words = String::new();
        if let Some(answer) = self.answer {
            words += &format!(" The answer is choice {}.", answer + 1);
        }
        for line in &self.rules {
            words += &format!(" Rules: {line}.");
        }
        words
    }
}

const MARGIN: f32 = 28.0;
/// Three panels of 160 with their gaps, so that the datasets' pixels are shown
/// one to one.
const BOARD: f32 = 504.0;
const TITLE: f32 = 20.0;
const RULES: f32 = 13.0;

/// A puzzle with its notes, on white paper.
pub fn puzzle(board: &Board, notes: &Notes) -> Picture {
    let title = font::wrap(&notes.title, TITLE, Weight::Bold, BOARD);
    let title_height = match title.len() {
        0 => 0.0,
        lines => lines as f32 * TITLE * LINE + 8.0,
    };
    let mut picture = Picture::new(BOARD + 2.0 * MARGIN, 0.0);
    let mut y = MARGIN;
    write_lines(&mut picture, &title, (MARGIN, y), TITLE);
    y += title_height;
    draw_board(&mut picture, board, notes.answer, (MARGIN, y), BOARD);
    y += board_height(board, BOARD);
    if !notes.rules.is_empty() {
        y += 16.0;
        picture.rect(Area::new(MARGIN, y, BOARD, 1.0), EDGE);
        y += 14.0;
        y += write_rules(&mut picture, &notes.rules, (MARGIN, y), BOARD, RULES);
    }
    picture.height = y + MARGIN;
    picture.background(PAPER);
    picture.title = if notes.title.is_empty() { "Puzzle".to_owned() } else { notes.title.clone() };
    picture.description = format!("{}{}", board.description, notes.words());
    picture
}

/// Writes bold lines from `(x, y)` down.
pub(super) fn write_lines(picture: &mut Picture, lines: &[String], (x, y): (f32, f32), size: f32) {
    for (index, line) in lines.iter().enumerate() {
        picture.text(Text {
            content: line.clone(),
            x,
            y: y + size + index as f32 * size * LINE,
            size,
            weight: Weight::Bold,
            anchor: Anchor::Start,
            color: TEXT,
        });
    }
}
