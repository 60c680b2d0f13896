//! Rows of panels side by side, such as original, reconstruction and imagined.

use super::font::{self, CAPITAL, Weight};
use super::panel::framed;
use super::picture::{Anchor, Picture, Text};
use super::style::{FRAME_WIDTH, LINE, MUTED, PAPER, TEXT};

const SIDE: f32 = 96.0;
const GAP: f32 = 10.0;
const MARGIN: f32 = 20.0;
const SIZE: f32 = 14.0;
const LABEL_ROOM: f32 = 220.0;

/// Draws rows of bare panels, each row with its label at the left; `columns` are
/// written above and may be empty. Rows may differ in length.
pub fn strip(columns: &[String], rows: &[(String, Vec<Picture>)]) -> Picture {
    let labels: Vec<Vec<String>> =
        rows.iter().map(|(label, _)| font::wrap(label, SIZE, Weight::Bold, LABEL_ROOM)).collect();
    let label_width = labels
        .iter()
        .flatten()
        .map(|line| font::width(line, SIZE, Weight::Bold))
        .fold(0.0, f32::max)
        .ceil();
    let left = MARGIN + if label_width > 0.0 { label_width + 16.0 } else { 0.0 };
    let top = MARGIN + if columns.is_empty() { 0.0 } else { SIZE * 1.7 };
    let count = rows.iter().map(|(_, panels)| panels.len()).max().unwrap_or(0).max(columns.len());
    let right = left + count as f32 * (SIDE + GAP) - GAP + MARGIN;
    let mut picture = Picture::new(right, top + rows.len() as f32 * (SIDE + GAP) - GAP + MARGIN);

    let written = |content: String, x: f32, y: f32, anchor, weight, color| Text {
        content,
        x,
        y,
        size: SIZE,
        weight,
        anchor,
        color,
    };
    for (index, column) in columns.iter().enumerate() {
        let x = left + index as f32 * (SIDE + GAP) + SIDE / 2.0;
        let content = font::fit(column, SIZE, Weight::Regular, SIDE + GAP / 2.0);
        let y = MARGIN + SIZE;
        picture.text(written(content, x, y, Anchor::Middle, Weight::Regular, MUTED));
    }
    for (row, ((_, panels), lines)) in rows.iter().zip(&labels).enumerate() {
        let y = top + row as f32 * (SIDE + GAP);
        let block = (lines.len() as f32 - 1.0) * SIZE * LINE;
        for (index, line) in lines.iter().enumerate() {
            let middle = y + (SIDE - block + SIZE * CAPITAL) / 2.0;
            let baseline = middle + index as f32 * SIZE * LINE;
            let x = left - 16.0;
            picture.text(written(line.clone(), x, baseline, Anchor::End, Weight::Bold, TEXT));
        }
        for (column, panel) in panels.iter().enumerate() {
            let x = left + column as f32 * (SIDE + GAP);
            framed(&mut picture, panel, x + FRAME_WIDTH, y + FRAME_WIDTH, SIDE - 2.0 * FRAME_WIDTH);
        }
    }
    picture.background(PAPER);
    picture.title = "Panels side by side".to_owned();
    let counted: Vec<String> =
        rows.iter().map(|(label, panels)| format!("{label}: {} panels.", panels.len())).collect();
    picture.description = counted.join(" ");
    picture
}
