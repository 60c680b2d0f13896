//! The geometry of one object: where its corners lie and how it is turned.

use super::SIDE;
use super::canvas::{Canvas, Cover, ONE, Point};
use crate::raven::Slot;

/// One object without its color, by value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Middle of the slot, in pixels.
    pub cx: i64,
    pub cy: i64,
    /// 1 triangle, 2 square, 3 pentagon, 4 hexagon, 5 circle.
    kind: u8,
    /// Distance from the middle to a corner, before it is cut to whole pixels.
    pub reach: f64,
    /// Turn in degrees, counter-clockwise.
    angle: f64,
}

impl Shape {
    pub fn new(slot: Slot, kind: u8, size: f64, angle: i16) -> Self {
        let side = SIDE as f64;
        Self {
            cx: (side * slot.x) as i64,
            cy: (side * slot.y) as i64,
            kind,
            reach: side / 2.0 * slot.side * size,
            angle: f64::from(angle),
        }
    }

    pub fn is_circle(&self) -> bool {
        self.kind == 5
    }

    /// The radius in whole pixels.
    pub fn radius(&self) -> i64 {
        self.reach as i64
    }

    /// Corners as offsets from the middle, before turning; a circle has none.
    pub fn corners(&self) -> Vec<(i64, i64)> {
        let r = self.radius();
        let rf = r as f64;
        let cut = |v: f64| v as i64;
        let (h, k) = (cut(rf / 2.0 * 3f64.sqrt()), cut(rf / 2.0));
        match self.kind {
            1 => vec![(0, -r), (h, k), (-h, k)],
            2 => {
                let q = cut(self.reach / 2.0 * 2f64.sqrt());
                vec![(-q, -q), (q, -q), (q, q), (-q, q)]
            }
            3 => {
                let (sin18, cos18) = 18f64.to_radians().sin_cos();
                let (sin36, cos36) = 36f64.to_radians().sin_cos();
                let (a, b) = (cut(rf * cos18), cut(rf * sin18));
                let (c, d) = (cut(rf * sin36), cut(rf * cos36));
                vec![(0, -r), (-a, -b), (-c, d), (c, d), (a, -b)]
            }
            4 => vec![(0, -r), (-h, -k), (-h, k), (0, r), (h, k), (h, -k)],
            _ => Vec::new(),
        }
    }

    /// Draws it unturned: the inside first, then the border over it.
    pub fn draw(&self) -> Canvas {
        let mut canvas = Canvas::new();
        if self.is_circle() {
            canvas.disc(self.cx, self.cy, self.radius(), Cover::Fill);
            canvas.outline_open(&self.circle_points());
        } else {
            let corners: Vec<Point> = self
                .corners()
                .into_iter()
                .map(|(dx, dy)| Point { x: (self.cx + dx) * ONE, y: (self.cy + dy) * ONE })
                .collect();
            canvas.fill_convex(&corners, Cover::Fill);
            canvas.outline_closed(&corners);
        }
        canvas
    }

    /// The polygon that stands for a circle: finer steps for larger circles.
    fn circle_points(&self) -> Vec<Point> {
        let step = match self.radius() {
            ..3 => 90,
            3..10 => 30,
            10..15 => 18,
            _ => 5,
        };
        // The originals' sine table has seven decimals in single precision.
        let sine = |degrees: i32| {
            f64::from(((f64::from(degrees).to_radians().sin() * 1e7).round() / 1e7) as f32)
        };
        let one = ONE as f64;
        let radius = self.radius() as f64 * one;
        let fixed = |middle: i64, component: f64| {
            let v = (middle * ONE) as f64 + radius * component;
            let whole = (v / one).round_ties_even() as i64 * ONE;
            whole + (v - whole as f64).round_ties_even() as i64
        };
        let mut points: Vec<Point> = (0..=360)
            .step_by(step)
            .map(|a| Point { x: fixed(self.cx, sine(450 - a)), y: fixed(self.cy, sine(a)) })
            .collect();
        points.dedup();
        points
    }

    /// The affine map that turns the object, row by row.
    pub fn turn(&self) -> [f64; 6] {
        let (sin, cos) = self.angle.to_radians().sin_cos();
        let (cx, cy) = (self.cx as f64, self.cy as f64);
        [cos, sin, (1.0 - cos) * cx - sin * cy, -sin, cos, sin * cx + (1.0 - cos) * cy]
    }

    /// Where the turned corners lie: smallest and largest x and y, in pixels.
    pub fn bounds(&self) -> [f64; 4] {
        let m = self.turn();
        self.corners().into_iter().fold(
            [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY],
            |[x0, x1, y0, y1], (dx, dy)| {
                let (x, y) = ((self.cx + dx) as f64, (self.cy + dy) as f64);
                let u = m[0] * x + m[1] * y + m[2];
                let v = m[3] * x + m[4] * y + m[5];
                [x0.min(u), x1.max(u), y0.min(v), y1.max(v)]
            },
        )
    }
}
