//! Pictures as pixels, anti-aliased.

use tiny_skia::{
    FillRule, LineCap, LineJoin, PathBuilder, Pixmap, PremultipliedColorU8, Rect, Stroke, Transform,
};

use super::image::GreyImage;
use super::picture::{Area, Mark, Paint, Picture, Rgb};
use super::{DrawError, font, png};

/// The longest side, in pixels, that a picture may have.
const LONGEST_SIDE: f32 = 65_000.0;

/// How many pixels a picture may have: half a gigabyte of them.
const MOST_PIXELS: f32 = 134_217_728.0;

/// Share of a circle's radius at which the handles of its four curves stand.
const QUARTER_HANDLE: f32 = 0.552_284_8;

/// A picture in pixels, on white paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Red, green and blue of every pixel, row by row.
    pub rgb: Vec<u8>,
}

impl Raster {
    /// The picture without its colors.
    pub fn grey(&self) -> Vec<u8> {
        self.rgb.chunks_exact(3).map(|p| Rgb(p[0], p[1], p[2]).luma()).collect()
    }

    /// The picture as PNG bytes: grey where it has no colors.
    pub fn png(&self) -> Vec<u8> {
        if self.rgb.chunks_exact(3).all(|p| p[0] == p[1] && p[1] == p[2]) {
            png::grey(self.width, self.height, &self.grey())
        } else {
            png::rgb(self.width, self.height, &self.rgb)
        }
    }
}

impl Picture {
    /// The picture as pixels, `scale` of them to a user unit.
    pub fn raster(&self, scale: f32) -> Result<Raster, DrawError> {
        let (width, height) = ((self.width * scale).round(), (self.height * scale).round());
        let sides = 1.0..=LONGEST_SIDE;
        let drawable =
            sides.contains(&width) && sides.contains(&height) && width * height <= MOST_PIXELS;
        let mut canvas = drawable
            .then(|| Pixmap::new(width as u32, height as u32))
            .flatten()
            .ok_or(DrawError::Size { width, height })?;
        canvas.fill(tiny_skia::Color::WHITE);
        for mark in &self.marks {
            draw(&mut canvas, mark, scale);
        }
        let rgb = canvas.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
        Ok(Raster { width: width as usize, height: height as usize, rgb })
    }

    /// The picture as PNG bytes, `scale` pixels to a user unit.
    pub fn png(&self, scale: f32) -> Result<Vec<u8>, DrawError> {
        Ok(self.raster(scale)?.png())
    }
}

fn draw(canvas: &mut Pixmap, mark: &Mark, scale: f32) {
    let mut path = PathBuilder::new();
    match mark {
        Mark::Rect { area, radius, paint: Paint { fill: Some(color), stroke: None } }
            if *radius <= 0.0 =>
        {
            fill_whole_pixels(canvas, *area, *color, scale);
        }
        Mark::Rect { area, radius, paint: Paint { fill, stroke: Some((color, width)) } }
            if *radius <= 0.0 =>
        {
            frame_whole_pixels(canvas, *area, *fill, (*color, *width), scale);
        }
        Mark::Rect { area, radius, paint } => {
            push_rect(&mut path, *area, *radius);
            paint_path(canvas, path, *paint, scale);
        }
        Mark::Circle { x, y, radius, paint } => {
            path.push_circle(*x, *y, *radius);
            paint_path(canvas, path, *paint, scale);
        }
        Mark::Polygon { points, paint } => {
            push_points(&mut path, points);
            path.close();
            paint_path(canvas, path, *paint, scale);
        }
        Mark::Line { points, color, width } => {
            push_points(&mut path, points);
            stroke_path(canvas, path, *color, *width, LineCap::Round, scale);
        }
        Mark::Text(text) => {
            font::outline(&text.content, (text.left(), text.y), text.size, text.weight, &mut path);
            paint_path(canvas, path, Paint::fill(text.color), scale);
        }
        Mark::Image { area, image } => draw_image(canvas, *area, image, scale),
    }
}

/// Left, top, right and bottom in pixels.
type Edges = (i64, i64, i64, i64);

/// The whole pixels that an area covers, at least one each way. Frames and the
/// images inside them are rounded alike, so no gap opens between them.
fn whole_pixels(area: Area, scale: f32) -> Edges {
    let span = |start: f32, length: f32| {
        let low = (start * scale).round() as i64;
        (low, (((start + length) * scale).round() as i64).max(low + 1))
    };
    let (left, right) = span(area.x, area.width);
    let (top, bottom) = span(area.y, area.height);
    (left, top, right, bottom)
}

fn fill_whole_pixels(canvas: &mut Pixmap, area: Area, color: Rgb, scale: f32) {
    fill_pixels(canvas, whole_pixels(area, scale), color);
}

fn fill_pixels(canvas: &mut Pixmap, (left, top, right, bottom): Edges, color: Rgb) {
    let edges = Rect::from_ltrb(left as f32, top as f32, right as f32, bottom as f32);
    if let Some(rect) = edges {
        canvas.fill_rect(rect, &ink(color), Transform::identity(), None);
    }
}

/// A frame of the same whole number of pixels on all four sides.
fn frame_whole_pixels(
    canvas: &mut Pixmap,
    area: Area,
    fill: Option<Rgb>,
    (color, width): (Rgb, f32),
    scale: f32,
) {
    let inner = whole_pixels(area.grown(-width / 2.0), scale);
    let (left, top, right, bottom) = inner;
    let thick = ((width * scale).round() as i64).max(1);
    let (outer_left, outer_right) = (left - thick, right + thick);
    fill_pixels(canvas, (outer_left, top - thick, outer_right, top), color);
    fill_pixels(canvas, (outer_left, bottom, outer_right, bottom + thick), color);
    fill_pixels(canvas, (outer_left, top, left, bottom), color);
    fill_pixels(canvas, (right, top, outer_right, bottom), color);
    if let Some(fill) = fill {
        fill_pixels(canvas, inner, fill);
    }
}

fn draw_image(canvas: &mut Pixmap, area: Area, image: &GreyImage, scale: f32) {
    let (left, top, right, bottom) = whole_pixels(area, scale);
    let (wide, high) = (i64::from(canvas.width()), i64::from(canvas.height()));
    // What is far larger than the page is not worth its memory.
    if right - left > 2 * wide || bottom - top > 2 * high {
        return;
    }
    let fitted = image.resized((right - left) as usize, (bottom - top) as usize);
    let pixels = canvas.pixels_mut();
    for y in top.max(0)..bottom.min(high) {
        for x in left.max(0)..right.min(wide) {
            let value = fitted.pixels()[(y - top) as usize * fitted.width() + (x - left) as usize];
            if let Some(grey) = PremultipliedColorU8::from_rgba(value, value, value, 255) {
                pixels[(y * wide + x) as usize] = grey;
            }
        }
    }
}

fn push_points(path: &mut PathBuilder, points: &[(f32, f32)]) {
    for (index, &(x, y)) in points.iter().enumerate() {
        if index == 0 {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
}

fn push_rect(path: &mut PathBuilder, area: Area, radius: f32) {
    let Area { x, y, width, height } = area;
    let (right, bottom) = (x + width, y + height);
    let r = radius.clamp(0.0, width.min(height).max(0.0) / 2.0);
    let k = r * (1.0 - QUARTER_HANDLE);
    path.move_to(x + r, y);
    path.line_to(right - r, y);
    path.cubic_to(right - k, y, right, y + k, right, y + r);
    path.line_to(right, bottom - r);
    path.cubic_to(right, bottom - k, right - k, bottom, right - r, bottom);
    path.line_to(x + r, bottom);
    path.cubic_to(x + k, bottom, x, bottom - k, x, bottom - r);
    path.line_to(x, y + r);
    path.cubic_to(x, y + k, x + k, y, x + r, y);
    path.close();
}

fn paint_path(canvas: &mut Pixmap, path: PathBuilder, paint: Paint, scale: f32) {
    if let Some(color) = paint.fill
        && let Some(shape) = path.clone().finish()
    {
        let place = Transform::from_scale(scale, scale);
        canvas.fill_path(&shape, &ink(color), FillRule::Winding, place, None);
    }
    if let Some((color, width)) = paint.stroke {
        stroke_path(canvas, path, color, width, LineCap::Butt, scale);
    }
}

fn stroke_path(
    canvas: &mut Pixmap,
    path: PathBuilder,
    color: Rgb,
    width: f32,
    line_cap: LineCap,
    scale: f32,
) {
    let line_join = if line_cap == LineCap::Round { LineJoin::Round } else { LineJoin::Miter };
    let stroke = Stroke { width, line_cap, line_join, ..Stroke::default() };
    if let Some(shape) = path.finish() {
        canvas.stroke_path(&shape, &ink(color), &stroke, Transform::from_scale(scale, scale), None);
    }
}

fn ink(color: Rgb) -> tiny_skia::Paint<'static> {
    let mut paint = tiny_skia::Paint { anti_alias: true, ..tiny_skia::Paint::default() };
    paint.set_color_rgba8(color.0, color.1, color.2, 255);
    paint
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_without_colors_becomes_a_grey_png() {
        let mut picture = Picture::new(10.0, 10.0);
        picture.rect(Area::new(2.0, 2.0, 3.0, 3.0), Rgb::grey(90));
        // Byte 25 of a PNG is its color type: 0 grey, 2 color.
        assert_eq!(picture.png(1.0).unwrap()[25], 0);
        picture.rect(Area::new(6.0, 2.0, 3.0, 3.0), Rgb(0, 114, 178));
        assert_eq!(picture.png(1.0).unwrap()[25], 2);
    }

    #[test]
    fn an_image_keeps_its_exact_pixels_at_whole_multiples() {
        let pixels: Vec<u8> = (0..64).map(|i| (i * 37 % 256) as u8).collect();
        let image = GreyImage::new(8, 8, &pixels).unwrap();
        let mut picture = Picture::new(12.0, 12.0);
        picture.marks.push(Mark::Image { area: Area::new(2.0, 3.0, 8.0, 8.0), image });
        for scale in [1, 3] {
            let grey = picture.raster(scale as f32).unwrap().grey();
            for y in 0..8 * scale {
                for x in 0..8 * scale {
                    let at = (y + 3 * scale) * 12 * scale + x + 2 * scale;
                    assert_eq!(grey[at], pixels[y / scale * 8 + x / scale]);
                }
            }
        }
    }

    #[test]
    fn thin_lines_are_full_ink_at_any_scale() {
        let mut picture = Picture::new(100.0, 100.0);
        picture.rect(Area::new(49.3, 0.0, 1.0, 100.0), Rgb::grey(0));
        for scale in [0.2, 0.37, 1.0, 1.9] {
            let raster = picture.raster(scale).unwrap();
            assert!(raster.grey()[..raster.width].contains(&0), "scale {scale}");
        }
    }

    #[test]
    fn long_sheets_are_drawn_to_their_end() {
        let mut picture = Picture::new(40.0, 30_000.0);
        let paint = Paint::fill(Rgb::grey(60));
        picture.marks.push(Mark::Circle { x: 20.0, y: 29_980.0, radius: 10.0, paint });
        let raster = picture.raster(1.0).unwrap();
        assert_eq!(raster.grey()[29_980 * 40 + 20], 60);
        assert_eq!(raster.grey()[29_995 * 40 + 20], 255);
    }

    #[test]
    fn sizes_that_no_memory_holds_are_refused() {
        let picture = Picture::new(100.0, 100.0);
        for scale in [0.0, -1.0, 1e9, f32::NAN, f32::INFINITY] {
            assert!(picture.raster(scale).is_err(), "scale {scale}");
        }
    }
}
