//! Maps whose equal pixels are kept, and computed, once.

use std::sync::Arc;

use burn::module::Param;
use burn::tensor::Tensor;

use crate::cpu::distinct::{self, Kernel};
use crate::cpu::{Geometry, Windows};
use crate::flex::{self, NormTerms, WindowCall};
use crate::{Activation, ConvBlock, LinearBlock, Norm};

/// Images or maps `[n, h, w, c]` of which only the different pixels are kept.
///
/// Drawings are mostly paper, straight edges and flat greys. Small patches of them repeat, and
/// what a network makes of equal patches is equal: blocks run on the different ones only, and
/// their batch norms count each as often as it occurs. Results are those of the whole map up
/// to rounding, and so are gradients.
#[derive(Clone, Debug)]
pub struct DistinctMap {
    /// `[different pixels, c]`
    pixels: Tensor<2>,
    /// n, h, w.
    shape: [usize; 3],
    /// Which of them each pixel is.
    places: Vec<u32>,
    /// Side of the patch of an image that a pixel stands for; 1 in maps.
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
        let (pixels, places) = flex::distinct_patches(images, side, most)?;
        Some(Self { pixels, shape: [n, h, w], places, patch: side })
    }
}

impl ConvBlock {
    /// Runs the block on the different pixels of a map, or as the first one on patches that
    /// its kernel takes one by one. `None` where that cannot be done, or there is no norm.
    pub fn forward_distinct(&self, map: DistinctMap) -> Option<DistinctMap> {
        let DistinctMap { pixels, shape: [n, h, w], places, patch } = map;
        let [k, _, ci, co] = self.weight.dims();
        let kernel = match patch {
            1 => Kernel { side: k, stride: self.stride, padding: self.padding },
            _ if patch == k && self.stride == k && self.padding == 0 => {
                Kernel { side: 1, stride: 1, padding: 0 }
            }
            _ => return None,
        };
        let (norm, bias) = (self.norm.as_ref()?, self.bias.as_ref()?);
        if self.transposed {
            return None;
        }
        let [count, c] = pixels.dims();
        let taps = [kernel.side, kernel.side, c, co];
        let geo = Geometry::conv([n, h, w, c], taps, kernel.stride, kernel.padding);
        let (windows, places) = distinct::windows(&places, count, [h, w], [geo.oh, geo.ow], kernel);
        let weight = self.weight.val().reshape([k * k * ci, co]);
        let pixels = run(&pixels, &weight, bias, windows, norm, self.activation)?;
        Some(DistinctMap { pixels, shape: [n, geo.oh, geo.ow], places, patch: 1 })
    }
}

impl LinearBlock {
    /// Runs the block on all pixels of each map, one after the other: `[n, o]`. `None` where that
    /// cannot be done, or there is no norm.
    pub fn forward_distinct(&self, map: DistinctMap) -> Option<Tensor<2>> {
        let DistinctMap { pixels, shape: [n, h, w], places, .. } = map;
        let (norm, bias) = (self.norm.as_ref()?, self.bias.as_ref()?);
        let count = pixels.dims()[0];
        let windows = Windows::new(h * w, &places, count, vec![1.0; n]);
        run(&pixels, &self.weight.val(), bias, windows, norm, self.activation)
    }
}

fn run(
    pixels: &Tensor<2>,
    weight: &Tensor<2>,
    bias: &Param<Tensor<1>>,
    windows: Windows,
    norm: &Norm,
    activation: Activation,
) -> Option<Tensor<2>> {
    let (gamma, beta, bias) = (norm.gamma.val(), norm.beta.val(), bias.val());
    let terms = NormTerms { gamma: &gamma, beta: &beta, epsilon: norm.epsilon };
    let (windows, slope) = (Arc::new(windows), activation.slope()?);
    let call = WindowCall { x: pixels, weight, bias: &bias, windows: &windows, slope };
    if !norm.in_training(&pixels.device()) {
        let (mean, variance) = (norm.running_mean.value(), norm.running_var.value());
        return flex::window_norm_eval(&call, &terms, &mean, &variance);
    }
    let (y, mean, variance) = flex::window_norm(&call, &terms)?;
    norm.record(mean, variance, windows.occurrences());
    Some(y)
}
