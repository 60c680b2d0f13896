//! Weights in the order the products read them.

use std::borrow::Cow;

use super::parallel::{Shared, for_each_with, written};
use super::product::panel;
use super::vector::Isa;

/// A matrix as [`multiply`](super::product::multiply) reads it: in panels of
/// columns, one after the other, so that a panel is contiguous; or with
/// all columns of a row together.
#[derive(Clone, Copy)]
pub(super) struct MatrixView<'a> {
    pub(super) values: &'a [f32],
    pub(super) rows: usize,
    /// Columns, rounded up to whole registers.
    pub(super) columns: usize,
    /// Columns of a panel.
    pub(super) panel: usize,
}

impl MatrixView<'_> {
    /// Where the strip from `column` on begins, and the floats from a row of it to the next.
    pub(super) fn strip(&self, column: usize) -> (usize, usize) {
        let first = column / self.panel * self.panel;
        let width = self.panel.min(self.columns - first);
        (first * self.rows + column - first, width)
    }
}

/// Weights `[rows, n]` for the product.
pub(super) struct Matrix<'a> {
    values: Cow<'a, [f32]>,
    rows: usize,
    columns: usize,
    panel: usize,
}

impl<'a> Matrix<'a> {
    /// As they are where that serves: one panel of whole registers, or a
    /// product that reads them `once`. Otherwise copied.
    pub(super) fn new(isa: Isa, values: &'a [f32], n: usize, once: bool) -> Self {
        let rows = values.len() / n.max(1);
        let columns = n.next_multiple_of(isa.lanes());
        let width = panel(isa).min(columns.max(1));
        if columns == n && (once || n <= width) {
            let values = Cow::Borrowed(values);
            return Self { values, rows, columns, panel: columns.max(1) };
        }
        let panels = columns.div_ceil(width);
        let fill = |to: Shared| {
            for_each_with(
                panels,
                values.len() > LARGE,
                || (),
                |(), number| {
                    let first = number * width;
                    let (wide, used) = (width.min(columns - first), width.min(n - first));
                    // SAFETY: every task writes its own panel.
                    let to = unsafe { to.slice(first * rows, rows * wide) };
                    for (to, from) in to.chunks_exact_mut(wide).zip(values.chunks_exact(n)) {
                        to[..used].copy_from_slice(&from[first..first + used]);
                        to[used..].fill(0.0);
                    }
                },
            );
        };
        // SAFETY: the panels cover all columns.
        let values = Cow::Owned(unsafe { written(rows * columns, fill) });
        Self { values, rows, columns, panel: width }
    }

    /// Of weights `[rows, n]`: `n` rows of `rows` columns.
    pub(super) fn transposed(isa: Isa, values: &[f32], rows: usize, n: usize) -> Self {
        let columns = rows.next_multiple_of(isa.lanes());
        let values = Cow::Owned(transpose_blocks(isa, values, rows, n, &[1], |_| 0));
        Self { values, rows: n, columns, panel: panel(isa).min(columns.max(1)) }
    }

    pub(super) fn view(&self) -> MatrixView<'_> {
        let Self { values, rows, columns, panel } = self;
        MatrixView { values, rows: *rows, columns: *columns, panel: *panel }
    }
}

/// From this many values on, copies are worth all threads.
const LARGE: usize = 1 << 16;

/// Side of the squares a transposition works in.
const SQUARE: usize = 16;

/// Blocks of weights, each transposed: block `b` is the `[rows, n]` matrix at
/// `from(b)` and becomes `n` rows of `rows` columns, in panels over `joined` blocks.
///
/// The result holds one matrix of `joined[i] * n` rows after the other.
pub(super) fn transpose_blocks(
    isa: Isa,
    values: &[f32],
    rows: usize,
    n: usize,
    joined: &[usize],
    from: impl Fn(usize) -> usize + Sync + Send,
) -> Vec<f32> {
    let columns = rows.next_multiple_of(isa.lanes());
    let width = panel(isa).min(columns.max(1));
    let panels = columns.div_ceil(width);
    let blocks: usize = joined.iter().sum();
    // For every block: the first and the number of the blocks it is joined with.
    let groups: Vec<(usize, usize)> = joined
        .iter()
        .scan(0, |first, count| {
            *first += count;
            Some((*first - count, *count))
        })
        .flat_map(|group| std::iter::repeat_n(group, group.1))
        .collect();
    let fill = |to: Shared| {
        for_each_with(
            blocks * panels,
            values.len() > LARGE,
            || (),
            |(), task| {
                let (block, number) = (task / panels, task % panels);
                let (first_block, count) = groups[block];
                let first = number * width;
                let wide = width.min(columns - first);
                let at = first_block * n * columns
                    + first * count * n
                    + (block - first_block) * n * wide;
                // SAFETY: every task writes its own part of a panel.
                let to = unsafe { to.slice(at, n * wide) };
                let from = &values[from(block) + first * n..];
                transpose(from, n, wide.min(rows - first), to, wide);
            },
        );
    };
    // SAFETY: the tasks cover all panels of all blocks.
    unsafe { written(blocks * n * columns, fill) }
}

/// `[rows, n] -> [n, wide]`, filled up with zeros.
fn transpose(from: &[f32], n: usize, rows: usize, to: &mut [f32], wide: usize) {
    for column in (0..n).step_by(SQUARE) {
        let last_column = n.min(column + SQUARE);
        for row in (0..rows).step_by(SQUARE) {
            let last_row = rows.min(row + SQUARE);
            for j in column..last_column {
                for i in row..last_row {
                    to[j * wide + i] = from[i * n + j];
                }
            }
        }
        for j in column..last_column {
            to[j * wide + rows..(j + 1) * wide].fill(0.0);
        }
    }
}
