//! The rules of a puzzle, written out for people.

use genvp_puzzle::{Layout, RuleMatrix};

use super::font::{self, Weight};
use super::picture::{Anchor, Picture, Text};
use super::style::{LINE, MUTED, TEXT};

/// The rules of one component.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RuleLine {
    /// Name of the component; empty where there is only one.
    pub label: String,
    /// What is governed and how: `("size", "progression +1")`.
    pub rules: Vec<(String, String)>,
}

/// The rules of a matrix, one line for every component of the layout.
pub fn rule_lines(matrix: &RuleMatrix, layout: Layout) -> Vec<RuleLine> {
    rule_lines_of(&matrix.text(layout))
}

/// The rules of a text such as `out.type=constant in.size=progression:+1`, one line
/// for everything that stands before the last dot.
pub fn rule_lines_of(text: &str) -> Vec<RuleLine> {
    let mut lines: Vec<RuleLine> = Vec::new();
    for piece in text.split_whitespace() {
        let Some((key, rule)) = piece.split_once('=') else { continue };
        let (label, attribute) = key.rsplit_once('.').unwrap_or(("", key));
        let rule = rule.replacen(':', " ", 1).replace(" -", " \u{2212}");
        let rule = (attribute.to_owned(), rule);
        match lines.iter_mut().find(|line| line.label == label) {
            Some(line) => line.rules.push(rule),
            None => lines.push(RuleLine { label: label.to_owned(), rules: vec![rule] }),
        }
    }
    lines
}

/// A plain sentence of it: `out: type constant, size progression +1`.
impl std::fmt::Display for RuleLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.label.is_empty() {
            write!(f, "{}: ", self.label)?;
        }
        let rules: Vec<String> =
            self.rules.iter().map(|(what, how)| format!("{what} {how}")).collect();
        f.write_str(&rules.join(", "))
    }
}

/// Writes the rules from `(x, y)` down, inside `room`, and says how high they
/// are. They stand in as many aligned columns as there is room for.
pub(super) fn write_rules(
    picture: &mut Picture,
    lines: &[RuleLine],
    (x, y): (f32, f32),
    room: f32,
    size: f32,
) -> f32 {
    let label_room = lines
        .iter()
        .map(|line| font::width(&line.label, size, Weight::Bold))
        .fold(0.0, f32::max)
        .min(room / 3.0);
    let start = if label_room > 0.0 { label_room + size * 0.9 } else { 0.0 };
    let columns = columns(lines, room - start, size);
    let mut write = |content: String, x: f32, y: f32, weight, color| {
        picture.text(Text { content, x, y, size, weight, anchor: Anchor::Start, color });
    };
    let mut row = 0;
    for line in lines {
        let baseline = |row: usize| y + size + row as f32 * size * LINE;
        let label = font::fit(&line.label, size, Weight::Bold, label_room);
        write(label, x, baseline(row), Weight::Bold, TEXT);
        for rules in line.rules.chunks(columns.len()) {
            let mut left = x + start;
            for ((what, how), &width) in rules.iter().zip(&columns) {
                let what = font::fit(what, size, Weight::Regular, width);
                let indent = font::width(&what, size, Weight::Regular) + size * SPACE;
                let how = font::fit(how, size, Weight::Bold, width - indent);
                write(what, left, baseline(row), Weight::Regular, MUTED);
                write(how, left + indent, baseline(row), Weight::Bold, TEXT);
                left += width + size * BETWEEN;
            }
            row += 1;
        }
        row += usize::from(line.rules.is_empty());
    }
    row as f32 * size * LINE
}

/// Between a rule and what it governs, as a multiple of the font size.
const SPACE: f32 = 0.32;
/// Between two columns of rules.
const BETWEEN: f32 = 1.1;

/// The widths of the columns of rules: all rules side by side if they fit into
/// `room`, else half as many to a line, and so on down to one.
fn columns(lines: &[RuleLine], room: f32, size: f32) -> Vec<f32> {
    let width = |(what, how): &(String, String)| {
        // A hair more than needed, so that rounding never cuts a text that fits.
        let text = font::width(what, size, Weight::Regular) + font::width(how, size, Weight::Bold);
        text + size * SPACE + 0.01
    };
    let mut count = lines.iter().map(|line| line.rules.len()).max().unwrap_or(0).max(1);
    loop {
        let widths: Vec<f32> = (0..count)
            .map(|column| {
                let rules = lines.iter().flat_map(|l| l.rules.iter().skip(column).step_by(count));
                rules.map(width).fold(0.0, f32::max)
            })
            .collect();
        let between = (count - 1) as f32 * size * BETWEEN;
        if widths.iter().sum::<f32>() + between <= room {
            return widths;
        }
        if count == 1 {
            return vec![room];
        }
        count = count.div_ceil(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_has_its_line() {
        let layout = Layout::OutInCenter;
        let matrix =
            RuleMatrix::parse("out.size=progression:-1 in.type=distribute-three", layout).unwrap();
        let lines: Vec<String> =
            rule_lines(&matrix, layout).iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "out: number/position free, type free, size progression \u{2212}1, color free",
                "in: number/position free, type distribute-three, size free, color free",
            ]
        );
    }
}
