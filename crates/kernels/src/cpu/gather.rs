//! Fine images to coarse ones: `coarse[o] = sum_t fine[s*o + t - p] * w[t]`.

use std::ops::Range;

use super::fine::FineChunk;
use super::geometry::Geometry;
use super::product::{Rows, multiply_rows};
use super::vector::Isa;
use super::weights::Matrix;

/// The product from fine to coarse images.
pub(super) struct Gather<'a> {
    isa: Isa,
    geo: Geometry,
    weights: Matrix<'a>,
}

impl<'a> Gather<'a> {
    /// With `weights: [k, k, ci, co]`.
    pub(super) fn new(isa: Isa, geo: &Geometry, weights: &'a [f32]) -> Self {
        Self { isa, geo: *geo, weights: Matrix::new(isa, weights, geo.co, geo.is_wide()) }
    }

    /// Writes the given channels of the coarse images that belong to `fine`.
    ///
    /// # Safety
    /// `to` must have room for as many coarse images as `fine` holds.
    pub(super) unsafe fn run(
        &self,
        fine: &FineChunk,
        to: *mut f32,
        channels: Range<usize>,
        table: &mut Vec<*mut f32>,
    ) {
        table.clear();
        let pixels = fine.kinds().iter().flat_map(|kind| &kind.pixels);
        table.extend(pixels.map(|pixel| to.wrapping_add(pixel * self.geo.co)));
        let mut rest = table.as_slice();
        let kinds = fine.kinds().iter().map(|kind| {
            let (c, others) = rest.split_at(kind.rows.len());
            rest = others;
            Rows { a: &kind.rows, runs: kind.runs, c }
        });
        let kinds: Vec<Rows<'_>> = kinds.collect();
        let lines = fine.lines(&self.geo);
        // SAFETY: the rows of `fine` are readable along their runs, those of the
        // result lie in `to`, and the weights have a row for every tap.
        unsafe { multiply_rows(self.isa, &kinds, lines, self.weights.view(), channels, false) };
    }
}
