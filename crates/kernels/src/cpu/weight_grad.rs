//! The gradient of the weights: `dw[t] = sum_o fine[s*o + t - p] * coarse[o]`.

use super::coarse::CoarseChunk;
use super::fine::FineChunk;
use super::geometry::Geometry;
use super::parallel::{self, Shared, written};
use super::product::{Runs, multiply_transposed};
use super::vector::Isa;

/// Adds the part of a chunk to `dw: [k, k, ci, co]`.
pub(super) fn add_chunk(
    isa: Isa,
    geo: &Geometry,
    fine: &FineChunk,
    coarse: &CoarseChunk,
    dw: &mut [f32],
) {
    // SAFETY: the rows of `fine` are readable along its runs, those of
    // `coarse` for all channels, and `dw` has a row for every tap.
    unsafe {
        multiply_transposed(
            isa,
            fine.rows(),
            fine.runs(),
            coarse.rows(),
            dw.as_mut_ptr(),
            geo.co,
            0..geo.co,
            true,
        );
    }
}

/// Rows and columns of the weights that one task of [`whole`] works on.
const TASK: (usize, usize) = (512, 256);

/// The whole gradient from all images at once, every task working on its own
/// part of the weights: for weights too large to keep a copy per task.
pub(super) fn whole(isa: Isa, geo: &Geometry, fine: &FineChunk, coarse: &CoarseChunk) -> Vec<f32> {
    let runs = fine.runs();
    let parts = runs.len.div_ceil(TASK.0);
    let strips = geo.co.div_ceil(TASK.1);
    if fine.rows().is_empty() {
        return vec![0.0; geo.weights()];
    }
    let (fine_rows, coarse_rows) = (Rows(fine.rows()), Rows(coarse.rows()));
    let fill = |to: Shared| {
        parallel::for_each_with(
            runs.count * parts * strips,
            true,
            || (),
            |(), task| {
                let (strip, rest) = (task % strips, task / strips);
                let (part, run) = (rest % parts, rest / parts);
                let first = part * TASK.0;
                let len = TASK.0.min(runs.len - first);
                let columns = strip * TASK.1..geo.co.min((strip + 1) * TASK.1);
                let rows: Vec<_> = fine_rows
                    .get()
                    .iter()
                    .map(|row| row.wrapping_add(run * runs.stride + first))
                    .collect();
                // SAFETY: as in `add_chunk`; tasks differ in rows or columns of the result.
                unsafe {
                    multiply_transposed(
                        isa,
                        &rows,
                        Runs { count: 1, len, stride: 0 },
                        coarse_rows.get(),
                        to.at((run * runs.len + first) * geo.co),
                        geo.co,
                        columns,
                        false,
                    );
                }
            },
        );
    };
    // SAFETY: the tasks cover all weights.
    unsafe { written(geo.weights(), fill) }
}

/// Rows that several threads read.
#[derive(Clone, Copy)]
struct Rows<'a>(&'a [*const f32]);

// SAFETY: the rows are only read while they are shared.
unsafe impl Send for Rows<'_> {}
// SAFETY: as above.
unsafe impl Sync for Rows<'_> {}

impl<'a> Rows<'a> {
    fn get(self) -> &'a [*const f32] {
        self.0
    }
}
