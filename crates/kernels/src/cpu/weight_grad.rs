//! The gradient of the weights: `dw[t] = sum_o fine[s*o + t - p] * coarse[o]`.

use super::coarse::CoarseChunk;
use super::fine::FineChunk;
use super::geometry::Geometry;
use super::parallel::{self, Shared};
use super::product::multiply_transposed;
use super::vector::Isa;

/// Adds the part of a chunk to `dw: [k, k, ci, co]`.
pub(super) fn add_chunk(
    isa: Isa,
    geo: &Geometry,
    fine: &FineChunk,
    coarse: &CoarseChunk,
    dw: &mut [f32],
) {
    let runs = fine.runs();
    for run in 0..runs.count {
        // SAFETY: the rows of `fine` are readable along its runs, those of
        // `coarse` for all channels, and `dw` has `runs.len` rows for every run.
        unsafe {
            multiply_transposed(
                isa,
                fine.rows(),
                run * runs.stride,
                runs.len,
                coarse.rows(),
                dw[run * runs.len * geo.co..].as_mut_ptr(),
                geo.co,
                0..geo.co,
            );
        }
    }
}

/// Rows and columns of the weights that one task of [`whole`] works on.
const TASK: (usize, usize) = (512, 64);

/// The whole gradient from all images at once, every task working on its own
/// part of the weights: for weights too large to keep a copy per task.
pub(super) fn whole(isa: Isa, geo: &Geometry, fine: &FineChunk, coarse: &CoarseChunk) -> Vec<f32> {
    let runs = fine.runs();
    let parts = runs.len.div_ceil(TASK.0);
    let strips = geo.co.div_ceil(TASK.1);
    let mut dw = vec![0.0; geo.weights()];
    let to = Shared::new(dw.as_mut_ptr());
    let (fine_rows, coarse_rows) = (Rows(fine.rows()), Rows(coarse.rows()));
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
            // SAFETY: as in `add_chunk`; tasks differ in rows or columns of `dw`.
            unsafe {
                multiply_transposed(
                    isa,
                    fine_rows.get(),
                    run * runs.stride + first,
                    len,
                    coarse_rows.get(),
                    to.at((run * runs.len + first) * geo.co),
                    geo.co,
                    columns,
                );
            }
        },
    );
    dw
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
