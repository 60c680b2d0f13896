//! How panels come to the size that a model sees.

use genvp_puzzle::family::AnyPuzzle;
use genvp_puzzle::{SIDE, raise_bilinear, resize_area};
use serde::{Deserialize, Serialize};

/// How a panel of any side becomes one of the model's. It is part of the model: what is solved is
/// seen as what was learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resize {
    /// Every new pixel is the mean of the old ones it lies on.
    #[default]
    Area,
    /// Between the nearest old pixels, as RAISE prepares its data, and the paper after it: thin
    /// lines may fall between the taps.
    RaiseBilinear,
}

impl Resize {
    /// Makes an ink picture (ink = 1, paper = 0) of a grey one (255 = paper).
    ///
    /// # Panics
    /// When the slices do not hold `from * from` and `to * to` pixels.
    pub fn ink_into(self, grey: &[u8], from: usize, to: usize, out: &mut [f32]) {
        match self {
            Self::Area => resize_area(grey, from, to, out),
            Self::RaiseBilinear => raise_bilinear(grey, from, to, out),
        }
    }

    /// Draws a panel of a puzzle as an ink picture.
    ///
    /// # Panics
    /// When there is no such panel, or `out` does not hold `side * side` pixels.
    pub fn draw_into(self, puzzle: &dyn AnyPuzzle, panel: usize, side: usize, out: &mut [f32]) {
        let mut grey = [255; SIDE * SIDE];
        puzzle.draw_into(panel, &mut grey);
        self.ink_into(&grey, SIDE, side, out);
    }
}
