//! A transposed matrix times a matrix.

use std::ops::Range;

use super::{Runs, put, strip};
#[cfg(target_arch = "x86_64")]
use crate::cpu::vector::{Avx2, Avx512};
use crate::cpu::vector::{Isa, Plain, Vector};

/// Rows of the transposed product walked before moving to the next tile.
const HEIGHT: usize = 128;

/// Columns of the widest strip of `b`.
const WIDEST: usize = 64;

/// Floats of a row of `a` copied together.
const PART: usize = 512;

/// Floats between rows of the copy of `a`. Without them rows would lie a power
/// of two apart and compete for the same few places of the first-level cache.
const GAP: usize = 16;

/// `c[j][i] (+)= sum_r a[r][j] * b[r][i]` for `j` along the runs of a row of
/// `a` and the given columns `i`; with `accumulate` it is added to what is there.
///
/// # Safety
/// `a[r]` must be readable as `runs` says, `b[r]` for all the columns; `c` is
/// `[all rows that the runs meet, ldc]`; `isa` must be one the processor has. Without
/// `accumulate` there must be rows.
#[allow(clippy::too_many_arguments)]
pub(in crate::cpu) unsafe fn multiply_transposed(
    isa: Isa,
    a: &[*const f32],
    runs: Runs,
    b: &[*const f32],
    c: *mut f32,
    ldc: usize,
    columns: Range<usize>,
    accumulate: bool,
) {
    debug_assert!(accumulate || !a.is_empty());
    // Rows of `a` are read once for every strip of columns: several are worth a copy.
    let several = columns.len() > WIDEST;
    let (mut a_copy, mut b_copy) = (Vec::new(), Vec::new());
    for (number, (a, b)) in a.chunks(HEIGHT).zip(b.chunks(HEIGHT)).enumerate() {
        // SAFETY: the rows are readable for all columns.
        let strips = unsafe { copy_strips(isa, b, columns.clone(), &mut b_copy) };
        for run in 0..runs.count {
            for first in (0..runs.len).step_by(PART) {
                let len = PART.min(runs.len - first);
                let offset = run * runs.stride + first;
                let mut copied = [std::ptr::null(); HEIGHT];
                let (a, offset) = if several {
                    // SAFETY: the rows are readable along their runs.
                    unsafe { copy_part(a, offset, len, &mut a_copy, &mut copied) };
                    (&copied[..a.len()], 0)
                } else {
                    (a, offset)
                };
                let c = c.wrapping_add((runs.first + run * runs.step + first) * ldc);
                let block = Block { a, offset, len, c, ldc, accumulate: accumulate || number > 0 };
                for strip in &strips {
                    let b = b_copy[strip.start..].as_ptr();
                    let outer = Outer { block: &block, b, strip };
                    // SAFETY: the caller's promises, and `isa` is one the processor has.
                    unsafe { walk_outer(isa, strip.ldb / isa.lanes(), &outer) };
                }
            }
        }
    }
}

/// A strip of columns of `b`, copied together: it fits the first-level cache
/// then, wherever its rows lie.
struct Strip {
    /// First of its columns, and their number.
    column: usize,
    columns: usize,
    /// Where the copy starts, and the floats from a row of it to the next.
    start: usize,
    ldb: usize,
}

/// Copies the columns of `b` strip by strip, rows filled up to whole registers.
unsafe fn copy_strips(
    isa: Isa,
    b: &[*const f32],
    columns: Range<usize>,
    copy: &mut Vec<f32>,
) -> Vec<Strip> {
    let mut strips = Vec::with_capacity(columns.len().div_ceil(isa.lanes()));
    copy.clear();
    let mut column = columns.start;
    while column < columns.end {
        let (registers, width) = strip(isa, columns.end - column);
        let ldb = registers * isa.lanes();
        strips.push(Strip { column, columns: width, start: copy.len(), ldb });
        for row in b {
            // SAFETY: the row is readable for all columns.
            copy.extend_from_slice(unsafe { std::slice::from_raw_parts(row.add(column), width) });
            copy.extend(std::iter::repeat_n(0.0, ldb - width));
        }
        column += width;
    }
    strips
}

/// Copies `len` floats of every row of `a`.
unsafe fn copy_part(
    a: &[*const f32],
    offset: usize,
    len: usize,
    copy: &mut Vec<f32>,
    rows: &mut [*const f32; HEIGHT],
) {
    copy.clear();
    copy.reserve(a.len() * (len + GAP));
    for (place, row) in rows.iter_mut().zip(a) {
        *place = copy.as_ptr().wrapping_add(copy.len());
        // SAFETY: the row is readable for all of `len`.
        copy.extend_from_slice(unsafe { std::slice::from_raw_parts(row.add(offset), len) });
        copy.extend([0.0; GAP]);
    }
}

/// A block of rows of `a`, and the part of the result it goes to.
struct Block<'a> {
    a: &'a [*const f32],
    offset: usize,
    len: usize,
    c: *mut f32,
    ldc: usize,
    accumulate: bool,
}

/// One strip of columns of a block.
struct Outer<'a> {
    block: &'a Block<'a>,
    b: *const f32,
    strip: &'a Strip,
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
        if outer.block.len < M {
            while j < outer.block.len {
                outer_tile::<V, 1, N>(outer, j, 0);
                j += 1;
            }
            return;
        }
        while j < outer.block.len {
            // The last tile reaches back into the one before and keeps only what is new.
            let first = j.min(outer.block.len - M);
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
        for a in outer.block.a {
            let a = a.add(outer.block.offset + first);
            let columns: [V; N] = std::array::from_fn(|j| V::load(b.add(j * V::LANES)));
            for m in 0..M {
                let value = V::splat(*a.add(m));
                for j in 0..N {
                    sums[m][j] = value.mul_add(columns[j], sums[m][j]);
                }
            }
            b = b.add(outer.strip.ldb);
        }
        let to: [*mut f32; M] = std::array::from_fn(|m| {
            outer.block.c.add((first + m) * outer.block.ldc + outer.strip.column)
        });
        put::<V, M, N>(sums, &to, skip..M, outer.strip.columns, outer.block.accumulate);
    }
}
