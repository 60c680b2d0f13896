//! One file per figure of the paper.

mod answers;
mod imagined;
mod lay_out;
mod samples;

pub use answers::answers;
pub use imagined::imagined;
pub use samples::{SAMPLED, samples};

use genvp_draw::{GreyImage, Picture, image_panel};

use crate::error::ReportError;

/// A panel of ink, as a picture.
fn ink_panel(ink: &[f32]) -> Result<Picture, ReportError> {
    let side = ink.len().isqrt();
    let grey = ink.iter().map(|x| (255.0 * (1.0 - x.clamp(0.0, 1.0))).round() as u8);
    Ok(image_panel(&GreyImage::new(side, side, &grey.collect::<Vec<_>>())?))
}
