//! The drawing primitives of the originals' image library, in integers.
//!
//! Coordinates are 16.16 fixed point unless a name says `pixel`. Every rounding
//! below is part of the picture: the goldens compare bit for bit.

use super::SIDE;

/// One pixel in fixed point.
pub(super) const ONE: i64 = 1 << 16;
const HALF: i64 = ONE / 2;

/// What covers a pixel before the object is turned and coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cover {
    /// Nothing.
    Empty,
    /// The inside of the shape.
    Fill,
    /// Its border.
    Outline,
}

/// A point in fixed point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Point {
    pub x: i64,
    pub y: i64,
}

/// The pixel row or column that a fixed-point coordinate falls on.
fn pixel(v: i64) -> i64 {
    (v + HALF) >> 16
}

/// A panel-sized sheet on which one object is drawn.
pub(super) struct Canvas {
    cells: Vec<Cover>,
}

impl Canvas {
    pub fn new() -> Self {
        Self { cells: vec![Cover::Empty; SIDE * SIDE] }
    }

    /// What covers a pixel; nothing does outside the sheet.
    pub fn at(&self, x: i64, y: i64) -> Cover {
        let inside = 0..SIDE as i64;
        if inside.contains(&x) && inside.contains(&y) {
            self.cells[y as usize * SIDE + x as usize]
        } else {
            Cover::Empty
        }
    }

    fn plot(&mut self, x: i64, y: i64, cover: Cover) {
        let inside = 0..SIDE as i64;
        if inside.contains(&x) && inside.contains(&y) {
            self.cells[y as usize * SIDE + x as usize] = cover;
        }
    }

    fn run(&mut self, y: i64, from: i64, to: i64, cover: Cover) {
        for x in from..=to {
            self.plot(x, y, cover);
        }
    }

    /// Fills a convex polygon line by line.
    ///
    /// Two walkers go down its two flanks. They share a budget of one look per
    /// vertex; who finds it used up ends the fill, so the lowest line is
    /// usually left to the border.
    pub fn fill_convex(&mut self, corners: &[Point], cover: Cover) {
        let n = corners.len();
        let Some(start) = (0..n).min_by_key(|&i| corners[i].y) else { return };
        let top = pixel(corners[start].y);
        let bottom = corners.iter().map(|c| pixel(c.y)).max().unwrap_or(top);
        let mut budget = n;
        let mut flanks = [Flank::new(start, n - 1, top), Flank::new(start, 1, top)];
        for y in top..=bottom {
            for flank in &mut flanks {
                if y >= flank.end && !flank.next_edge(corners, y, &mut budget) {
                    return;
                }
            }
            let [a, b] = [flanks[0].x, flanks[1].x];
            self.run(y, pixel(a.min(b)), pixel(a.max(b)), cover);
            for flank in &mut flanks {
                flank.x += flank.step;
            }
        }
    }

    /// A line of single pixels with sub-pixel ends.
    fn line(&mut self, p: Point, q: Point, cover: Cover) {
        let flat = (q.x - p.x).abs() > (q.y - p.y).abs();
        let along = |c: Point| if flat { (c.x, c.y) } else { (c.y, c.x) };
        let (mut p, mut q) = (p, q);
        if along(q).0 < along(p).0 {
            (p, q) = (q, p);
        }
        let ((u, v), (u_end, v_end)) = (along(p), along(q));
        let step = ((v_end - v) << 16) / ((u_end - u) | 1);
        let mut put = |u, v| if flat { self.plot(u, v, cover) } else { self.plot(v, u, cover) };
        put(pixel(u_end), pixel(v_end));
        let mut v = v + HALF;
        for i in 0..=(u_end - u) >> 16 {
            put(pixel(u) + i, v >> 16);
            v += step;
        }
    }

    /// A filled circle around a pixel.
    pub fn disc(&mut self, x: i64, y: i64, radius: i64, cover: Cover) {
        let (mut error, mut dx, mut dy, mut plus, mut minus) = (0, radius, 0, 1, 2 * radius - 1);
        while dx >= dy {
            self.run(y - dy, x - dx, x + dx, cover);
            self.run(y + dy, x - dx, x + dx, cover);
            self.run(y - dx, x - dy, x + dy, cover);
            self.run(y + dx, x - dy, x + dy, cover);
            dy += 1;
            error += plus;
            plus += 2;
            if error > 0 {
                error -= minus;
                dx -= 1;
                minus -= 2;
            }
        }
    }

    /// A segment two pixels wide: a quadrangle along it, and a dot at its end.
    fn segment(&mut self, p: Point, q: Point, dot_at_start: bool) {
        let cover = Cover::Outline;
        let one = ONE as f64;
        let (dx, dy) = ((p.x - q.x) as f64 / one, (q.y - p.y) as f64 / one);
        let length = (dx * dx + dy * dy).sqrt();
        if length > 0.0 {
            let scale = one / length;
            let ex = (dy * scale).round_ties_even() as i64;
            let ey = (dx * scale).round_ties_even() as i64;
            let quad = [
                Point { x: p.x + ex, y: p.y + ey },
                Point { x: p.x - ex, y: p.y - ey },
                Point { x: q.x - ex, y: q.y - ey },
                Point { x: q.x + ex, y: q.y + ey },
            ];
            for i in 0..4 {
                self.line(quad[(i + 3) % 4], quad[i], cover);
            }
            self.fill_convex(&quad, cover);
        }
        if dot_at_start {
            self.disc(pixel(p.x), pixel(p.y), 1, cover);
        }
        self.disc(pixel(q.x), pixel(q.y), 1, cover);
    }

    /// The border of a polygon.
    pub fn outline_closed(&mut self, corners: &[Point]) {
        for i in 0..corners.len() {
            self.segment(corners[(i + corners.len() - 1) % corners.len()], corners[i], false);
        }
    }

    /// A chain of segments.
    pub fn outline_open(&mut self, points: &[Point]) {
        for (i, pair) in points.windows(2).enumerate() {
            self.segment(pair[0], pair[1], i == 0);
        }
    }
}

/// One of the two sides of a convex polygon during a fill.
struct Flank {
    corner: usize,
    stride: usize,
    end: i64,
    x: i64,
    step: i64,
}

impl Flank {
    fn new(corner: usize, stride: usize, end: i64) -> Self {
        Self { corner, stride, end, x: 0, step: 0 }
    }

    /// Moves on to the edge that crosses line `y`; false when the budget is
    /// used up.
    fn next_edge(&mut self, corners: &[Point], y: i64, budget: &mut usize) -> bool {
        while *budget > 0 {
            *budget -= 1;
            let from = corners[self.corner];
            self.corner = (self.corner + self.stride) % corners.len();
            let to = corners[self.corner];
            let row = pixel(to.y);
            if row > y {
                self.x = from.x;
                self.step = ((to.x - from.x) * 2 + (row - y)) / (2 * (row - y));
                self.end = row;
                return true;
            }
        }
        false
    }
}
