//! Weights in the order the products read them.

use std::borrow::Cow;

use super::parallel::{Shared, for_each_with, written};
use super::vector::Isa;

/// A matrix whose rows reach to whole registers.
pub(super) struct Matrix<'a> {
    pub(super) values: Cow<'a, [f32]>,
    pub(super) stride: usize,
}

/// `[rows, n]` as it is, or copied with wider rows where `n` is not whole registers.
pub(super) fn whole_registers(isa: Isa, values: &[f32], n: usize) -> Matrix<'_> {
    let stride = n.next_multiple_of(isa.lanes());
    if stride == n {
        return Matrix {
            values: Cow::Borrowed(values),
            stride,
        };
    }
    let mut wide = vec![0.0; values.len() / n.max(1) * stride];
    for (to, from) in wide
        .chunks_exact_mut(stride)
        .zip(values.chunks_exact(n.max(1)))
    {
        to[..n].copy_from_slice(from);
    }
    Matrix {
        values: Cow::Owned(wide),
        stride,
    }
}

/// Side of the squares a transposition works in.
const SQUARE: usize = 16;

/// Transposes blocks of a matrix: block `b` is the `[rows, columns]` matrix at
/// `from(b)` and becomes `[columns, rows]` at number `b` of the result, with
/// rows widened to `stride`.
pub(super) fn transpose_blocks(
    values: &[f32],
    blocks: usize,
    rows: usize,
    columns: usize,
    stride: usize,
    from: impl Fn(usize) -> usize + Sync + Send,
) -> Vec<f32> {
    // Large blocks are cut further, so that there is work for every thread.
    let band = if rows * columns > 1 << 16 {
        columns.div_ceil(8)
    } else {
        columns
    }
    .max(1);
    let bands = columns.div_ceil(band);
    let fill = |to: Shared| {
        let large = values.len() > 1 << 16;
        for_each_with(
            blocks * bands,
            large,
            || (),
            |(), task| {
                let (block, first) = (task / bands, task % bands * band);
                let last = columns.min(first + band);
                let from = &values[from(block)..][..rows * columns];
                let start = (block * columns + first) * stride;
                // SAFETY: every task writes its own rows of the result.
                let to = unsafe { to.slice(start, (last - first) * stride) };
                transpose(from, columns, first..last, rows, to, stride);
            },
        );
    };
    // SAFETY: the tasks write all rows of all blocks, padding included.
    unsafe { written(blocks * columns * stride, fill) }
}

fn transpose(
    from: &[f32],
    from_stride: usize,
    columns: std::ops::Range<usize>,
    rows: usize,
    to: &mut [f32],
    stride: usize,
) {
    let first = columns.start;
    for column in columns.clone().step_by(SQUARE) {
        let last_column = columns.end.min(column + SQUARE);
        for row in (0..rows).step_by(SQUARE) {
            let last_row = rows.min(row + SQUARE);
            for j in column..last_column {
                for i in row..last_row {
                    to[(j - first) * stride + i] = from[i * from_stride + j];
                }
            }
        }
        for j in column..last_column {
            to[(j - first) * stride + rows..(j - first + 1) * stride].fill(0.0);
        }
    }
}
