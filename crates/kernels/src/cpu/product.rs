//! The two matrix products everything else is made of.
//!
//! * [`multiply`]: `c[r] += sum_k a[r][k] b[k]`, rows of `a` read in place
//!   (an image is never unrolled: a row is a few contiguous runs of pixels);
//! * [`multiply_transposed`]: `c[j] += sum_r a[r][j] b[r]`, the weight gradient.
//!
//! Both keep a tile of the result in registers and walk along the sum.

use std::ops::Range;

use super::vector::Isa;
#[cfg(target_arch = "x86_64")]
use super::vector::{Avx2, Avx512};
use super::vector::{Plain, Vector};
use super::weights::MatrixView;

/// How a row of `a` lies in memory: `count` runs of `len` floats, `stride` apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runs {
    pub(super) count: usize,
    pub(super) len: usize,
    pub(super) stride: usize,
}

impl Runs {
    /// Length of the row.
    pub(super) fn total(&self) -> usize {
        self.count * self.len
    }
}

/// Floats of the sum walked before moving to the next tile: a block of `b` of
/// this depth stays in the second-level cache.
const DEPTH: usize = 512;

/// Rows of the transposed product walked before moving to the next tile.
const HEIGHT: usize = 128;

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

/// `c[r][j] = sum_k a[r][k] * b[k][j]` for all rows and the given columns,
/// which start at a whole [panel](panel).
///
/// # Safety
/// `a[r]` must be readable as `runs` says; `c[r]` writable for all `columns`
/// and apart from each other and from `a` and `b`; `b` must have `runs.total()`
/// rows and all columns; `isa` must be one the processor has, and the one `b` was made for.
pub(super) unsafe fn multiply(
    isa: Isa,
    a: &[*const f32],
    runs: Runs,
    b: MatrixView,
    c: &[*mut f32],
    columns: Range<usize>,
) {
    debug_assert_eq!(a.len(), c.len());
    debug_assert_eq!(runs.total(), b.rows);
    debug_assert!(columns.start.is_multiple_of(panel(isa)));
    let mut start = 0; // position in the sum
    let mut offset = 0; // the same in a row of `a`
    let mut run = 0;
    while run < runs.count {
        let within = offset - run * runs.stride;
        let part = if runs.len > DEPTH {
            Runs {
                count: 1,
                len: (runs.len - within).min(DEPTH),
                stride: runs.stride,
            }
        } else {
            let count = (DEPTH / runs.len.max(1)).clamp(1, runs.count - run);
            Runs { count, ..runs }
        };
        let mut column = columns.start;
        while column < columns.end {
            let (registers, width) = strip(isa, columns.end - column);
            let (first, ldb) = b.strip(column);
            let tile = Tile {
                runs: part,
                b: b.values[first + start * ldb..].as_ptr(),
                ldb,
                columns: width,
                accumulate: start > 0,
            };
            // SAFETY: the caller's promises, and `isa` is one the processor has.
            unsafe { walk_rows(isa, registers, a, offset, c, column, &tile) };
            column += width;
        }
        start += part.total();
        if within + part.len < runs.len {
            offset += part.len;
        } else {
            run += part.count;
            offset = run * runs.stride;
        }
    }
    if runs.total() == 0 {
        for &row in c {
            // SAFETY: writable for all columns by the caller's promise.
            unsafe { row.add(columns.start).write_bytes(0, columns.len()) };
        }
    }
}

/// Columns of a panel: what a tile of [`multiply`] is wide at most.
pub(super) fn panel(isa: Isa) -> usize {
    4 * isa.lanes()
}

/// Registers and columns of the next strip, when `left` columns are left.
fn strip(isa: Isa, left: usize) -> (usize, usize) {
    let registers = left.div_ceil(isa.lanes()).min(4);
    (registers, left.min(registers * isa.lanes()))
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
        }
        sums
    }
}

/// Writes or adds the tile's rows `kept`, `columns` wide.
#[inline(always)]
unsafe fn put<V: Vector, const M: usize, const N: usize>(
    sums: [[V; N]; M],
    to: &[*mut f32; M],
    kept: Range<usize>,
    columns: usize,
    accumulate: bool,
) {
    // SAFETY: passed on.
    unsafe {
        for m in kept {
            if columns == N * V::LANES {
                for j in 0..N {
                    let place = to[m].add(j * V::LANES);
                    let sum = if accumulate {
                        V::load(place).add(sums[m][j])
                    } else {
                        sums[m][j]
                    };
                    sum.store(place);
                }
            } else {
                let mut row = [0f32; 64];
                for j in 0..N {
                    sums[m][j].store(row.as_mut_ptr().add(j * V::LANES));
                }
                for (j, &sum) in row[..columns].iter().enumerate() {
                    let place = to[m].add(j);
                    *place = if accumulate { *place + sum } else { sum };
                }
            }
        }
    }
}

/// `c[j][i] += sum_r a[r][offset + j] * b[r][i]` for `j` in `0..len` and the given columns `i`.
///
/// # Safety
/// `a[r] + offset` must be readable for `len` floats, `b[r]` for all the columns; `c` is `[len, ldc]`; `isa` must be one the processor has.
#[allow(clippy::too_many_arguments)]
pub(super) unsafe fn multiply_transposed(
    isa: Isa,
    a: &[*const f32],
    offset: usize,
    len: usize,
    b: &[*const f32],
    c: *mut f32,
    ldc: usize,
    columns: Range<usize>,
) {
    let mut copied = Strip([0.0; HEIGHT * WIDEST]);
    for (a, b) in a.chunks(HEIGHT).zip(b.chunks(HEIGHT)) {
        let mut column = columns.start;
        while column < columns.end {
            let (registers, width) = strip(isa, columns.end - column);
            let ldb = registers * isa.lanes();
            for (to, row) in copied.0.chunks_exact_mut(ldb).zip(b) {
                // SAFETY: the row is readable for all columns.
                let row = unsafe { std::slice::from_raw_parts(row.add(column), width) };
                to[..width].copy_from_slice(row);
            }
            let b = copied.0.as_ptr();
            let outer = Outer {
                a,
                offset,
                len,
                b,
                ldb,
                column,
                columns: width,
                c,
                ldc,
            };
            // SAFETY: the caller's promises, and `isa` is one the processor has.
            unsafe { walk_outer(isa, registers, &outer) };
            column += width;
        }
    }
}

/// Columns of the widest strip.
const WIDEST: usize = 64;

/// A strip of `b`, copied together: it fits the first-level cache then, wherever its rows lie.
#[repr(align(64))]
struct Strip([f32; HEIGHT * WIDEST]);

/// One strip of columns of the transposed product.
struct Outer<'a> {
    a: &'a [*const f32],
    offset: usize,
    len: usize,
    b: *const f32,
    ldb: usize,
    column: usize,
    columns: usize,
    c: *mut f32,
    ldc: usize,
}

unsafe fn walk_outer(isa: Isa, registers: usize, outer: &Outer) {
    // SAFETY: passed on; each kernel runs only under its own `isa`.
    unsafe {
        match (isa, registers) {
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, 1) => avx512_outer::<16, 1>(outer),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, 2) => avx512_outer::<12, 2>(outer),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, 3) => avx512_outer::<8, 3>(outer),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, _) => avx512_outer::<6, 4>(outer),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, 1) => avx2_outer::<6, 1>(outer),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, 2) => avx2_outer::<6, 2>(outer),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, 3) => avx2_outer::<4, 3>(outer),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, _) => avx2_outer::<3, 4>(outer),
            (Isa::Plain, 1) => outer_strip::<Plain, 4, 1>(outer),
            (Isa::Plain, 2) => outer_strip::<Plain, 4, 2>(outer),
            (Isa::Plain, 3) => outer_strip::<Plain, 2, 3>(outer),
            (Isa::Plain, _) => outer_strip::<Plain, 2, 4>(outer),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512_outer<const M: usize, const N: usize>(outer: &Outer) {
    // SAFETY: passed on.
    unsafe { outer_strip::<Avx512, M, N>(outer) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2_outer<const M: usize, const N: usize>(outer: &Outer) {
    // SAFETY: passed on.
    unsafe { outer_strip::<Avx2, M, N>(outer) }
}

#[inline(always)]
unsafe fn outer_strip<V: Vector, const M: usize, const N: usize>(outer: &Outer) {
    let mut j = 0;
    // SAFETY: passed on; tiles of `M` start at `len - M` at the latest.
    unsafe {
        if outer.len < M {
            while j < outer.len {
                outer_tile::<V, 1, N>(outer, j, 0);
                j += 1;
            }
            return;
        }
        while j < outer.len {
            // The last tile reaches back into the one before and keeps only what is new.
            let first = j.min(outer.len - M);
            outer_tile::<V, M, N>(outer, first, j - first);
            j = first + M;
        }
    }
}

/// Rows `first + skip .. first + M` of the strip.
#[inline(always)]
unsafe fn outer_tile<V: Vector, const M: usize, const N: usize>(
    outer: &Outer,
    first: usize,
    skip: usize,
) {
    // SAFETY: passed on.
    unsafe {
        let mut sums = [[V::zero(); N]; M];
        let mut b = outer.b;
        for a in outer.a {
            let a = a.add(outer.offset + first);
            let columns: [V; N] = std::array::from_fn(|j| V::load(b.add(j * V::LANES)));
            for m in 0..M {
                let value = V::splat(*a.add(m));
                for j in 0..N {
                    sums[m][j] = value.mul_add(columns[j], sums[m][j]);
                }
            }
            b = b.add(outer.ldb);
        }
        let to: [*mut f32; M] =
            std::array::from_fn(|m| outer.c.add((first + m) * outer.ldc + outer.column));
        put::<V, M, N>(sums, &to, skip..M, outer.columns, true);
    }
}
