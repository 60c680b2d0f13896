//! Rows put together from others, and back.

use std::ops::Range;

use super::channels::{for_best_isa, pass_tasks};
use super::parallel::{self, Shared, written};

/// Which rows of an input make up each row of a product: the pixels under a kernel, for
/// instance, wherever they are kept.
#[derive(Debug)]
pub(crate) struct Windows {
    taps: usize,
    from: Vec<u32>,
    counts: Vec<f32>,
}

/// Channels that one task of [`Windows::scatter`] adds.
const SLICE: usize = 32;

impl Windows {
    /// Stands for nothing but zeros, as around an image.
    pub(crate) const NOTHING: u32 = u32::MAX;

    /// Windows of `taps` rows each, `from` one window after the other, and how often each
    /// of them occurs.
    pub(crate) fn new(taps: usize, from: Vec<u32>, counts: Vec<f32>) -> Self {
        debug_assert_eq!(from.len(), taps * counts.len());
        Self { taps, from, counts }
    }

    /// How many there are.
    pub(crate) fn rows(&self) -> usize {
        self.counts.len()
    }

    /// Rows of the input in each.
    pub(crate) fn taps(&self) -> usize {
        self.taps
    }

    /// How often each occurs.
    pub(crate) fn counts(&self) -> &[f32] {
        &self.counts
    }

    /// How often they occur together.
    pub(crate) fn occurrences(&self) -> usize {
        self.counts.iter().map(|&count| count as usize).sum()
    }

    /// Writes the floats of `[windows, taps, c]` from `start` on, which are whole windows.
    pub(super) fn gather(&self, x: &[f32], c: usize, start: usize, to: &mut [f32]) {
        let first = start / c.max(1);
        for (to, &row) in to.chunks_exact_mut(c.max(1)).zip(&self.from[first..]) {
            if row == Self::NOTHING {
                to.fill(0.0);
            } else {
                to.copy_from_slice(&x[row as usize * c..][..c]);
            }
        }
    }

    /// All windows of rows of `c` channels: `[windows, taps, c]`.
    pub(crate) fn place(&self, x: &[f32], c: usize) -> Vec<f32> {
        let (step, tasks) = pass_tasks(self.from.len() * c, self.taps * c);
        let (len, step) = (self.from.len() * c, step * self.taps * c);
        let fill = |to: Shared| {
            parallel::for_each_with(
                tasks,
                tasks > 1,
                || (),
                |(), task| {
                    let at = task * step;
                    // SAFETY: tasks have disjoint parts, and only write to them.
                    self.gather(x, c, at, unsafe { to.slice(at, step.min(len - at)) });
                },
            );
        };
        // SAFETY: the tasks cover all windows.
        unsafe { written(len, fill) }
    }

    /// Adds every row of every window, `[windows, taps, c]`, to the row of the input that it
    /// came from: `[rows, c]`.
    pub(crate) fn scatter(&self, windows: &[f32], c: usize, rows: usize) -> Vec<f32> {
        debug_assert_eq!(windows.len(), self.from.len() * c);
        let mut sums = vec![0.0; rows * c];
        let to = Shared::new(sums.as_mut_ptr());
        let slices = c.div_ceil(SLICE);
        // Every task has channels of its own, and adds them in the order of the windows.
        parallel::for_each_with(
            slices,
            slices > 1,
            || (),
            |(), slice| {
                let channels = slice * SLICE..c.min((slice + 1) * SLICE);
                // SAFETY: `to` has `rows` rows of `c`, and no other task has these channels.
                unsafe { add_channels(to, rows, windows, &self.from, c, channels) };
            },
        );
        sums
    }
}

/// Adds the given channels of every window's rows to the rows they came from.
///
/// # Safety
/// `to` must have `rows` rows of `c` floats, of which nobody else uses these channels.
unsafe fn add_channels(
    to: Shared,
    rows: usize,
    windows: &[f32],
    from: &[u32],
    c: usize,
    channels: Range<usize>,
) {
    for (window, &row) in windows.chunks_exact(c.max(1)).zip(from) {
        if row != Windows::NOTHING {
            assert!((row as usize) < rows, "a row of the input");
            // SAFETY: the row is there, and its channels are ours.
            let to = unsafe { to.slice(row as usize * c + channels.start, channels.len()) };
            add(to, &window[channels.clone()]);
        }
    }
}

for_best_isa! {
    fn add(to: &mut [f32], from: &[f32]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to += from;
        }
    }
}
