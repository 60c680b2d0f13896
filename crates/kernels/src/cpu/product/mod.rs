//! The two matrix products everything else is made of.
//!
//! * [`multiply`]: `c[r] = sum_k a[r][k] b[k]`, rows of `a` read in place
//!   (an image is never unrolled: a row is a few contiguous runs of pixels);
//! * [`multiply_transposed`]: `c[j] += sum_r a[r][j] b[r]`, the weight gradient.
//!
//! Both keep a tile of the result in registers and walk along the sum.

mod rows;
mod transposed;

pub(super) use rows::multiply;
pub(super) use transposed::multiply_transposed;

use std::ops::Range;

use super::vector::{Isa, Vector};

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
