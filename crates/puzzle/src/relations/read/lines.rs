//! Which lines a panel has, and their greys.

use arrayvec::ArrayVec;

use crate::relations::render::{ORIGINAL, SIDE, WHOLE};
use crate::relations::{BLACK, GREYS, Line, LineType, Vocabulary};
use crate::resize_ink;

/// What can be measured by itself: the diamond is seen by its four sides.
const STROKES: [LineType; 9] = [
    LineType::DiagonalDown,
    LineType::DiagonalUp,
    LineType::Vertical,
    LineType::Horizontal,
    LineType::Circle,
    LineType::UpperLeft,
    LineType::UpperRight,
    LineType::LowerRight,
    LineType::LowerLeft,
];
const FIRST_CORNER: usize = 5;

/// No shape covers a pixel that is further from its centre, at 160 pixels: the
/// largest radius, half the outline and one pixel for good measure.
const SHAPE_REACH: f32 = 0.1115 * SIDE as f32 + 1.5;

/// A line of less ink, 0 to 255, is none: half of what the lightest has.
const LEAST_INK: f32 = 11.5;

/// Pixels at which only one line can have ink, with the share that it covers.
pub(super) struct Probes {
    strokes: [Vec<(usize, f32)>; 9],
}

impl Probes {
    pub fn new(side: usize) -> Self {
        let covers = STROKES.map(|kind| {
            let mut cover = vec![0.0; SIDE * SIDE];
            ORIGINAL.line(kind).for_each_pixel(|at, samples| {
                cover[at] = f32::from(samples) / f32::from(WHOLE);
            });
            cover
        });
        let strokes = std::array::from_fn(|own| {
            let taken: Vec<f32> = (0..SIDE * SIDE)
                .map(|at| {
                    let others = (0..9).any(|other| other != own && covers[other][at] > 0.0);
                    f32::from(u8::from(others || may_be_covered(at)))
                })
                .collect();
            let at_side = |map: &[f32]| {
                let mut out = vec![0.0; side * side];
                resize_ink(map, SIDE, side, &mut out);
                out
            };
            let (cover, taken) = (at_side(&covers[own]), at_side(&taken));
            let free = |&at: &usize| taken[at] == 0.0;
            let most = (0..side * side).filter(free).map(|at| cover[at]).fold(0.0, f32::max);
            (0..side * side)
                .filter(free)
                .filter(|&at| cover[at] > 0.0 && cover[at] >= 0.8 * most)
                .map(|at| (at, cover[at]))
                .collect()
        });
        Self { strokes }
    }

    pub fn lines(&self, pixels: &[f32], vocabulary: Vocabulary) -> ArrayVec<Line, 10> {
        let colors: [Option<u8>; 9] =
            std::array::from_fn(|stroke| color(&self.strokes[stroke], pixels));
        let mut lines: ArrayVec<Line, 10> = STROKES[..FIRST_CORNER]
            .iter()
            .zip(colors)
            .filter_map(|(&kind, color)| Some(Line { kind, color: color? }))
            .collect();
        let sides: ArrayVec<Line, 4> = STROKES[FIRST_CORNER..]
            .iter()
            .zip(&colors[FIRST_CORNER..])
            .filter_map(|(&kind, &color)| Some(Line { kind, color: color? }))
            .collect();
        match (vocabulary, sides.len()) {
            (Vocabulary::Vad, 0..4) => lines.extend(sides),
            (Vocabulary::Pgm, 0..2) => {}
            // One color of four: the most frequent, so that a misread side does not matter.
            _ => {
                let votes = |color| sides.iter().filter(|side| side.color == color).count();
                let color = sides.iter().map(|s| s.color).max_by_key(|&c| votes(c));
                lines.extend(color.map(|color| Line { kind: LineType::Diamond, color }));
            }
        }
        lines.sort();
        lines
    }
}

/// Whether a shape in one of the nine places can cover a pixel of 160 x 160.
fn may_be_covered(at: usize) -> bool {
    let (x, y) = ((at % SIDE) as f32 + 0.5, (at / SIDE) as f32 + 0.5);
    let quarter = SIDE as f32 / 4.0;
    // The nearest of the three centres along each axis.
    let nearest = |v: f32| (v / quarter).round().clamp(1.0, 3.0) * quarter - v;
    let (dx, dy) = (nearest(x), nearest(y));
    dx * dx + dy * dy < SHAPE_REACH * SHAPE_REACH
}

/// The color of a line by the median of its ink; `None` where there is none.
fn color(probes: &[(usize, f32)], pixels: &[f32]) -> Option<u8> {
    let mut inks: Vec<f32> =
        probes.iter().map(|&(at, cover)| (255.0 - pixels[at]) / cover).collect();
    let middle = inks.len() / 2;
    if inks.is_empty() {
        return None;
    }
    let (_, &mut ink, _) = inks.select_nth_unstable_by(middle, f32::total_cmp);
    (ink >= LEAST_INK).then(|| nearest_color(255.0 - ink))
}

/// A darker line is black. Nearer to the darkest grey than to 0, because blur
/// makes lines lighter and never darker.
const DARKEST_BUT_BLACK: f32 = 18.0;

/// The value of a line's color whose grey is nearest.
fn nearest_color(grey: f32) -> u8 {
    if grey < DARKEST_BUT_BLACK {
        return BLACK;
    }
    let distance = |value: &u8| (f32::from(GREYS[usize::from(*value)]) - grey).abs();
    (0..10).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_can_be_measured_somewhere() {
        for side in [64, 80, 96, 128, 160, 320] {
            let probes = Probes::new(side);
            for (stroke, places) in STROKES.iter().zip(&probes.strokes) {
                assert!(places.len() >= 2, "{stroke:?} at {side}: {} places", places.len());
            }
        }
    }
}
