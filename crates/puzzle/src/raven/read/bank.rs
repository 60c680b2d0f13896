//! What every object looks like at 64 px, ready to be compared with a picture.
//!
//! An object's ink is `outline + ink_of_the_inside * fill`, so two planes serve
//! all colors and the best color follows from two scalar products.

use std::sync::{LazyLock, OnceLock};

use super::blur::{BLURS, blur};
use super::fit::Guess;
use crate::raven::render::{SIDE, sprite};
use crate::raven::{Attribute, ComponentKind, Domain, Entity, Levels};

/// Side of the picture in which objects are searched.
pub(super) const GRID: usize = 64;

/// Planes are padded to whole groups of this many values.
const LANES: usize = 8;

/// A rectangle of the search picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub x: usize,
    pub y: usize,
    pub w: usize,
    pub h: usize,
}

impl Window {
    /// Copies the window out of a picture, padded with zeros.
    pub fn cut(&self, picture: &[f32], out: &mut Vec<f32>) {
        out.clear();
        for row in picture.chunks_exact(GRID).skip(self.y).take(self.h) {
            out.extend_from_slice(&row[self.x..self.x + self.w]);
        }
        out.resize(out.len().next_multiple_of(LANES), 0.0);
    }

    /// The places of its pixels in a picture.
    pub fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let Self { x, y, w, h } = *self;
        (y..y + h).flat_map(move |row| (x..x + w).map(move |column| row * GRID + column))
    }
}

/// One object without its color.
pub(super) struct Template {
    pub shape: u8,
    pub angle: u8,
    /// The size levels that give the same pixels, as a bit mask.
    pub sizes: u16,
    /// Whether the inside is all hidden under the border.
    pub colorless: bool,
    outline: Box<[f32]>,
    pub fill: Box<[f32]>,
    /// Scalar products: outline with itself, outline with fill, fill with itself.
    pub oo: f32,
    pub of: f32,
    pub ff: f32,
}

impl Template {
    /// Scalar products of a cut-out window with border and inside.
    pub fn products(&self, cut: &[f32]) -> [f32; 2] {
        [dot(cut, &self.outline), dot(cut, &self.fill)]
    }

    /// What the object adds to a ground besides the ink of its inside, when it
    /// is not filled and when it is: it takes away the ground that it hides.
    pub fn over(&self, ground: &[f32]) -> [Vec<f32>; 2] {
        let cells = || self.outline.iter().zip(&self.fill).zip(ground);
        [
            cells().map(|((o, _), g)| o - g * o).collect(),
            cells().map(|((o, f), g)| o - g * (o + f)).collect(),
        ]
    }
}

/// All templates of one slot and size, over the same window.
pub(super) struct Rack {
    pub size: u8,
    pub window: Window,
    pub templates: Vec<Template>,
}

impl Rack {
    /// The guess that one of its templates stands in a slot.
    pub fn guess(&self, template: &Template, slot: usize, color: u8, gain: f32) -> Guess {
        let Template { shape, angle, sizes, colorless, .. } = *template;
        let entity = Entity { slot: slot as u8, shape, size: self.size, color, angle };
        Guess { entity, gain, sizes, colorless, window: self.window }
    }
}

/// Sum of products, in lanes so that the compiler can use vector registers.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

/// The racks of a slot, one per size, built on first use and shared by all
/// threads. All slots of a domain take about 10 MB per blur.
pub(super) fn racks(
    component: ComponentKind,
    slot: usize,
    domain: Domain,
    blur: usize,
) -> &'static [Rack] {
    static RACKS: LazyLock<Box<[OnceLock<Vec<Rack>>]>> = LazyLock::new(|| {
        let count = Domain::ALL.len() * BLURS.len() * sprite::PLACES;
        (0..count).map(|_| OnceLock::new()).collect()
    });
    let domain_at = Domain::ALL.iter().position(|&d| d == domain).unwrap_or_default();
    let at = (domain_at * BLURS.len() + blur) * sprite::PLACES + sprite::place(component, slot);
    RACKS[at].get_or_init(|| build(component, slot as u8, domain, blur))
}

fn build(component: ComponentKind, slot: u8, domain: Domain, blur_at: usize) -> Vec<Rack> {
    // C-S and Out share a place, and Out's sizes are among those of C-S.
    let component = if component == ComponentKind::Out { ComponentKind::Center } else { component };
    let sizes = domain.range(component, Attribute::Size);
    sizes.iter().map(|size| rack(component, slot, size as u8, sizes, domain, blur_at)).collect()
}

fn rack(
    component: ComponentKind,
    slot: u8,
    size: u8,
    sizes: Levels,
    domain: Domain,
    blur_at: usize,
) -> Rack {
    let sprite_of = |shape, size, angle| {
        sprite::of(component, &Entity { slot, shape, size, color: 0, angle }, domain)
    };
    let mut found: Vec<(u8, u8, [Vec<f32>; 2])> = Vec::new();
    for shape in 1..=5 {
        for angle in 0..domain.angles().len() as u8 {
            let sprite = sprite_of(shape, size, angle);
            let known = |&(s, a, _): &(u8, u8, _)| {
                s == shape && sprite_of(shape, size, a).looks_like(sprite)
            };
            if !found.iter().any(known) {
                found.push((shape, angle, planes(sprite, BLURS[blur_at])));
            }
        }
    }
    let window = bounds(found.iter().flat_map(|(_, _, planes)| planes));
    let templates = found.into_iter().map(|(shape, angle, [outline, fill])| {
        let cut = |plane: &[f32]| {
            let mut out = Vec::new();
            window.cut(plane, &mut out);
            out.into_boxed_slice()
        };
        let (outline, fill) = (cut(&outline), cut(&fill));
        let sprite = sprite_of(shape, size, angle);
        let alike = sizes
            .iter()
            .filter(|&other| sprite_of(shape, other as u8, angle).looks_like(sprite))
            .fold(0, |mask, other| mask | 1 << other);
        let [oo, of, ff] = [dot(&outline, &outline), dot(&outline, &fill), dot(&fill, &fill)];
        Template { shape, angle, sizes: alike, colorless: ff == 0.0, outline, fill, oo, of, ff }
    });
    Rack { size, window, templates: templates.collect() }
}

/// Border and inside of an object, averaged to the search size.
fn planes(sprite: &sprite::Sprite, sigma: f32) -> [Vec<f32>; 2] {
    let mut planes = [vec![0.0; GRID * GRID], vec![0.0; GRID * GRID]];
    sprite.for_each_pixel(|at, outline, fill| {
        for (y, wy) in shares(at / SIDE) {
            for (x, wx) in shares(at % SIDE) {
                planes[0][y * GRID + x] += wy * wx * outline;
                planes[1][y * GRID + x] += wy * wx * fill;
            }
        }
    });
    planes.map(|plane| blur(plane, sigma))
}

/// The one or two rows of the search picture on which a row of the panel lies,
/// with what it adds to their means: every fifth row is shared by two.
fn shares(row: usize) -> [(usize, f32); 2] {
    let (group, within) = (row / 5 * 2, row % 5);
    match within {
        0 | 1 => [(group, 0.4), (group, 0.0)],
        2 => [(group, 0.2), (group + 1, 0.2)],
        _ => [(group + 1, 0.4), (group + 1, 0.0)],
    }
}

/// The smallest window outside which all planes are empty.
fn bounds<'a>(planes: impl Iterator<Item = &'a Vec<f32>>) -> Window {
    let (mut x0, mut y0, mut x1, mut y1) = (GRID, GRID, 0, 0);
    for plane in planes {
        for (at, _) in plane.iter().enumerate().filter(|(_, v)| **v > 1e-4) {
            let (x, y) = (at % GRID, at / GRID);
            (x0, y0) = (x0.min(x), y0.min(y));
            (x1, y1) = (x1.max(x + 1), y1.max(y + 1));
        }
    }
    Window { x: x0, y: y0, w: x1.saturating_sub(x0), h: y1.saturating_sub(y0) }
}
