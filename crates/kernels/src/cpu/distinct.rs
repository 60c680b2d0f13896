//! Finding what is equal in a map.
//!
//! Drawings are mostly paper, lines and flat greys: the same few pixels again and again.
//! Whatever is computed from equal pixels is equal, and computed once.

use hashbrown::hash_table::{Entry, HashTable};

use super::windows::Windows;

/// Side of the patches that images are cut into.
pub(crate) const PATCH: usize = 4;

/// Side of the kernels whose windows are looked for.
pub(crate) const KERNEL: usize = 3;

/// Which row each pixel of a map is, and how often each row occurs.
#[derive(Clone, Debug)]
pub(crate) struct RowIndex {
    pub(crate) of_pixel: Vec<u32>,
    pub(crate) counts: Vec<u32>,
}

/// Gives equal rows of `W` numbers the same number.
struct Finder<const W: usize> {
    most: usize,
    /// Rows, in the order of their first pixels.
    rows: Vec<[u32; W]>,
    row_index: RowIndex,
    table: HashTable<u32>,
    /// The number of the row of nothing but zeros, once there is one: most rows are.
    blank: Option<u32>,
}

/// One row in so many is expected to be one that was not there before.
const REPEATS: usize = 8;

impl<const W: usize> Finder<W> {
    fn new(pixels: usize, most: usize) -> Self {
        let expected = (pixels / REPEATS).min(most);
        Self {
            most,
            rows: Vec::with_capacity(expected),
            row_index: RowIndex {
                of_pixel: Vec::with_capacity(pixels),
                counts: Vec::with_capacity(expected),
            },
            table: HashTable::with_capacity(expected),
            blank: None,
        }
    }

    /// Notes the next pixel's row. `None` when there are more different rows than wanted.
    #[inline]
    fn note(&mut self, row: &[u32; W]) -> Option<()> {
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
        self.row_index.counts[number as usize] += 1;
        self.row_index.of_pixel.push(number);
        Some(())
    }

    fn number(&mut self, row: &[u32; W]) -> Option<u32> {
        let rows = &mut self.rows;
        let entry = self.table.entry(
            hash(row),
            |&number| rows[number as usize] == *row,
            |&number| hash(&rows[number as usize]),
        );
        match entry {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                let number = u32::try_from(rows.len()).ok()?;
                if rows.len() >= self.most {
                    return None;
                }
                entry.insert(number);
                rows.push(*row);
                self.row_index.counts.push(0);
                Some(number)
            }
        }
    }
}

/// A sum of products with odd numbers that have nothing to do with each other, then mixed: rows
/// are short and nobody's enemy, so a hash that withstands attacks would only take longer.
#[inline]
fn hash<const W: usize>(row: &[u32; W]) -> u64 {
    const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
    const NEXT: u64 = 0xd6e8_feb8_6659_fd93;
    let (mut sum, mut factor) = (0u64, FIRST);
    for &x in row {
        sum = sum.wrapping_add(factor.wrapping_mul(u64::from(x)));
        factor = factor.wrapping_mul(NEXT);
    }
    (sum ^ (sum >> 32)).wrapping_mul(FIRST)
}

/// The different patches of images `[n, h, w]`, as rows of floats `[patches, PATCH * PATCH]`, and
/// which of them is at each place of `[n, h / PATCH, w / PATCH]`. `None` when there are more than
/// `most`.
pub(crate) fn patches(
    images: &[f32],
    [h, w]: [usize; 2],
    most: usize,
) -> Option<(Vec<f32>, RowIndex)> {
    let mut finder = Finder::<{ PATCH * PATCH }>::new(images.len() / (PATCH * PATCH), most);
    let mut patch = [0u32; PATCH * PATCH];
    for image in images.chunks_exact(h * w) {
        for band in image.chunks_exact(PATCH * w) {
            for left in (0..w).step_by(PATCH) {
                for (to, line) in patch.chunks_exact_mut(PATCH).zip(band.chunks_exact(w)) {
                    for (to, x) in to.iter_mut().zip(&line[left..left + PATCH]) {
                        *to = x.to_bits();
                    }
                }
                finder.note(&patch)?;
            }
        }
    }
    let rows = finder.rows.as_flattened().iter().map(|&bits| f32::from_bits(bits)).collect();
    Some((rows, finder.row_index))
}

/// The different windows of a kernel over maps `[n, h, w]` of so many different pixels, and which
/// of them stands at each pixel of the result `[n, oh, ow]`.
pub(crate) fn windows(
    map: &[u32],
    pixels: usize,
    [h, w]: [usize; 2],
    [oh, ow]: [usize; 2],
    stride: usize,
    padding: usize,
) -> (Windows, RowIndex) {
    let results = map.len() / (h * w).max(1) * oh * ow;
    let mut finder = Finder::<{ KERNEL * KERNEL }>::new(results, usize::MAX);
    let mut window = [0u32; KERNEL * KERNEL];
    let inside = |at: usize, end: usize| at.checked_sub(padding).filter(|&at| at < end);
    for map in map.chunks_exact(h * w) {
        for y in 0..oh {
            for x in 0..ow {
                for (a, to) in window.chunks_exact_mut(KERNEL).enumerate() {
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
    let rows = finder.rows.as_flattened();
    let windows = Windows::new(KERNEL * KERNEL, rows, pixels, &finder.row_index.counts);
    (windows, finder.row_index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_and_white_patches_and_neighbouring_windows_have_hashes_of_their_own() {
        let ink = 1f32.to_bits();
        let patches = (0..1u32 << 16).map(|bits| {
            hash::<16>(&std::array::from_fn(|i| if bits >> i & 1 == 1 { ink } else { 0 }))
        });
        let windows = (0..1u32 << 16)
            .map(|bits| hash::<9>(&std::array::from_fn(|i| 7 + (bits >> (2 * i) & 3))));
        for hashes in [patches.collect::<Vec<_>>(), windows.collect()] {
            let mut hashes = hashes;
            hashes.sort_unstable();
            hashes.dedup();
            // The last window's two digits beyond 16 bits are always 0.
            assert_eq!(hashes.len(), 1 << 16);
        }
    }

    #[test]
    fn more_patches_than_wanted_are_given_up() {
        let pixels: Vec<f32> = (0..64 * 4).map(|i| i as f32).collect();
        assert!(patches(&pixels, [16, 16], 15).is_none());
        assert_eq!(patches(&pixels, [16, 16], 16).map(|found| found.1.counts), Some(vec![1; 16]));
    }
}
