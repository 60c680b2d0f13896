//! A puzzle in a text terminal: two pixels to a character.

use std::fmt::Write;

use super::board::Board;
use super::picture::Picture;
use super::style::PANEL;

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalStyle {
    /// Greys of the 256-color palette.
    Grey,
    /// No escape codes at all: shading characters only.
    Plain,
}

/// Draws a board for a terminal of `columns` characters, the answer (counted
/// from 0) in a heavy frame with a tick.
pub fn terminal(
    board: &Board,
    answer: Option<usize>,
    columns: usize,
    style: TerminalStyle,
) -> String {
    // Four choices side by side, each in a frame, one blank between them.
    let side = (columns.saturating_sub(3) / 4).saturating_sub(2).clamp(8, 48) & !1;
    let mut out = String::new();
    for row in board.question.chunks(3) {
        let tiles: Vec<Tile> = row
            .iter()
            .map(|cell| match cell {
                Some(panel) => Tile::of(panel, side, style),
                None => Tile::question_mark(side, style),
            })
            .collect();
        write_row(&mut out, &tiles, side, side.div_ceil(2) + 1, style);
    }
    for (index, row) in board.choices.chunks(4).enumerate() {
        out.push('\n');
        let tiles: Vec<Tile> = row
            .iter()
            .enumerate()
            .map(|(column, panel)| {
                let number = index * 4 + column;
                let mut tile = Tile::of(panel, side, style);
                tile.label = (number + 1).to_string();
                if answer == Some(number) {
                    tile.label += " ✓";
                    tile.heavy = true;
                }
                tile
            })
            .collect();
        write_row(&mut out, &tiles, side, 0, style);
    }
    out
}

/// A panel as lines of characters, each `side` wide.
struct Tile {
    lines: Vec<String>,
    label: String,
    heavy: bool,
}

impl Tile {
    fn of(panel: &Picture, side: usize, style: TerminalStyle) -> Self {
        let pixels = match panel.raster(side as f32 / PANEL) {
            Ok(raster) if raster.width == side && raster.height == side => raster.grey(),
            _ => vec![255; side * side],
        };
        let lines = pixels
            .chunks_exact(2 * side)
            .map(|two| {
                let (upper, lower) = two.split_at(side);
                match style {
                    TerminalStyle::Grey => grey_line(upper, lower),
                    TerminalStyle::Plain => plain_line(upper, lower),
                }
            })
            .collect();
        Self { lines, label: String::new(), heavy: false }
    }

    fn question_mark(side: usize, style: TerminalStyle) -> Self {
        let (on, off) = match style {
            TerminalStyle::Grey => ("\x1b[1;38;5;240;48;5;254m", RESET),
            TerminalStyle::Plain => ("", ""),
        };
        let lines = (0..side / 2)
            .map(|line| {
                let mark = if line == side / 4 { "?" } else { "" };
                format!("{on}{mark:^side$}{off}")
            })
            .collect();
        Self { lines, label: String::new(), heavy: false }
    }

    /// Frame and number of the answer are blue where colors can be shown.
    fn tinted(&self, text: String, style: TerminalStyle) -> String {
        match style {
            TerminalStyle::Grey if self.heavy => format!("\x1b[1;38;5;33m{text}{RESET}"),
            _ => text,
        }
    }
}

fn write_row(out: &mut String, tiles: &[Tile], side: usize, indent: usize, style: TerminalStyle) {
    let margin = " ".repeat(indent);
    let mut line = |cells: Vec<String>| {
        let _ = writeln!(out, "{}", format!("{margin}{}", cells.join(" ")).trim_end());
    };
    let edge = |tile: &Tile, light: [&str; 3], heavy: [&str; 3]| {
        let [left, line, right] = if tile.heavy { heavy } else { light };
        tile.tinted(format!("{left}{}{right}", line.repeat(side)), style)
    };
    line(tiles.iter().map(|t| edge(t, ["┌", "─", "┐"], ["┏", "━", "┓"])).collect());
    for index in 0..side / 2 {
        let cells = tiles.iter().map(|t| {
            let bar = t.tinted(if t.heavy { "┃" } else { "│" }.to_owned(), style);
            format!("{bar}{}{bar}", t.lines[index])
        });
        line(cells.collect());
    }
    line(tiles.iter().map(|t| edge(t, ["└", "─", "┘"], ["┗", "━", "┛"])).collect());
    if tiles.iter().any(|t| !t.label.is_empty()) {
        line(tiles.iter().map(|t| t.tinted(format!("{:^1$}", t.label, side + 2), style)).collect());
    }
}

const RESET: &str = "\x1b[0m";

/// Small panels make thin lines pale; this darkens them enough to be seen.
fn inked(grey: u8, power: f32) -> f32 {
    (f32::from(255 - grey) / 255.0).powf(power)
}

/// An entry of the 24-step grey ramp of the 256-color palette, or its white.
fn palette_entry(grey: u8) -> u8 {
    let paper = 1.0 - inked(grey, 0.8);
    if paper > 0.97 { 231 } else { 232 + (paper * 23.0).round() as u8 }
}

fn grey_line(upper: &[u8], lower: &[u8]) -> String {
    let mut line = String::new();
    let mut last = None;
    for (&top, &bottom) in upper.iter().zip(lower) {
        let pair = (palette_entry(top), palette_entry(bottom));
        if last != Some(pair) {
            let _ = write!(line, "\x1b[38;5;{};48;5;{}m", pair.0, pair.1);
            last = Some(pair);
        }
        line.push('▀');
    }
    line.push_str(RESET);
    line
}

fn plain_line(upper: &[u8], lower: &[u8]) -> String {
    const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
    upper
        .iter()
        .zip(lower)
        .map(|(&top, &bottom)| {
            let (top, bottom) = (inked(top, 0.6), inked(bottom, 0.6));
            if top - bottom > 0.5 {
                '▀'
            } else if bottom - top > 0.5 {
                '▄'
            } else {
                SHADES[((top + bottom) * 2.0).round() as usize]
            }
        })
        .collect()
}
