//! Pixels as PNG bytes in memory.

use png::{BitDepth, ColorType, Encoder};

/// A grey PNG, 8 bits a pixel.
///
/// # Panics
/// When a side is 0, or there are not `width * height` pixels.
pub fn grey(width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    encoded(width, height, ColorType::Grayscale, pixels)
}

/// A color PNG, three bytes a pixel.
pub(super) fn rgb(width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    encoded(width, height, ColorType::Rgb, pixels)
}

fn encoded(width: usize, height: usize, color: ColorType, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header().expect("a Vec takes every byte");
    writer.write_image_data(pixels).expect("the pixels fill the image");
    writer.finish().expect("a Vec takes every byte");
    bytes
}
