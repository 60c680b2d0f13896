//! A chunk of coarse images, with the zeros around them that the products need.

use super::geometry::Geometry;
use super::row_source::RowSource;

/// Zero pixels needed around a coarse image.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Margin {
    pub(super) before: usize,
    pub(super) below: usize,
    pub(super) right: usize,
}

/// A chunk of coarse images, ready for the products.
pub(super) struct CoarseChunk {
    margin: Margin,
    direct: bool,
    buffer: Vec<f32>,
    /// Pixel (0, 0) of the first image.
    origin: *const f32,
    /// Floats from an image to the next.
    image: usize,
    /// Floats from a line to the next.
    line: usize,
    rows: Vec<*const f32>,
}

impl CoarseChunk {
    /// Room for `images` images of `source`.
    pub(super) fn new(geo: &Geometry, source: &RowSource, margin: Margin, images: usize) -> Self {
        let direct = margin == Margin::default() && source.plain().is_some();
        let line = (geo.ow + margin.before + margin.right) * geo.co;
        let image = (geo.oh + margin.before + margin.below) * line;
        let buffer = if direct { Vec::new() } else { vec![0.0; images * image] };
        let origin = buffer.as_ptr().wrapping_add(margin.before * (line + geo.co));
        Self { margin, direct, buffer, origin, image, line, rows: Vec::new() }
    }

    /// Takes in `images` images from number `first` on.
    pub(super) fn load(&mut self, geo: &Geometry, source: &RowSource, first: usize, images: usize) {
        let count = images * geo.oh * geo.ow;
        if let (true, Some(x)) = (self.direct, source.plain()) {
            let from = &x[first * geo.coarse_len()..(first + images) * geo.coarse_len()];
            self.origin = from.as_ptr();
            self.rows.clear();
        } else if self.margin == Margin::default() {
            let to = &mut self.buffer[..images * geo.coarse_len()];
            source.read(first * geo.coarse_len(), to);
        } else {
            let length = geo.ow * geo.co;
            for i in 0..images {
                for y in 0..geo.oh {
                    let at = i * self.image
                        + (y + self.margin.before) * self.line
                        + self.margin.before * geo.co;
                    let start = (first + i) * geo.coarse_len() + y * length;
                    source.read(start, &mut self.buffer[at..at + length]);
                }
            }
        }
        if self.rows.len() >= count {
            self.rows.truncate(count);
            return; // the buffer has not moved
        }
        self.rows.clear();
        for i in 0..images {
            for y in 0..geo.oh {
                for x in 0..geo.ow {
                    self.rows.push(self.pixel(geo, i, y, x, 0, 0));
                }
            }
        }
    }

    /// Start of every pixel of the chunk.
    pub(super) fn rows(&self) -> &[*const f32] {
        &self.rows
    }

    /// Floats from a line to the next.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Start of pixel `(y - up, x - left)` of image `i`, perhaps in the margin.
    pub(super) fn pixel(
        &self,
        geo: &Geometry,
        i: usize,
        y: usize,
        x: usize,
        up: usize,
        left: usize,
    ) -> *const f32 {
        self.origin
            .wrapping_add(i * self.image + y * self.line + x * geo.co)
            .wrapping_sub(up * self.line + left * geo.co)
    }
}
