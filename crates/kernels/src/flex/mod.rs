//! The kernels as burn operations on the Flex device, with their gradients.
//!
//! Every function returns `None` where the kernels do not apply (another
//! device, another number type, gradient checkpointing): the caller then composes burn's
//! own operations.

mod compose_op;
mod conv_op;
mod join_op;
mod norm_op;
mod primitive;
mod window_op;

pub(crate) use compose_op::composition;
pub(crate) use conv_op::{Call, NormTerms, convolution, convolution_norm, convolution_norm_eval};
pub(crate) use join_op::{JoinCall, join_norm, join_norm_eval};
pub(crate) use norm_op::{norm_eval, norm_train};
pub(crate) use window_op::{WindowCall, distinct_patches, window_norm, window_norm_eval};

use crate::Activation;
use crate::cpu::Slope;

impl Activation {
    /// The activation as the kernels know it, if they do.
    pub(crate) fn slope(self) -> Option<Slope> {
        match self {
            Self::None => Some(Slope::NONE),
            Self::Relu => Some(Slope(0.0)),
            Self::LeakyRelu(slope) if (0.0..=1.0).contains(&slope) => Some(Slope(slope as f32)),
            Self::LeakyRelu(_) | Self::Sigmoid => None,
        }
    }
}
