//! What the blocks of Z_o mean: the values of attributes.

use burn::tensor::{Device, Tensor, TensorData};
use serde::{Deserialize, Serialize};

use super::ValueKind;
use super::number_ops::NUMBER_OPS;
use crate::expert::ExpertConfig;

/// What the blocks of Z_o mean, and the network that predicts them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValuesConfig {
    /// How far around a value's code its panels lie (the standard deviation of p(Z_o|value)).
    pub sigma: f32,
    /// Width of the autoregressive prior's hidden layers.
    pub hidden: usize,
    /// Whether the prior is told the parameters of rules ([`RuleParameter`](genvp_puzzle::family::RuleParameter)).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub parameters: bool,
    /// Whether the prior is offered [numbers of objects](super::number_ops) that follow from
    /// those of other panels.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub number_ops: bool,
    /// The kind of value of each attribute group.
    pub groups: Vec<ValueKind>,
}

impl ValuesConfig {
    /// Everything that does not fit, one sentence each.
    pub(crate) fn problems(&self, experts: &ExpertConfig, layouts: usize) -> Vec<String> {
        let mut problems = Vec::new();
        let widths: Vec<usize> = self.groups.iter().map(|kind| kind.width(layouts)).collect();
        match experts {
            ExpertConfig::Slots(slots) if slots.widths == widths => {}
            ExpertConfig::Slots(slots) => problems.push(format!(
                "values: the codes of these groups are {widths:?} numbers wide, but experts.widths is {:?}",
                slots.widths
            )),
            _ => problems
                .push("values are read from blocks, which only slots experts have".to_owned()),
        }
        if !(1..=4096).contains(&self.hidden) {
            problems.push("values.hidden is 1 to 4096".to_owned());
        }
        if !(self.sigma > 0.0 && self.sigma <= 1.0) {
            problems.push(format!("values.sigma is above 0 and at most 1, not {}", self.sigma));
        }
        problems.extend(self.groups.iter().filter_map(ValueKind::problem));
        problems
    }

    /// How many operations on the number of objects a group is offered.
    pub(super) fn number_ops(&self, group: usize) -> usize {
        let counts = matches!(self.groups[group], ValueKind::Occupancy { .. });
        if self.number_ops && counts { NUMBER_OPS } else { 0 }
    }

    /// Numbers that tell the parameter of a group's rule; 0 for a prior that is not told.
    pub(crate) fn parameter_width(&self, group: usize) -> usize {
        if self.parameters { self.groups[group].parameter_width() } else { 0 }
    }

    /// Numbers that tell the parameters of the rules of one component.
    pub fn parameters_per_component(&self) -> usize {
        (0..self.groups.len()).map(|group| self.parameter_width(group)).sum()
    }

    /// The codes of all values of a group, as ±1.
    ///
    /// # Shapes
    /// `[values, value width]`
    pub(crate) fn table(&self, group: usize, device: &Device) -> Tensor<2> {
        let kind = &self.groups[group];
        let (values, width) = (kind.count(), kind.value_width());
        let mut codes = vec![0.0; values * width];
        for (value, code) in codes.chunks_exact_mut(width).enumerate() {
            kind.write(value, code);
        }
        let table = Tensor::<2>::from_data(TensorData::new(codes, [values, width]), device);
        table.mul_scalar(2.0).sub_scalar(1.0)
    }
}
