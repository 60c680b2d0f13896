//! Convolution or transposed convolution, optional batch norm, activation.

use burn::config::Config;
use burn::module::{Module, Param};
use burn::tensor::{Device, Tensor};

use super::{fused, uniform_param};
use crate::cpu::forward::Way;
use crate::cpu::{Geometry, Slope};
use crate::flex::Call;
use crate::{Activation, Norm, NormConfig, conv_transpose2d, conv2d};

/// Configuration of a [`ConvBlock`].
#[derive(Config, Debug)]
pub struct ConvBlockConfig {
    /// Channels in and out.
    pub channels: [usize; 2],
    /// Side of the square kernel.
    pub kernel: usize,
    /// Step between the kernel's places (for a transposed one: the magnification).
    #[config(default = 1)]
    pub stride: usize,
    /// Zero pixels around the image (for a transposed one: pixels cut from the result).
    #[config(default = 0)]
    pub padding: usize,
    /// Whether the convolution is transposed.
    #[config(default = false)]
    pub transposed: bool,
    /// Whether a bias is added. It is kept under a batch norm too, as in the paper's counts.
    #[config(default = true)]
    pub bias: bool,
    /// Whether a batch norm follows.
    #[config(default = true)]
    pub norm: bool,
    /// What ends the block.
    #[config(default = "Activation::Relu")]
    pub activation: Activation,
    /// Added to the batch norm's variance.
    #[config(default = 1e-5)]
    pub epsilon: f64,
    /// How far the running statistics move towards those of a batch.
    #[config(default = 0.1)]
    pub momentum: f64,
}

impl ConvBlockConfig {
    /// Makes the module on `device`, initialised as PyTorch does by default.
    pub fn init(&self, device: &Device) -> ConvBlock {
        let (k, [ci, co]) = (self.kernel, self.channels);
        // PyTorch takes the second axis of its weight for the inputs: of a
        // transposed convolution ([ci, co, k, k] there) that is the outputs.
        let (shape, fan_in) = if self.transposed {
            ([k, k, co, ci], co * k * k)
        } else {
            ([k, k, ci, co], ci * k * k)
        };
        let norm = NormConfig::new(co).with_epsilon(self.epsilon).with_momentum(self.momentum);
        ConvBlock {
            weight: uniform_param(shape, fan_in, device),
            bias: self.bias.then(|| uniform_param([co], fan_in, device)),
            norm: self.norm.then(|| norm.init(device)),
            stride: self.stride,
            padding: self.padding,
            transposed: self.transposed,
            activation: self.activation,
        }
    }
}

/// Convolution or transposed convolution, optional batch norm, activation.
#[derive(Module, Debug)]
pub struct ConvBlock {
    /// `[k, k, ci, co]`; transposed: `[k, k, co, ci]`.
    pub weight: Param<Tensor<4>>,
    /// `[co]`
    pub bias: Option<Param<Tensor<1>>>,
    /// The batch norm.
    pub norm: Option<Norm>,
    /// Step between the kernel's places.
    pub stride: usize,
    /// Zero pixels around the image.
    pub padding: usize,
    /// Whether the convolution is transposed.
    pub transposed: bool,
    /// What ends the block.
    #[module(skip)]
    pub activation: Activation,
}

impl ConvBlock {
    /// Runs the block.
    ///
    /// # Shapes
    /// `[n, h, w, ci] -> [n, h', w', co]`, see [`conv2d`] and [`conv_transpose2d`]
    pub fn forward(&self, x: Tensor<4>) -> Tensor<4> {
        let (weight, bias) = (self.weight.val(), self.bias.as_ref().map(Param::val));
        let (s, p) = (self.stride, self.padding);
        let (way, geo) = if self.transposed {
            (Way::Up, Geometry::transposed(x.dims(), weight.dims(), s, p))
        } else {
            (Way::Down, Geometry::conv(x.dims(), weight.dims(), s, p))
        };
        let slope = Slope::NONE;
        let call = Call { way, geo, x: &x, weight: &weight, bias: bias.as_ref(), slope };
        if let Some(y) = fused::run(call, self.norm.as_ref(), self.activation) {
            return y;
        }
        let convolve = if self.transposed { conv_transpose2d } else { conv2d };
        let y = convolve(x, weight, bias, s, p);
        match &self.norm {
            Some(norm) => norm.forward(y, self.activation),
            None => self.activation.apply(y),
        }
    }
}
