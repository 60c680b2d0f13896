//! The encoder for CPUs: a patch stem and few strided convolutions.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{
    ConvBlock, ConvBlockConfig, DistinctMap, LinearBlock, LinearBlockConfig, all_run_distinct,
};
use serde::{Deserialize, Serialize};

use super::plain_linear;
use crate::config::NetworkConfig;

/// A 4x4 stem with stride 4, 3x3 convolutions with stride 2, two linear layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmallEncoderConfig {
    /// Channels after the stem, then after each halving.
    pub channels: Vec<usize>,
    /// Width of the hidden linear layer.
    pub hidden: usize,
}

impl SmallEncoderConfig {
    pub(crate) fn problems(&self, config: &NetworkConfig<'_>) -> Vec<String> {
        let size = config.size;
        let layers = self.channels.len();
        if layers == 0 || layers > 7 || !size.is_multiple_of(2 << layers) {
            return vec![format!(
                "a {size} px image cannot be cut into 4x4 patches and halved {layers} - 1 times (encoder.channels)"
            )];
        }
        if self.hidden == 0 || self.channels.contains(&0) {
            return vec!["encoder.channels and encoder.hidden must not be 0".into()];
        }
        Vec::new()
    }

    /// A fresh encoder.
    pub fn init(&self, config: &NetworkConfig<'_>, device: &Device) -> SmallEncoder {
        let (size, outputs) = (config.size, config.encoder_outputs());
        let halve = self.channels.windows(2).map(|pair| {
            ConvBlockConfig::new([pair[0], pair[1]], 3).with_stride(2).with_padding(1).init(device)
        });
        let side = size >> (self.channels.len() + 1);
        let last = self.channels[self.channels.len() - 1];
        SmallEncoder {
            stem: ConvBlockConfig::new([1, self.channels[0]], 4).with_stride(4).init(device),
            halve: halve.collect(),
            hidden: LinearBlockConfig::new([side * side * last, self.hidden])
                .with_norm(true)
                .init(device),
            head: plain_linear(self.hidden, outputs, device),
        }
    }
}

/// See [`SmallEncoderConfig`].
#[derive(Module, Debug)]
pub struct SmallEncoder {
    /// Convolution 4/4/0.
    pub stem: ConvBlock,
    /// Convolutions 3/2/1.
    pub halve: Vec<ConvBlock>,
    /// The linear layer over all pixels of the last map.
    pub hidden: LinearBlock,
    /// The linear layer to means and log-variances.
    pub head: LinearBlock,
}

impl SmallEncoder {
    /// # Shapes
    /// `[n, h, w, 1] -> [n, 2K]`
    pub fn forward(&self, images: Tensor<4>) -> Tensor<2> {
        let hidden = self.distinct(&images).unwrap_or_else(|| {
            let stem = self.stem.forward(images);
            let maps = self.halve.iter().fold(stem, |x, block| block.forward(x));
            self.hidden.forward(maps.flatten::<2>(1, 3))
        });
        self.head.forward(hidden)
    }

    /// The hidden layer, computed from the different patches of the images where that is less work.
    ///
    /// # Shapes
    /// `[n, h, w, 1] -> [n, hidden]`
    fn distinct(&self, images: &Tensor<4>) -> Option<Tensor<2>> {
        if !all_run_distinct(&self.stem, &self.halve, &self.hidden, &images.device()) {
            return None;
        }
        let patches = DistinctMap::patches(images)?;
        let stem = self.stem.forward_distinct(patches)?;
        let map = self.halve.iter().try_fold(stem, |map, block| block.forward_distinct(map))?;
        self.hidden.forward_distinct(map)
    }
}
