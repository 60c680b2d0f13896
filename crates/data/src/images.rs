//! The sixteen pictures of a puzzle.

/// Panels in a puzzle: eight of the question, eight choices.
pub const PANELS: usize = 16;

/// Sixteen square grey pictures of one size, 0 black to 255 white: the eight
/// panels of the question row by row, then the eight choices.
#[derive(Clone, PartialEq, Eq)]
pub struct Images {
    side: usize,
    pixels: Vec<u8>,
}

impl std::fmt::Debug for Images {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Images(16 x {0} x {0})", self.side)
    }
}

impl Images {
    /// Takes the pixels of all panels, one panel after another, row by row.
    ///
    /// # Panics
    /// When there are not `16 * side * side` pixels.
    pub fn new(side: usize, pixels: Vec<u8>) -> Self {
        assert_eq!(pixels.len(), PANELS * side * side, "sixteen panels of {side}x{side}");
        Self { side, pixels }
    }

    /// Height and width of a panel.
    pub fn side(&self) -> usize {
        self.side
    }

    /// All pixels, panel after panel.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// One panel, 0 to 15.
    pub fn panel(&self, index: usize) -> &[u8] {
        let size = self.side * self.side;
        &self.pixels[index * size..(index + 1) * size]
    }
}
