//! Rows times a matrix.

use std::ops::Range;

use super::{Runs, panel, put, strip};
#[cfg(target_arch = "x86_64")]
use crate::cpu::vector::{Avx2, Avx512};
use crate::cpu::vector::{Isa, Plain, Vector};
use crate::cpu::weights::MatrixView;

/// Floats of the sum walked before moving to the next tile: a block of `b` of
/// this depth stays in the second-level cache.
const DEPTH: usize = 512;

/// One tile's work for the kernels.
struct Tile {
    runs: Runs,
    b: *const f32,
    ldb: usize,
    /// Columns of the tile that exist (the rest of `b` is padding).
    columns: usize,
    /// Whether the result is added to what is there.
    accumulate: bool,
}

/// `c[r][j] (+)= sum_k a[r][k] * b[k][j]` for all rows and the given columns,
/// which start at a whole [panel]; with `accumulate` it is added to what is there.
///
/// # Safety
/// `a[r]` must be readable as `runs` says; `c[r]` writable for all `columns`
/// and apart from each other and from `a` and `b`; `b` must have all rows that `runs` meet
/// and all columns; `isa` must be one the processor has, and the one `b` was made for.
#[allow(clippy::too_many_arguments)]
pub(in crate::cpu) unsafe fn multiply(
    isa: Isa,
    a: &[*const f32],
    runs: Runs,
    b: MatrixView,
    c: &[*mut f32],
    columns: Range<usize>,
    accumulate: bool,
) {
    let rows = Rows { a, runs, c };
    // SAFETY: passed on.
    unsafe { multiply_rows(isa, &[rows], (runs.count, runs.len), b, columns, accumulate) };
}

/// Rows of the same runs, and where their products go.
#[derive(Clone, Copy)]
pub(in crate::cpu) struct Rows<'a> {
    pub(in crate::cpu) a: &'a [*const f32],
    pub(in crate::cpu) runs: Runs,
    pub(in crate::cpu) c: &'a [*mut f32],
}

/// [`multiply`] for several kinds of rows, each of which meets some of `lines` times `step` rows
/// of `b`: a block of `b` serves them all while it is in the cache.
///
/// # Safety
/// That of [`multiply`], for each kind of rows.
pub(in crate::cpu) unsafe fn multiply_rows(
    isa: Isa,
    kinds: &[Rows<'_>],
    (lines, step): (usize, usize),
    b: MatrixView,
    columns: Range<usize>,
    accumulate: bool,
) {
    debug_assert!(lines * step <= b.rows);
    debug_assert!(columns.start.is_multiple_of(panel(isa)));
    let mut begun: Vec<bool> = vec![accumulate; kinds.len()];
    let together = (DEPTH / step.max(1)).max(1);
    for top in (0..lines).step_by(together) {
        let lines = top..lines.min(top + together);
        for left in (0..step).step_by(DEPTH) {
            let within = left..step.min(left + DEPTH);
            for (kind, begun) in kinds.iter().zip(&mut begun) {
                debug_assert_eq!(kind.a.len(), kind.c.len());
                let Some((part, offset)) = kind.runs.part(&lines, &within) else { continue };
                let mut column = columns.start;
                while column < columns.end {
                    let (registers, width) = strip(isa, columns.end - column);
                    let (first, ldb) = b.strip(column);
                    let tile = Tile {
                        runs: part,
                        b: b.values[first + part.first * ldb..].as_ptr(),
                        ldb,
                        columns: width,
                        accumulate: *begun,
                    };
                    // SAFETY: the caller's promises, and `isa` is one the processor has.
                    unsafe { walk_rows(isa, registers, kind.a, offset, kind.c, column, &tile) };
                    column += width;
                }
                *begun = true;
            }
        }
    }
    for (kind, begun) in kinds.iter().zip(begun) {
        for &row in kind.c.iter().filter(|_| !begun) {
            // SAFETY: writable for all columns by the caller's promise.
            unsafe { row.add(columns.start).write_bytes(0, columns.len()) };
        }
    }
}

unsafe fn walk_rows(
    isa: Isa,
    registers: usize,
    a: &[*const f32],
    offset: usize,
    c: &[*mut f32],
    column: usize,
    tile: &Tile,
) {
    // SAFETY: passed on from `multiply`; each kernel runs only under its own `isa`.
    unsafe {
        match (isa, registers) {
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, 1) => avx512_rows::<8, 1>(a, offset, c, column, tile),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, 2) => avx512_rows::<8, 2>(a, offset, c, column, tile),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, 3) => avx512_rows::<8, 3>(a, offset, c, column, tile),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, _) => avx512_rows::<6, 4>(a, offset, c, column, tile),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, 1) => avx2_rows::<6, 1>(a, offset, c, column, tile),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, 2) => avx2_rows::<6, 2>(a, offset, c, column, tile),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, 3) => avx2_rows::<4, 3>(a, offset, c, column, tile),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, _) => avx2_rows::<3, 4>(a, offset, c, column, tile),
            (Isa::Plain, 1) => rows::<Plain, 4, 1>(a, offset, c, column, tile),
            (Isa::Plain, 2) => rows::<Plain, 4, 2>(a, offset, c, column, tile),
            (Isa::Plain, 3) => rows::<Plain, 2, 3>(a, offset, c, column, tile),
            (Isa::Plain, _) => rows::<Plain, 2, 4>(a, offset, c, column, tile),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512_rows<const M: usize, const N: usize>(
    a: &[*const f32],
    offset: usize,
    c: &[*mut f32],
    column: usize,
    tile: &Tile,
) {
    // SAFETY: passed on.
    unsafe { rows::<Avx512, M, N>(a, offset, c, column, tile) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2_rows<const M: usize, const N: usize>(
    a: &[*const f32],
    offset: usize,
    c: &[*mut f32],
    column: usize,
    tile: &Tile,
) {
    // SAFETY: passed on.
    unsafe { rows::<Avx2, M, N>(a, offset, c, column, tile) }
}

/// All rows, `M` at a time, for `N` registers of columns.
#[inline(always)]
unsafe fn rows<V: Vector, const M: usize, const N: usize>(
    a: &[*const f32],
    offset: usize,
    c: &[*mut f32],
    column: usize,
    tile: &Tile,
) {
    let mut r = 0;
    while r < a.len() {
        let rows = (a.len() - r).min(M);
        // The last tile repeats its last row instead of having fewer.
        let at = |i: usize| r + i.min(rows - 1);
        // SAFETY: offsets lie inside the rows by the promises of `multiply`.
        unsafe {
            let from: [*const f32; M] = std::array::from_fn(|i| a[at(i)].add(offset));
            let to: [*mut f32; M] = std::array::from_fn(|i| c[at(i)].add(column));
            let sums = row_tile::<V, M, N>(&from, tile);
            put::<V, M, N>(sums, &to, 0..rows, tile.columns, tile.accumulate);
        }
        r += rows;
    }
}

/// `sum_k a[m][k] * b[k]` in registers.
#[inline(always)]
unsafe fn row_tile<V: Vector, const M: usize, const N: usize>(
    a: &[*const f32; M],
    tile: &Tile,
) -> [[V; N]; M] {
    // SAFETY: passed on.
    unsafe {
        let mut sums = [[V::zero(); N]; M];
        let mut b = tile.b;
        for run in 0..tile.runs.count {
            let from = a.map(|row| row.add(run * tile.runs.stride));
            for k in 0..tile.runs.len {
                let columns: [V; N] = std::array::from_fn(|j| V::load(b.add(j * V::LANES)));
                for m in 0..M {
                    let value = V::splat(*from[m].add(k));
                    for j in 0..N {
                        sums[m][j] = value.mul_add(columns[j], sums[m][j]);
                    }
                }
                b = b.add(tile.ldb);
            }
            // From the last row of a run to the first of the next; not read after the last one.
            b = b.wrapping_add((tile.runs.step - tile.runs.len) * tile.ldb);
        }
        sums
    }
}
