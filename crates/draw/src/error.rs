//! What can be wrong with a picture.

use thiserror::Error;

/// A picture that cannot be drawn.
#[derive(Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum DrawError {
    /// More pixels than we are willing to hold, or none at all.
    #[error(
        "a picture of {width} x {height} pixels cannot be drawn: \
         a side takes 1 to 65,000 of them, the whole at most 134 million"
    )]
    Size {
        /// Width in pixels that was asked for.
        width: f32,
        /// Height in pixels that was asked for.
        height: f32,
    },
    /// An image whose pixels do not fill its width and height.
    #[error("an image of {width} x {height} needs as many pixels, not {found}")]
    PixelCount {
        /// Stated width.
        width: usize,
        /// Stated height.
        height: usize,
        /// How many pixels there are.
        found: usize,
    },
}
