//! Grey images that are shown pixel by pixel.

use std::sync::Arc;

use super::DrawError;

/// A grey image, 255 being white paper. Copies share their pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GreyImage {
    width: usize,
    height: usize,
    pixels: Arc<[u8]>,
}

impl GreyImage {
    /// An image of `width` x `height` pixels, row by row.
    pub fn new(width: usize, height: usize, pixels: &[u8]) -> Result<Self, DrawError> {
        if width == 0 || height == 0 || width.checked_mul(height) != Some(pixels.len()) {
            return Err(DrawError::PixelCount { width, height, found: pixels.len() });
        }
        Ok(Self { width, height, pixels: pixels.into() })
    }

    /// Width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The pixels, row by row.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The image at another size: every new pixel is the mean of what it covers.
    ///
    /// At whole multiples of the size this copies pixels exactly; in between,
    /// edges stay sharp to within one pixel and lines keep an even weight.
    pub fn resized(&self, width: usize, height: usize) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        if (width, height) == (self.width, self.height) {
            return self.clone();
        }
        let columns = shares(self.width, width);
        let rows = shares(self.height, height);
        let mut pixels = Vec::with_capacity(width * height);
        for row in &rows {
            for column in &columns {
                let mut sum = 0.0;
                for &(y, share_y) in row {
                    let line = &self.pixels[y * self.width..(y + 1) * self.width];
                    let across: f64 = column.iter().map(|&(x, s)| s * f64::from(line[x])).sum();
                    sum += share_y * across;
                }
                pixels.push(sum.round() as u8);
            }
        }
        Self { width, height, pixels: pixels.into() }
    }
}

/// For each of `to` new pixels along an axis of `from` old ones: which old ones
/// it covers, and what share each has in it.
fn shares(from: usize, to: usize) -> Vec<Vec<(usize, f64)>> {
    // In units of 1/to of an old pixel everything is a whole number.
    (0..to)
        .map(|i| {
            let (start, end) = (i * from, (i + 1) * from);
            (start / to..end.div_ceil(to))
                .map(|old| {
                    let covered = end.min((old + 1) * to) - start.max(old * to);
                    (old, covered as f64 / from as f64)
                })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_multiples_copy_pixels_exactly() {
        let image = GreyImage::new(2, 2, &[0, 50, 100, 255]).unwrap();
        let large = image.resized(6, 4);
        for y in 0..4 {
            for x in 0..6 {
                assert_eq!(large.pixels()[y * 6 + x], image.pixels()[y / 2 * 2 + x / 3]);
            }
        }
    }

    #[test]
    fn a_flat_image_stays_flat_at_any_size() {
        let image = GreyImage::new(7, 5, &[93; 35]).unwrap();
        for (width, height) in [(1, 1), (3, 4), (7, 9), (13, 5), (50, 41)] {
            assert!(image.resized(width, height).pixels().iter().all(|&p| p == 93));
        }
    }

    #[test]
    fn pixels_that_do_not_fill_the_image_are_refused() {
        assert!(GreyImage::new(3, 3, &[0; 8]).is_err());
        assert!(GreyImage::new(0, 3, &[]).is_err());
        assert!(GreyImage::new(usize::MAX, 2, &[0; 8]).is_err());
    }
}
