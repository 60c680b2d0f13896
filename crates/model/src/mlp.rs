//! Linear layers with ReLUs between them.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{LinearBlock, LinearBlockConfig};

use crate::image::plain_linear;

/// Hidden layers (linear, optional batch norm, ReLU), then a plain linear layer.
#[derive(Module, Debug)]
pub struct Mlp {
    /// The hidden layers.
    pub hidden: Vec<LinearBlock>,
    /// The last layer.
    pub out: LinearBlock,
}

impl Mlp {
    /// A fresh network of these widths, input first, output last.
    pub(crate) fn new(widths: &[usize], norm: bool, device: &Device) -> Self {
        let [hidden @ .., before_last, last] = widths else {
            panic!("a network has an input and an output, not only {widths:?}");
        };
        Self {
            hidden: hidden_layers(&[hidden, &[*before_last]].concat(), norm, device),
            out: plain_linear(*before_last, *last, device),
        }
    }

    /// # Shapes
    /// `[..., i] -> [..., o]`
    pub fn forward<const D: usize>(&self, x: Tensor<D>) -> Tensor<D> {
        self.out.forward(self.hidden.iter().fold(x, |x, layer| layer.forward(x)))
    }
}

/// Hidden layers of these widths, input first.
pub(crate) fn hidden_layers(widths: &[usize], norm: bool, device: &Device) -> Vec<LinearBlock> {
    let layer =
        |pair: &[usize]| LinearBlockConfig::new([pair[0], pair[1]]).with_norm(norm).init(device);
    widths.windows(2).map(layer).collect()
}
