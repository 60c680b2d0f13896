//! Finding what is equal in a map.
//!
//! Drawings are mostly paper, lines and flat greys: the same few pixels again and again.
//! Whatever is computed from equal pixels is equal, and computed once.

use hashbrown::hash_table::{Entry, HashTable};

use super::windows::Windows;

/// The different rows of a map, and which of them stands at each pixel.
struct Distinct {
    /// Rows, in the order of their first pixels.
    rows: Vec<u32>,
    /// How often each occurs.
    counts: Vec<f32>,
    /// The row at each pixel.
    places: Vec<u32>,
}

/// Gives equal rows of `width` numbers the same number.
struct Finder {
    width: usize,
    most: usize,
    found: Distinct,
    table: HashTable<u32>,
    /// The number of the row of nothing but zeros, once there is one: most rows are.
    blank: Option<u32>,
}

/// One row in so many is expected to be one that was not there before.
const REPEATS: usize = 8;

impl Finder {
    fn new(width: usize, pixels: usize, most: usize) -> Self {
        let expected = (pixels / REPEATS).min(most);
        let found = Distinct {
            rows: Vec::with_capacity(expected * width),
            counts: Vec::with_capacity(expected),
            places: Vec::with_capacity(pixels),
        };
        Self { width, most, found, table: HashTable::with_capacity(expected), blank: None }
    }

    /// Notes the next pixel's row. `None` when there are more different rows than wanted.
    #[inline]
    fn note(&mut self, row: &[u32]) -> Option<()> {
        let blank = row.iter().fold(0, |any, x| any | x) == 0;
        let number = match self.blank.filter(|_| blank) {
            Some(number) => number,
            None => {
                let number = self.number(row)?;
                if blank {
                    self.blank = Some(number);
                }
                number
            }
        };
        self.found.counts[number as usize] += 1.0;
        self.found.places.push(number);
        Some(())
    }

    fn number(&mut self, row: &[u32]) -> Option<u32> {
        let (width, rows) = (self.width, &mut self.found.rows);
        let at = |number: u32| number as usize * width..(number as usize + 1) * width;
        let entry = self.table.entry(
            hash(row),
            |&number| rows[at(number)] == *row,
            |&number| hash(&rows[at(number)]),
        );
        match entry {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                let number = u32::try_from(self.found.counts.len()).ok()?;
                if number as usize >= self.most {
                    return None;
                }
                entry.insert(number);
                rows.extend_from_slice(row);
                self.found.counts.push(0.0);
                Some(number)
            }
        }
    }
}

/// A sum of products with odd numbers, then mixed: rows are short and nobody's enemy, so a
/// hash that withstands attacks would only take longer (twice as long, measured).
#[inline]
fn hash(row: &[u32]) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let (mut sum, mut factor) = (0u64, STEP);
    for &x in row {
        sum = sum.wrapping_add(factor.wrapping_mul(u64::from(x) + 1));
        factor = factor.wrapping_add(STEP << 1);
    }
    (sum ^ (sum >> 32)).wrapping_mul(STEP)
}

/// The different patches of `side` x `side` pixels of images `[n, h, w]`, as rows of floats
/// `[patches, side * side]`, and what they are at each place of `[n, h / side, w / side]`.
/// `None` when there are more than `most`.
pub(crate) fn patches(
    images: &[f32],
    [h, w]: [usize; 2],
    side: usize,
    most: usize,
) -> Option<(Vec<f32>, Vec<u32>)> {
    let mut finder = Finder::new(side * side, images.len() / (side * side), most);
    let mut patch = vec![0u32; side * side];
    for image in images.chunks_exact(h * w) {
        for band in image.chunks_exact(side * w) {
            for left in (0..w).step_by(side) {
                for (to, line) in patch.chunks_exact_mut(side).zip(band.chunks_exact(w)) {
                    for (to, x) in to.iter_mut().zip(&line[left..left + side]) {
                        *to = x.to_bits();
                    }
                }
                finder.note(&patch)?;
            }
        }
    }
    let Distinct { rows, places, .. } = finder.found;
    Some((rows.into_iter().map(f32::from_bits).collect(), places))
}

/// How a kernel goes over a map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel {
    pub(crate) side: usize,
    pub(crate) stride: usize,
    pub(crate) padding: usize,
}

/// The different windows of a kernel over maps `[n, h, w]` of so many different pixels, and which
/// of them stands at each pixel of the result.
pub(crate) fn windows(
    places: &[u32],
    pixels: usize,
    [h, w]: [usize; 2],
    [oh, ow]: [usize; 2],
    kernel: Kernel,
) -> (Windows, Vec<u32>) {
    let Kernel { side, stride, padding } = kernel;
    let results = places.len() / (h * w).max(1) * oh * ow;
    let mut finder = Finder::new(side * side, results, usize::MAX);
    let mut window = vec![0u32; side * side];
    let inside = |at: usize, end: usize| at.checked_sub(padding).filter(|&at| at < end);
    for map in places.chunks_exact(h * w) {
        for y in 0..oh {
            for x in 0..ow {
                for (a, to) in window.chunks_exact_mut(side).enumerate() {
                    let line = inside(y * stride + a, h);
                    for (b, to) in to.iter_mut().enumerate() {
                        *to = match (line, inside(x * stride + b, w)) {
                            (Some(y), Some(x)) => map[y * w + x],
                            _ => Windows::NOTHING,
                        };
                    }
                }
                // There is room for all of them.
                let _ = finder.note(&window);
            }
        }
    }
    let Distinct { rows, counts, places } = finder.found;
    (Windows::new(side * side, &rows, pixels, counts), places)
}
