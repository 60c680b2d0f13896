//! Many puzzles on one sheet.

use super::board::{Board, board_height, draw_board};
use super::font::{self, Weight};
use super::picture::{Area, Paint, Picture};
use super::puzzle::{Notes, write_lines};
use super::rule_lines::write_rules;
use super::style::{DESK, EDGE, LINE, PAPER};

/// Width of every contact sheet.
const WIDTH: f32 = 1600.0;
const MARGIN: f32 = 32.0;
const GAP: f32 = 20.0;
const PADDING: f32 = 18.0;
const HEADING: f32 = 26.0;
const CAPTION: f32 = 16.0;
const RULES: f32 = 12.0;

/// A sheet of cards, `columns` side by side: each shows a board with its notes.
/// It is 1600 units wide, whatever the number of columns.
pub fn contact_sheet(heading: &str, puzzles: &[(Board, Notes)], columns: usize) -> Picture {
    let columns = columns.clamp(1, 8);
    let card_width = (WIDTH - 2.0 * MARGIN - GAP * (columns - 1) as f32) / columns as f32;
    let mut picture = Picture::new(WIDTH, 0.0);
    let mut y = MARGIN;
    let heading_lines = font::wrap(heading, HEADING, Weight::Bold, WIDTH - 2.0 * MARGIN);
    write_lines(&mut picture, &heading_lines, (MARGIN, y), HEADING);
    if !heading_lines.is_empty() {
        y += heading_lines.len() as f32 * HEADING * LINE + 8.0;
    }
    for row in puzzles.chunks(columns) {
        let cards: Vec<Picture> = row.iter().map(|(b, n)| card(b, n, card_width)).collect();
        let height = cards.iter().map(|card| card.height).fold(0.0, f32::max);
        for (column, card) in cards.iter().enumerate() {
            let x = MARGIN + column as f32 * (card_width + GAP);
            let paint = Paint { fill: Some(PAPER), stroke: Some((EDGE, 1.0)) };
            picture.rounded(Area::new(x, y, card_width, height), 8.0, paint);
            picture.place(card, x, y, 1.0);
        }
        y += height + GAP;
    }
    picture.height = y - GAP + MARGIN;
    picture.background(DESK);
    picture.title = if heading.is_empty() { "Puzzles".to_owned() } else { heading.to_owned() };
    picture.description = described(puzzles);
    picture
}

/// A board with its caption above and its rules beneath, without background.
fn card(board: &Board, notes: &Notes, width: f32) -> Picture {
    let room = width - 2.0 * PADDING;
    let mut picture = Picture::new(width, 0.0);
    let mut y = PADDING;
    let caption = font::wrap(&notes.title, CAPTION, Weight::Bold, room);
    write_lines(&mut picture, &caption, (PADDING, y - 3.0), CAPTION);
    if !caption.is_empty() {
        y += caption.len() as f32 * CAPTION * LINE + 4.0;
    }
    draw_board(&mut picture, board, notes.answer, (PADDING, y), room);
    y += board_height(board, room);
    if !notes.rules.is_empty() {
        y += 12.0;
        picture.rect(Area::new(PADDING, y, room, 1.0), EDGE);
        y += 11.0;
        y += write_rules(&mut picture, &notes.rules, (PADDING, y), room, RULES);
    }
    picture.height = y + PADDING - 4.0;
    picture
}

fn described(puzzles: &[(Board, Notes)]) -> String {
    let captions: Vec<String> = puzzles
        .iter()
        .filter(|(_, notes)| !notes.title.is_empty())
        .map(|(_, notes)| format!("{}.{}", notes.title, notes.words()))
        .collect();
    format!("{} puzzles. {}", puzzles.len(), captions.join(" ")).trim_end().to_owned()
}
