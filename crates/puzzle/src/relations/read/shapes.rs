//! Which shapes a panel has.

use std::sync::OnceLock;

use arrayvec::ArrayVec;

use crate::relations::render::{ORIGINAL, SIDE, WHOLE};
use crate::relations::{GREYS, Panel, Shape, ShapeType, Vocabulary};
use crate::resize_ink;

/// Half the distance between two places at 160 pixels.
const HALF: usize = SIDE / 8;

/// The shape in one place of a panel that we drew: `Some(None)` where there is
/// none, `None` where no shape explains every pixel.
pub(super) fn exact(
    grey: &[u8],
    below: &[u8],
    position: u8,
    vocabulary: Vocabulary,
) -> Option<Option<Shape>> {
    let centre = ORIGINAL.centre(position);
    let (y, x) = (centre / SIDE, centre % SIDE);
    let mut changed = 0;
    let mut reach = 0;
    for row in y - HALF..y + HALF {
        let range = row * SIDE + x - HALF..row * SIDE + x + HALF;
        let pixels = grey[range.clone()].iter().zip(&below[range]);
        let here = pixels.filter(|(a, b)| a != b).count();
        changed += here;
        if here > 0 {
            reach = reach.max(row.abs_diff(y));
        }
    }
    if changed == 0 {
        return Some(None);
    }
    let color = GREYS.iter().position(|&g| g == grey[centre])? as u8;
    let fits = |kind: ShapeType, size: u8| {
        let mut explained = 0;
        for cover in ORIGINAL.shape(kind, size, position).covers() {
            let at = (centre as isize + cover.offset as isize) as usize;
            if cover.over(grey[centre], below[at]) != grey[at] {
                return false;
            }
            explained += usize::from(grey[at] != below[at]);
        }
        explained == changed
    };
    // The larger the change reaches, the larger the shape: the likeliest size first.
    let guess = (reach as i32 * 2 - 11).clamp(0, 19) / 3;
    let mut sizes: ArrayVec<u8, 10> = (0..10).collect();
    sizes.sort_by_key(|&size| (i32::from(size) - guess).abs());
    sizes.into_iter().find_map(|size| {
        let kind = vocabulary.shapes().iter().find(|&&kind| fits(kind, size))?;
        Some(Some(Shape { position, kind: *kind, size, color }))
    })
}

/// What share of each pixel around a place a shape covers.
struct Template {
    kind: ShapeType,
    size: u8,
    /// Outline and inside together.
    cover: Vec<f32>,
    /// The inside alone.
    fill: Vec<f32>,
}

/// All shapes at one side, made when first needed.
pub(super) struct Templates {
    side: usize,
    vocabulary: Vocabulary,
    /// By position, or one for all where centres fall on corners of pixels.
    places: Vec<OnceLock<Vec<Template>>>,
}

/// How many of the best templates are drawn exactly and compared again.
const FINALISTS: usize = 6;

/// A difference in greys that rounding to whole numbers explains.
const ROUNDING: f32 = 1.0;

impl Templates {
    pub fn new(side: usize, vocabulary: Vocabulary) -> Self {
        let places = if side.is_multiple_of(8) { 1 } else { 9 };
        Self { side, vocabulary, places: (0..places).map(|_| OnceLock::new()).collect() }
    }

    /// The pixels around a place: rows and columns from the first to the last.
    fn window(&self, position: u8) -> [std::ops::Range<usize>; 2] {
        let range = |n: u8| {
            let eighth = |n: usize| n * self.side / 8;
            let middle = 2 * (usize::from(n) + 1);
            eighth(middle - 1)..(eighth(middle + 1)).max(eighth(middle - 1) + 1)
        };
        [range(position / 3), range(position % 3)]
    }

    fn cut(&self, panel: &[f32], position: u8) -> Vec<f32> {
        let [rows, columns] = self.window(position);
        rows.flat_map(|y| &panel[y * self.side + columns.start..y * self.side + columns.end])
            .copied()
            .collect()
    }

    fn at_side(&self, map: &[f32]) -> Vec<f32> {
        let mut out = vec![0.0; self.side * self.side];
        resize_ink(map, SIDE, self.side, &mut out);
        out
    }

    fn of(&self, position: u8) -> &[Template] {
        let place = if self.places.len() == 1 { 0 } else { usize::from(position) };
        self.places[place].get_or_init(|| {
            let sizes = |&kind| (0..10).map(move |size| (kind, size));
            let all = self.vocabulary.shapes().iter().flat_map(sizes);
            all.map(|(kind, size)| self.template(kind, size, position)).collect()
        })
    }

    fn template(&self, kind: ShapeType, size: u8, position: u8) -> Template {
        let mut cover = vec![0.0; SIDE * SIDE];
        let mut fill = vec![0.0; SIDE * SIDE];
        let centre = ORIGINAL.centre(position) as isize;
        for pixel in ORIGINAL.shape(kind, size, position).covers() {
            let at = (centre + pixel.offset as isize) as usize;
            cover[at] = f32::from(pixel.outline + pixel.fill) / f32::from(WHOLE);
            fill[at] = f32::from(pixel.fill) / f32::from(WHOLE);
        }
        let cut = |map: &[f32]| self.cut(&self.at_side(map), position);
        Template { kind, size, cover: cut(&cover), fill: cut(&fill) }
    }

    /// The shapes that come nearest to the pixels, on the lines of `panel`.
    pub fn nearest(&self, pixels: &[f32], panel: &Panel) -> ArrayVec<Shape, 9> {
        let mut below = vec![255; SIDE * SIDE];
        ORIGINAL.lines_into(panel, &mut below);
        let below_ink: Vec<f32> = below.iter().map(|&g| f32::from(g)).collect();
        let below_at_side = self.at_side(&below_ink);
        let nearest = |position| {
            let seen = self.cut(pixels, position);
            let under = self.cut(&below_at_side, position);
            let nothing = distance(&seen, &under);
            if nothing.largest <= ROUNDING {
                return None;
            }
            let mut ranked: Vec<(f32, Shape)> = self
                .of(position)
                .iter()
                .map(|template| template.fitted(&seen, &under, position))
                .collect();
            let finalists = FINALISTS.min(ranked.len());
            ranked.select_nth_unstable_by(finalists - 1, |a, b| a.0.total_cmp(&b.0));
            ranked.truncate(finalists);
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut best = (nothing.sum, None);
            for (_, shape) in ranked {
                let found = distance(&seen, &self.drawn(&shape, &below));
                if found.sum < best.0 {
                    best = (found.sum, Some(shape));
                }
                if found.largest <= ROUNDING {
                    break;
                }
            }
            best.1
        };
        (0..9).filter_map(nearest).collect()
    }

    /// A shape on top of what lies below, drawn at 160 pixels and then averaged.
    fn drawn(&self, shape: &Shape, below: &[u8]) -> Vec<f32> {
        let mut grey = below.to_vec();
        let sprite = ORIGINAL.shape(shape.kind, shape.size, shape.position);
        sprite.blit(GREYS[usize::from(shape.color)], ORIGINAL.centre(shape.position), &mut grey);
        let grey: Vec<f32> = grey.iter().map(|&g| f32::from(g)).collect();
        self.cut(&self.at_side(&grey), shape.position)
    }
}

impl Template {
    /// The grey with which the template comes nearest to the pixels, and the
    /// squared difference that is left. What lies below is averaged separately,
    /// which is not exact where a line meets the outline.
    fn fitted(&self, seen: &[f32], below: &[f32], position: u8) -> (f32, Shape) {
        let (mut rest, mut product, mut square) = (0.0, 0.0, 0.0);
        for ((&seen, &below), (&cover, &fill)) in
            seen.iter().zip(below).zip(self.cover.iter().zip(&self.fill))
        {
            let unexplained = seen - (1.0 - cover) * below;
            rest += unexplained * unexplained;
            product += unexplained * fill;
            square += fill * fill;
        }
        let left = |color: &u8| {
            let grey = f32::from(GREYS[usize::from(*color)]);
            rest - 2.0 * grey * product + grey * grey * square
        };
        let color = (0..10).min_by(|a, b| left(a).total_cmp(&left(b))).unwrap_or(0);
        let shape = Shape { position, kind: self.kind, size: self.size, color };
        (left(&color), shape)
    }
}

struct Distance {
    sum: f32,
    largest: f32,
}

fn distance(a: &[f32], b: &[f32]) -> Distance {
    let start = Distance { sum: 0.0, largest: 0.0 };
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(start, |d, v| Distance { sum: d.sum + v, largest: d.largest.max(v) })
}
