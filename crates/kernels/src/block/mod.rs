//! burn modules: a linear map, an optional batch norm, an activation.

mod conv_block;
mod distinct_map;
mod fused;
mod join;
mod linear_block;
mod norm;
mod parameter_count;
mod running_stat;

pub use conv_block::{ConvBlock, ConvBlockConfig};
pub use distinct_map::{DistinctMap, all_run_distinct};
pub use join::join;
pub use linear_block::{LinearBlock, LinearBlockConfig};
pub use norm::{Norm, NormConfig};
pub use parameter_count::parameter_count;
pub use running_stat::RunningStat;

use burn::module::Param;
use burn::nn::Initializer;
use burn::tensor::{Device, Tensor};

/// A parameter drawn from `U(-1/sqrt(fan_in), 1/sqrt(fan_in))`: PyTorch's
/// default for weights (Kaiming uniform with `a = sqrt(5)`) and biases alike.
fn uniform_param<const D: usize>(
    shape: [usize; D],
    fan_in: usize,
    device: &Device,
) -> Param<Tensor<D>> {
    let bound = 1.0 / (fan_in.max(1) as f64).sqrt();
    Initializer::Uniform { min: -bound, max: bound }.init(shape, device)
}
