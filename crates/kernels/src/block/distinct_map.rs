//! Maps whose equal pixels are kept, and computed, once.

use std::sync::Arc;

use burn::tensor::Tensor;

use super::fused;
use crate::ConvBlock;
use crate::cpu::distinct::{self, Kernel};
use crate::cpu::forward::Way;
use crate::cpu::{Geometry, Slope};
use crate::flex::{self, Call};

/// Images or maps `[n, h, w, c]` of which only the different pixels are kept.
///
/// Drawings are mostly paper, straight edges and flat greys. Small patches of them repeat, and
/// what a network makes of equal patches is equal: blocks run on the different ones only, and
/// their batch norms count each as often as it occurs. Results are those of the whole map up
/// to rounding, and so are gradients.
#[derive(Clone, Debug)]
pub struct DistinctMap {
    /// `[different pixels, c]`
    rows: Tensor<2>,
    /// n, h, w.
    shape: [usize; 3],
    /// Which row each pixel is.
    places: Vec<u32>,
    /// Side of the patch of an image that a row is; 1 for pixels.
    patch: usize,
}

/// Among more different patches than this share of all, looking for equal ones is not worth it.
const WORTH: f64 = 0.5;

impl DistinctMap {
    /// The different patches of grey images.
    ///
    /// `None` where the images are not cut evenly, hardly repeat themselves, are part of a
    /// computation that needs their gradient, or are not on the CPU.
    ///
    /// # Shapes
    /// `[n, h, w, 1]`
    pub fn patches(images: &Tensor<4>, side: usize) -> Option<Self> {
        let [n, h, w, c] = images.dims();
        if n * h * w == 0 || c != 1 || side == 0 || h % side != 0 || w % side != 0 {
            return None;
        }
        let (h, w) = (h / side, w / side);
        let most = (WORTH * (n * h * w) as f64) as usize;
        let (rows, places) = flex::distinct_patches(images, side, most)?;
        Some(Self { rows, shape: [n, h, w], places, patch: side })
    }

    /// The map with every pixel in its place.
    ///
    /// # Shapes
    /// `[n, h, w, c]`
    pub fn whole(self) -> Option<Tensor<4>> {
        let [n, h, w] = self.shape;
        let c = self.rows.dims()[1];
        Some(flex::placed(&self.rows, self.places)?.reshape([n, h, w, c]))
    }
}

impl ConvBlock {
    /// Runs the block on the different pixels of a map, or as the first one on patches that
    /// its kernel takes one by one. `None` where that cannot be done.
    pub fn forward_distinct(&self, map: DistinctMap) -> Option<DistinctMap> {
        let DistinctMap { rows, shape: [n, h, w], places, patch } = map;
        let [k, _, ci, co] = self.weight.dims();
        let kernel = match patch {
            1 => Kernel { side: k, stride: self.stride, padding: self.padding },
            _ if patch == k && self.stride == k && self.padding == 0 => {
                Kernel { side: 1, stride: 1, padding: 0 }
            }
            _ => return None,
        };
        if self.transposed {
            return None;
        }
        let c = rows.dims()[1];
        let taps = [kernel.side, kernel.side, c, co];
        let geo = Geometry::conv([n, h, w, c], taps, kernel.stride, kernel.padding);
        let (windows, places) = distinct::windows(&places, [h, w], [geo.oh, geo.ow], kernel);
        let weight = self.weight.val().reshape([k * k * ci, co]);
        let bias = self.bias.as_ref().map(|bias| bias.val());
        let windows = Arc::new(windows);
        let call = Call {
            way: Way::Down,
            geo: Geometry::linear(windows.rows(), k * k * ci, co),
            x: &rows,
            weight: &weight,
            bias: bias.as_ref(),
            slope: Slope::NONE,
            windows: Some(&windows),
        };
        let rows = fused::run(call, self.norm.as_ref(), self.activation)?;
        Some(DistinctMap { rows, shape: [n, geo.oh, geo.ow], places, patch: 1 })
    }
}
