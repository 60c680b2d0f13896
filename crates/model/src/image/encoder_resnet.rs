//! A residual encoder.

use burn::module::Module;
use burn::tensor::{Device, Tensor, activation};
use genvp_kernels::{Activation, ConvBlock, ConvBlockConfig, LinearBlock};
use serde::{Deserialize, Serialize};

use super::plain_linear;
use crate::config::NetworkConfig;

/// A 3x3 stem with stride 2, stages of residual blocks, a mean over the image, a linear layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResnetEncoderConfig {
    /// Channels of each stage. The stem has those of the first; every later stage halves the image.
    pub channels: Vec<usize>,
    /// Residual blocks of each stage.
    pub blocks: Vec<usize>,
}

impl ResnetEncoderConfig {
    pub(crate) fn problems(&self, config: &NetworkConfig<'_>) -> Vec<String> {
        let size = config.size;
        let stages = self.channels.len();
        if stages == 0 || stages > 8 || !size.is_multiple_of(1 << stages) {
            return vec![format!(
                "a {size} px image cannot be halved {stages} times (encoder.channels)"
            )];
        }
        if self.blocks.len() != stages
            || self.blocks.iter().any(|b| !(1..=64).contains(b))
            || self.channels.contains(&0)
        {
            return vec![
                "encoder.blocks holds 1 to 64 for each of encoder.channels, which must not be 0"
                    .into(),
            ];
        }
        Vec::new()
    }

    /// A fresh encoder.
    pub fn init(&self, config: &NetworkConfig<'_>, device: &Device) -> ResnetEncoder {
        let outputs = config.encoder_outputs();
        let mut inputs = self.channels[0];
        let mut stages = Vec::new();
        for (stage, (&channels, &blocks)) in self.channels.iter().zip(&self.blocks).enumerate() {
            for block in 0..blocks {
                let stride = if stage > 0 && block == 0 { 2 } else { 1 };
                stages.push(ResidualBlock::new([inputs, channels], stride, device));
                inputs = channels;
            }
        }
        ResnetEncoder {
            stem: ConvBlockConfig::new([1, self.channels[0]], 3)
                .with_stride(2)
                .with_padding(1)
                .init(device),
            stages,
            head: plain_linear(inputs, outputs, device),
        }
    }
}

/// See [`ResnetEncoderConfig`].
#[derive(Module, Debug)]
pub struct ResnetEncoder {
    /// Convolution 3/2/1.
    pub stem: ConvBlock,
    /// The residual blocks of all stages.
    pub stages: Vec<ResidualBlock>,
    /// The linear layer to means and log-variances.
    pub head: LinearBlock,
}

/// `relu(x' + conv(conv(x)))`, where `x'` is `x` or, when its shape changes, a 1x1 convolution of it.
#[derive(Module, Debug)]
pub struct ResidualBlock {
    /// Convolution 3x3 with norm and ReLU; it halves the image when the stage does.
    pub first: ConvBlock,
    /// Convolution 3x3 with norm.
    pub second: ConvBlock,
    /// Convolution 1x1 with norm, where the shape changes.
    pub shortcut: Option<ConvBlock>,
}

impl ResidualBlock {
    fn new([inputs, outputs]: [usize; 2], stride: usize, device: &Device) -> Self {
        // Under a batch norm a bias has no effect: residual networks go without.
        let conv = |from, kernel, stride| {
            ConvBlockConfig::new([from, outputs], kernel)
                .with_stride(stride)
                .with_padding(kernel / 2)
                .with_bias(false)
        };
        let shortcut = (stride != 1 || inputs != outputs)
            .then(|| conv(inputs, 1, stride).with_activation(Activation::None).init(device));
        Self {
            first: conv(inputs, 3, stride).init(device),
            second: conv(outputs, 3, 1).with_activation(Activation::None).init(device),
            shortcut,
        }
    }

    /// # Shapes
    /// `[n, h, w, ci] -> [n, h / s, w / s, co]`
    pub fn forward(&self, x: Tensor<4>) -> Tensor<4> {
        let change = self.second.forward(self.first.forward(x.clone()));
        let kept = match &self.shortcut {
            Some(shortcut) => shortcut.forward(x),
            None => x,
        };
        activation::relu(kept + change)
    }
}

impl ResnetEncoder {
    /// # Shapes
    /// `[n, h, w, 1] -> [n, 2K]`
    pub fn forward(&self, images: Tensor<4>) -> Tensor<2> {
        let maps = self.stages.iter().fold(self.stem.forward(images), |x, block| block.forward(x));
        let mean = maps.mean_dims(&[1, 2]).flatten(1, 3);
        self.head.forward(mean)
    }
}
