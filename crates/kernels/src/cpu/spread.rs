//! Coarse images to fine ones: `fine[s*o + t - p] += coarse[o] * w[t]`.
//!
//! Fine pixels fall into `s * s` classes by their position modulo the stride.
//! Pixels of a class meet the same taps of the kernel, so that each class is
//! a small convolution of the coarse image, and every fine pixel is written
//! once. Where that would multiply mostly zeros (few coarse pixels under a large
//! kernel) or yield too few channels at a time, the products of every coarse
//! pixel with the whole kernel are computed and added up instead.

use std::ops::Range;

use super::coarse::{CoarseChunk, Margin};
use super::geometry::Geometry;
use super::product::{Rows, Runs, multiply, multiply_rows, panel};
use super::vector::Isa;
use super::weights::{MatrixView, transpose_blocks};

/// Along one axis: the fine pixels `first, first + s, ...` meet `taps` coarse
/// pixels each, the last of which is number `last` for the first of them.
#[derive(Clone, Copy, Debug)]
struct Class {
    tap: usize,
    taps: usize,
    first: usize,
    last: usize,
    count: usize,
}

/// Fewer fine channels than this are not worth a register of their own.
const FEW_CHANNELS: usize = 8;

/// The product from coarse to fine images.
pub(super) struct Spread {
    isa: Isa,
    geo: Geometry,
    margin: Margin,
    /// Classes of lines and of columns; none where products are added up.
    classes: Option<(Vec<Class>, Vec<Class>)>,
    weights: Vec<f32>,
}

/// Scratch memory of a thread.
#[derive(Default)]
pub(super) struct SpreadScratch {
    to: Vec<*mut f32>,
    products: Vec<f32>,
    groups: Vec<FinePixels>,
}

/// Fine pixels of a class that meet the same taps.
struct FinePixels {
    runs: Runs,
    from: Vec<*const f32>,
    to: Vec<*mut f32>,
}

impl FinePixels {
    /// The group with these runs, made if it is not there.
    fn of(groups: &mut Vec<Self>, runs: Runs) -> &mut Self {
        let same = |group: &Self| {
            let Runs { count, len, first, .. } = group.runs;
            (count, len, first) == (runs.count, runs.len, runs.first)
        };
        let found = groups.iter().position(same).unwrap_or_else(|| {
            groups.push(Self { runs, from: Vec::new(), to: Vec::new() });
            groups.len() - 1
        });
        &mut groups[found]
    }
}

impl Spread {
    /// With `weights: [k, k, ci, co]`.
    pub(super) fn new(isa: Isa, geo: &Geometry, weights: &[f32]) -> Self {
        let lines = classes(geo, geo.h);
        let columns = classes(geo, geo.w);
        let met: usize = lines.iter().flat_map(|l| columns.iter().map(|c| l.met() * c.met())).sum();
        let needed = geo.oh * geo.ow * geo.k * geo.k;
        let exact = Self::is_exact(geo);
        if exact || geo.ci < FEW_CHANNELS || 2 * met > 3 * needed {
            let weights = transpose_blocks(isa, weights, geo.taps(), geo.co, &[1], |_| 0);
            let margin = Margin::default();
            return Self { isa, geo: *geo, margin, classes: None, weights };
        }
        let before = lines.iter().chain(&columns).map(|c| (c.taps).saturating_sub(c.last + 1));
        let beyond = |classes: &[Class], size: usize| {
            let last = classes.iter().filter(|c| c.count * c.taps > 0).map(|c| c.last + c.count);
            last.max().unwrap_or(0).saturating_sub(size)
        };
        let margin = Margin {
            before: before.max().unwrap_or(0),
            below: beyond(&lines, geo.oh),
            right: beyond(&columns, geo.ow),
        };
        // Blocks in the order the classes read them: coarse pixels from left
        // to right meet the taps from last to first.
        let block = geo.ci * geo.co;
        let (mut order, mut joined) = (Vec::new(), Vec::new());
        for line in &lines {
            for column in &columns {
                joined.push(line.taps * column.taps);
                for y in line.tap_order(geo.s) {
                    order.extend(column.tap_order(geo.s).map(|x| (y * geo.k + x) * block));
                }
            }
        }
        let weights = transpose_blocks(isa, weights, geo.ci, geo.co, &joined, |block| order[block]);
        Self { isa, geo: *geo, margin, classes: Some((lines, columns)), weights }
    }

    /// `rows` rows of the weights from `first` on, as a matrix of `n` columns.
    fn matrix(&self, first: usize, rows: usize, n: usize) -> MatrixView<'_> {
        let columns = n.next_multiple_of(self.isa.lanes());
        let panel = panel(self.isa).min(columns);
        MatrixView { values: &self.weights[first * columns..], rows, columns, panel }
    }

    /// Whether a coarse image is one pixel and its fine image just the kernel.
    pub(super) fn is_exact(geo: &Geometry) -> bool {
        geo.oh * geo.ow == 1 && geo.p == 0 && geo.h == geo.k && geo.w == geo.k
    }

    /// The margin the coarse images must have.
    pub(super) fn margin(&self) -> Margin {
        self.margin
    }

    /// Writes the fine images that belong to the `images` images of `coarse`.
    ///
    /// # Safety
    /// `to` must have room for them.
    pub(super) unsafe fn run(
        &self,
        coarse: &CoarseChunk,
        images: usize,
        to: *mut f32,
        scratch: &mut SpreadScratch,
    ) {
        // SAFETY: passed on.
        unsafe {
            match &self.classes {
                Some((lines, columns)) => {
                    self.by_class(lines, columns, coarse, images, to, scratch)
                }
                None if Self::is_exact(&self.geo) => {
                    self.exact(coarse, to, 0..self.geo.taps(), scratch);
                }
                None => self.added_up(coarse, images, to, scratch),
            }
        }
    }

    unsafe fn by_class(
        &self,
        lines: &[Class],
        columns: &[Class],
        coarse: &CoarseChunk,
        images: usize,
        to: *mut f32,
        scratch: &mut SpreadScratch,
    ) {
        let geo = &self.geo;
        let mut used = 0;
        for line in lines {
            for column in columns {
                let step = column.taps * geo.co;
                let groups = &mut scratch.groups;
                groups.clear();
                for y in 0..line.count {
                    for x in 0..column.count {
                        // In the margin there are only zeros.
                        let (down, right) = (line.inside(y, geo.oh), column.inside(x, geo.ow));
                        let first = down.start * step + right.start * geo.co;
                        let (count, len) = (down.len(), right.len() * geo.co);
                        let runs = Runs { count, len, stride: coarse.line(), first, step };
                        let group = FinePixels::of(groups, runs);
                        let (fine_y, fine_x) = (line.first + y * geo.s, column.first + x * geo.s);
                        let (last_y, last_x) = (line.last + y, column.last + x);
                        for i in 0..images {
                            let (up, left) =
                                (line.taps.saturating_sub(1), column.taps.saturating_sub(1));
                            let from = coarse.pixel(geo, i, last_y, last_x, up, left);
                            let skipped = down.start * coarse.line() + right.start * geo.co;
                            group.from.push(from.wrapping_add(skipped));
                            let at = ((i * geo.h + fine_y) * geo.w + fine_x) * geo.ci;
                            group.to.push(to.wrapping_add(at));
                        }
                    }
                }
                let rows = groups.iter().map(|FinePixels { runs, from, to }| Rows {
                    a: from,
                    runs: *runs,
                    c: to,
                });
                let rows: Vec<Rows<'_>> = rows.collect();
                let weights = self.matrix(used, line.taps * step, geo.ci);
                // SAFETY: taps inside of the image are readable; the fine pixels lie in `to`; there
                // is a row of weights for every tap.
                unsafe {
                    multiply_rows(self.isa, &rows, (line.taps, step), weights, 0..geo.ci, false);
                }
                used += line.taps * step;
            }
        }
    }

    /// Writes the given columns (taps and channels) of one-pixel images.
    ///
    /// # Safety
    /// The images must be [exact](Self::is_exact), and `to` must have room for them.
    pub(super) unsafe fn exact(
        &self,
        coarse: &CoarseChunk,
        to: *mut f32,
        columns: Range<usize>,
        scratch: &mut SpreadScratch,
    ) {
        let runs = Runs::new(1, self.geo.co, 0);
        scratch.to.clear();
        let rows = coarse.rows().len();
        scratch.to.extend((0..rows).map(|row| to.wrapping_add(row * self.geo.taps())));
        // SAFETY: a fine image is one row of the result.
        unsafe {
            multiply(
                self.isa,
                coarse.rows(),
                runs,
                self.matrix(0, self.geo.co, self.geo.taps()),
                &scratch.to,
                columns,
                false,
            );
        }
    }

    unsafe fn added_up(
        &self,
        coarse: &CoarseChunk,
        images: usize,
        to: *mut f32,
        scratch: &mut SpreadScratch,
    ) {
        let geo = &self.geo;
        let (taps, rows) = (geo.taps(), coarse.rows().len());
        scratch.products.resize(rows * taps, 0.0);
        let products = scratch.products.as_mut_ptr();
        scratch.to.clear();
        scratch.to.extend((0..rows).map(|row| products.wrapping_add(row * taps)));
        let runs = Runs::new(1, geo.co, 0);
        // SAFETY: `products` has room for all rows; `to` for all images, and
        // is cleared before it is used as a slice.
        let fine = unsafe {
            multiply(
                self.isa,
                coarse.rows(),
                runs,
                self.matrix(0, geo.co, taps),
                &scratch.to,
                0..taps,
                false,
            );
            to.write_bytes(0, images * geo.fine_len());
            std::slice::from_raw_parts_mut(to, images * geo.fine_len())
        };
        for (image, products) in fine
            .chunks_exact_mut(geo.fine_len())
            .zip(scratch.products.chunks_exact(geo.oh * geo.ow * taps))
        {
            add_up(geo, products, image);
        }
    }
}

/// Adds the products of every coarse pixel to the fine pixels under the kernel.
fn add_up(geo: &Geometry, products: &[f32], image: &mut [f32]) {
    let Geometry { ci, k, s, p, w, .. } = *geo;
    for y in 0..geo.oh {
        for a in 0..k {
            let Some(fine_y) = (y * s + a).checked_sub(p).filter(|fine_y| *fine_y < geo.h) else {
                continue;
            };
            let line = &mut image[fine_y * w * ci..(fine_y + 1) * w * ci];
            for x in 0..geo.ow {
                let from = &products[((y * geo.ow + x) * k + a) * k * ci..][..k * ci];
                let left = p.saturating_sub(x * s).min(k);
                let right = (w + p).saturating_sub(x * s).min(k);
                if left < right {
                    let at = (x * s + left - p) * ci;
                    for (to, from) in line[at..].iter_mut().zip(&from[left * ci..right * ci]) {
                        *to += from;
                    }
                }
            }
        }
    }
}

impl Class {
    /// Which of the coarse pixels that fine pixel number `at` meets are among the `size` that
    /// there are; the first of them is number `last + at + 1 - taps`.
    fn inside(&self, at: usize, size: usize) -> Range<usize> {
        let end = self.last + at + 1;
        let first = self.taps.saturating_sub(end);
        first..(size + self.taps).saturating_sub(end).clamp(first, self.taps.max(first))
    }

    /// Coarse pixels met by all fine pixels of the class.
    fn met(&self) -> usize {
        self.count * self.taps
    }

    /// Taps from the last to the first.
    fn tap_order(self, s: usize) -> impl Iterator<Item = usize> {
        (0..self.taps).rev().map(move |m| self.tap + m * s)
    }
}

/// The classes along an axis of `size` fine pixels.
fn classes(geo: &Geometry, size: usize) -> Vec<Class> {
    let Geometry { k, s, p, .. } = *geo;
    (0..s)
        .map(|tap| {
            let last = p.saturating_sub(tap).div_ceil(s);
            let first = s * last + tap - p;
            Class {
                tap,
                taps: k.saturating_sub(tap).div_ceil(s),
                first,
                last,
                count: if first < size { (size - 1 - first) / s + 1 } else { 0 },
            }
        })
        .collect()
}
