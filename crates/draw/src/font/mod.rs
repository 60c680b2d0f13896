//! The letters of our pictures: how wide a text is, where it breaks, and the
//! outlines of its glyphs. Two weights of Roboto travel in the program, so that
//! a picture looks the same everywhere.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

static REGULAR: LazyLock<Face<'static>> = LazyLock::new(|| face(Weight::Regular.bytes()));
static BOLD: LazyLock<Face<'static>> = LazyLock::new(|| face(Weight::Bold.bytes()));

fn face(bytes: &'static [u8]) -> Face<'static> {
    Face::parse(bytes, 0).expect("the font in the program is whole")
}

/// How heavy letters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Weight {
    /// Text.
    #[default]
    Regular,
    /// Headings and marks.
    Bold,
}

impl Weight {
    /// The font file, for documents that carry their letters along.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Regular => include_bytes!("Roboto-Regular.ttf"),
            Self::Bold => include_bytes!("Roboto-Bold.ttf"),
        }
    }

    fn face(self) -> &'static Face<'static> {
        match self {
            Self::Regular => &REGULAR,
            Self::Bold => &BOLD,
        }
    }
}

/// Letters that the font lacks are shown as its empty box.
fn glyph(face: &Face<'_>, letter: char) -> GlyphId {
    face.glyph_index(letter).unwrap_or(GlyphId(0))
}

fn advance(face: &Face<'_>, letter: char) -> f32 {
    f32::from(face.glyph_hor_advance(glyph(face, letter)).unwrap_or(0))
}

/// Height of capital letters as a share of the font size.
pub const CAPITAL: f32 = 0.711;

/// How wide a text is at a font size.
pub fn width(text: &str, size: f32, weight: Weight) -> f32 {
    let face = weight.face();
    let units: f32 = text.chars().map(|letter| advance(face, letter)).sum();
    units * size / f32::from(face.units_per_em())
}

/// The text, or as much of its beginning as fits into `room` with an ellipsis;
/// empty where not even one letter fits.
pub fn fit(text: &str, size: f32, weight: Weight, room: f32) -> String {
    if width(text, size, weight) <= room {
        return text.to_owned();
    }
    let mut end = 0;
    for (at, letter) in text.char_indices() {
        let next = at + letter.len_utf8();
        if width(&format!("{}…", &text[..next]), size, weight) > room {
            break;
        }
        end = next;
    }
    match text[..end].trim_end() {
        "" => String::new(),
        kept => format!("{kept}…"),
    }
}

/// The text in lines that fit into `room`, broken at spaces; a word that is too
/// long for a line is broken where the line ends.
pub fn wrap(text: &str, size: f32, weight: Weight, room: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let joined = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if width(&joined, size, weight) <= room {
            line = joined;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for letter in word.chars() {
            line.push(letter);
            if width(&line, size, weight) > room && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, letter.to_string()));
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Draws the outlines of a text whose baseline starts at `(x, y)`.
pub(super) fn outline(
    text: &str,
    (x, y): (f32, f32),
    size: f32,
    weight: Weight,
    path: &mut tiny_skia::PathBuilder,
) {
    let face = weight.face();
    let scale = size / f32::from(face.units_per_em());
    let mut pen = Pen { x, y, scale, path };
    for letter in text.chars() {
        face.outline_glyph(glyph(face, letter), &mut pen);
        pen.x += advance(face, letter) * scale;
    }
}

/// Turns font units, y up, into the picture's units, y down.
struct Pen<'a> {
    x: f32,
    y: f32,
    scale: f32,
    path: &'a mut tiny_skia::PathBuilder,
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (x1, y1) = self.at(x1, y1);
        let (x, y) = self.at(x, y);
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (x1, y1) = self.at(x1, y1);
        let (x2, y2) = self.at(x2, y2);
        let (x, y) = self.at(x, y);
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_line_is_wider_than_its_room(text in "\\PC{0,80}", room in 30f32..400.0) {
            for line in wrap(&text, 14.0, Weight::Regular, room) {
                prop_assert!(width(&line, 14.0, Weight::Regular) <= room, "{line}");
            }
            prop_assert!(width(&fit(&text, 14.0, Weight::Bold, room), 14.0, Weight::Bold) <= room);
        }

        #[test]
        fn wrapping_loses_no_letter(text in "[a-z =:/]{0,120}", room in 30f32..400.0) {
            let letters = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&wrap(&text, 14.0, Weight::Bold, room).concat()), letters(&text));
        }
    }

    #[test]
    fn a_text_that_is_cut_says_so() {
        let short = fit("a rather long caption", 12.0, Weight::Regular, 60.0);
        assert!(short.ends_with('…') && short.starts_with("a rat"), "{short}");
        assert_eq!(fit("short", 12.0, Weight::Regular, 60.0), "short");
    }
}
