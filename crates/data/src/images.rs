//! The pictures of a puzzle.

use crate::raven::PANELS;

/// Square grey pictures of one size, 0 black to 255 white: the panels of the
/// question row by row, then the choices.
#[derive(Clone, PartialEq, Eq)]
pub struct Images {
    panels: usize,
    side: usize,
    pixels: Vec<u8>,
}

impl std::fmt::Debug for Images {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Images({1} x {0} x {0})", self.side, self.panels)
    }
}

impl Images {
    /// Takes the pixels of a puzzle of RAVEN, one panel after another, row by row.
    ///
    /// # Panics
    /// When there are not [`PANELS`]` * side * side` pixels.
    pub fn new(side: usize, pixels: Vec<u8>) -> Self {
        Self::of_panels(PANELS, side, pixels)
    }

    /// Takes the pixels of so many panels, one panel after another, row by row.
    ///
    /// # Panics
    /// When there are not `panels * side * side` pixels.
    pub fn of_panels(panels: usize, side: usize, pixels: Vec<u8>) -> Self {
        assert_eq!(pixels.len(), panels * side * side, "{panels} panels of {side}x{side}");
        Self { panels, side, pixels }
    }

    /// How many panels there are.
    pub fn panels(&self) -> usize {
        self.panels
    }

    /// Height and width of a panel.
    pub fn side(&self) -> usize {
        self.side
    }

    /// All pixels, panel after panel.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// All pixels, panel after panel, without a copy.
    pub fn into_pixels(self) -> Vec<u8> {
        self.pixels
    }

    /// One panel, counted from 0.
    ///
    /// # Panics
    /// When there is no such panel.
    pub fn panel(&self, index: usize) -> &[u8] {
        let size = self.side * self.side;
        &self.pixels[index * size..(index + 1) * size]
    }
}
