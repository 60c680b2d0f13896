//! GenVP: a hierarchical VAE of Raven-style puzzles.
//!
//! The generative model is `p(R) p(Z_r|R) p(Z_o|Z_r) p(Z_o-bar) p(Z|Z_o, Z_o-bar) p(X|Z)`:
//! a rule matrix becomes row relations, those become the rule-relevant part of
//! every panel's latent, and with the irrelevant part that becomes a panel.
//! Inference goes the other way and ends in a mixture of rule experts.
//!
//! * [`Preset`] and [`ModelConfig`] say what a model is made of;
//!   [`ModelConfig::init`] makes it, [`Genvp::from_bytes`] reads it back;
//! * [`Genvp::solve`] answers puzzles, [`Genvp::imagine`] draws them,
//!   [`Genvp::losses`] gives the training objective term by term.
//!
//! Letters in shapes: `b` puzzles, `M x N` grid, `C` candidates, `P = MN - 1 + C`
//! panels that come with a puzzle, `E` predictions of the experts, `K` latent of a
//! panel, `K_Zo` its rule-relevant part, `K_Zr` row latents, `K_R x N_R` rule
//! matrix, `L` layouts.

mod batch;
mod complete;
mod config;
mod device;
mod drawing;
mod error;
mod generate;
mod genvp;
mod mlp;
mod noise;
mod places;
mod store;
mod transformer;
mod values;

pub mod expert;
pub mod image;
pub mod latent;
pub mod loss;
pub mod mixture;
pub mod params;
pub mod preset;
pub mod select;

pub use batch::{PuzzleBatch, PuzzleData, RuleLabels};
pub use complete::Completed;
pub use config::{ConfigError, LatentConfig, ModelConfig, PuzzleConfig};
pub use device::{DeviceChoice, DeviceError};
pub use error::ModelError;
pub use expert::{Inference, Predictions};
pub use generate::{Freedom, Imagined, Wish};
pub use genvp::{Genvp, Solved};
pub use latent::Gaussian;
pub use loss::{Contrast, LossConfig, LossTerms, LossWeights, Term};
pub use mixture::MixtureKind;
pub use mlp::Mlp;
pub use noise::Noise;
pub use params::ParameterCount;
pub use preset::{Preset, PresetError};
pub use select::Score;
pub use store::{Mismatch, StoreError, WeightsHeader, read_header};
pub use transformer::{Layer, Transformer, TransformerConfig};
pub use values::{OWN, ValueKind, ValuesConfig, Writer, own_place, value_error};
