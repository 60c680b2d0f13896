//! A transposed matrix times a matrix.

use std::ops::Range;

use super::{put, strip};
#[cfg(target_arch = "x86_64")]
use crate::cpu::vector::{Avx2, Avx512};
use crate::cpu::vector::{Isa, Plain, Vector};

/// Rows of the transposed product walked before moving to the next tile.
const HEIGHT: usize = 128;

/// Columns of the widest strip of `b`.
const WIDEST: usize = 64;

/// Floats of a row of `a` copied together.
const PART: usize = 256;

/// From a row of the copy of `a` to the next. Not a power of two: those rows
/// would compete for the same few places of the first-level cache.
const PART_STRIDE: usize = PART + 16;

/// Memory that rows from all over are copied to, so that a block of them fits
/// the caches.
#[derive(Default)]
struct Copies {
    a: Vec<f32>,
    b: Vec<f32>,
}

/// `c[j][i] += sum_r a[r][offset + j] * b[r][i]` for `j` in `0..len` and the given columns `i`.
///
/// # Safety
/// `a[r] + offset` must be readable for `len` floats, `b[r]` for all the
/// columns; `c` is `[len, ldc]`; `isa` must be one the processor has.
#[allow(clippy::too_many_arguments)]
pub(in crate::cpu) unsafe fn multiply_transposed(
    isa: Isa,
    a: &[*const f32],
    offset: usize,
    len: usize,
    b: &[*const f32],
    c: *mut f32,
    ldc: usize,
    columns: Range<usize>,
) {
    let mut copies = Copies { a: Vec::new(), b: vec![0.0; HEIGHT * WIDEST] };
    if columns.len() <= WIDEST {
        for (a, b) in a.chunks(HEIGHT).zip(b.chunks(HEIGHT)) {
            let block = Block { a, offset, len, c, ldc };
            // SAFETY: passed on.
            unsafe { block.multiply(isa, b, &mut copies.b, columns.clone()) };
        }
        return;
    }
    // Rows of `a` are read once for every strip of columns: worth a copy.
    copies.a.resize(HEIGHT * PART_STRIDE, 0.0);
    for first in (0..len).step_by(PART) {
        let len = PART.min(len - first);
        for (a, b) in a.chunks(HEIGHT).zip(b.chunks(HEIGHT)) {
            for (to, row) in copies.a.chunks_exact_mut(PART_STRIDE).zip(a) {
                // SAFETY: the row is readable for all of `len`.
                let row = unsafe { std::slice::from_raw_parts(row.add(offset + first), len) };
                to[..len].copy_from_slice(row);
            }
            let rows: [*const f32; HEIGHT] =
                std::array::from_fn(|row| copies.a[row * PART_STRIDE..].as_ptr());
            let c = c.wrapping_add(first * ldc);
            let block = Block { a: &rows[..a.len()], offset: 0, len, c, ldc };
            // SAFETY: passed on.
            unsafe { block.multiply(isa, b, &mut copies.b, columns.clone()) };
        }
    }
}

/// A block of rows of `a`, and the part of the result it goes to.
struct Block<'a> {
    a: &'a [*const f32],
    offset: usize,
    len: usize,
    c: *mut f32,
    ldc: usize,
}

impl Block<'_> {
    /// Multiplies with the rows of `b`, strip by strip.
    unsafe fn multiply(&self, isa: Isa, b: &[*const f32], copy: &mut [f32], columns: Range<usize>) {
        let mut column = columns.start;
        while column < columns.end {
            let (registers, width) = strip(isa, columns.end - column);
            let ldb = registers * isa.lanes();
            for (to, row) in copy.chunks_exact_mut(ldb).zip(b) {
                // SAFETY: the row is readable for all columns.
                let row = unsafe { std::slice::from_raw_parts(row.add(column), width) };
                to[..width].copy_from_slice(row);
            }
            let outer = Outer { block: self, b: copy.as_ptr(), ldb, column, columns: width };
            // SAFETY: the caller's promises, and `isa` is one the processor has.
            unsafe { walk_outer(isa, registers, &outer) };
            column += width;
        }
    }
}

/// One strip of columns of a block.
struct Outer<'a> {
    block: &'a Block<'a>,
    b: *const f32,
    ldb: usize,
    column: usize,
    columns: usize,
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
            b = b.add(outer.ldb);
        }
        let to: [*mut f32; M] = std::array::from_fn(|m| {
            outer.block.c.add((first + m) * outer.block.ldc + outer.column)
        });
        put::<V, M, N>(sums, &to, skip..M, outer.columns, true);
    }
}
