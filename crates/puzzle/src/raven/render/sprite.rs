//! One turned object, ready to be put on a panel in any color.

use std::sync::{LazyLock, OnceLock};

use super::SIDE;
use super::annotate::Annotation;
use super::canvas::{Canvas, Cover};
use super::shape::Shape;
use crate::raven::{ComponentKind, Domain, Entity, Slot};

/// Weights of a turned pixel sum to this many parts.
const WHOLE: u16 = 1024;

/// Neighbouring pixels of one row, by their place in the panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    pub start: u16,
    pub len: u16,
}

impl Run {
    fn range(self) -> std::ops::Range<usize> {
        usize::from(self.start)..usize::from(self.start) + usize::from(self.len)
    }
}

/// A pixel on the edge of a turned object: parts of border, inside and nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mixed {
    at: u16,
    outline: u16,
    fill: u16,
}

impl Mixed {
    /// Ink of this pixel when the inside has ink `fill`.
    fn ink(self, fill: u8) -> u8 {
        let sum = u32::from(self.outline) * 255 + u32::from(self.fill) * u32::from(fill);
        ((sum * 32 + 16384) >> 15) as u8
    }
}

/// An object of given slot, shape, size and angle. The color is left open: the
/// ink of each pixel is a fixed mixture of border, inside and paper, so one
/// sprite serves all grey values exactly.
pub(crate) struct Sprite {
    outline: Box<[Run]>,
    fill: Box<[Run]>,
    mixed: Box<[Mixed]>,
    shape: Shape,
    annotation: OnceLock<Annotation>,
}

impl Sprite {
    fn new(shape: Shape) -> Self {
        let canvas = shape.draw();
        let reach = shape.radius() + 4;
        let span = |middle: i64| {
            (middle - reach).max(0) as usize..(middle + reach + 1).min(SIDE as i64) as usize
        };
        let turn = Turn::new(&shape);
        let (mut outline, mut fill, mut mixed) = (Vec::new(), Vec::new(), Vec::new());
        for y in span(shape.cy) {
            for x in span(shape.cx) {
                let [border, inside] = turn.weights(&canvas, x, y);
                let at = (y * SIDE + x) as u16;
                match (border, inside) {
                    (0, 0) => {}
                    (WHOLE, _) => push(&mut outline, at),
                    (_, WHOLE) => push(&mut fill, at),
                    _ => mixed.push(Mixed { at, outline: border, fill: inside }),
                }
            }
        }
        Self {
            outline: outline.into(),
            fill: fill.into(),
            mixed: mixed.into(),
            shape,
            annotation: OnceLock::new(),
        }
    }

    /// Puts the object on a grey panel. Where it has no ink the panel shows
    /// through; elsewhere it replaces what is there.
    pub fn blit(&self, ink: u8, grey: &mut [u8]) {
        if ink > 0 {
            for run in &self.fill {
                grey[run.range()].fill(255 - ink);
            }
        }
        for run in &self.outline {
            grey[run.range()].fill(0);
        }
        for pixel in &self.mixed {
            let value = pixel.ink(ink);
            if value > 0 {
                grey[usize::from(pixel.at)] = 255 - value;
            }
        }
    }

    /// Visits every pixel with its shares of border and inside, 0 to 1.
    pub fn for_each_pixel(&self, mut visit: impl FnMut(usize, f32, f32)) {
        for at in self.outline.iter().flat_map(|run| run.range()) {
            visit(at, 1.0, 0.0);
        }
        for at in self.fill.iter().flat_map(|run| run.range()) {
            visit(at, 0.0, 1.0);
        }
        for pixel in &self.mixed {
            let share = |components: u16| f32::from(components) / f32::from(WHOLE);
            visit(usize::from(pixel.at), share(pixel.outline), share(pixel.fill));
        }
    }

    /// Whether two objects look alike in every color.
    pub fn looks_like(&self, other: &Self) -> bool {
        self.outline == other.outline && self.fill == other.fill && self.mixed == other.mixed
    }

    /// The pixels that are fully covered, as the originals' masks count them:
    /// ink 255 in the blackest color.
    pub fn mask_runs(&self) -> Vec<Run> {
        let mut cells: Vec<u16> = self
            .outline
            .iter()
            .chain(&self.fill)
            .flat_map(|run| run.start..run.start + run.len)
            .chain(self.mixed.iter().filter(|m| m.ink(255) == 255).map(|m| m.at))
            .collect();
        cells.sort_unstable();
        let mut runs: Vec<Run> = Vec::new();
        for at in cells {
            match runs.last_mut() {
                Some(last) if last.start + last.len == at => last.len += 1,
                _ => runs.push(Run { start: at, len: 1 }),
            }
        }
        runs
    }

    /// What the originals' files say about the object.
    pub fn annotation(&self) -> &Annotation {
        self.annotation.get_or_init(|| Annotation::new(&self.shape, &self.mask_runs()))
    }
}

/// Adds a pixel to the last run of the same row, or starts a new one.
fn push(runs: &mut Vec<Run>, at: u16) {
    match runs.last_mut() {
        Some(last) if last.start + last.len == at && usize::from(at) % SIDE != 0 => last.len += 1,
        _ => runs.push(Run { start: at, len: 1 }),
    }
}

/// The turn of an object: for every row and column where a pixel lands, its
/// share of the place where the pixel came from, in 1/1024 pixels.
struct Turn {
    rows: Vec<[i64; 2]>,
    columns: Vec<[i64; 2]>,
}

impl Turn {
    fn new(shape: &Shape) -> Self {
        let m = shape.turn();
        let d = 1.0 / (m[0] * m[4] - m[1] * m[3]);
        let (m0, m1, m3, m4) = (m[4] * d, -m[1] * d, -m[3] * d, m[0] * d);
        let (b1, b2) = (-m0 * m[2] - m1 * m[5], -m3 * m[2] - m4 * m[5]);
        let fixed = |v: f64| (v * 1024.0).round_ties_even() as i64;
        let places = || (0..SIDE).map(|i| i as f64);
        Self {
            rows: places().map(|y| [fixed(m1 * y + b1) + 16, fixed(m4 * y + b2) + 16]).collect(),
            columns: places().map(|x| [fixed(m0 * x), fixed(m3 * x)]).collect(),
        }
    }

    /// How much border and inside a turned pixel takes from its four source
    /// pixels, in parts of [`WHOLE`].
    fn weights(&self, canvas: &Canvas, x: usize, y: usize) -> [u16; 2] {
        let [u, v] = [0, 1].map(|axis| (self.rows[y][axis] + self.columns[x][axis]) >> 5);
        let (fu, fv) = (u & 31, v & 31);
        let mut components = [0; 2];
        for (du, dv, weight) in [
            (0, 0, (32 - fu) * (32 - fv)),
            (1, 0, fu * (32 - fv)),
            (0, 1, (32 - fu) * fv),
            (1, 1, fu * fv),
        ] {
            match canvas.at((u >> 5) + du, (v >> 5) + dv) {
                Cover::Empty => {}
                Cover::Outline => components[0] += weight as u16,
                Cover::Fill => components[1] += weight as u16,
            }
        }
        components
    }
}

/// Different places of a slot over all components: the inner object of O-IC
/// stands where the middle of the 3x3 grid is, and Out where C-S has its one.
pub(crate) const PLACES: usize = 22;
const SHAPES: usize = 5;
/// Six standard sizes, then the eight of size-e, of which size-i is a part.
const SIZES: usize = 14;
/// Eight standard angles, then the eight of angle-i.
const ANGLES: usize = 16;

/// All sprites ever asked for, built on first use and shared by all threads.
/// One holds about 2 kB; a domain has 5,280.
static BANK: LazyLock<Box<[OnceLock<Sprite>]>> =
    LazyLock::new(|| (0..PLACES * SHAPES * SIZES * ANGLES).map(|_| OnceLock::new()).collect());

/// The place of a slot, 0 to 21.
pub(crate) fn place(component: ComponentKind, slot: usize) -> usize {
    let first = match component {
        ComponentKind::Center | ComponentKind::Out => 0,
        ComponentKind::GridFour => 1,
        ComponentKind::GridNine => 5,
        ComponentKind::Left => 14,
        ComponentKind::Right => 15,
        ComponentKind::Up => 16,
        ComponentKind::Down => 17,
        ComponentKind::InCenter => 9,
        ComponentKind::InGrid => 18,
    };
    first + slot
}

/// The sprite of an object.
///
/// # Panics
/// When a level or the slot is not one of the domain's and the component's.
pub(crate) fn of(component: ComponentKind, entity: &Entity, domain: Domain) -> &'static Sprite {
    let slot_at: Slot = component.slots()[usize::from(entity.slot)];
    let size = domain.sizes()[usize::from(entity.size)];
    let angle = domain.angles()[usize::from(entity.angle)];
    assert!((1..=5).contains(&entity.shape), "shape {} is not 1 to 5", entity.shape);
    let size_at = usize::from(entity.size)
        + match domain {
            Domain::SizeE => 6,
            Domain::SizeI => 8,
            _ => 0,
        };
    let angle_at = usize::from(entity.angle) + if domain == Domain::AngleI { 8 } else { 0 };
    let at = ((place(component, usize::from(entity.slot)) * SHAPES + usize::from(entity.shape)
        - 1)
        * SIZES
        + size_at)
        * ANGLES
        + angle_at;
    BANK[at].get_or_init(|| Sprite::new(Shape::new(slot_at, entity.shape, size, angle)))
}
