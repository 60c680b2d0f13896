//! A first layer over several parts that many outputs share.

use std::sync::Arc;

use burn::module::{Module, Param};
use burn::nn::Initializer;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{Activation, GatherPlan, LinearBlock, LinearBlockConfig, Norm, NormConfig};

/// `relu(norm(Σ_parts W_place x_part + g_group))`, where every output picks its parts.
///
/// This is a linear layer on concatenated (and partly blanked) parts. Written as
/// a sum, a part is multiplied once however many outputs it belongs to: rows 1
/// and 2 of a puzzle once for its eight candidates.
#[derive(Module, Debug)]
pub struct Join {
    /// W of each place (a column of a row, or a row of the grid), without bias.
    pub places: Vec<LinearBlock>,
    /// What the layer adds for each attribute group `[G, o]`.
    pub group: Param<Tensor<2>>,
    /// The norm.
    pub norm: Norm,
    /// Of each group, whose row of `group` it gets.
    #[module(skip)]
    told: Vec<usize>,
}

impl Join {
    /// A fresh layer for `places` parts of `inputs` numbers.
    pub(crate) fn new(
        places: usize,
        inputs: usize,
        outputs: usize,
        groups: usize,
        device: &Device,
    ) -> Self {
        let place = || {
            LinearBlockConfig::new([inputs, outputs])
                .with_bias(false)
                .with_activation(Activation::None)
                .init(device)
        };
        Self {
            places: (0..places).map(|_| place()).collect(),
            group: Initializer::Uniform { min: -0.1, max: 0.1 }.init([groups, outputs], device),
            norm: NormConfig::new(outputs).init(device),
            told: (0..groups).collect(),
        }
    }

    /// The same layer, which is told of each group that it is this one.
    pub(super) fn with_told_groups(self, told: Vec<usize>) -> Self {
        Self { told, ..self }
    }

    /// # Shapes
    /// * `rows`: `[b, S, rows, i]`, with S = components · groups
    /// * `extra`: `[outputs, o]`, added to every slot's outputs
    /// * output: `[b, S, outputs, o]`
    pub fn forward(
        &self,
        rows: Tensor<4>,
        plan: &Arc<GatherPlan>,
        extra: Option<Tensor<2>>,
    ) -> Tensor<4> {
        let slots = rows.dims()[1];
        let [groups, width] = self.group.dims();
        let weights = self.places.iter().map(|place| place.weight.val());
        let weights = Tensor::stack::<3>(weights.collect(), 0);
        let group = if self.told.iter().enumerate().all(|(own, told)| own == *told) {
            self.group.val()
        } else {
            let rows = self.told.iter().map(|&row| self.group.val().narrow(0, row, 1));
            Tensor::cat(rows.collect(), 0)
        };
        let offset = group.repeat_dim(0, slots / groups).reshape([slots, 1, width]);
        let offset = match extra {
            Some(extra) => offset + extra.unsqueeze(),
            None => offset,
        };
        genvp_kernels::join(rows, weights, offset, plan, &self.norm, Activation::Relu)
    }
}
