//! The Flex kernels: plain functions over slices of channels-last floats.
//!
//! A convolution joins a *fine* image (the one the kernel slides over,
//! `[n, h, w, ci]`) and a *coarse* one (`[n, oh, ow, co]`). Three products
//! serve convolution and transposed convolution, forward and backward:
//!
//! | | fine -> coarse ([`gather`]) | coarse -> fine ([`spread`]) | weights ([`weight_grad`]) |
//! |---|---|---|---|
//! | convolution | forward | gradient of the input | gradient of the weights |
//! | transposed | gradient of the input | forward | gradient of the weights |
//!
//! A linear layer is a 1x1 convolution of 1x1 images.
//!
//! Work is cut into pieces that depend on the shapes alone and partial sums
//! are added in a fixed order, so results do not depend on the number of
//! threads or on their timing.

pub(crate) mod backward;
mod channels;
mod coarse;
pub(crate) mod compose;
pub(crate) mod distinct;
mod fine;
pub(crate) mod forward;
mod gather;
mod geometry;
pub(crate) mod join;
mod parallel;
mod product;
mod row_source;
mod spread;
mod stats;
mod vector;
mod weight_grad;
mod weights;
mod windows;

pub(crate) use channels::{Affine, Slope, apply_affine};
pub(crate) use geometry::Geometry;
pub(crate) use row_source::{NormBackward, RowSource};
pub(crate) use stats::batch_stats;
pub(crate) use windows::{Size, Windows};
