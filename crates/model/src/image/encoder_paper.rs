//! RAISE's image encoder with a head for means and variances.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{Activation, ConvBlock, ConvBlockConfig, LinearBlock, LinearBlockConfig};
use serde::{Deserialize, Serialize};

use crate::config::NetworkConfig;

/// 4x4 convolutions that halve the image, one convolution over what is left, one linear layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperEncoderConfig {
    /// Channels after each halving (the paper: 64, 128, 256, 512).
    pub channels: Vec<usize>,
    /// Channels of the last convolution (the paper: 512).
    pub hidden: usize,
    /// Whether the layers have biases, those under a batch norm too (the paper: yes; its CNN-S: no).
    #[serde(default = "yes")]
    pub bias: bool,
}

fn yes() -> bool {
    true
}

impl PaperEncoderConfig {
    pub(crate) fn problems(&self, config: &NetworkConfig<'_>) -> Vec<String> {
        let size = config.size;
        let halvings = self.channels.len();
        if halvings == 0 || halvings > 8 || !size.is_multiple_of(1 << halvings) {
            return vec![format!(
                "a {size} px image cannot be halved {halvings} times (encoder.channels)"
            )];
        }
        if self.hidden == 0 || self.channels.contains(&0) {
            return vec!["encoder.channels and encoder.hidden must not be 0".into()];
        }
        Vec::new()
    }

    /// A fresh encoder.
    pub fn init(&self, config: &NetworkConfig<'_>, device: &Device) -> PaperEncoder {
        let (size, outputs) = (config.size, config.encoder_outputs());
        let mut inputs = 1;
        let halve = self.channels.iter().map(|&c| {
            let block = ConvBlockConfig::new([inputs, c], 4)
                .with_stride(2)
                .with_padding(1)
                .with_bias(self.bias);
            inputs = c;
            block.init(device)
        });
        let halve = halve.collect::<Vec<_>>();
        PaperEncoder {
            halve,
            collapse: ConvBlockConfig::new([inputs, self.hidden], size >> self.channels.len())
                .with_bias(self.bias)
                .init(device),
            head: LinearBlockConfig::new([self.hidden, outputs])
                .with_bias(self.bias)
                .with_activation(Activation::None)
                .init(device),
        }
    }
}

/// See [`PaperEncoderConfig`].
#[derive(Module, Debug)]
pub struct PaperEncoder {
    /// Convolutions 4/2/1 with batch norm and ReLU.
    pub halve: Vec<ConvBlock>,
    /// The convolution that leaves one pixel.
    pub collapse: ConvBlock,
    /// The linear layer to means and log-variances.
    pub head: LinearBlock,
}

impl PaperEncoder {
    /// # Shapes
    /// `[n, h, w, 1] -> [n, 2K]`
    pub fn forward(&self, images: Tensor<4>) -> Tensor<2> {
        let maps = self.halve.iter().fold(images, |x, block| block.forward(x));
        self.head.forward(self.collapse.forward(maps).flatten(1, 3))
    }
}
