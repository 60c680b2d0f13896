//! Shapes and lines, ready to be put on a panel in any grey.

use std::ops::Range;
use std::sync::OnceLock;

use super::geometry::{LineTest, PIXEL, Point, Sample, ShapeTest};
use crate::relations::{LineType, ShapeType};

/// Samples a pixel along an axis.
const SAMPLES: i64 = 4;
/// Samples a pixel.
pub(in crate::relations) const WHOLE: u8 = 16;

/// Neighbouring pixels of one row, by the offset of the first from the centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    start: i32,
    len: u32,
}

impl Run {
    fn range(self, centre: usize) -> Range<usize> {
        let start = (centre as isize + self.start as isize) as usize;
        start..start + self.len as usize
    }
}

/// A pixel of a shape: of its 16 samples, how many are outline and inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::relations) struct Cover {
    /// Offset from the centre in the panel.
    pub offset: i32,
    /// Samples of outline.
    pub outline: u8,
    /// Samples of the inside.
    pub fill: u8,
}

impl Cover {
    /// The grey of the pixel where a shape of grey `color` lies on `below`.
    pub fn over(self, color: u8, below: u8) -> u8 {
        let rest = WHOLE - self.outline - self.fill;
        let sum = u16::from(self.fill) * u16::from(color) + u16::from(rest) * u16::from(below);
        ((sum + u16::from(WHOLE) / 2) / u16::from(WHOLE)) as u8
    }
}

/// A shape of given type and size. Its grey is left open.
#[derive(PartialEq, Eq)]
pub(in crate::relations) struct Sprite {
    outline: Box<[Run]>,
    fill: Box<[Run]>,
    mixed: Box<[Cover]>,
}

impl Sprite {
    /// A shape whose centre lies `shift` right of and below the corner of the
    /// centre pixel.
    fn new(test: &ShapeTest, side: usize, shift: Point) -> Self {
        let reach = test.reach() / PIXEL + 2;
        let (mut outline, mut fill, mut mixed) = (Vec::new(), Vec::new(), Vec::new());
        for y in -reach..=reach {
            for x in -reach..=reach {
                let mut parts = [0u8; 2];
                for_each_sample(x, y, |p| {
                    match test.at(Point { x: p.x - shift.x, y: p.y - shift.y }) {
                        Sample::Empty => {}
                        Sample::Outline => parts[0] += 1,
                        Sample::Fill => parts[1] += 1,
                    }
                });
                let offset = (y * side as i64 + x) as i32;
                match parts {
                    [0, 0] => {}
                    [WHOLE, _] => push(&mut outline, offset, x == -reach),
                    [_, WHOLE] => push(&mut fill, offset, x == -reach),
                    [outline, fill] => mixed.push(Cover { offset, outline, fill }),
                }
            }
        }
        Self { outline: outline.into(), fill: fill.into(), mixed: mixed.into() }
    }

    /// Puts the shape on a panel.
    pub fn blit(&self, color: u8, centre: usize, out: &mut [u8]) {
        for run in &self.fill {
            out[run.range(centre)].fill(color);
        }
        for run in &self.outline {
            out[run.range(centre)].fill(0);
        }
        for cover in &self.mixed {
            let pixel = &mut out[(centre as isize + cover.offset as isize) as usize];
            *pixel = cover.over(color, *pixel);
        }
    }

    /// All pixels that the shape covers, in part or wholly.
    pub fn covers(&self) -> impl Iterator<Item = Cover> {
        // The border first: it tells shapes apart soonest.
        self.mixed
            .iter()
            .copied()
            .chain(whole(&self.outline, WHOLE, 0))
            .chain(whole(&self.fill, 0, WHOLE))
    }
}

/// The pixels of runs, all with the same samples.
fn whole(runs: &[Run], outline: u8, fill: u8) -> impl Iterator<Item = Cover> {
    runs.iter().flat_map(|run| run.start..run.start + run.len as i32).map(move |offset| Cover {
        offset,
        outline,
        fill,
    })
}

/// A line of the panel. Its grey is left open.
pub(in crate::relations) struct Stroke {
    full: Box<[Run]>,
    /// Pixels covered in part, with their samples.
    mixed: Box<[(u32, u8)]>,
}

impl Stroke {
    fn new(kind: LineType, side: usize) -> Self {
        let test = LineTest::new(kind, side);
        let (mut full, mut mixed) = (Vec::new(), Vec::new());
        for y in 0..side as i64 {
            for x in 0..side as i64 {
                let mut samples = 0;
                for_each_sample(x, y, |p| samples += u8::from(test.covers(p)));
                let at = (y * side as i64 + x) as u32;
                match samples {
                    0 => {}
                    WHOLE => push(&mut full, at as i32, x == 0),
                    _ => mixed.push((at, samples)),
                }
            }
        }
        Self { full: full.into(), mixed: mixed.into() }
    }

    /// Puts the line on a panel.
    pub fn blit(&self, color: u8, out: &mut [u8]) {
        for run in &self.full {
            out[run.range(0)].fill(color);
        }
        for &(at, fill) in &self.mixed {
            let pixel = &mut out[at as usize];
            *pixel = Cover { offset: 0, outline: 0, fill }.over(color, *pixel);
        }
    }
}

impl Stroke {
    /// Visits every pixel that the line covers, with its samples.
    pub fn for_each_pixel(&self, mut visit: impl FnMut(usize, u8)) {
        self.full.iter().flat_map(|run| run.range(0)).for_each(|at| visit(at, WHOLE));
        self.mixed.iter().for_each(|&(at, samples)| visit(at as usize, samples));
    }
}

fn for_each_sample(x: i64, y: i64, mut visit: impl FnMut(Point)) {
    const STEP: i64 = PIXEL / SAMPLES;
    for v in 0..SAMPLES {
        for u in 0..SAMPLES {
            visit(Point { x: x * PIXEL + STEP * u + STEP / 2, y: y * PIXEL + STEP * v + STEP / 2 });
        }
    }
}

/// Adds a pixel to the last run unless it begins a new row.
fn push(runs: &mut Vec<Run>, offset: i32, new_row: bool) {
    match runs.last_mut() {
        Some(last) if !new_row && last.start + last.len as i32 == offset => last.len += 1,
        _ => runs.push(Run { start: offset, len: 1 }),
    }
}

const TYPES: usize = ShapeType::ALL.len();
const SIZES: usize = 10;
const POSITIONS: usize = 9;

/// All sprites of one side, made on first use.
pub(super) struct Bank {
    side: usize,
    /// Where centres fall on corners of pixels, one sprite serves all positions.
    aligned: bool,
    shapes: Box<[OnceLock<Sprite>]>,
    lines: Box<[OnceLock<Stroke>]>,
}

impl Bank {
    pub fn new(side: usize) -> Self {
        let aligned = side.is_multiple_of(4);
        let places = if aligned { 1 } else { POSITIONS };
        let empty = |n| (0..n).map(|_| OnceLock::new()).collect();
        Self {
            side,
            aligned,
            shapes: empty(places * TYPES * SIZES),
            lines: (0..LineType::ALL.len()).map(|_| OnceLock::new()).collect(),
        }
    }

    pub fn side(&self) -> usize {
        self.side
    }

    /// The position's centre in 1/1024 pixels: a quarter, half and three
    /// quarters of the side.
    fn centre_point(&self, position: u8) -> Point {
        assert!(position < 9, "position {position} is not 0 to 8");
        let quarter = |n: u8| self.side as i64 * PIXEL * i64::from(n + 1) / 4;
        Point { x: quarter(position % 3), y: quarter(position / 3) }
    }

    pub fn centre(&self, position: u8) -> usize {
        let centre = self.centre_point(position);
        (centre.y / PIXEL) as usize * self.side + (centre.x / PIXEL) as usize
    }

    pub fn shape(&self, kind: ShapeType, size: u8, position: u8) -> &Sprite {
        let place = if self.aligned { 0 } else { usize::from(position) };
        let at = (place * TYPES + usize::from(kind.value())) * SIZES + usize::from(size);
        self.shapes[at].get_or_init(|| {
            let centre = self.centre_point(position);
            let shift = Point { x: centre.x % PIXEL, y: centre.y % PIXEL };
            Sprite::new(&ShapeTest::new(kind, size, self.side), self.side, shift)
        })
    }

    pub fn line(&self, kind: LineType) -> &Stroke {
        let at = usize::from(kind.value());
        self.lines[at].get_or_init(|| Stroke::new(kind, self.side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_shapes_look_alike() {
        let bank = Bank::new(160);
        let all: Vec<(ShapeType, u8)> =
            ShapeType::ALL.into_iter().flat_map(|t| (0..10).map(move |s| (t, s))).collect();
        for (i, &(kind, size)) in all.iter().enumerate() {
            for &(other_kind, other_size) in &all[..i] {
                let (a, b) = (bank.shape(kind, size, 0), bank.shape(other_kind, other_size, 0));
                assert!(a != b, "{kind:?} {size} and {other_kind:?} {other_size}");
            }
        }
    }

    #[test]
    fn neighbours_never_touch() {
        for kind in ShapeType::ALL {
            let reach = ShapeTest::new(kind, 9, 160).reach();
            assert!(reach < 20 * PIXEL, "{kind:?} reaches {reach}");
        }
    }
}
