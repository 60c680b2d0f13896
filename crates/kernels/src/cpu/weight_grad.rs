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
    for kind in fine.kinds() {
        let coarse: Vec<_> = kind.pixels.iter().map(|&pixel| coarse.rows()[pixel]).collect();
        // SAFETY: the rows of `fine` are readable along their runs, those of
        // `coarse` for all channels, and `dw` has a row for every tap.
        unsafe {
            multiply_transposed(
                isa,
                &kind.rows,
                kind.runs,
                &coarse,
                dw.as_mut_ptr(),
                geo.co,
                0..geo.co,
                true,
            );
        }
    }
}

/// Rows and columns of the weights that one task of [`whole`] works on.
const TASK: (usize, usize) = (512, 256);

/// The whole gradient from all images at once, every task working on its own
/// part of the weights: for weights too large to keep a copy per task.
pub(super) fn whole(isa: Isa, geo: &Geometry, fine: &FineChunk, coarse: &CoarseChunk) -> Vec<f32> {
    let (lines, step) = fine.lines(geo);
    let parts = step.div_ceil(TASK.0);
    let strips = geo.co.div_ceil(TASK.1);
    let coarse: Vec<Vec<*const f32>> = fine
        .kinds()
        .iter()
        .map(|kind| kind.pixels.iter().map(|&pixel| coarse.rows()[pixel]).collect())
        .collect();
    let kinds = fine.kinds().iter().zip(&coarse);
    let kinds: Vec<_> =
        kinds.map(|(kind, coarse)| (Rows(&kind.rows), kind.runs, Rows(coarse))).collect();
    let mut dw = vec![0.0; geo.weights()];
    let to = Shared::new(dw.as_mut_ptr());
    let state = Vec::new;
    parallel::for_each_with(lines * parts * strips, true, state, |rows, task| {
        let (strip, rest) = (task % strips, task / strips);
        let (part, line) = (rest % parts, rest / parts);
        let within = part * TASK.0..step.min((part + 1) * TASK.0);
        let columns = strip * TASK.1..geo.co.min((strip + 1) * TASK.1);
        for &(fine, runs, coarse) in &kinds {
            let Some((runs, offset)) = runs.part(&(line..line + 1), &within) else { continue };
            rows.clear();
            rows.extend(fine.get().iter().map(|row: &*const f32| row.wrapping_add(offset)));
            // SAFETY: as in `add_chunk`; tasks differ in rows or columns of the result.
            unsafe {
                multiply_transposed(
                    isa,
                    rows,
                    runs,
                    coarse.get(),
                    to.at(0),
                    geo.co,
                    columns.clone(),
                    true,
                );
            }
        }
    });
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
