//! Fast CPU blocks for burn: convolution, transposed convolution, batch norm
//! and linear layers, each with a hand-written gradient.
//!
//! Tensors are **channels-last** everywhere (`[n, h, w, c]`): a convolution is
//! then one matrix product over pixel rows, and the per-channel passes of
//! batch norm run along contiguous memory.
//!
//! On burn's Flex CPU device the functions run this crate's own kernels; on
//! every other device they compose burn's operations ([`fallback`]), with the
//! same results up to rounding.
//!
//! * [`conv2d`], [`conv_transpose2d`], [`linear`], [`batch_norm_train`],
//!   [`batch_norm_eval`], [`depth_to_space`], [`space_to_depth`]: tensor functions;
//! * [`ConvBlock`], [`LinearBlock`], [`Norm`]: burn modules made of them;
//! * [`join`]: a linear layer over rows that many outputs share;
//! * [`compose`]: pictures made of objects;
//! * [`DistinctMap`]: convolutions of what is different in images that repeat themselves.

mod activation;
mod batch_norm;
mod compose;
mod conv;
mod conv_transpose;
#[allow(unsafe_code)]
mod cpu;
mod depth_to_space;
mod flex;
mod linear;

pub mod block;
pub mod fallback;

pub use activation::Activation;
pub use batch_norm::{BatchNormed, batch_norm_eval, batch_norm_train};
pub use block::{
    ConvBlock, ConvBlockConfig, DistinctMap, LinearBlock, LinearBlockConfig, Norm, NormConfig,
    RunningStat, all_run_distinct, join, parameter_count,
};
pub use compose::{Layer, compose};
pub use conv::conv2d;
pub use conv_transpose::conv_transpose2d;
pub use cpu::compose::Cutout;
pub use cpu::join::GatherPlan;
pub use depth_to_space::{depth_to_space, space_to_depth};
pub use linear::linear;
