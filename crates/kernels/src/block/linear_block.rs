//! Linear layer, optional batch norm over rows, activation.

use burn::config::Config;
use burn::module::{Module, Param};
use burn::tensor::{Device, Tensor};

use super::{fused, uniform_param};
use crate::cpu::forward::Way;
use crate::cpu::{Geometry, Slope};
use crate::flex::Call;
use crate::{Activation, Norm, NormConfig, linear};

/// Configuration of a [`LinearBlock`].
#[derive(Config, Debug)]
pub struct LinearBlockConfig {
    /// Features in and out.
    pub features: [usize; 2],
    /// Whether a bias is added.
    #[config(default = true)]
    pub bias: bool,
    /// Whether a batch norm over the rows follows.
    #[config(default = false)]
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

impl LinearBlockConfig {
    /// Makes the module on `device`, initialised as PyTorch does by default.
    pub fn init(&self, device: &Device) -> LinearBlock {
        let [i, o] = self.features;
        let norm = NormConfig::new(o).with_epsilon(self.epsilon).with_momentum(self.momentum);
        LinearBlock {
            weight: uniform_param([i, o], i, device),
            bias: self.bias.then(|| uniform_param([o], i, device)),
            norm: self.norm.then(|| norm.init(device)),
            activation: self.activation,
        }
    }
}

/// Linear layer, optional batch norm over rows, activation.
#[derive(Module, Debug)]
pub struct LinearBlock {
    /// `[i, o]`
    pub weight: Param<Tensor<2>>,
    /// `[o]`
    pub bias: Option<Param<Tensor<1>>>,
    /// The batch norm.
    pub norm: Option<Norm>,
    /// What ends the block.
    #[module(skip)]
    pub activation: Activation,
}

impl LinearBlock {
    /// Runs the block on every row: `act(norm(x w + b))`.
    ///
    /// # Shapes
    /// `[..., i] -> [..., o]`
    pub fn forward<const D: usize>(&self, x: Tensor<D>) -> Tensor<D> {
        let mut dims = x.dims();
        let [i, o] = self.weight.dims();
        let rows = dims[..D - 1].iter().product::<usize>();
        dims[D - 1] = o;
        self.rows(x.reshape([rows, i])).reshape(dims)
    }

    /// `[n, i] -> [n, o]`
    fn rows(&self, x: Tensor<2>) -> Tensor<2> {
        let (weight, bias) = (self.weight.val(), self.bias.as_ref().map(Param::val));
        let ([n, _], [i, o]) = (x.dims(), weight.dims());
        let call = Call {
            way: Way::Down,
            geo: Geometry::linear(n, i, o),
            x: &x,
            weight: &weight,
            bias: bias.as_ref(),
            slope: Slope::NONE,
        };
        if let Some(y) = fused::run(call, self.norm.as_ref(), self.activation) {
            return y;
        }
        let y = linear(x, weight, bias);
        match &self.norm {
            Some(norm) => norm.forward(y, self.activation),
            None => self.activation.apply(y),
        }
    }
}
