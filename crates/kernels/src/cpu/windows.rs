//! Sums over windows of a map whose pixels repeat.
//!
//! A window is a row of pixels under a kernel, and what a convolution makes of it is a sum over
//! the kernel's taps: `u[window] = sum_tap x[pixel under tap] W[tap]`. Where pixels repeat, so do
//! pairs of a tap and a pixel: the product of each pair is made once, and a window adds up those
//! of its own.

use std::ops::Range;

use super::channels::{Affine, for_best_isa};
use super::parallel::{self, Shared, written};
use super::product::{Runs, multiply, multiply_transposed};
use super::row_source::RowSource;
use super::stats::{Parts, Stats};
use super::vector::Isa;
use super::weights::Matrix;

/// Windows, as the pairs of tap and pixel that they add up.
#[derive(Debug)]
pub(crate) struct Windows {
    /// The pixel of each pair; pairs of the same tap follow each other.
    pixels: Vec<u32>,
    /// Where the pairs of each tap begin, and where the last one's end.
    starts: Vec<usize>,
    /// For every window and tap the pair, or the number of pairs where there is nothing.
    pairs: Vec<u32>,
    /// How often each window occurs.
    counts: Vec<f32>,
    /// How often they occur together.
    occurrences: usize,
}

impl Windows {
    /// Stands for nothing but zeros, as around an image.
    pub(crate) const NOTHING: u32 = u32::MAX;

    /// Windows of `taps` pixels each out of `pixels`, one window after the other, and how often
    /// each of them occurs.
    ///
    /// # Panics
    /// When that is not what is given.
    pub(crate) fn new(taps: usize, windows: &[u32], pixels: usize, counts: &[u32]) -> Self {
        assert!(taps > 0 && windows.len() == taps * counts.len(), "whole windows");
        // For every tap the pairs found so far, each the number of its pixel.
        let mut found: Vec<Vec<u32>> = vec![Vec::new(); taps];
        let mut known = vec![Self::NOTHING; taps * pixels];
        let mut pairs = vec![Self::NOTHING; windows.len()];
        for (pairs, window) in pairs.chunks_exact_mut(taps).zip(windows.chunks_exact(taps)) {
            for (tap, (pair, &pixel)) in pairs.iter_mut().zip(window).enumerate() {
                if pixel != Self::NOTHING {
                    let known = &mut known[tap * pixels + pixel as usize];
                    if *known == Self::NOTHING {
                        *known = found[tap].len() as u32;
                        found[tap].push(pixel);
                    }
                    *pair = *known;
                }
            }
        }
        // Pairs are numbered tap by tap; what is nothing comes after them all.
        let mut starts = vec![0];
        starts.extend(found.iter().scan(0, |end, own| {
            *end += own.len();
            Some(*end)
        }));
        let nothing = starts[taps] as u32;
        for pairs in pairs.chunks_exact_mut(taps) {
            for (pair, &start) in pairs.iter_mut().zip(&starts) {
                *pair = if *pair == Self::NOTHING { nothing } else { *pair + start as u32 };
            }
        }
        let of_pair = found.concat();
        let occurrences = counts.iter().map(|&count| count as usize).sum();
        let counts = counts.iter().map(|&count| count as f32).collect();
        Self { pixels: of_pair, starts, pairs, counts, occurrences }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// How often they occur together.
    pub(crate) fn occurrences(&self) -> usize {
        self.occurrences
    }

    /// How often each occurs.
    pub(crate) fn counts(&self) -> &[f32] {
        &self.counts
    }

    pub(crate) fn taps(&self) -> usize {
        self.starts.len() - 1
    }

    /// The pairs of all windows from number `first` on.
    fn pairs_from(&self, first: usize) -> impl Iterator<Item = &[u32]> {
        let taps = self.taps();
        self.pairs[first * taps..].chunks_exact(taps.max(1))
    }

    /// Pieces of the pairs of single taps: the tap, and the pairs.
    fn pieces(&self) -> Vec<(usize, Range<usize>)> {
        let piece = |tap: usize| {
            let (start, end) = (self.starts[tap], self.starts[tap + 1]);
            (start..end).step_by(PIECE).map(move |from| (tap, from..end.min(from + PIECE)))
        };
        (0..self.taps()).flat_map(piece).collect()
    }

    /// The sums of all windows, then the affine map and activation. `x` is `[pixels, i]`, `w` is
    /// `[taps, i, o]`.
    pub(crate) fn convolve(&self, x: &[f32], w: &[f32], size: Size, then: &Affine) -> Vec<f32> {
        self.run(x, w, size, |_, rows| then.apply(rows))
    }

    /// The sums of all windows and the statistics of their channels.
    pub(crate) fn convolve_and_measure(
        &self,
        x: &[f32],
        w: &[f32],
        size: Size,
    ) -> (Vec<f32>, Stats) {
        let parts = Parts::default();
        let values = self.run(x, w, size, |first, rows| {
            let counts = &self.counts[first..first + rows.len() / size.o.max(1)];
            parts.note(first, Stats::of_counted(rows, counts, size.o));
        });
        (values, parts.join(size.o))
    }

    /// `after(first, rows)` is called for all finished rows from window number `first` on.
    fn run(
        &self,
        x: &[f32],
        w: &[f32],
        Size { i, o }: Size,
        after: impl Fn(usize, &mut [f32]) + Sync + Send,
    ) -> Vec<f32> {
        let isa = Isa::best();
        let matrices: Vec<Matrix<'_>> =
            w.chunks_exact((i * o).max(1)).map(|w| Matrix::new(isa, w, o, true)).collect();
        let (pieces, count) = (self.pieces(), self.pixels.len());
        let fill = |to: Shared| {
            let state = || (Vec::new(), Vec::new());
            parallel::for_each_with(
                pieces.len(),
                pieces.len() > 1,
                state,
                |(from, into), piece| {
                    let (tap, pairs) = pieces[piece].clone();
                    from.clear();
                    from.extend(self.pixels[pairs.clone()].iter().map(|&p| row(x, p, i).as_ptr()));
                    into.clear();
                    into.extend(pairs.map(|pair| to.at(pair * o)));
                    let runs = Runs::new(1, i, 0);
                    // SAFETY: pixels have `i` floats, and every pair has `o` of its own.
                    unsafe { multiply(isa, from, runs, matrices[tap].view(), into, 0..o, false) };
                },
            );
            // SAFETY: what stands for nothing comes after the pairs.
            unsafe { to.at(count * o).write_bytes(0, o) };
        };
        // SAFETY: the pieces cover all pairs.
        let products = unsafe { written((count + 1) * o, fill) };
        let tasks = self.len().div_ceil(PIECE);
        let fill = |to: Shared| {
            parallel::for_each_with(
                tasks,
                tasks > 1,
                || (),
                |(), task| {
                    let first = task * PIECE;
                    let rows = PIECE.min(self.len() - first);
                    // SAFETY: every task has windows of its own, and overwrites them.
                    let done = unsafe { to.slice(first * o, rows * o) };
                    for (to, pairs) in done.chunks_exact_mut(o).zip(self.pairs_from(first)) {
                        add_up(to, &products, pairs);
                    }
                    after(first, done);
                },
            );
        };
        // SAFETY: the tasks cover all windows.
        unsafe { written(self.len() * o, fill) }
    }

    /// The gradients of input and weights, from that of the sums.
    pub(crate) fn backward(
        &self,
        x: &[f32],
        w: &[f32],
        size: Size,
        du: RowSource,
        wants_input: bool,
    ) -> WindowGradients {
        let products = self.spread(size.o, du);
        let weight = self.weight_gradient(x, w.len(), size, &products);
        let input = wants_input.then(|| self.input_gradient(x.len(), w, size, &products));
        WindowGradients { input, weight }
    }

    /// The gradient of each pair's product: the sum over the windows that it is part of.
    fn spread(&self, o: usize, du: RowSource) -> Vec<f32> {
        let computed = super::backward::compute(du, o);
        let mut products = vec![0.0; (self.pixels.len() + 1) * o];
        let to = Shared::new(products.as_mut_ptr());
        let slices = o.div_ceil(SLICE);
        // Every task has channels of its own, and adds them in the order of the windows.
        parallel::for_each_with(
            slices,
            slices > 1,
            || (),
            |(), slice| {
                let channels = slice * SLICE..o.min((slice + 1) * SLICE);
                for (du, pairs) in computed.chunks_exact(o).zip(self.pairs_from(0)) {
                    // SAFETY: pairs are in `products`, and no other task has these channels.
                    unsafe { add_to_pairs(to, o, channels.clone(), du, pairs) };
                }
            },
        );
        products
    }

    fn weight_gradient(
        &self,
        x: &[f32],
        len: usize,
        Size { i, o }: Size,
        products: &[f32],
    ) -> Vec<f32> {
        let mut dw = vec![0.0; len];
        let to = Shared::new(dw.as_mut_ptr());
        let isa = Isa::best();
        let state = || (Vec::new(), Vec::new());
        parallel::for_each_with(self.taps(), self.taps() > 1, state, |(from, with), tap| {
            let pairs = self.starts[tap]..self.starts[tap + 1];
            from.clear();
            from.extend(self.pixels[pairs.clone()].iter().map(|&p| row(x, p, i).as_ptr()));
            with.clear();
            with.extend(pairs.map(|pair| products[pair * o..][..o].as_ptr()));
            let runs = Runs::new(1, i, 0);
            // SAFETY: rows are as long as said, and every tap has an `[i, o]` of its own.
            unsafe {
                multiply_transposed(isa, from, runs, with, to.at(tap * i * o), o, 0..o, true)
            };
        });
        dw
    }

    fn input_gradient(
        &self,
        len: usize,
        w: &[f32],
        Size { i, o }: Size,
        products: &[f32],
    ) -> Vec<f32> {
        let isa = Isa::best();
        let mut dx = vec![0.0; len];
        let to = Shared::new(dx.as_mut_ptr());
        for tap in 0..self.taps() {
            let w = &w[tap * i * o..][..i * o];
            let matrix = Matrix::transposed(isa, w, i, o);
            let pairs = self.starts[tap]..self.starts[tap + 1];
            let tasks = pairs.len().div_ceil(PIECE);
            let state = || (Vec::new(), Vec::new());
            // A pixel is in one pair of a tap at most, so that tasks do not meet.
            parallel::for_each_with(tasks, tasks > 1, state, |(from, into), task| {
                let own =
                    pairs.start + task * PIECE..pairs.end.min(pairs.start + (task + 1) * PIECE);
                from.clear();
                from.extend(own.clone().map(|pair| products[pair * o..][..o].as_ptr()));
                into.clear();
                into.extend(self.pixels[own].iter().map(|&p| to.at(p as usize * i)));
                let runs = Runs::new(1, o, 0);
                // SAFETY: products have `o` floats, and every pixel has `i` of its own.
                unsafe { multiply(isa, from, runs, matrix.view(), into, 0..i, true) };
            });
        }
        dx
    }
}

/// Numbers in a pixel, and in what becomes of a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) i: usize,
    pub(crate) o: usize,
}

/// See [`Windows::backward`].
#[derive(Debug)]
pub(crate) struct WindowGradients {
    pub(crate) input: Option<Vec<f32>>,
    pub(crate) weight: Vec<f32>,
}

/// Pairs, or windows, that one task works on.
const PIECE: usize = 256;

/// Channels that one task of [`Windows::spread`] adds.
const SLICE: usize = 64;

fn row(x: &[f32], pixel: u32, i: usize) -> &[f32] {
    &x[pixel as usize * i..][..i]
}

for_best_isa! {
    /// `to = sum of the products of all pairs`
    fn add_up(to: &mut [f32], products: &[f32], pairs: &[u32]) {
        const BLOCK: usize = 32;
        let o = to.len();
        let mut blocks = to.chunks_exact_mut(BLOCK);
        let mut start = 0;
        for to in &mut blocks {
            let mut sum = [0f32; BLOCK];
            for &pair in pairs {
                let from = &products[pair as usize * o + start..][..BLOCK];
                for j in 0..BLOCK {
                    sum[j] += from[j];
                }
            }
            to.copy_from_slice(&sum);
            start += BLOCK;
        }
        let rest = blocks.into_remainder();
        rest.fill(0.0);
        for &pair in pairs {
            for (to, from) in rest.iter_mut().zip(&products[pair as usize * o + start..]) {
                *to += from;
            }
        }
    }
}

/// Adds the given channels of a window's gradient to those of its pairs.
///
/// # Safety
/// `to` must have rows of `o` floats for all pairs, of which nobody else uses these channels.
unsafe fn add_to_pairs(to: Shared, o: usize, channels: Range<usize>, du: &[f32], pairs: &[u32]) {
    for &pair in pairs {
        // SAFETY: the pair is there, and its channels are ours.
        let to = unsafe { to.slice(pair as usize * o + channels.start, channels.len()) };
        add(to, &du[channels.clone()]);
    }
}

for_best_isa! {
    fn add(to: &mut [f32], from: &[f32]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to += from;
        }
    }
}
