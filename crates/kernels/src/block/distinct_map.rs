//! Maps whose equal pixels are kept, and computed, once.

use std::sync::Arc;

use burn::module::Param;
use burn::tensor::{Device, Tensor};

use crate::cpu::distinct::{self, KERNEL, PATCH, RowIndex};
use crate::cpu::{Geometry, Windows};
use crate::flex::{self, WindowCall};
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
    /// Which of them each pixel is, and how often each occurs.
    row_index: RowIndex,
    /// Whether a pixel stands for a patch of an image.
    patches: bool,
}

/// Among more different patches than this share of all, looking for equal ones is not worth it.
const WORTH: f64 = 0.5;

impl DistinctMap {
    /// The different patches of 4x4 pixels of grey images.
    ///
    /// `None` where the images are not cut evenly, hardly repeat themselves, are part of a
    /// computation that needs their gradient, or are not on the CPU.
    ///
    /// # Shapes
    /// `[n, h, w, 1]`
    pub fn patches(images: &Tensor<4>) -> Option<Self> {
        let [n, h, w, c] = images.dims();
        if n * h * w == 0 || c != 1 || h % PATCH != 0 || w % PATCH != 0 {
            return None;
        }
        let (h, w) = (h / PATCH, w / PATCH);
        let most = (WORTH * (n * h * w) as f64) as usize;
        let (pixels, row_index) = flex::distinct_patches(images, most)?;
        Some(Self { pixels, shape: [n, h, w], row_index, patches: true })
    }
}

/// Whether blocks can run on the different pixels of a map, all of them: the first one takes
/// patches one by one, the others have 3x3 kernels, and all have a bias and a norm that is taught
/// where the device teaches. To be asked before the first one runs and notes its statistics.
pub fn all_run_distinct(
    first: &ConvBlock,
    others: &[ConvBlock],
    last: &LinearBlock,
    device: &Device,
) -> bool {
    let ready = |norm: &Option<Norm>, bias: bool, activation: Activation| {
        let taught = |norm: &Norm| norm.in_training(device) == device.is_autodiff();
        bias && activation.slope().is_some() && norm.as_ref().is_some_and(taught)
    };
    let block = |block: &ConvBlock| {
        !block.transposed && ready(&block.norm, block.bias.is_some(), block.activation)
    };
    block(first)
        && first.takes_patches()
        && others.iter().all(|other| block(other) && other.weight.dims()[0] == KERNEL)
        && ready(&last.norm, last.bias.is_some(), last.activation)
}

impl ConvBlock {
    fn takes_patches(&self) -> bool {
        let [k, _, ci, _] = self.weight.dims();
        (k, self.stride, self.padding, ci) == (PATCH, PATCH, 0, 1)
    }

    /// Runs the block on the different pixels of a map, where its kernel is 3x3, or as the first
    /// one on patches, where it takes them one by one. `None` in all other cases, or without a norm.
    pub fn forward_distinct(&self, map: DistinctMap) -> Option<DistinctMap> {
        let DistinctMap { pixels, shape: [n, h, w], row_index, patches } = map;
        let [k, _, ci, co] = self.weight.dims();
        let (norm, bias) = (self.norm.as_ref()?, self.bias.as_ref()?);
        let [count, c] = pixels.dims();
        if self.transposed {
            return None;
        }
        let (windows, shape, row_index) = if patches {
            if !self.takes_patches() {
                return None;
            }
            let all: Vec<u32> = (0..count as u32).collect();
            (Windows::new(1, &all, count, &row_index.counts), [n, h, w], row_index)
        } else {
            if k != KERNEL {
                return None;
            }
            let (stride, padding) = (self.stride, self.padding);
            let geo = Geometry::conv([n, h, w, c], self.weight.dims(), stride, padding);
            let (to, map) = ([geo.oh, geo.ow], &row_index.of_pixel);
            let (windows, row_index) = distinct::windows(map, count, [h, w], to, stride, padding);
            (windows, [n, geo.oh, geo.ow], row_index)
        };
        let weight = self.weight.val().reshape([k * k * ci, co]);
        let pixels = run(&pixels, &weight, bias, windows, norm, self.activation)?;
        Some(DistinctMap { pixels, shape, row_index, patches: false })
    }
}

impl LinearBlock {
    /// Runs the block on all pixels of each map, one after the other: `[n, o]`. `None` where that
    /// cannot be done, there is no norm, or what is given are patches.
    pub fn forward_distinct(&self, map: DistinctMap) -> Option<Tensor<2>> {
        let DistinctMap { pixels, shape: [n, h, w], row_index, patches } = map;
        if patches {
            return None;
        }
        let (norm, bias) = (self.norm.as_ref()?, self.bias.as_ref()?);
        let count = pixels.dims()[0];
        let windows = Windows::new(h * w, &row_index.of_pixel, count, &vec![1; n]);
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
    assert_eq!(
        weight.dims()[0],
        windows.taps() * pixels.dims()[1],
        "weights for each number of each pixel of a window"
    );
    let (bias, windows, slope) = (bias.val(), Arc::new(windows), activation.slope()?);
    let call = WindowCall { x: pixels, weight, bias: &bias, windows: &windows, slope };
    norm.run(
        &pixels.device(),
        windows.occurrences(),
        |terms, mean, variance| flex::window_norm_eval(&call, terms, mean, variance),
        |terms| flex::window_norm(&call, terms),
    )
}
