//! From scenes to grey pixels, 255 = paper.
//!
//! Lines come first, in the order of their types, then the shapes above them.
//! Coverage is counted on 4 x 4 samples a pixel in whole numbers: corners come
//! from constant tables, distances are compared as squares. No floating-point
//! operation decides about a pixel, so all machines draw the same bytes.
//!
//! A model sees the panel of 160 pixels averaged over the area of each of its
//! own pixels ([`ink_into`]); [`Renderer`] draws at any other side directly, for
//! people.

mod geometry;
mod sprite;

use std::sync::LazyLock;

use sprite::{Bank, Sprite, Stroke};

pub use geometry::corners;
pub(super) use sprite::WHOLE;

use super::{LineType, Panel, ShapeType, grey};
use crate::resize_area;

pub use crate::resize::SIDE;

/// Draws panels of one side. Sprites are made on first use and kept; threads may
/// share it.
pub struct Renderer {
    bank: Bank,
}

impl Renderer {
    /// A renderer for panels of `side * side` pixels.
    ///
    /// # Panics
    /// When the side is not 8 to 4096.
    pub fn new(side: usize) -> Self {
        assert!((8..=4096).contains(&side), "a side of 8 to 4096 pixels, not {side}");
        Self { bank: Bank::new(side) }
    }

    /// Side of the panels in pixels.
    pub fn side(&self) -> usize {
        self.bank.side()
    }

    /// Draws a panel.
    ///
    /// # Panics
    /// When `out` does not hold `side * side` bytes, or when a value of the panel
    /// does not exist.
    pub fn panel_into(&self, panel: &Panel, out: &mut [u8]) {
        assert_eq!(out.len(), self.side() * self.side(), "a panel of {0}x{0}", self.side());
        out.fill(255);
        self.lines_into(panel, out);
        for shape in &panel.shapes {
            let sprite = self.shape(shape.kind, shape.size, shape.position);
            sprite.blit(grey(shape.color), self.bank.centre(shape.position), out);
        }
    }

    /// Draws the lines of a panel on what is there.
    pub(super) fn lines_into(&self, panel: &Panel, out: &mut [u8]) {
        for line in &panel.lines {
            self.line(line.kind).blit(grey(line.color), out);
        }
    }

    pub(super) fn shape(&self, kind: ShapeType, size: u8, position: u8) -> &Sprite {
        self.bank.shape(kind, size, position)
    }

    pub(super) fn line(&self, kind: LineType) -> &Stroke {
        self.bank.line(kind)
    }

    /// The pixel that a sprite's offsets count from.
    pub(super) fn centre(&self, position: u8) -> usize {
        self.bank.centre(position)
    }
}

/// The renderer of the originals' side.
pub(super) static ORIGINAL: LazyLock<Renderer> = LazyLock::new(|| Renderer::new(SIDE));

/// Draws a panel into 160x160 grey bytes.
///
/// # Panics
/// As [`Renderer::panel_into`].
pub fn panel_into(panel: &Panel, out: &mut [u8]) {
    ORIGINAL.panel_into(panel, out);
}

/// Draws a panel as a model sees it: `side * side` values, ink = 1, paper = 0,
/// each the mean of the panel of 160 pixels over its area.
///
/// # Panics
/// As [`panel_into`], and when `out` does not hold `side * side` values.
pub fn ink_into(panel: &Panel, side: usize, out: &mut [f32]) {
    let mut pixels = [255; SIDE * SIDE];
    panel_into(panel, &mut pixels);
    resize_area(&pixels, SIDE, side, out);
}

/// Draws panels one after the other into one buffer of 160x160 pixels each.
pub fn panels<'a>(panels: impl IntoIterator<Item = &'a Panel>) -> Vec<u8> {
    let mut out = Vec::new();
    for panel in panels {
        let start = out.len();
        out.resize(start + SIDE * SIDE, 255);
        panel_into(panel, &mut out[start..]);
    }
    out
}
