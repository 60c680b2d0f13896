//! Shapes and lines as tests of points, in whole numbers.
//!
//! Lengths are measured in 1/1024 pixels. Corners are the sines and cosines of
//! regular polygons, rounded to 1/65536 once and for all.

use arrayvec::ArrayVec;

use crate::relations::{LineType, ShapeType};

/// One pixel.
pub(super) const PIXEL: i64 = 1024;

/// A part of the panel's side, in 1/1024 pixels.
fn part(side: usize, numerator: i64, denominator: i64) -> i64 {
    let length = side as i64 * PIXEL * numerator;
    (length + denominator / 2) / denominator
}

/// A point relative to some origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub x: i64,
    pub y: i64,
}

impl Point {
    fn square(self) -> i128 {
        i128::from(self.x) * i128::from(self.x) + i128::from(self.y) * i128::from(self.y)
    }

    fn minus(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    fn cross(self, other: Self) -> i128 {
        i128::from(self.x) * i128::from(other.y) - i128::from(self.y) * i128::from(other.x)
    }

    fn dot(self, other: Self) -> i128 {
        i128::from(self.x) * i128::from(other.x) + i128::from(self.y) * i128::from(other.y)
    }
}

/// What covers a sample of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    Empty,
    Fill,
    Outline,
}

/// A shape around the origin, y pointing down.
pub(super) struct ShapeTest {
    radius: i64,
    /// Half the width of the outline.
    half: i64,
    /// None for a circle.
    corners: ArrayVec<Point, 10>,
}

// In 1/65536, the right half of shapes that are symmetric from left to right.
const TRIANGLE: [[i64; 2]; 2] = [[0, -65536], [56756, 32768]];
const SQUARE: [[i64; 2]; 2] = [[46341, -46341], [46341, 46341]];
const PENTAGON: [[i64; 2]; 3] = [[0, -65536], [62328, -20252], [38521, 53020]];
const HEXAGON: [[i64; 2]; 4] = [[0, -65536], [56756, -32768], [56756, 32768], [0, 65536]];
const OCTAGON: [[i64; 2]; 4] = [[25080, -60547], [60547, -25080], [60547, 25080], [25080, 60547]];
/// A pentagram: its inner corners lie at 0.382 of the radius.
const STAR: [[i64; 2]; 6] =
    [[0, -65536], [14714, -20252], [62328, -20252], [23807, 7735], [38521, 53020], [0, 25033]];

/// The corners of a shape of radius 65536 around the origin; none of a circle.
pub fn corners(kind: ShapeType) -> ArrayVec<[i64; 2], 10> {
    let (half_shape, quarter_turns): (&[[i64; 2]], u8) = match kind {
        ShapeType::Circle => (&[], 0),
        ShapeType::Triangle => (&TRIANGLE, 0),
        ShapeType::Square => (&SQUARE, 0),
        ShapeType::Pentagon => (&PENTAGON, 0),
        ShapeType::Hexagon => (&HEXAGON, 0),
        ShapeType::Octagon => (&OCTAGON, 0),
        ShapeType::Star => (&STAR, 0),
        ShapeType::TriangleRight => (&TRIANGLE, 1),
        ShapeType::TriangleDown => (&TRIANGLE, 2),
        ShapeType::TriangleLeft => (&TRIANGLE, 3),
    };
    let left = half_shape.iter().rev().filter(|[x, _]| *x != 0).map(|[x, y]| [-x, *y]);
    let turned = |[x, y]: [i64; 2]| (0..quarter_turns).fold([x, y], |[x, y], _| [-y, x]);
    half_shape.iter().copied().chain(left).map(turned).collect()
}

impl ShapeTest {
    pub fn new(kind: ShapeType, size: u8, side: usize) -> Self {
        assert!(size < 10, "size {size} is not 0 to 9");
        // 0.035 + 0.0085 size of the panel's side: neighbours never touch.
        let radius = part(side, 70 + 17 * i64::from(size), 2000);
        let scaled = |v: i64| (v * radius + 32768) >> 16;
        let corners =
            corners(kind).into_iter().map(|[x, y]| Point { x: scaled(x), y: scaled(y) }).collect();
        // The outline is one pixel of 160 wide, centred on the border.
        Self { radius, half: part(side, 1, 320), corners }
    }

    /// How far the shape reaches from its centre, outline included.
    pub fn reach(&self) -> i64 {
        self.radius + self.half
    }

    pub fn at(&self, p: Point) -> Sample {
        if self.corners.is_empty() {
            let square = p.square();
            return if square > i128::from(self.radius + self.half).pow(2) {
                Sample::Empty
            } else if square < i128::from(self.radius - self.half).pow(2) {
                Sample::Fill
            } else {
                Sample::Outline
            };
        }
        let mut inside = false;
        for (i, &a) in self.corners.iter().enumerate() {
            let b = self.corners[(i + 1) % self.corners.len()];
            if near_segment(p, a, b, self.half) {
                return Sample::Outline;
            }
            // Even-odd: does a ray to the right cross this edge?
            if (a.y > p.y) != (b.y > p.y) {
                let left_of = b.minus(a).cross(p.minus(a)) < 0;
                inside ^= left_of == (b.y > a.y);
            }
        }
        if inside { Sample::Fill } else { Sample::Empty }
    }
}

/// Whether a point lies within `half` of a segment.
fn near_segment(p: Point, a: Point, b: Point, half: i64) -> bool {
    let (edge, from) = (b.minus(a), p.minus(a));
    let half = i128::from(half) * i128::from(half);
    let along = edge.dot(from);
    if along <= 0 {
        from.square() <= half
    } else if along >= edge.square() {
        p.minus(b).square() <= half
    } else {
        let cross = edge.cross(from);
        cross * cross <= half * edge.square()
    }
}

/// A line of the panel; points count from its top left corner.
pub(super) struct LineTest {
    kind: LineType,
    side: i64,
    radius: i64,
    half: i64,
}

impl LineTest {
    pub fn new(kind: LineType, side: usize) -> Self {
        Self {
            kind,
            side: side as i64 * PIXEL,
            radius: part(side, 1, 5),
            // Three pixels of 160 wide.
            half: part(side, 3, 320),
        }
    }

    pub fn covers(&self, p: Point) -> bool {
        let (side, middle) = (self.side, self.side / 2);
        // Distance to a diagonal is |x ± y - c| / sqrt(2).
        let diagonal = |distance: i64| {
            i128::from(distance) * i128::from(distance)
                <= 2 * i128::from(self.half) * i128::from(self.half)
        };
        let upper_left = || diagonal(p.x + p.y - middle);
        let upper_right = || diagonal(p.x - p.y - middle);
        let lower_right = || diagonal(p.x + p.y - side - middle);
        let lower_left = || diagonal(p.y - p.x - middle);
        match self.kind {
            LineType::DiagonalDown => diagonal(p.x - p.y),
            LineType::DiagonalUp => diagonal(p.x + p.y - side),
            LineType::Vertical => (p.x - middle).abs() <= self.half,
            LineType::Horizontal => (p.y - middle).abs() <= self.half,
            LineType::Diamond => upper_left() || upper_right() || lower_right() || lower_left(),
            LineType::Circle => {
                let square = Point { x: p.x - middle, y: p.y - middle }.square();
                square <= i128::from(self.radius + self.half).pow(2)
                    && square >= i128::from(self.radius - self.half).pow(2)
            }
            LineType::UpperLeft => upper_left(),
            LineType::UpperRight => upper_right(),
            LineType::LowerRight => lower_right(),
            LineType::LowerLeft => lower_left(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corner_tables_are_those_of_regular_polygons() {
        let unit = |degrees: f64| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            [(65536.0 * cos).round() as i64, (65536.0 * sin).round() as i64]
        };
        assert_eq!(TRIANGLE.to_vec(), [-90.0, 30.0].map(unit));
        assert_eq!(SQUARE.to_vec(), [-45.0, 45.0].map(unit));
        assert_eq!(PENTAGON.to_vec(), [-90.0, -18.0, 54.0].map(unit));
        assert_eq!(HEXAGON.to_vec(), [-90.0, -30.0, 30.0, 90.0].map(unit));
        assert_eq!(OCTAGON.to_vec(), [-67.5, -22.5, 22.5, 67.5].map(unit));
        let inner = |degrees: f64| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let radius = 65536.0 * (3.0 - 5f64.sqrt()) / 2.0;
            [(radius * cos).round() as i64, (radius * sin).round() as i64]
        };
        let star = [unit(-90.0), inner(-54.0), unit(-18.0), inner(18.0), unit(54.0), inner(90.0)];
        assert_eq!(STAR, star);
    }

    #[test]
    fn every_shape_is_filled_at_its_centre_and_empty_beyond_its_reach() {
        for kind in ShapeType::ALL {
            for size in 0..10 {
                let shape = ShapeTest::new(kind, size, 160);
                assert_eq!(shape.at(Point { x: 0, y: 0 }), Sample::Fill, "{kind:?} {size}");
                let beyond = Point { x: shape.reach() + 1, y: 0 };
                assert_eq!(shape.at(beyond), Sample::Empty, "{kind:?} {size}");
            }
        }
    }
}
