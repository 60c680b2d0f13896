//! The panels of a puzzle as they are laid out: the question above, the numbered
//! choices beneath.

use std::any::Any;

use genvp_puzzle::family::AnyPuzzle;
use genvp_puzzle::relations::Panel;
use genvp_puzzle::{Puzzle, pgm, vad};

use super::alt_text;
use super::font::{self, CAPITAL, Weight};
use super::image::GreyImage;
use super::panel::{bare_panel, framed, image_panel, outlined};
use super::picture::{Anchor, Area, Mark, Paint, Picture, Text};
use super::relation_panel::{relation_panel, words};
use super::style::{ACCENT, EMPTY, FRAME_WIDTH, MUTED};

/// What a puzzle shows: scenes, images, or a mixture of both.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Board {
    /// The cells of the question, three to a row; a missing one is drawn as "?".
    pub question: Vec<Option<Picture>>,
    /// The choices, four to a row; there may be none.
    pub choices: Vec<Picture>,
    /// What can be seen, in plain words.
    pub description: String,
}

impl Board {
    /// The board of a puzzle whose scenes are known, in the clean style.
    pub fn of_puzzle(puzzle: &Puzzle) -> Self {
        let draw = |panel| bare_panel(panel, puzzle.layout, puzzle.domain);
        let mut question: Vec<_> = puzzle.context.iter().map(|p| Some(draw(p))).collect();
        question.push(None);
        Self {
            question,
            choices: puzzle.choices.iter().map(draw).collect(),
            description: alt_text::puzzle(puzzle),
        }
    }

    /// The board of a puzzle of any family in the clean style; `None` in families
    /// whose panels are drawn as pixels only.
    pub fn of_scenes(puzzle: &dyn AnyPuzzle) -> Option<Self> {
        let puzzle: &dyn Any = puzzle;
        if let Some(puzzle) = puzzle.downcast_ref::<pgm::Puzzle>() {
            return Some(Self::of_relations(&puzzle.context, &puzzle.choices));
        }
        if let Some(puzzle) = puzzle.downcast_ref::<vad::Puzzle>() {
            return Some(Self::of_relations(&puzzle.context, &puzzle.choices));
        }
        puzzle.downcast_ref::<Puzzle>().map(Self::of_puzzle)
    }

    fn of_relations(context: &[Panel], choices: &[Panel]) -> Self {
        let mut question: Vec<_> = context.iter().map(|p| Some(relation_panel(p))).collect();
        question.push(None);
        let rows = question.len() / CELLS;
        let mut description = format!("{rows} rows of three panels, the last one missing.");
        for (row, panels) in context.chunks(CELLS).enumerate() {
            let mut cells: Vec<String> = panels.iter().map(words).collect();
            if cells.len() < CELLS {
                cells.push("the missing panel".to_owned());
            }
            description += &format!(" Row {}: {}.", row + 1, cells.join(" / "));
        }
        for (index, choice) in choices.iter().enumerate() {
            description += &format!(" Choice {}: {}.", index + 1, words(choice));
        }
        Self { question, choices: choices.iter().map(relation_panel).collect(), description }
    }

    /// The board of a puzzle of images: what is given, a missing last cell, and
    /// the choices.
    pub fn of_images(context: &[GreyImage], choices: &[GreyImage]) -> Self {
        let mut question: Vec<_> = context.iter().map(|i| Some(image_panel(i))).collect();
        question.push(None);
        let description = format!(
            "{} panels in rows of three, the last one missing; {} choices.",
            context.len(),
            choices.len()
        );
        Self { question, choices: choices.iter().map(image_panel).collect(), description }
    }
}

/// Sizes of a board that is `width` units wide.
struct Measures {
    gap: f32,
    cell: f32,
    choice: f32,
    label: f32,
}

/// Cells of the question in a row: the columns of every family's form.
const CELLS: usize = 3;
/// Choices in a row.
const CHOICES: usize = 4;

impl Measures {
    fn of(width: f32) -> Self {
        let gap = width / 42.0;
        let side = |n: usize| (width - gap * (n as f32 - 1.0)) / n as f32;
        Self { gap, cell: side(CELLS), choice: side(CHOICES), label: (width * 0.031).max(12.0) }
    }

    /// Height of the question.
    fn question(&self, board: &Board) -> f32 {
        let rows = board.question.len().div_ceil(CELLS) as f32;
        rows * self.cell + (rows - 1.0).max(0.0) * self.gap
    }

    /// Distance of the question from the choices.
    fn between(&self) -> f32 {
        2.4 * self.gap
    }

    /// Height of a choice with its number.
    fn choice_row(&self) -> f32 {
        self.choice + self.label * 1.75
    }
}

/// How high a board is that is `width` units wide.
pub(super) fn board_height(board: &Board, width: f32) -> f32 {
    let sizes = Measures::of(width);
    let question = sizes.question(board);
    match board.choices.len().div_ceil(CHOICES) as f32 {
        0.0 => question,
        rows => question + sizes.between() + rows * sizes.choice_row() + (rows - 1.0) * sizes.gap,
    }
}

/// Draws a board at `(x, y)`, `width` units wide, with the answer framed.
pub(super) fn draw_board(
    picture: &mut Picture,
    board: &Board,
    answer: Option<usize>,
    (x, y): (f32, f32),
    width: f32,
) {
    let sizes = Measures::of(width);
    for (index, cell) in board.question.iter().enumerate() {
        let (row, column) = ((index / CELLS) as f32, (index % CELLS) as f32);
        let step = sizes.cell + sizes.gap;
        let (x, y) = (x + column * step, y + row * step);
        match cell {
            Some(panel) => framed(picture, panel, x, y, sizes.cell),
            None => question_mark(picture, Area::new(x, y, sizes.cell, sizes.cell)),
        }
    }
    let top = y + sizes.question(board) + sizes.between();
    for (index, panel) in board.choices.iter().enumerate() {
        let (row, column) = ((index / CHOICES) as f32, (index % CHOICES) as f32);
        let x = x + column * (sizes.choice + sizes.gap);
        let y = top + row * (sizes.choice_row() + sizes.gap);
        let right = answer == Some(index);
        if right {
            let thick = sizes.gap * 0.36;
            let area = Area::new(x, y, sizes.choice, sizes.choice).grown(FRAME_WIDTH + thick);
            picture.rounded(area, thick * 1.2, Paint::fill(ACCENT));
        }
        framed(picture, panel, x, y, sizes.choice);
        let middle = x + sizes.choice / 2.0;
        let baseline = y + sizes.choice + sizes.label * 1.45;
        number(picture, index + 1, right, (middle, baseline), sizes.label);
    }
}

fn question_mark(picture: &mut Picture, area: Area) {
    outlined(picture, area, EMPTY);
    let size = area.height * 0.5;
    picture.text(Text {
        content: "?".to_owned(),
        x: area.x + area.width / 2.0,
        y: area.y + (area.height + size * CAPITAL) / 2.0,
        size,
        weight: Weight::Bold,
        anchor: Anchor::Middle,
        color: MUTED,
    });
}

/// The number of a choice; the right one is bold and ticked as well as colored.
fn number(picture: &mut Picture, number: usize, right: bool, (x, y): (f32, f32), size: f32) {
    let (weight, color) = if right { (Weight::Bold, ACCENT) } else { (Weight::Regular, MUTED) };
    let content = number.to_string();
    let (space, tick) = (size * 0.4, size * 0.75);
    let x = if right { x - (space + tick) / 2.0 } else { x };
    let end = x + font::width(&content, size, weight) / 2.0 + space;
    picture.text(Text { content, x, y, size, weight, anchor: Anchor::Middle, color });
    if right {
        let corners = [(0.0, -0.34), (0.33, -0.08), (1.0, -0.68)];
        let points = corners.map(|(dx, dy)| (end + dx * tick, y + dy * size)).to_vec();
        picture.marks.push(Mark::Line { points, color, width: size * 0.17 });
    }
}
