//! Puzzles in every form in which the command takes them.

use std::fs;
use std::path::Path;

use genvp_data::{Images, PngImage, StoredPuzzle};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, Set, render};

/// A puzzle with everything that its file says.
pub fn puzzle(layout: Layout, index: u64) -> StoredPuzzle {
    let puzzle = Maker::new(Request::new(Set::IRaven, layout)).unwrap().puzzle(9, index).unwrap();
    StoredPuzzle::of_puzzle(&puzzle, Images::new(render::SIDE, render::puzzle(&puzzle)))
}

pub fn write_npz(path: &Path, puzzle: &StoredPuzzle) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, puzzle.encode_npz(Set::IRaven)).unwrap();
}

/// Some panels side by side.
pub fn sheet(images: &Images, panels: std::ops::Range<usize>, columns: usize) -> PngImage {
    let (side, count) = (images.side(), panels.len());
    let rows = count.div_ceil(columns);
    let mut pixels = vec![255; rows * columns * side * side];
    for (place, panel) in panels.enumerate() {
        let (x, y) = (place % columns * side, place / columns * side);
        for (row, line) in images.panel(panel).chunks_exact(side).enumerate() {
            let at = (y + row) * columns * side + x;
            pixels[at..at + side].copy_from_slice(line);
        }
    }
    PngImage::new(columns * side, rows * side, pixels)
}

/// A picture in colour (`Rgb`) or as black ink on nothing (`Rgba`).
pub fn encode(picture: &PngImage, color: png::ColorType) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (width, height) = (picture.width() as u32, picture.height() as u32);
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    let pixels: Vec<u8> = match color {
        png::ColorType::Rgb => picture.pixels().iter().flat_map(|&p| [p; 3]).collect(),
        _ => picture.pixels().iter().flat_map(|&p| [0, 0, 0, 255 - p]).collect(),
    };
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}
