//! Sizes of a convolution.

/// Sizes of a convolution from a fine image `[n, h, w, ci]` to a coarse one
/// `[n, oh, ow, co]` with weights `[k, k, ci, co]`. A transposed convolution
/// goes the other way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Geometry {
    pub(crate) n: usize,
    pub(crate) h: usize,
    pub(crate) w: usize,
    pub(crate) ci: usize,
    pub(crate) oh: usize,
    pub(crate) ow: usize,
    pub(crate) co: usize,
    pub(crate) k: usize,
    pub(crate) s: usize,
    pub(crate) p: usize,
}

/// Coarse pixels handled at once: enough rows to use a block of weights well,
/// few enough that images and results stay in the second-level cache.
const CHUNK_ROWS: usize = 256;

/// Below this many multiplications a product is not worth waking the other threads.
const SMALL: usize = 1 << 19;

/// At most this many rows count as few: the product is then cut by columns.
const FEW_ROWS: usize = 512;

impl Geometry {
    /// The convolution of `x: [n, h, w, ci]` with `weight: [k, k, ci, co]`.
    ///
    /// # Panics
    /// When the shapes do not fit each other.
    pub(crate) fn conv(x: [usize; 4], weight: [usize; 4], s: usize, p: usize) -> Self {
        let ([n, h, w, ci], [k, k2, wi, co]) = (x, weight);
        assert!(k == k2 && k > 0 && s > 0, "convolution with kernel {k}x{k2}, stride {s}");
        assert!(ci == wi, "{ci} channels convolved with weights for {wi}");
        assert!(
            h + 2 * p >= k && w + 2 * p >= k,
            "image {h}x{w} padded by {p} is smaller than the kernel {k}x{k}"
        );
        let (oh, ow) = ((h + 2 * p - k) / s + 1, (w + 2 * p - k) / s + 1);
        Self { n, h, w, ci, oh, ow, co, k, s, p }
    }

    /// The convolution whose transpose takes `x: [n, oh, ow, co]` with
    /// `weight: [k, k, ci, co]` (the result's channels are `ci`).
    ///
    /// # Panics
    /// When the shapes do not fit each other.
    pub(crate) fn transposed(x: [usize; 4], weight: [usize; 4], s: usize, p: usize) -> Self {
        let ([n, oh, ow, co], [k, k2, ci, wo]) = (x, weight);
        assert!(k == k2 && k > 0 && s > 0, "convolution with kernel {k}x{k2}, stride {s}");
        assert!(co == wo, "{co} channels convolved with weights for {wo}");
        assert!(
            oh > 0 && ow > 0 && (oh.min(ow) - 1) * s + k > 2 * p,
            "image {oh}x{ow} with kernel {k}, stride {s}, padding {p} has an empty transpose"
        );
        let (h, w) = ((oh - 1) * s + k - 2 * p, (ow - 1) * s + k - 2 * p);
        Self { n, h, w, ci, oh, ow, co, k, s, p }
    }

    /// A linear layer `[n, i] x [i, o]`.
    pub(crate) fn linear(n: usize, i: usize, o: usize) -> Self {
        Self { n, h: 1, w: 1, ci: i, oh: 1, ow: 1, co: o, k: 1, s: 1, p: 0 }
    }

    /// Shape of the fine image.
    pub(crate) fn fine_shape(&self) -> [usize; 4] {
        [self.n, self.h, self.w, self.ci]
    }

    /// Shape of the coarse image.
    pub(crate) fn coarse_shape(&self) -> [usize; 4] {
        [self.n, self.oh, self.ow, self.co]
    }

    /// Floats of one fine image.
    pub(super) fn fine_len(&self) -> usize {
        self.h * self.w * self.ci
    }

    /// Floats of one coarse image.
    pub(super) fn coarse_len(&self) -> usize {
        self.oh * self.ow * self.co
    }

    /// Length of the sum behind one coarse value.
    pub(super) fn taps(&self) -> usize {
        self.k * self.k * self.ci
    }

    /// Number of weights.
    pub(super) fn weights(&self) -> usize {
        self.taps() * self.co
    }

    /// Images handled at once.
    pub(super) fn chunk(&self) -> usize {
        (CHUNK_ROWS / (self.oh * self.ow).max(1)).clamp(1, self.n.div_ceil(8).max(1))
    }

    /// Whether the work is worth more than one thread.
    pub(super) fn is_large(&self) -> bool {
        self.n * self.oh * self.ow * self.weights() > SMALL
    }

    /// Whether there are too few rows to cut the work by images.
    pub(super) fn is_wide(&self) -> bool {
        self.is_large() && self.n * self.oh * self.ow <= FEW_ROWS
    }
}
