//! The rules of a puzzle, written out for people.

use crate::{Layout, RuleMatrix};

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
    let mut lines: Vec<RuleLine> = layout
        .parts()
        .iter()
        .map(|part| RuleLine { label: part.prefix().unwrap_or("").to_owned(), rules: Vec::new() })
        .collect();
    for piece in matrix.text(layout).split_whitespace() {
        let Some((key, rule)) = piece.split_once('=') else { continue };
        let (label, attribute) = key.split_once('.').unwrap_or(("", key));
        let rule = rule.replacen(':', " ", 1).replace(" -", " \u{2212}");
        if let Some(line) = lines.iter_mut().find(|line| line.label == label) {
            line.rules.push((attribute.to_owned(), rule));
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
/// are. A rule is never torn apart where it fits on a line of its own.
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
    let start = if label_room > 0.0 { label_room + size * 0.8 } else { 0.0 };
    let (space, between) = (size * 0.32, size * 1.1);
    let mut baseline = y + size;
    let mut write = |content: &str, x: f32, y: f32, weight, color| {
        let content = content.to_owned();
        picture.text(Text { content, x, y, size, weight, anchor: Anchor::Start, color });
    };
    for line in lines {
        let label = font::fit(&line.label, size, Weight::Bold, label_room);
        write(&label, x, baseline, Weight::Bold, TEXT);
        let mut at = start;
        for (what, how) in &line.rules {
            let what = font::fit(what, size, Weight::Regular, room - start);
            let what_width = font::width(&what, size, Weight::Regular);
            let how = font::fit(how, size, Weight::Bold, room - start - what_width - space);
            let width = what_width + space + font::width(&how, size, Weight::Bold);
            if at > start && at + width > room {
                at = start;
                baseline += size * LINE;
            }
            write(&what, x + at, baseline, Weight::Regular, MUTED);
            write(&how, x + at + what_width + space, baseline, Weight::Bold, TEXT);
            at += width + between;
        }
        baseline += size * LINE;
    }
    baseline - size - y
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
