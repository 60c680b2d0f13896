//! A small pre-norm transformer: over a picture's patches, or over the panels of a puzzle.

use burn::module::Module;
use burn::nn::{LayerNorm, LayerNormConfig};
use burn::tensor::{Device, Tensor, activation};
use genvp_kernels::{Activation, LinearBlock, LinearBlockConfig};
use serde::{Deserialize, Serialize};

use crate::image::plain_linear;

/// Widths of a [`Transformer`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransformerConfig {
    /// Numbers in a token.
    pub width: usize,
    /// Attention heads; they share the width evenly.
    pub heads: usize,
    /// Layers.
    pub layers: usize,
    /// Width of the feed-forward network.
    pub feed_forward: usize,
}

impl TransformerConfig {
    pub(crate) fn problems(&self, place: &str) -> Vec<String> {
        let fits = self.heads > 0 && self.width > 0 && self.width.is_multiple_of(self.heads);
        if fits && (1..=64).contains(&self.layers) && self.feed_forward > 0 {
            return Vec::new();
        }
        vec![format!(
            "{place}: width {} is not shared by {} heads, or layers {} or feed_forward {} are out of range",
            self.width, self.heads, self.layers, self.feed_forward
        )]
    }

    /// A fresh transformer.
    pub fn init(&self, device: &Device) -> Transformer {
        let layers = (0..self.layers).map(|_| Layer {
            attention_norm: LayerNormConfig::new(self.width).init(device),
            query_key_value: plain_linear(self.width, 3 * self.width, device),
            attended: plain_linear(self.width, self.width, device),
            feed_norm: LayerNormConfig::new(self.width).init(device),
            feed: LinearBlockConfig::new([self.width, self.feed_forward])
                .with_activation(Activation::None)
                .init(device),
            fed: plain_linear(self.feed_forward, self.width, device),
            heads: self.heads,
        });
        Transformer {
            layers: layers.collect(),
            norm: LayerNormConfig::new(self.width).init(device),
        }
    }
}

/// Layers of attention and feed-forward, each added to what came before; a norm at the end.
#[derive(Module, Debug)]
pub struct Transformer {
    /// The layers.
    pub layers: Vec<Layer>,
    /// The norm at the end.
    pub norm: LayerNorm,
}

/// One layer: `x += attend(norm(x)); x += feed(norm(x))`.
#[derive(Module, Debug)]
pub struct Layer {
    /// Before the attention.
    pub attention_norm: LayerNorm,
    /// Queries, keys and values in one.
    pub query_key_value: LinearBlock,
    /// After the attention.
    pub attended: LinearBlock,
    /// Before the feed-forward network.
    pub feed_norm: LayerNorm,
    /// The feed-forward network's first layer; a GELU follows.
    pub feed: LinearBlock,
    /// The feed-forward network's second layer.
    pub fed: LinearBlock,
    /// Attention heads.
    pub heads: usize,
}

impl Transformer {
    /// # Shapes
    /// `[n, tokens, d] -> [n, tokens, d]`
    pub fn forward(&self, tokens: Tensor<3>) -> Tensor<3> {
        self.norm.forward(self.layers.iter().fold(tokens, |x, layer| layer.forward(x)))
    }
}

impl Layer {
    /// # Shapes
    /// `[n, tokens, d] -> [n, tokens, d]`
    pub fn forward(&self, x: Tensor<3>) -> Tensor<3> {
        let x = x.clone() + self.attend(self.attention_norm.forward(x));
        let fed = activation::gelu(self.feed.forward(self.feed_norm.forward(x.clone())));
        x + self.fed.forward(fed)
    }

    /// `softmax(q kᵀ / √d_head) v` in every head.
    fn attend(&self, x: Tensor<3>) -> Tensor<3> {
        let [n, t, d] = x.dims();
        let head = d / self.heads;
        let mixed = self.query_key_value.forward(x).reshape([n, t, 3, self.heads, head]);
        // [3, n, heads, t, head]
        let mixed = mixed.permute([2, 0, 3, 1, 4]);
        let part = |i| mixed.clone().narrow(0, i, 1).squeeze_dim::<4>(0);
        let scores = part(0).matmul(part(1).transpose()).div_scalar((head as f64).sqrt());
        let seen = activation::softmax(scores, 3).matmul(part(2));
        self.attended.forward(seen.permute([0, 2, 1, 3]).reshape([n, t, d]))
    }
}
