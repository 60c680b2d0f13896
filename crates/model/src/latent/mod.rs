//! The latent variables: clamped diagonal Gaussians, and the split of a panel's
//! latent into what rules act on and what they do not.

mod gaussian;
mod split;

pub use gaussian::Gaussian;
pub use split::split;
