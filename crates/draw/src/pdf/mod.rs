//! Pages as a PDF: true shapes and letters, nothing from outside.

mod font;

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::LineCapStyle;
use pdf_writer::{Content, Filter, Finish, Pdf, Rect, Ref, Str, TextStr};

use crate::{Area, Mark, Paint, Picture, Rgb, Text, Weight};
use font::Font;

/// Why a document could not be made.
#[derive(Debug, thiserror::Error)]
#[error("the PDF cannot be made: {0}")]
pub struct PdfError(String);

/// A document with one page for each picture, whose units are points.
///
/// # Errors
/// When a page has no size, or holds an image: pages are made of shapes.
pub fn pdf(title: &str, pages: &[Picture]) -> Result<Vec<u8>, PdfError> {
    let mut ids = Ids(1);
    let (catalog, tree, info) = (ids.next(), ids.next(), ids.next());
    let mut fonts = Fonts {
        regular: Font::new(Weight::Regular, ids.next())?,
        bold: Font::new(Weight::Bold, ids.next())?,
    };
    let kids: Vec<Ref> = pages.iter().map(|_| ids.next()).collect();
    let count = i32::try_from(kids.len()).map_err(|_| PdfError("too many pages".to_owned()))?;

    let mut document = Pdf::new();
    let mut root = document.catalog(catalog);
    root.pages(tree).lang(TextStr("en"));
    root.viewer_preferences().display_doc_title(true);
    root.finish();
    document.document_info(info).title(TextStr(title)).creator(TextStr("genvp"));
    document.pages(tree).kids(kids.iter().copied()).count(count);
    for (picture, id) in pages.iter().zip(kids) {
        let content = ids.next();
        let operators = packed(&drawn(picture, &mut fonts)?)?;
        document.stream(content, &operators).filter(Filter::FlateDecode);
        let mut page = document.page(id);
        page.parent(tree).contents(content);
        page.media_box(Rect::new(0.0, 0.0, picture.width, picture.height));
        let mut resources = page.resources();
        let mut names = resources.fonts();
        for font in [&fonts.regular, &fonts.bold] {
            names.pair(font.name, font.id);
        }
    }
    for font in [fonts.regular, fonts.bold] {
        font.embed(&mut document, &mut ids)?;
    }
    Ok(document.finish())
}

/// The numbers of a document's objects.
struct Ids(i32);

impl Ids {
    fn next(&mut self) -> Ref {
        let id = Ref::new(self.0);
        self.0 += 1;
        id
    }
}

struct Fonts {
    regular: Font,
    bold: Font,
}

fn packed(bytes: &[u8]) -> Result<Vec<u8>, PdfError> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(|e| PdfError(e.to_string()))
}

/// The operators that draw a picture. PDF measures y from below, pictures from above.
fn drawn(picture: &Picture, fonts: &mut Fonts) -> Result<Vec<u8>, PdfError> {
    let (width, height) = (picture.width, picture.height);
    if ![width, height].iter().all(|side| side.is_finite() && *side > 0.0) {
        return Err(PdfError(format!("a page of {width} x {height}")));
    }
    let mut content = Content::new();
    content.transform([1.0, 0.0, 0.0, -1.0, 0.0, height]);
    content.set_line_cap(LineCapStyle::RoundCap);
    for mark in &picture.marks {
        draw(&mut content, mark, fonts)?;
    }
    Ok(content.finish().into_vec())
}

/// Marks without extent are left out: a reader may show them as a dot.
fn draw(content: &mut Content, mark: &Mark, fonts: &mut Fonts) -> Result<(), PdfError> {
    match mark {
        Mark::Rect { area: Area { x, y, width, height }, paint, .. } => {
            if *width > 0.0 && *height > 0.0 {
                painted(content, *paint, |path| {
                    path.rect(*x, *y, *width, *height);
                });
            }
        }
        Mark::Circle { x, y, radius, paint } => {
            if *radius > 0.0 {
                painted(content, *paint, |path| circle(path, *x, *y, *radius));
            }
        }
        Mark::Polygon { points, paint } => {
            if let [first, rest @ ..] = &points[..] {
                painted(content, *paint, |path| {
                    through(path, *first, rest);
                    path.close_path();
                });
            }
        }
        Mark::Line { points, color, width } => {
            if let [first, rest @ ..] = &points[..] {
                let paint = Paint::stroke(*color, *width);
                painted(content, paint, |path| through(path, *first, rest));
            }
        }
        Mark::Text(text) => match text.weight {
            Weight::Regular => write(content, text, &mut fonts.regular),
            Weight::Bold => write(content, text, &mut fonts.bold),
        },
        Mark::Image { .. } => return Err(PdfError("it holds pixels".to_owned())),
    }
    Ok(())
}

/// Paints a path. Nothing may stand between a path and the operator that paints
/// it, so colors come first.
fn painted(content: &mut Content, paint: Paint, path: impl FnOnce(&mut Content)) {
    if let Some(color) = paint.fill {
        let [r, g, b] = shares(color);
        content.set_fill_rgb(r, g, b);
    }
    if let Some((color, width)) = paint.stroke {
        let [r, g, b] = shares(color);
        content.set_stroke_rgb(r, g, b).set_line_width(width);
    }
    path(content);
    match (paint.fill, paint.stroke) {
        (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
        (Some(_), None) => content.fill_nonzero(),
        (None, Some(_)) => content.stroke(),
        (None, None) => content.end_path(),
    };
}

fn shares(Rgb(r, g, b): Rgb) -> [f32; 3] {
    [r, g, b].map(|part| f32::from(part) / 255.0)
}

fn through(path: &mut Content, first: (f32, f32), rest: &[(f32, f32)]) {
    path.move_to(first.0, first.1);
    for (x, y) in rest {
        path.line_to(*x, *y);
    }
}

/// Four curves, which stay within a quarter of a thousandth of a circle.
fn circle(path: &mut Content, x: f32, y: f32, radius: f32) {
    let bend = 0.552_285 * radius;
    path.move_to(x + radius, y);
    path.cubic_to(x + radius, y + bend, x + bend, y + radius, x, y + radius);
    path.cubic_to(x - bend, y + radius, x - radius, y + bend, x - radius, y);
    path.cubic_to(x - radius, y - bend, x - bend, y - radius, x, y - radius);
    path.cubic_to(x + bend, y - radius, x + radius, y - bend, x + radius, y);
    path.close_path();
}

/// Letters stand upright although the page is turned.
fn write(content: &mut Content, text: &Text, font: &mut Font) {
    let [r, g, b] = shares(text.color);
    content.set_fill_rgb(r, g, b);
    content.begin_text();
    content.set_font(font.name, text.size);
    content.set_text_matrix([1.0, 0.0, 0.0, -1.0, text.left(), text.y]);
    content.show(Str(&font.codes(&text.content)));
    content.end_text();
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;

    use super::*;
    use crate::{Anchor, GreyImage};

    fn line(content: &str, weight: Weight) -> Mark {
        Mark::Text(Text {
            content: content.to_owned(),
            x: 10.0,
            y: 20.0,
            size: 12.0,
            weight,
            anchor: Anchor::Start,
            color: Rgb(0, 0, 0),
        })
    }

    fn page(marks: Vec<Mark>) -> Picture {
        let mut page = Picture::new(200.0, 100.0);
        page.marks = marks;
        page
    }

    /// What the document's streams hold.
    fn streams(document: &[u8]) -> Vec<Vec<u8>> {
        let find = |from: usize, what: &[u8]| {
            document[from..].windows(what.len()).position(|part| part == what).map(|at| from + at)
        };
        let mut streams = Vec::new();
        let mut from = 0;
        while let Some(at) = find(from, b"stream\n") {
            let mut bytes = Vec::new();
            ZlibDecoder::new(&document[at + 7..]).read_to_end(&mut bytes).expect("packed whole");
            streams.push(bytes);
            from = find(at, b"endstream").expect("it ends") + 9;
        }
        streams
    }

    fn holds(bytes: &[u8], text: &str) -> bool {
        bytes.windows(text.len()).any(|part| part == text.as_bytes())
    }

    #[test]
    fn letters_are_carried_along_and_can_be_read_back() {
        let pages =
            [page(vec![line("Aß", Weight::Regular)]), page(vec![line("key", Weight::Bold)])];
        let document = pdf("A title", &pages).expect("made");
        assert!(document.starts_with(b"%PDF") && holds(&document, "(A title)"));
        assert!(holds(&document, "/Count 2"), "two pages");
        let streams = streams(&document);
        for (weight, letters) in [(Weight::Regular, "Aß"), (Weight::Bold, "key")] {
            assert!(streams.iter().any(|stream| stream == weight.bytes()), "{weight:?}");
            let face = ttf_parser::Face::parse(weight.bytes(), 0).expect("whole");
            for letter in letters.chars() {
                let glyph = face.glyph_index(letter).expect("there").0;
                let pair = format!("<{glyph:04X}> <{:04X}>", u32::from(letter));
                assert!(streams.iter().any(|stream| holds(stream, &pair)), "{letter}: {pair}");
            }
        }
    }

    #[test]
    fn letters_are_as_wide_as_where_they_were_placed() {
        let text = "Which one? 42";
        let document = pdf("", &[page(vec![line(text, Weight::Regular)])]).expect("made");
        let after = |name: &str| {
            let written = String::from_utf8_lossy(&document);
            written.split_once(name).map(|(_, rest)| rest.to_owned()).expect("written")
        };
        // `/W [first [width] first [width] ...]`
        let listed = after("/W [");
        let mut numbers = listed
            .split(|c: char| c.is_whitespace() || "[]".contains(c))
            .filter(|part| !part.is_empty());
        let face = ttf_parser::Face::parse(Weight::Regular.bytes(), 0).expect("whole");
        let mut widths = std::collections::HashMap::new();
        while let Some(glyph) = numbers.next().and_then(|part| part.parse::<u16>().ok()) {
            let width = numbers.next().and_then(|part| part.parse::<f32>().ok()).expect("a width");
            widths.insert(glyph, width);
        }
        let sum: f32 =
            text.chars().map(|letter| widths[&face.glyph_index(letter).expect("there").0]).sum();
        let placed = crate::text_width(text, 12.0, Weight::Regular);
        assert!((sum * 12.0 / 1000.0 - placed).abs() < 0.01, "{sum} {placed}");
    }

    #[test]
    fn shapes_are_painted_and_those_without_extent_are_left_out() {
        let paint = Paint { fill: Some(Rgb(255, 0, 0)), stroke: Some((Rgb(0, 0, 255), 2.0)) };
        let rect = |width| Mark::Rect { area: Area::new(1.0, 2.0, width, 4.0), radius: 0.0, paint };
        let pages = [
            page(vec![rect(3.0)]),
            page(vec![rect(0.0), Mark::Polygon { points: Vec::new(), paint }]),
        ];
        let document = pdf("", &pages).expect("made");
        let [shown, empty, ..] = &streams(&document)[..] else { panic!("two pages") };
        assert!(holds(shown, "1 0 0 rg") && holds(shown, "0 0 1 RG") && holds(shown, "2 w"));
        assert!(holds(shown, "1 2 3 4 re\nB"), "{}", String::from_utf8_lossy(shown));
        assert!(!holds(empty, "re") && !holds(empty, "B"));
    }

    #[test]
    fn pages_without_size_and_pixels_are_refused() {
        let error = pdf("", &[Picture::new(0.0, 100.0)]).expect_err("no width").to_string();
        assert!(error.contains("a page of 0 x 100"), "{error}");
        let image = GreyImage::new(1, 1, &[0]).expect("a pixel");
        let image = Mark::Image { area: Area::new(0.0, 0.0, 1.0, 1.0), image };
        let error = pdf("", &[page(vec![image])]).expect_err("pixels").to_string();
        assert!(error.contains("it holds pixels"), "{error}");
    }
}
