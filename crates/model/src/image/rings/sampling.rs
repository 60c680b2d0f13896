//! What is seen of a window: its pixels on rings around the middle, as circular harmonics.
//!
//! On a ring of radius r around a window's middle, the picture is a function of the angle. Its
//! m-th harmonic is a fixed weighted sum of pixels, and the *strength* of it does not change when
//! the object turns: a triangle is strong in the third, a square in the fourth. Radii grow by a
//! constant factor, so a larger object is the same profile further out.

use std::f32::consts::TAU;
use std::ops::Range;

use super::{RingsEncoderConfig, SlotWindow};

/// Harmonics of each ring: the mean and m = 1 to this.
pub(super) const HARMONICS: usize = 6;

/// Places on a ring at which the picture is looked up.
const ANGLES: usize = 96;

/// Rings are as wide as their distance; each is this many thin ones.
const THIN_RINGS: [f32; 3] = [-1.0 / 3.0, 0.0, 1.0 / 3.0];

/// The smallest and the largest radius, as a share of half the window's side.
const RADII: [f32; 2] = [0.06, 1.05];

/// Numbers that the linear map gives for a window with so many rings: the means, the cosine parts
/// of all harmonics (ring by ring within each), the sine parts.
pub(super) fn linear_outputs(rings: usize) -> usize {
    rings * (1 + 2 * HARMONICS)
}

/// The radius of a ring, as a share of half the window's side.
pub(super) fn radius(ring: f32, rings: usize) -> f32 {
    let [first, last] = RADII;
    first * (last / first).powf(ring / (rings - 1) as f32)
}

/// The pixels of a panel that a window's map looks at, after so much shrinking.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Region {
    /// Squares of this many pixels become one.
    pub shrink: usize,
    /// Rows and columns of the shrunken panel.
    pub rows: Range<usize>,
    /// See `rows`.
    pub columns: Range<usize>,
}

/// Where a window lies in a panel of `size` pixels.
pub(super) struct Placed {
    pub region: Region,
    /// Its middle inside the region, and half its side, in (shrunken) pixels.
    middle: [f32; 2],
    half: f32,
    /// Rings inside of this share of half the side are left out.
    inner: f32,
}

impl Placed {
    /// Large windows are shrunk to the size of those of a 2x2 grid.
    pub fn new(window: &SlotWindow, drawing: f32, size: usize) -> Self {
        let [y, x, side, inner] = *window;
        let scale = size as f32 / drawing;
        let shrink = ((side * scale / (size as f32 / 2.0)) as usize).max(1);
        let scale = scale / shrink as f32;
        let (half, limit) = (side * scale / 2.0, (size / shrink) as f32);
        let reach = half * RADII[1] + 1.5;
        let span = |middle: f32| {
            let from = (middle * scale - reach).floor().clamp(0.0, limit);
            let to = (middle * scale + reach).ceil().clamp(0.0, limit);
            from as usize..to as usize
        };
        let (rows, columns) = (span(y), span(x));
        let middle = [y * scale - rows.start as f32, x * scale - columns.start as f32];
        Self { region: Region { shrink, rows, columns }, middle, half, inner }
    }

    /// Whether the same map serves both.
    fn shares_map(&self, other: &Self) -> bool {
        let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
        let (own, others) = (&self.region, &other.region);
        own.rows.len() == others.rows.len()
            && own.columns.len() == others.columns.len()
            && near(self.middle[0], other.middle[0])
            && near(self.middle[1], other.middle[1])
            && near(self.half, other.half)
            && near(self.inner, other.inner)
    }

    /// The map from the region's pixels to harmonics `[pixels, linear_outputs]`, row by row.
    fn map(&self, rings: usize) -> Vec<f32> {
        let (h, w) = (self.region.rows.len(), self.region.columns.len());
        let outputs = linear_outputs(rings);
        let mut map = vec![0.0; h * w * outputs];
        for ring in (0..rings).filter(|&ring| radius(ring as f32, rings) >= self.inner) {
            for (thin, angle) in THIN_RINGS.iter().flat_map(|t| (0..ANGLES).map(move |a| (t, a))) {
                let r = radius(ring as f32 + thin, rings) * self.half;
                let angle = (angle as f32 + 0.5) * TAU / ANGLES as f32;
                // Pixel i covers i to i + 1, its middle is at i + 1/2.
                let y = self.middle[0] + r * angle.sin() - 0.5;
                let x = self.middle[1] + r * angle.cos() - 0.5;
                for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let (row, column) = (y.floor() + row as f32, x.floor() + column as f32);
                    let inside = |v: f32, limit: usize| v >= 0.0 && v < limit as f32;
                    if !(inside(row, h) && inside(column, w)) {
                        continue;
                    }
                    let share = (1.0 - (y - row).abs()) * (1.0 - (x - column).abs())
                        / (ANGLES * THIN_RINGS.len()) as f32;
                    let own = &mut map[(row as usize * w + column as usize) * outputs..][..outputs];
                    own[ring] += share;
                    for m in 1..=HARMONICS {
                        let (sin, cos) = (m as f32 * angle).sin_cos();
                        own[m * rings + ring] += share * cos;
                        own[(HARMONICS + m) * rings + ring] += share * sin;
                    }
                }
            }
        }
        map
    }
}

/// Windows of one or several layouts that look the same way at what is in them.
#[derive(Clone, Debug)]
pub(super) struct SharedMap {
    /// `[pixels, linear_outputs]`
    pub map: Vec<f32>,
    /// Pixels of a window.
    pub pixels: usize,
    /// The windows: layout, place among the window slots of a panel, and where it is.
    pub windows: Vec<(usize, usize, Region)>,
}

/// All windows of all layouts, those that share a map together.
pub(super) fn shared_maps(config: &RingsEncoderConfig, size: usize) -> Vec<SharedMap> {
    let (slots, rings) = (config.slots(), config.rings);
    let mut maps: Vec<(Placed, SharedMap)> = Vec::new();
    let layouts = config.windows.iter().enumerate();
    let components =
        layouts.flat_map(|(l, own)| own.iter().enumerate().map(move |(c, w)| (l, c, w)));
    let windows = components
        .flat_map(|(l, c, own)| own.iter().enumerate().map(move |(s, w)| (l, c * slots + s, w)));
    for (layout, slot, window) in windows {
        let placed = Placed::new(window, config.drawing, size);
        let own = (layout, slot, placed.region.clone());
        match maps.iter_mut().find(|(known, _)| known.shares_map(&placed)) {
            Some((_, shared)) => shared.windows.push(own),
            None => {
                let pixels = placed.region.rows.len() * placed.region.columns.len();
                let map = placed.map(rings);
                maps.push((placed, SharedMap { map, pixels, windows: vec![own] }));
            }
        }
    }
    maps.into_iter().map(|(_, shared)| shared).collect()
}
