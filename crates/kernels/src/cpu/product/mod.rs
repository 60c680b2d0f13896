//! The two matrix products everything else is made of.
//!
//! * [`multiply`]: `c[r] = sum_k a[r][k] b[k]`, rows of `a` read in place
//!   (an image is never unrolled: a row is a few contiguous runs of pixels);
//! * [`multiply_transposed`]: `c[j] += sum_r a[r][j] b[r]`, the weight gradient.
//!
//! Both keep a tile of the result in registers and walk along the sum.

// Indices of a tile in registers say more than iterators over it.
#[allow(clippy::needless_range_loop)]
mod rows;
#[allow(clippy::needless_range_loop)]
mod transposed;

pub(super) use rows::{Rows, multiply, multiply_rows};
pub(super) use transposed::multiply_transposed;

use std::ops::Range;

use super::vector::{Isa, Vector};

/// How a row of `a` lies in memory: `count` runs of `len` floats, `stride` apart; and which rows
/// of the other matrix they meet: those from `first` on, `step` from a run's to the next's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runs {
    pub(super) count: usize,
    pub(super) len: usize,
    pub(super) stride: usize,
    pub(super) first: usize,
    pub(super) step: usize,
}

impl Runs {
    /// Runs that meet all rows, one after the other.
    pub(super) fn new(count: usize, len: usize, stride: usize) -> Self {
        Self { count, len, stride, first: 0, step: len }
    }

    /// The part of them that meets the given rows of each `step` rows, and only some of these
    /// steps; and how far into a row of `a` it begins. `None` where there is none.
    pub(super) fn part(
        &self,
        lines: &Range<usize>,
        within: &Range<usize>,
    ) -> Option<(Self, usize)> {
        let (line, start) = (self.first / self.step.max(1), self.first % self.step.max(1));
        let (top, bottom) = (lines.start.max(line), lines.end.min(line + self.count));
        let (left, right) = (within.start.max(start), within.end.min(start + self.len));
        if top >= bottom || left >= right {
            return None;
        }
        let first = top * self.step + left;
        let part = Self { count: bottom - top, len: right - left, first, ..*self };
        Some((part, (top - line) * self.stride + left - start))
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

/// Writes or adds the tile's rows `kept`, `columns` wide.
#[allow(clippy::needless_range_loop)]
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
                    let sum = if accumulate { V::load(place).add(sums[m][j]) } else { sums[m][j] };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::weights::Matrix;

    /// Small whole numbers: sums of their products are exact in any order.
    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 7 + seed * 5 + i / 11) % 9) as f32 - 4.0).collect()
    }

    #[test]
    fn every_instruction_set_multiplies_exactly() {
        for isa in Isa::all() {
            for (rows, count, len, n) in
                [(1, 1, 1, 1), (7, 2, 5, 16), (13, 3, 4, 33), (6, 1, 1100, 70), (9, 4, 160, 130)]
            {
                let stride = len + 3;
                let runs = Runs::new(count, len, stride);
                let a = numbers(rows * count * stride, 1);
                let b = numbers(count * len * n, 2);
                let mut c = vec![f32::NAN; rows * n];
                let from: Vec<_> = (0..rows).map(|r| a[r * count * stride..].as_ptr()).collect();
                let to: Vec<_> = c.chunks_mut(n).map(<[f32]>::as_mut_ptr).collect();
                for once in [false, true] {
                    let matrix = Matrix::new(isa, &b, n, once);
                    // SAFETY: rows of `a` and `c` are as long as said, and the isa exists.
                    unsafe { multiply(isa, &from, runs, matrix.view(), &to, 0..n, false) };
                    for r in 0..rows {
                        for j in 0..n {
                            let row = &a[r * count * stride..];
                            let product = |k: usize| row[k / len * stride + k % len] * b[k * n + j];
                            let wanted: f32 = (0..count * len).map(product).sum();
                            assert_eq!(c[r * n + j], wanted, "{isa:?} {rows} {count} {len} {n}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_instruction_set_multiplies_transposed_exactly() {
        for isa in Isa::all() {
            for (rows, len, n) in
                [(1, 1, 1), (5, 3, 16), (130, 7, 33), (300, 40, 64), (150, 300, 130), (3, 20, 200)]
            {
                let (a, b) = (numbers(rows * (len + 2), 1), numbers(rows * n, 2));
                let mut c = vec![1.0; len * n];
                let from: Vec<_> = a.chunks(len + 2).map(<[f32]>::as_ptr).collect();
                let runs = Runs::new(1, len, 0);
                let with: Vec<_> = b.chunks(n).map(<[f32]>::as_ptr).collect();
                // SAFETY: rows are as long as said, and the isa exists.
                unsafe {
                    multiply_transposed(isa, &from, runs, &with, c.as_mut_ptr(), n, 0..n, true);
                }
                for j in 0..len {
                    for i in 0..n {
                        let product = |r: usize| a[r * (len + 2) + j] * b[r * n + i];
                        let wanted = 1.0 + (0..rows).map(product).sum::<f32>();
                        assert_eq!(c[j * n + i], wanted, "{isa:?} {rows} {len} {n}");
                    }
                }
            }
        }
    }
}
