//! A chunk of fine images, laid out so that the pixels under the kernel are a
//! few contiguous runs.

use super::geometry::Geometry;
use super::parallel::{self, Shared};
use super::product::Runs;
use super::source::Source;

/// How the fine images are read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Layout {
    /// In place: no padding, nothing to compute.
    Direct,
    /// From a copy with a border of zeros.
    Bordered,
    /// From a copy of the pixels under the kernel, for every place of it:
    /// for images of one or a few channels, whose runs would be too short.
    Unrolled,
}

impl Layout {
    /// Copies image number `image` to its place in the buffer.
    fn copy(
        self,
        geo: &Geometry,
        source: &Source,
        image: usize,
        to: &mut [f32],
        scratch: &mut [f32],
    ) {
        let start = image * geo.fine_len();
        match (self, source.plain()) {
            (Self::Direct, _) => {}
            (Self::Bordered, _) => border(geo, source, image, to),
            (Self::Unrolled, Some(x)) => unroll(geo, &x[start..start + geo.fine_len()], to),
            (Self::Unrolled, None) => {
                source.read(start, scratch);
                unroll(geo, scratch, to);
            }
        }
    }
}

/// Runs shorter than this are unrolled.
const SHORT: usize = 16;

/// A chunk of fine images, ready for the products.
pub(super) struct FineChunk {
    layout: Layout,
    runs: Runs,
    buffer: Vec<f32>,
    /// One fine image, where it has to be computed before it is unrolled.
    image: Vec<f32>,
    rows: Vec<*const f32>,
}

impl FineChunk {
    /// Room for `images` images of `source`.
    pub(super) fn new(geo: &Geometry, source: &Source, images: usize) -> Self {
        let layout = if geo.k > 1 && geo.k * geo.ci < SHORT {
            Layout::Unrolled
        } else if geo.p == 0 && source.plain().is_some() {
            Layout::Direct
        } else {
            Layout::Bordered
        };
        let runs = match layout {
            Layout::Unrolled => Runs { count: 1, len: geo.taps(), stride: 0 },
            Layout::Direct => joined(geo, geo.w),
            Layout::Bordered => joined(geo, covered(geo).1),
        };
        let image = match (layout, source.plain()) {
            (Layout::Unrolled, None) => vec![0.0; geo.fine_len()],
            _ => Vec::new(),
        };
        let mut chunk = Self { layout, runs, buffer: Vec::new(), image, rows: Vec::new() };
        chunk.buffer = vec![0.0; images * chunk.image_len(geo)];
        chunk
    }

    /// Takes in `images` images from number `first` on.
    pub(super) fn load(&mut self, geo: &Geometry, source: &Source, first: usize, images: usize) {
        let (layout, size) = (self.layout, self.image_len(geo));
        for i in 0..images {
            let to = &mut self.buffer[i * size..(i + 1) * size];
            layout.copy(geo, source, first + i, to, &mut self.image);
        }
        self.point(geo, source, first, images);
    }

    /// Takes in all images, on all threads.
    pub(super) fn load_parallel(&mut self, geo: &Geometry, source: &Source) {
        let (layout, size) = (self.layout, self.image_len(geo));
        if size > 0 {
            let image = || self.image.clone();
            let buffer = Shared::new(self.buffer.as_mut_ptr());
            parallel::for_each_with(geo.n, geo.n > 1, image, |image, i| {
                // SAFETY: every task has an image of its own in the buffer.
                let to = unsafe { buffer.slice(i * size, size) };
                layout.copy(geo, source, i, to, image);
            });
        }
        self.point(geo, source, 0, geo.n);
    }

    /// Floats an image takes in the buffer.
    fn image_len(&self, geo: &Geometry) -> usize {
        let (height, width) = covered(geo);
        match self.layout {
            Layout::Direct => 0,
            Layout::Bordered => height * width * geo.ci,
            Layout::Unrolled => geo.oh * geo.ow * geo.taps(),
        }
    }

    /// Finds the start of every row.
    fn point(&mut self, geo: &Geometry, source: &Source, first: usize, images: usize) {
        let count = images * geo.oh * geo.ow;
        let from = match (self.layout, source.plain()) {
            (Layout::Direct, Some(x)) => x[first * geo.fine_len()..].as_ptr(),
            _ => self.buffer.as_ptr(),
        };
        if self.layout != Layout::Direct && self.rows.len() >= count {
            self.rows.truncate(count);
            return; // the buffer has not moved
        }
        let (height, width) = match self.layout {
            Layout::Direct => (geo.h, geo.w),
            _ => covered(geo),
        };
        self.rows.clear();
        for i in 0..images {
            for y in 0..geo.oh {
                for x in 0..geo.ow {
                    let offset = match self.layout {
                        Layout::Unrolled => ((i * geo.oh + y) * geo.ow + x) * geo.taps(),
                        _ => ((i * height + y * geo.s) * width + x * geo.s) * geo.ci,
                    };
                    self.rows.push(from.wrapping_add(offset));
                }
            }
        }
    }

    /// Start of the pixels under the kernel, for every coarse pixel of the chunk.
    pub(super) fn rows(&self) -> &[*const f32] {
        &self.rows
    }

    /// How those pixels lie.
    pub(super) fn runs(&self) -> Runs {
        self.runs
    }
}

/// Height and width of the part of a padded image that the kernel ever covers.
fn covered(geo: &Geometry) -> (usize, usize) {
    ((geo.oh - 1) * geo.s + geo.k, (geo.ow - 1) * geo.s + geo.k)
}

/// The runs under the kernel in an image of the given width; one run where
/// the kernel is as wide as the image.
fn joined(geo: &Geometry, width: usize) -> Runs {
    if geo.k == width || geo.k == 1 {
        Runs { count: 1, len: geo.taps(), stride: 0 }
    } else {
        Runs { count: geo.k, len: geo.k * geo.ci, stride: width * geo.ci }
    }
}

/// Copies one image into the inside of a bordered one.
fn border(geo: &Geometry, source: &Source, image: usize, to: &mut [f32]) {
    let (height, width) = covered(geo);
    let length = geo.w.min(width - geo.p) * geo.ci;
    for y in 0..geo.h.min(height - geo.p) {
        let at = ((y + geo.p) * width + geo.p) * geo.ci;
        source.read(image * geo.fine_len() + y * geo.w * geo.ci, &mut to[at..at + length]);
    }
}

/// Copies the pixels under the kernel, for every place of it. What lies in
/// the padding is left as it is (zero).
fn unroll(geo: &Geometry, image: &[f32], to: &mut [f32]) {
    let Geometry { ci, k, s, p, w, .. } = *geo;
    for y in 0..geo.oh {
        for a in 0..k {
            let Some(fine_y) = (y * s + a).checked_sub(p).filter(|fine_y| *fine_y < geo.h) else {
                continue;
            };
            let line = &image[fine_y * w * ci..(fine_y + 1) * w * ci];
            for x in 0..geo.ow {
                let at = ((y * geo.ow + x) * k + a) * k * ci;
                let to = &mut to[at..at + k * ci];
                let left = p.saturating_sub(x * s).min(k);
                let right = (w + p).saturating_sub(x * s).min(k);
                if left == 0 && right == k {
                    let from = (x * s - p) * ci;
                    copy_short(to, &line[from..from + k * ci]);
                } else if left < right {
                    let from = (x * s + left - p) * ci;
                    let length = (right - left) * ci;
                    to[left * ci..left * ci + length].copy_from_slice(&line[from..from + length]);
                }
            }
        }
    }
}

/// Copies a few floats; four, the common case, without a call.
#[inline(always)]
fn copy_short(to: &mut [f32], from: &[f32]) {
    match (<&mut [f32; 4]>::try_from(&mut *to), <&[f32; 4]>::try_from(from)) {
        (Ok(to), Ok(from)) => *to = *from,
        _ => to.copy_from_slice(from),
    }
}
