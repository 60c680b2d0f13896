//! The decoder for CPUs: matrix products and pixel shuffles.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{Activation, LinearBlock, LinearBlockConfig, Norm, NormConfig, depth_to_space};
use serde::{Deserialize, Serialize};

use super::plain_linear;

/// Two linear layers to a small map, 1x1 layers that double it by pixel shuffle, and one that paints 4x4 pixels at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchDecoderConfig {
    /// Width of the first layer.
    pub hidden: usize,
    /// Channels of the first map, then after each doubling.
    pub channels: Vec<usize>,
}

impl PatchDecoderConfig {
    fn canvas(&self) -> PatchCanvasConfig<'_> {
        PatchCanvasConfig {
            hidden: self.hidden,
            channels: &self.channels,
            activation: Activation::Sigmoid,
        }
    }

    pub(crate) fn problems(&self, size: usize) -> Vec<String> {
        self.canvas().problems("decoder.channels", size)
    }

    /// A fresh decoder.
    pub fn init(&self, size: usize, inputs: usize, device: &Device) -> PatchDecoder {
        let hidden = LinearBlockConfig::new([inputs, self.hidden]).with_norm(true).init(device);
        let PatchCanvas { spread, double, paint, side } = self.canvas().init(size, device);
        PatchDecoder { hidden, spread, double, paint, side }
    }
}

/// See [`PatchDecoderConfig`].
#[derive(Module, Debug)]
pub struct PatchDecoder {
    /// The first layer.
    pub hidden: LinearBlock,
    /// The layer to the small map.
    pub spread: LinearBlock,
    /// The doublings.
    pub double: Vec<Doubling>,
    /// The layer from a pixel of the last map to 4x4 pixels of the image.
    pub paint: LinearBlock,
    /// Side of the small map.
    pub side: usize,
}

impl PatchDecoder {
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    pub fn forward(&self, z: Tensor<2>) -> Tensor<4> {
        draw(self.hidden.forward(z), &self.spread, &self.double, &self.paint, self.side)
    }
}

/// From hidden numbers to a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchCanvasConfig<'a> {
    /// How many hidden numbers there are.
    pub hidden: usize,
    /// Channels of the first map, then after each doubling.
    pub channels: &'a [usize],
    /// What is done to every pixel in the end.
    pub activation: Activation,
}

impl PatchCanvasConfig<'_> {
    /// `name`: the setting that the channels are.
    pub(crate) fn problems(self, name: &str, size: usize) -> Vec<String> {
        let maps = self.channels.len();
        if maps == 0 || maps > 7 || !size.is_multiple_of(2 << maps) {
            return vec![format!(
                "a {size} px image is not reached by doubling {maps} - 1 times and painting 4x4 ({name})"
            )];
        }
        if self.hidden == 0 || self.channels.contains(&0) {
            return vec![format!("{name} and decoder.hidden must not be 0")];
        }
        Vec::new()
    }

    pub(crate) fn init(self, size: usize, device: &Device) -> PatchCanvas {
        let side = size >> (self.channels.len() + 1);
        let last = self.channels[self.channels.len() - 1];
        let double = self.channels.windows(2).map(|pair| Doubling {
            mix: plain_linear(pair[0], 4 * pair[1], device),
            norm: NormConfig::new(pair[1]).init(device),
        });
        PatchCanvas {
            spread: LinearBlockConfig::new([self.hidden, side * side * self.channels[0]])
                .init(device),
            double: double.collect(),
            paint: LinearBlockConfig::new([last, 16]).with_activation(self.activation).init(device),
            side,
        }
    }
}

/// A layer to a small map, 1x1 layers that double it by pixel shuffle, and one that paints.
#[derive(Module, Debug)]
pub struct PatchCanvas {
    /// The layer to the small map.
    pub spread: LinearBlock,
    /// The doublings.
    pub double: Vec<Doubling>,
    /// The layer from a pixel of the last map to 4x4 pixels of the image.
    pub paint: LinearBlock,
    /// Side of the small map.
    pub side: usize,
}

impl PatchCanvas {
    /// The pixels of pictures in the order of [`places`](Self::places).
    ///
    /// # Shapes
    /// `[n, hidden] -> [n, h w]`
    pub fn forward(&self, hidden: Tensor<2>) -> Tensor<2> {
        nested(hidden, &self.spread, &self.double, &self.paint)
    }

    /// Line and column of each pixel that [`forward`](Self::forward) gives.
    pub fn places(&self) -> Vec<(usize, usize)> {
        let split = |places: Vec<(usize, usize)>, side: usize| -> Vec<(usize, usize)> {
            let of = |(y, x): (usize, usize)| {
                (0..side * side).map(move |i| (side * y + i / side, side * x + i % side))
            };
            places.into_iter().flat_map(of).collect()
        };
        let small = split(vec![(0, 0)], self.side);
        split(self.double.iter().fold(small, |places, _| split(places, 2)), 4)
    }
}

/// # Shapes
/// `[n, hidden] -> [n, h, w, 1]`
fn draw(
    hidden: Tensor<2>,
    spread: &LinearBlock,
    double: &[Doubling],
    paint: &LinearBlock,
    side: usize,
) -> Tensor<4> {
    let n = hidden.dims()[0];
    let nested = nested(hidden, spread, double, paint);
    let mut picture = nested.reshape([n, side, side, 16 << (2 * double.len())]);
    for _ in double {
        picture = depth_to_space(picture, 2);
    }
    depth_to_space(picture, 4)
}

/// The pixels of a picture in the order in which they come into being: pixel by pixel of the
/// small map, for each its 2x2 after the first doubling, …, for each of the last 4x4. Layers
/// between work pixel by pixel, so nothing has to be moved.
///
/// # Shapes
/// `[n, hidden] -> [n, h w]`
fn nested(
    hidden: Tensor<2>,
    spread: &LinearBlock,
    double: &[Doubling],
    paint: &LinearBlock,
) -> Tensor<2> {
    let n = hidden.dims()[0];
    let map = spread.forward(hidden);
    let first = double.first().map_or(paint, |doubling| &doubling.mix).weight.dims()[0];
    let pixels = map.dims()[1] / first;
    let map = map.reshape([n * pixels, first]);
    let map = double.iter().fold(map, |x, doubling| doubling.forward(x));
    paint.forward(map).reshape([n, pixels * (16 << (2 * double.len()))])
}

/// A 1x1 layer whose channels become 2x2 pixels, then norm and ReLU.
#[derive(Module, Debug)]
pub struct Doubling {
    /// The 1x1 layer `c -> 4 c'`.
    pub mix: LinearBlock,
    /// The norm over `c'` channels.
    pub norm: Norm,
}

impl Doubling {
    /// # Shapes
    /// `[pixels, c] -> [4 pixels, c']`: the four of a pixel follow each other
    fn forward(&self, map: Tensor<2>) -> Tensor<2> {
        let pixels = map.dims()[0];
        let channels = self.norm.gamma.dims()[0];
        self.norm.forward(self.mix.forward(map).reshape([4 * pixels, channels]), Activation::Relu)
    }
}
