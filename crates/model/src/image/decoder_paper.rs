//! RAISE's image decoder.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{Activation, ConvBlock, ConvBlockConfig, LinearBlock, LinearBlockConfig};
use serde::{Deserialize, Serialize};

/// The slope of RAISE's leaky ReLUs.
const SLOPE: f64 = 0.01;

/// A 1x1 layer, a transposed convolution to a small map, transposed 4x4 convolutions that double it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperDecoderConfig {
    /// Width of the first layer (the paper: 256).
    pub hidden: usize,
    /// Channels before each doubling (the paper: 128, 64, 32, 32).
    pub channels: Vec<usize>,
}

impl PaperDecoderConfig {
    pub(crate) fn problems(&self, size: usize) -> Vec<String> {
        let doublings = self.channels.len();
        if doublings == 0 || doublings > 8 || !size.is_multiple_of(1 << doublings) {
            return vec![format!(
                "a {size} px image is not reached by doubling {doublings} times (decoder.channels)"
            )];
        }
        if self.hidden == 0 || self.channels.contains(&0) {
            return vec!["decoder.channels and decoder.hidden must not be 0".into()];
        }
        Vec::new()
    }

    /// A fresh decoder.
    pub fn init(&self, size: usize, inputs: usize, device: &Device) -> PaperDecoder {
        let up = |from, to, kernel| {
            ConvBlockConfig::new([from, to], kernel)
                .with_transposed(true)
                .with_activation(Activation::LeakyRelu(SLOPE))
        };
        let last = self.channels[self.channels.len() - 1];
        let double = self.channels.windows(2);
        let double =
            double.map(|pair| up(pair[0], pair[1], 4).with_stride(2).with_padding(1).init(device));
        PaperDecoder {
            // On a single pixel a transposed 1x1 convolution is a linear layer.
            widen: LinearBlockConfig::new([inputs, self.hidden])
                .with_norm(true)
                .with_activation(Activation::LeakyRelu(SLOPE))
                .init(device),
            spread: up(self.hidden, self.channels[0], size >> self.channels.len()).init(device),
            double: double.collect(),
            paint: up(last, 1, 4)
                .with_stride(2)
                .with_padding(1)
                .with_norm(false)
                .with_activation(Activation::Sigmoid)
                .init(device),
        }
    }
}

/// See [`PaperDecoderConfig`].
#[derive(Module, Debug)]
pub struct PaperDecoder {
    /// The first layer.
    pub widen: LinearBlock,
    /// The transposed convolution from one pixel to a small map.
    pub spread: ConvBlock,
    /// Transposed convolutions 4/2/1.
    pub double: Vec<ConvBlock>,
    /// The last doubling, to one channel between 0 and 1.
    pub paint: ConvBlock,
}

impl PaperDecoder {
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    pub fn forward(&self, z: Tensor<2>) -> Tensor<4> {
        let hidden = self.widen.forward(z);
        let [n, c] = hidden.dims();
        let map = self.spread.forward(hidden.reshape([n, 1, 1, c]));
        self.paint.forward(self.double.iter().fold(map, |x, block| block.forward(x)))
    }
}
