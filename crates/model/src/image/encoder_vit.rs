//! A vision transformer.

use burn::module::{Module, Param};
use burn::nn::Initializer;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{LinearBlock, space_to_depth};
use serde::{Deserialize, Serialize};

use super::plain_linear;
use crate::config::NetworkConfig;
use crate::transformer::{Transformer, TransformerConfig};

/// Patches as tokens beside one summary token, transformer layers, a linear layer on the summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VitEncoderConfig {
    /// Side of a patch in pixels.
    pub patch: usize,
    /// The layers the tokens go through.
    pub transformer: TransformerConfig,
}

impl VitEncoderConfig {
    pub(crate) fn problems(&self, config: &NetworkConfig<'_>) -> Vec<String> {
        let size = config.size;
        let mut problems = self.transformer.problems("encoder.transformer");
        if self.patch == 0 || !size.is_multiple_of(self.patch) {
            problems.push(format!(
                "a {size} px image is not made of {0}x{0} patches (encoder.patch)",
                self.patch
            ));
        }
        problems
    }

    /// A fresh encoder.
    pub fn init(&self, config: &NetworkConfig<'_>, device: &Device) -> VitEncoder {
        let (size, outputs) = (config.size, config.encoder_outputs());
        let width = self.transformer.width;
        let tokens = (size / self.patch).pow(2) + 1;
        let small = Initializer::Normal { mean: 0.0, std: 0.02 };
        VitEncoder {
            embed: plain_linear(self.patch * self.patch, width, device),
            summary: small.init([1, 1, width], device),
            positions: small.init([1, tokens, width], device),
            transformer: self.transformer.init(device),
            head: plain_linear(width, outputs, device),
            patch: self.patch,
        }
    }
}

/// See [`VitEncoderConfig`].
#[derive(Module, Debug)]
pub struct VitEncoder {
    /// The linear layer from a patch's pixels to its token.
    pub embed: LinearBlock,
    /// The token that gathers the answer `[1, 1, d]`.
    pub summary: Param<Tensor<3>>,
    /// What tells a token its place `[1, tokens, d]`.
    pub positions: Param<Tensor<3>>,
    /// The transformer.
    pub transformer: Transformer,
    /// The linear layer to means and log-variances.
    pub head: LinearBlock,
    /// Side of a patch.
    pub patch: usize,
}

impl VitEncoder {
    /// # Shapes
    /// `[n, h, w, 1] -> [n, 2K]`
    pub fn forward(&self, images: Tensor<4>) -> Tensor<2> {
        let patches = space_to_depth(images, self.patch).flatten::<3>(1, 2);
        let [n, _, _] = patches.dims();
        let summary = self.summary.val().repeat_dim(0, n);
        let tokens =
            Tensor::cat(vec![summary, self.embed.forward(patches)], 1) + self.positions.val();
        let seen = self.transformer.forward(tokens).narrow(1, 0, 1).flatten(1, 2);
        self.head.forward(seen)
    }
}
