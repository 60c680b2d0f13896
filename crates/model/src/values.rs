//! What a panel's blocks say about its attributes: an auxiliary task.
//!
//! Whoever draws puzzles knows for free which slots are taken and which shapes,
//! sizes and greys are there. Asking each block of Z_o for the values of its own
//! attribute group teaches perception long before rules do, and makes blocks
//! mean one attribute each. Nothing here is used to solve or to generate.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use serde::{Deserialize, Serialize};

use crate::expert::ExpertConfig;
use crate::mlp::Mlp;

/// What is asked of each block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValuesConfig {
    /// How many shares between 0 and 1 describe each attribute group of a component.
    pub outputs: Vec<usize>,
    /// Width of the hidden layer.
    pub hidden: usize,
}

impl ValuesConfig {
    /// The shares of one component, all groups together.
    pub fn per_component(&self) -> usize {
        self.outputs.iter().sum()
    }

    /// Everything that does not fit, one sentence each.
    pub(crate) fn problems(&self, experts: &ExpertConfig) -> Vec<String> {
        let mut problems = Vec::new();
        match experts {
            ExpertConfig::Slots(slots) if slots.widths.len() == self.outputs.len() => {}
            ExpertConfig::Slots(slots) => problems.push(format!(
                "values.outputs wants one number for each of the {} attribute groups, not {}",
                slots.widths.len(),
                self.outputs.len()
            )),
            _ => problems
                .push("values are read from blocks, which only slots experts have".to_owned()),
        }
        if !(1..=4096).contains(&self.hidden) || self.outputs.iter().any(|o| !(1..=256).contains(o))
        {
            problems.push("values want 1-4096 hidden numbers and 1-256 outputs a group".to_owned());
        }
        problems
    }
}

/// A small network for each attribute group, shared by the components.
#[derive(Module, Debug)]
pub struct ValueReader {
    /// One for each group.
    pub groups: Vec<Mlp>,
    #[module(skip)]
    widths: Vec<usize>,
    #[module(skip)]
    components: usize,
}

impl ValueReader {
    /// A fresh reader of blocks of these widths.
    pub(crate) fn new(
        config: &ValuesConfig,
        widths: &[usize],
        components: usize,
        device: &Device,
    ) -> Self {
        let group = |(&width, &outputs): (&usize, &usize)| {
            Mlp::new(&[width, config.hidden, outputs], false, device)
        };
        let groups = widths.iter().zip(&config.outputs).map(group).collect();
        Self { groups, widths: widths.to_vec(), components }
    }

    /// The logits of all shares.
    ///
    /// # Shapes
    /// `[n, K_Zo] -> [n, components, shares per component]`
    pub fn forward(&self, z_o: Tensor<2>) -> Tensor<3> {
        let n = z_o.dims()[0];
        let z = z_o.reshape([n, self.components, self.widths.iter().sum()]);
        let mut from = 0;
        let read = self.groups.iter().zip(&self.widths).map(|(group, &width)| {
            let own = z.clone().narrow(2, from, width);
            from += width;
            group.forward(own)
        });
        Tensor::cat(read.collect(), 2)
    }
}

/// Binary cross-entropy of shares, summed over a panel's, averaged over panels:
/// `log(1 + e^x) - t x`.
///
/// # Shapes
/// `[n, components, shares]` twice -> `[1]`
pub fn value_error(logits: Tensor<3>, shares: Tensor<3>) -> Tensor<1> {
    let n = logits.dims()[0];
    // log(1 + e^x) = max(x, 0) + log(1 + e^-|x|), which never overflows.
    let soft = logits.clone().abs().neg().exp().log1p() + logits.clone().clamp_min(0.0);
    (soft - shares * logits).sum().div_scalar(n as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_the_cross_entropy_and_never_overflows() {
        let device = Device::flex();
        let logits = Tensor::from_data([[[0.0f32, 2.0, -200.0, 300.0]]], &device);
        let shares = Tensor::from_data([[[0.25f32, 1.0, 0.0, 1.0]]], &device);
        let found: f32 = value_error(logits, shares).into_scalar();
        let wanted = std::f32::consts::LN_2 + (1.0 + (-2.0f32).exp()).ln();
        assert!((found - wanted).abs() < 1e-6, "{found}");
    }
}
