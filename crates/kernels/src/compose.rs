//! Pictures made of objects.

use std::sync::Arc;

use burn::tensor::Tensor;

use crate::cpu::compose::Cutout;
use crate::{fallback, flex};

/// Objects of one size that are laid over the paper.
#[derive(Clone, Debug)]
pub struct Layer {
    /// What they look like, as logits `[objects, pixels of an object]`.
    pub drawn: Tensor<2>,
    /// How much of each is there `[objects, 1]`.
    pub there: Tensor<2>,
    /// Where each is drawn, in the order of panels.
    pub cutouts: Arc<Vec<Cutout>>,
}

/// The ink of panels: `sigmoid(line + column + sum over objects of there * drawn)`. It is one
/// operation for up to two layers.
///
/// # Shapes
/// `paper [n, h + w]`: a logit for each line of pixels, and one for each column
/// -> `[n, h, w, 1]`
///
/// # Panics
/// When the shapes do not fit each other, or objects are not in the order of their panels.
pub fn compose(paper: Tensor<2>, size: [usize; 2], layers: Vec<Layer>) -> Tensor<4> {
    let ([n, both], [h, w]) = (paper.dims(), size);
    assert!(
        both == h + w && h > 0 && w > 0,
        "paper of {both} lines and columns for {h}x{w} pixels"
    );
    for Layer { drawn, there, cutouts } in &layers {
        let [objects, pixels] = drawn.dims();
        assert!(
            there.dims() == [objects, 1] && cutouts.len() == objects,
            "{objects} objects, {:?} there, {} cutouts",
            there.dims(),
            cutouts.len()
        );
        let fits = |cutout: &Cutout| cutout.panel < n && cutout.pixels.len() == pixels;
        assert!(
            cutouts.iter().all(fits) && cutouts.is_sorted_by_key(|cutout| cutout.panel),
            "cutouts of {pixels} pixels in the order of {n} panels"
        );
    }
    flex::composition(&paper, size, &layers)
        .unwrap_or_else(|| fallback::compose(paper, size, layers))
}
