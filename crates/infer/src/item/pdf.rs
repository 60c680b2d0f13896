//! Pages as a PDF: true shapes and letters, nothing from outside.

use genvp_draw::{Area, Mark, Paint, Picture, Rgb, Text, Weight};
use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, LineCap, LineJoin, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};

/// Why a document could not be made.
#[derive(Debug, thiserror::Error)]
#[error("the PDF cannot be made: {0}")]
pub struct PdfError(String);

/// A document with one page for each picture, whose units are points.
///
/// # Errors
/// When a page has no size, or holds an image: pages are made of shapes.
pub fn pdf(title: &str, pages: &[Picture]) -> Result<Vec<u8>, PdfError> {
    let mut document = Document::new();
    document.set_metadata(
        Metadata::new()
            .title(title.to_owned())
            .language("en".to_owned())
            .creator("genvp".to_owned()),
    );
    let fonts = Fonts::new()?;
    for picture in pages {
        let settings = PageSettings::from_wh(picture.width, picture.height)
            .ok_or_else(|| PdfError(format!("a page of {} x {}", picture.width, picture.height)))?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        for mark in &picture.marks {
            draw(&mut surface, mark, &fonts)?;
        }
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|error| PdfError(format!("{error:?}")))
}

struct Fonts {
    regular: Font,
    bold: Font,
}

impl Fonts {
    fn new() -> Result<Self, PdfError> {
        let load = |weight: Weight| {
            Font::new(weight.bytes().to_vec().into(), 0)
                .ok_or_else(|| PdfError("its letters cannot be read".to_owned()))
        };
        Ok(Self { regular: load(Weight::Regular)?, bold: load(Weight::Bold)? })
    }
}

fn color(Rgb(r, g, b): Rgb) -> rgb::Color {
    rgb::Color::new(r, g, b)
}

fn fill(rgb: Rgb) -> Fill {
    Fill { paint: color(rgb).into(), opacity: NormalizedF32::ONE, rule: Default::default() }
}

fn stroke(rgb: Rgb, width: f32) -> Stroke {
    Stroke {
        paint: color(rgb).into(),
        width,
        line_cap: LineCap::Round,
        line_join: LineJoin::Miter,
        ..Stroke::default()
    }
}

/// Marks without extent, which have no path, are left out.
fn draw(surface: &mut Surface<'_>, mark: &Mark, fonts: &Fonts) -> Result<(), PdfError> {
    match mark {
        Mark::Rect { area, paint, .. } => {
            painted(surface, *paint, rectangle(*area));
        }
        Mark::Circle { x, y, radius, paint } => painted(surface, *paint, circle(*x, *y, *radius)),
        Mark::Polygon { points, paint } => painted(surface, *paint, polygon(points, true)),
        Mark::Line { points, color, width } => {
            painted(surface, Paint::stroke(*color, *width), polygon(points, false));
        }
        Mark::Text(text) => write(surface, text, fonts),
        Mark::Image { .. } => return Err(PdfError("it holds pixels".to_owned())),
    }
    Ok(())
}

fn painted(surface: &mut Surface<'_>, paint: Paint, path: Option<Path>) {
    let Some(path) = path else { return };
    surface.set_fill(paint.fill.map(fill));
    surface.set_stroke(paint.stroke.map(|(color, width)| stroke(color, width)));
    surface.draw_path(&path);
}

fn rectangle(area: Area) -> Option<Path> {
    let rect = Rect::from_xywh(area.x, area.y, area.width, area.height)?;
    let mut path = PathBuilder::new();
    path.push_rect(rect);
    path.finish()
}

fn polygon(points: &[(f32, f32)], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    let ((x, y), rest) = points.split_first()?;
    path.move_to(*x, *y);
    rest.iter().for_each(|(x, y)| path.line_to(*x, *y));
    if closed {
        path.close();
    }
    path.finish()
}

/// Four curves, which stay within a quarter of a thousandth of a circle.
fn circle(x: f32, y: f32, radius: f32) -> Option<Path> {
    let bend = 0.552_285 * radius;
    let mut path = PathBuilder::new();
    path.move_to(x + radius, y);
    path.cubic_to(x + radius, y + bend, x + bend, y + radius, x, y + radius);
    path.cubic_to(x - bend, y + radius, x - radius, y + bend, x - radius, y);
    path.cubic_to(x - radius, y - bend, x - bend, y - radius, x, y - radius);
    path.cubic_to(x + bend, y - radius, x + radius, y - bend, x + radius, y);
    path.close();
    path.finish()
}

fn write(surface: &mut Surface<'_>, text: &Text, fonts: &Fonts) {
    let font = match text.weight {
        Weight::Regular => fonts.regular.clone(),
        Weight::Bold => fonts.bold.clone(),
    };
    surface.set_fill(Some(fill(text.color)));
    surface.set_stroke(None);
    let at = Point::from_xy(text.left(), text.y);
    surface.draw_text(at, font, text.size, &text.content, false, TextDirection::LeftToRight);
}
