//! Grids of panels with a heading and lines of text.

use genvp_draw::{Anchor, Area, PANEL, Paint, Picture, Rgb, Text, Weight, rule_lines};
use genvp_puzzle::Layout;
use genvp_puzzle::RuleMatrix;

const GAP: f32 = 8.0;
const MARGIN: f32 = 20.0;
const SIZE: f32 = 15.0;
const LINE: f32 = 21.0;
const INK: Rgb = Rgb(33, 37, 41);
const FRAME: Rgb = Rgb(150, 158, 166);
const PAPER: Rgb = Rgb(255, 255, 255);

/// Nine panels, three by three, each half its size.
pub fn grid(panels: &[Picture]) -> Picture {
    let side = PANEL / 2.0;
    let step = side + GAP;
    let mut picture = Picture::new(3.0 * step - GAP, 3.0 * step - GAP);
    for (index, panel) in panels.iter().enumerate() {
        let (x, y) = ((index % 3) as f32 * step, (index / 3) as f32 * step);
        picture.place(panel, x, y, side / panel.width.max(1.0));
        picture.rounded(Area::new(x, y, side, side), 0.0, Paint::stroke(FRAME, 1.0));
    }
    picture
}

/// One panel, half its size.
pub fn framed(panel: &Picture) -> Picture {
    let side = PANEL / 2.0;
    let mut picture = Picture::new(side, side);
    picture.place(panel, 0.0, 0.0, side / panel.width.max(1.0));
    picture.rounded(Area::new(0.0, 0.0, side, side), 0.0, Paint::stroke(FRAME, 1.0));
    picture
}

/// The rules of a puzzle, a line each.
pub fn rule_words(rules: &RuleMatrix, layout: Layout) -> Vec<String> {
    let lines = rule_lines(rules, layout).into_iter();
    lines
        .map(|line| {
            let rules: Vec<String> =
                line.rules.iter().map(|(name, rule)| format!("{name} {rule}")).collect();
            if line.label.is_empty() {
                rules.join(", ")
            } else {
                format!("{}: {}", line.label, rules.join(", "))
            }
        })
        .collect()
}

/// Pictures side by side, each under its name, with a heading above and lines below.
pub fn side_by_side(title: &str, named: &[(String, Picture)], lines: &[String]) -> Picture {
    let width: f32 = named.iter().map(|(_, p)| p.width + 3.0 * GAP).sum::<f32>() - 3.0 * GAP;
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) as f32;
    let width = width.max(longest * SIZE * 0.5);
    let tallest = named.iter().map(|(_, p)| p.height).fold(0.0, f32::max);
    let height = 2.0 * LINE + tallest + GAP + lines.len() as f32 * LINE;
    let mut picture = Picture::new(width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    let written = |content: &str, x: f32, y: f32, weight| Text {
        content: content.to_owned(),
        x,
        y,
        size: SIZE,
        weight,
        anchor: Anchor::Start,
        color: INK,
    };
    picture.text(written(title, MARGIN, MARGIN + SIZE, Weight::Bold));
    let (mut x, top) = (MARGIN, MARGIN + 2.0 * LINE);
    for (name, own) in named {
        picture.text(written(name, x, top - GAP, Weight::Regular));
        picture.place(own, x, top, 1.0);
        x += own.width + 3.0 * GAP;
    }
    for (index, line) in lines.iter().enumerate() {
        let y = top + tallest + GAP + SIZE + index as f32 * LINE;
        picture.text(written(line, MARGIN, y, Weight::Regular));
    }
    picture.background(PAPER);
    picture.title = title.to_owned();
    let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    picture.description = format!("{}. {}", names.join("; "), lines.join("; "));
    picture
}
