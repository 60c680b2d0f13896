//! Grey PNG pictures.

use std::io::Cursor;
use std::path::Path;

use png::{BitDepth, ColorType, Decoder, Encoder, Limits, Transformations};

use crate::error::InFile;
use crate::file::read_bounded;
use crate::{DataError, FormatError, limits};

/// A grey picture, row by row, 0 black to 255 white.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PngImage {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl PngImage {
    /// Takes pixels row by row.
    ///
    /// # Panics
    /// When there are not `width * height` pixels.
    pub fn new(width: usize, height: usize, pixels: Vec<u8>) -> Self {
        assert_eq!(pixels.len(), width * height, "a picture of {width}x{height}");
        Self { width, height, pixels }
    }

    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, row by row.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Reads a PNG file of any kind: 16 bits lose their lower half, colors become
    /// grey, and what is transparent lies on white paper.
    pub fn read(path: &Path) -> Result<Self, DataError> {
        let bytes = read_bounded(path, "picture", limits::PICTURE_BYTES)?;
        Self::decode(&bytes).in_file(path)
    }

    /// Reads the bytes of a PNG file.
    pub fn decode(bytes: &[u8]) -> Result<Self, FormatError> {
        Self::decode_within(bytes, limits::PICTURE_PIXELS)
    }

    /// Reads the bytes of a PNG file that may have no more than so many pixels.
    ///
    /// # Errors
    /// When it is none, or has more.
    pub fn decode_within(bytes: &[u8], most_pixels: u64) -> Result<Self, FormatError> {
        let not = |e: png::DecodingError| FormatError::NotPng(e.to_string());
        let limit = Limits { bytes: 8 * limits::PICTURE_PIXELS as usize };
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limit);
        decoder.set_transformations(Transformations::normalize_to_color8());
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let (width, height) = decoder.read_header_info().map_err(not)?.size();
        if u64::from(width) * u64::from(height) > most_pixels
            || width.max(height) > limits::PICTURE_SIDE
        {
            return Err(FormatError::PictureTooLarge { width, height, limit: most_pixels });
        }
        let mut reader = decoder.read_info().map_err(not)?;
        let size = reader.output_buffer_size();
        let mut raw =
            vec![0; size.ok_or_else(|| FormatError::NotPng("its size overflows".to_owned()))?];
        let info = reader.next_frame(&mut raw).map_err(not)?;
        let raw = &raw[..info.buffer_size()];
        let luma = |r: u8, g: u8, b: u8| {
            ((u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114 + 500) / 1000) as u8
        };
        let on_white = |v: u8, alpha: u8| {
            let (v, alpha) = (u32::from(v), u32::from(alpha));
            ((v * alpha + 255 * (255 - alpha) + 127) / 255) as u8
        };
        let pixels = match info.color_type {
            ColorType::Grayscale => raw.to_vec(),
            ColorType::GrayscaleAlpha => {
                raw.chunks_exact(2).map(|p| on_white(p[0], p[1])).collect()
            }
            ColorType::Rgb => raw.chunks_exact(3).map(|p| luma(p[0], p[1], p[2])).collect(),
            ColorType::Rgba => {
                raw.chunks_exact(4).map(|p| on_white(luma(p[0], p[1], p[2]), p[3])).collect()
            }
            ColorType::Indexed => {
                return Err(FormatError::NotPng("its palette is missing".to_owned()));
            }
        };
        Ok(Self::new(width as usize, height as usize, pixels))
    }

    /// The bytes of a PNG file.
    pub fn encode(&self) -> Vec<u8> {
        encode_grey(self.width, self.height, &self.pixels)
    }
}

/// The bytes of a grey PNG file.
pub(crate) fn encode_grey(width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4096);
    let mut encoder = Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let write = || encoder.write_header()?.write_image_data(pixels);
    write().expect("a picture in memory always makes a PNG");
    bytes
}
