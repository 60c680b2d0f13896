//! A chunk of fine images, laid out so that the pixels under the kernel are a
//! few contiguous runs.

use std::ops::Range;

use super::geometry::Geometry;
use super::parallel::{self, Shared};
use super::product::Runs;
use super::row_source::RowSource;

/// How the fine images are read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Layout {
    /// In place: no padding, nothing to compute.
    Direct,
    /// In place, with padding: where the kernel reaches over the edge, only the taps inside of
    /// the image are looked at.
    Inside,
    /// From a copy with a border of zeros.
    Bordered,
    /// From a copy of the pixels under the kernel, for every place of it:
    /// for images of one or a few channels, whose runs would be too short.
    Unrolled,
}

impl Layout {
    /// Copies image number `image` to its place in the buffer.
    fn copy(
        self,
        geo: &Geometry,
        source: &RowSource,
        image: usize,
        to: &mut [f32],
        scratch: &mut [f32],
    ) {
        let start = image * geo.fine_len();
        match (self, source.plain()) {
            (Self::Direct | Self::Inside, _) => {}
            (Self::Bordered, _) => border(geo, source, image, to),
            (Self::Unrolled, Some(x)) => unroll(geo, &x[start..start + geo.fine_len()], to),
            (Self::Unrolled, None) => {
                source.read(start, scratch);
                unroll(geo, scratch, to);
            }
        }
    }
}

/// Runs shorter than this are unrolled.
const SHORT: usize = 16;

/// A chunk of fine images, ready for the products.
pub(super) struct FineChunk {
    layout: Layout,
    buffer: Vec<f32>,
    /// One fine image, where it has to be computed before it is unrolled.
    image: Vec<f32>,
    kinds: Vec<TapGroup>,
    /// For every coarse pixel of an image: its kind, and where in the fine image its row begins.
    cells: Vec<(usize, usize)>,
}

/// Coarse pixels that see the same taps of the kernel.
pub(super) struct TapGroup {
    /// Start of the pixels under the kernel, for every one of them.
    pub(super) rows: Vec<*const f32>,
    /// Which coarse pixels of the chunk these are.
    pub(super) pixels: Vec<usize>,
    /// How the pixels under the kernel lie.
    pub(super) runs: Runs,
}

impl FineChunk {
    /// Room for `images` images of `source`.
    pub(super) fn new(geo: &Geometry, source: &RowSource, images: usize) -> Self {
        let layout = if geo.k > 1 && geo.k * geo.ci < SHORT {
            Layout::Unrolled
        } else if source.plain().is_none() {
            Layout::Bordered
        } else if geo.p == 0 {
            Layout::Direct
        } else {
            Layout::Inside
        };
        let (runs, cells) = match layout {
            Layout::Unrolled => (vec![Runs::new(1, geo.taps(), 0)], Vec::new()),
            Layout::Direct => (vec![joined(geo, geo.w)], Vec::new()),
            Layout::Bordered => (vec![joined(geo, covered(geo).1)], Vec::new()),
            Layout::Inside => inside(geo),
        };
        let kind = |runs| TapGroup { rows: Vec::new(), pixels: Vec::new(), runs };
        let kinds = runs.into_iter().map(kind).collect();
        let image = match (layout, source.plain()) {
            (Layout::Unrolled, None) => vec![0.0; geo.fine_len()],
            _ => Vec::new(),
        };
        let mut chunk = Self { layout, buffer: Vec::new(), image, kinds, cells };
        chunk.buffer = vec![0.0; images * chunk.image_len(geo)];
        chunk
    }

    /// Takes in `images` images from number `first` on.
    pub(super) fn load(&mut self, geo: &Geometry, source: &RowSource, first: usize, images: usize) {
        let (layout, size) = (self.layout, self.image_len(geo));
        for i in 0..images {
            let to = &mut self.buffer[i * size..(i + 1) * size];
            layout.copy(geo, source, first + i, to, &mut self.image);
        }
        self.point(geo, source, first, images);
    }

    /// Takes in all images, on all threads.
    pub(super) fn load_parallel(&mut self, geo: &Geometry, source: &RowSource) {
        let (layout, size) = (self.layout, self.image_len(geo));
        if size > 0 {
            let image = || self.image.clone();
            let buffer = Shared::new(self.buffer.as_mut_ptr());
            parallel::for_each_with(geo.n, geo.n > 1, image, |image, i| {
                // SAFETY: every task has an image of its own in the buffer.
                let to = unsafe { buffer.slice(i * size, size) };
                layout.copy(geo, source, i, to, image);
            });
        }
        self.point(geo, source, 0, geo.n);
    }

    /// Floats an image takes in the buffer.
    fn image_len(&self, geo: &Geometry) -> usize {
        let (height, width) = covered(geo);
        match self.layout {
            Layout::Direct | Layout::Inside => 0,
            Layout::Bordered => height * width * geo.ci,
            Layout::Unrolled => geo.oh * geo.ow * geo.taps(),
        }
    }

    /// Finds the start of every row.
    fn point(&mut self, geo: &Geometry, source: &RowSource, first: usize, images: usize) {
        let count = images * geo.oh * geo.ow;
        let from = match (self.layout, source.plain()) {
            (Layout::Direct | Layout::Inside, Some(x)) => x[first * geo.fine_len()..].as_ptr(),
            _ => self.buffer.as_ptr(),
        };
        if self.layout == Layout::Inside {
            return self.point_inside(geo, from, images);
        }
        let TapGroup { rows, pixels, .. } = &mut self.kinds[0];
        if self.layout != Layout::Direct && rows.len() >= count {
            rows.truncate(count);
            pixels.truncate(count);
            return; // the buffer has not moved
        }
        let (height, width) = match self.layout {
            Layout::Direct => (geo.h, geo.w),
            _ => covered(geo),
        };
        rows.clear();
        for i in 0..images {
            for y in 0..geo.oh {
                for x in 0..geo.ow {
                    let offset = match self.layout {
                        Layout::Unrolled => ((i * geo.oh + y) * geo.ow + x) * geo.taps(),
                        _ => ((i * height + y * geo.s) * width + x * geo.s) * geo.ci,
                    };
                    rows.push(from.wrapping_add(offset));
                }
            }
        }
        pixels.clear();
        pixels.extend(0..count);
    }

    fn point_inside(&mut self, geo: &Geometry, from: *const f32, images: usize) {
        for TapGroup { rows, pixels, .. } in &mut self.kinds {
            rows.clear();
            pixels.clear();
        }
        for image in 0..images {
            for (cell, &(kind, offset)) in self.cells.iter().enumerate() {
                let kind = &mut self.kinds[kind];
                kind.rows.push(from.wrapping_add(image * geo.fine_len() + offset));
                kind.pixels.push(image * self.cells.len() + cell);
            }
        }
    }

    /// The coarse pixels of the chunk, by the taps that they see.
    pub(super) fn kinds(&self) -> &[TapGroup] {
        &self.kinds
    }

    /// Lines of taps, and the rows of weights in each.
    pub(super) fn lines(&self, geo: &Geometry) -> (usize, usize) {
        match (self.layout, self.kinds.first()) {
            (Layout::Inside, _) => (geo.k, geo.k * geo.ci),
            (_, Some(kind)) => (kind.runs.count, kind.runs.len),
            (_, None) => (0, 0),
        }
    }
}

/// The kinds of coarse pixels by the taps that fall inside of the image; for every coarse pixel
/// its kind, and where in the image the first of its taps is.
fn inside(geo: &Geometry) -> (Vec<Runs>, Vec<(usize, usize)>) {
    let Geometry { h, w, ci, k, s, p, .. } = *geo;
    // The taps inside, and the line or column of the first of them.
    let taps = |at: usize, size: usize| {
        let first = p.saturating_sub(at * s).min(k);
        let last = (size + p).saturating_sub(at * s).min(k).max(first);
        (first..last, (at * s + first).saturating_sub(p))
    };
    let (mut kinds, mut cells) = (Vec::new(), Vec::new());
    let mut known: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (lines, y) in (0..geo.oh).map(|y| taps(y, h)) {
        for (columns, x) in (0..geo.ow).map(|x| taps(x, w)) {
            let found = known.iter().position(|(a, b)| *a == lines && *b == columns);
            let kind = found.unwrap_or_else(|| {
                let first = (lines.start * k + columns.start) * ci;
                let (count, len) = (lines.len(), columns.len() * ci);
                kinds.push(Runs { count, len, stride: w * ci, first, step: k * ci });
                known.push((lines.clone(), columns.clone()));
                known.len() - 1
            });
            cells.push((kind, (y * w + x) * ci));
        }
    }
    (kinds, cells)
}

/// Height and width of the part of a padded image that the kernel ever covers.
fn covered(geo: &Geometry) -> (usize, usize) {
    ((geo.oh - 1) * geo.s + geo.k, (geo.ow - 1) * geo.s + geo.k)
}

/// The runs under the kernel in an image of the given width; one run where
/// the kernel is as wide as the image.
fn joined(geo: &Geometry, width: usize) -> Runs {
    if geo.k == width || geo.k == 1 {
        Runs::new(1, geo.taps(), 0)
    } else {
        Runs::new(geo.k, geo.k * geo.ci, width * geo.ci)
    }
}

/// Copies one image into the inside of a bordered one.
fn border(geo: &Geometry, source: &RowSource, image: usize, to: &mut [f32]) {
    let (height, width) = covered(geo);
    let length = geo.w.min(width - geo.p) * geo.ci;
    for y in 0..geo.h.min(height - geo.p) {
        let at = ((y + geo.p) * width + geo.p) * geo.ci;
        source.read(image * geo.fine_len() + y * geo.w * geo.ci, &mut to[at..at + length]);
    }
}

/// Copies the pixels under the kernel, for every place of it. What lies in
/// the padding is left as it is (zero).
fn unroll(geo: &Geometry, image: &[f32], to: &mut [f32]) {
    let Geometry { ci, k, s, p, w, .. } = *geo;
    for y in 0..geo.oh {
        for a in 0..k {
            let Some(fine_y) = (y * s + a).checked_sub(p).filter(|fine_y| *fine_y < geo.h) else {
                continue;
            };
            let line = &image[fine_y * w * ci..(fine_y + 1) * w * ci];
            for x in 0..geo.ow {
                let at = ((y * geo.ow + x) * k + a) * k * ci;
                let to = &mut to[at..at + k * ci];
                let left = p.saturating_sub(x * s).min(k);
                let right = (w + p).saturating_sub(x * s).min(k);
                if left == 0 && right == k {
                    let from = (x * s - p) * ci;
                    copy_short(to, &line[from..from + k * ci]);
                } else if left < right {
                    let from = (x * s + left - p) * ci;
                    let length = (right - left) * ci;
                    to[left * ci..left * ci + length].copy_from_slice(&line[from..from + length]);
                }
            }
        }
    }
}

/// Copies a few floats; four, the common case, without a call.
#[inline(always)]
fn copy_short(to: &mut [f32], from: &[f32]) {
    match (<&mut [f32; 4]>::try_from(&mut *to), <&[f32; 4]>::try_from(from)) {
        (Ok(to), Ok(from)) => *to = *from,
        _ => to.copy_from_slice(from),
    }
}
