//! Models of Raven-style puzzles: GenVP, a hierarchical VAE, its variant taught by scenes, and
//! baselines ([`ARCHITECTURES`]).
//!
//! GenVP's generative model is `p(R) p(Z_r|R) p(Z_o|Z_r) p(Z_o-bar) p(Z|Z_o, Z_o-bar) p(X|Z)`:
//! a rule matrix becomes row relations, those become the rule-relevant part of
//! every panel's latent, and with the irrelevant part that becomes a panel.
//! Inference goes the other way and ends in a mixture of rule experts.
//!
//! * [`Preset`] and [`ModelConfig`] say what a model is made of;
//!   [`ModelConfig::init`] makes it, [`AnyModel::from_bytes`] reads it back;
//! * [`PuzzleModel`] is what every architecture gives: scores of choices, terms of an objective,
//!   and, where it can, rules, drawings, imagined and completed puzzles;
//!   [`LatentModel`] is what those with latents say of themselves.
//!
//! Letters in shapes: `b` puzzles, `M x N` grid, `C` candidates, `P = MN - 1 + C`
//! panels that come with a puzzle, `E` predictions of the experts, `K` latent of a
//! panel, `K_Zo` its rule-relevant part, `K_Zr` row latents, `K_R x N_R` rule
//! matrix, `L` layouts.

mod architecture;
mod batch;
mod config;
mod device;
mod drawing;
mod error;
mod genvp;
mod imagination;
mod latent_model;
mod mlp;
mod noise;
mod relations;
mod sampling;
mod scene;
mod solve;
mod store;
mod tensor_index;
mod transformer;
mod vote;

pub mod expert;
pub mod image;
pub mod latent;
pub mod loss;
pub mod mixture;
pub mod params;
pub mod preset;
pub mod select;

pub use architecture::{
    ARCHITECTURES, AnyModel, ArchitectureConfig, LossPart, ModelConfig, PuzzleModel,
};
pub use batch::{BatchShape, PuzzleBatch, PuzzleData, RuleTargets};
pub use config::{ConfigError, FamilyId, LatentConfig, NetworkConfig, OtherPuzzles, PuzzleConfig};
pub use device::{DeviceChoice, DeviceError};
pub use error::{ModelError, to_host};
pub use expert::{Inference, Predictions};
pub use genvp::{Genvp, GenvpConfig};
pub use image::Resize;
pub use imagination::{Codebook, CodebookFit, Imagination, ImaginationConfig};
pub use latent::Gaussian;
pub use latent_model::LatentModel;
pub use loss::{Contrast, LossConfig, LossTerms, LossWeights, Term, value_error};
pub use mixture::MixtureKind;
pub use mlp::Mlp;
pub use noise::Noise;
pub use params::ParameterCount;
pub use preset::{Preset, PresetError};
pub use relations::{
    PanelDecoder, PanelDecoderConfig, ReaderConfig, RelationConfig, RelationExpertConfig,
    RelationExperts, RelationModel, ValueWriter, WriterConfig,
};
pub use sampling::{Completed, Conditioning, Imagined, SamplingConfig};
pub use scene::{
    AutoregressivePrior, Condition, IRRELEVANT_PER_OBJECT, ObjectsDecoder, ObjectsDecoderConfig,
    SceneConfig, SceneDecoder, SceneDecoderConfig, SceneGenvp, UnlikeObjects, ValueKind,
    ValuesConfig, Window, irrelevant_offset, object_value, write_parameters,
};
pub use select::Score;
pub use solve::{Solved, SolvedExperts, SolvedRules};
pub use store::{Mismatch, StoreError, WeightsHeader, read_header};
pub use transformer::{Layer, Transformer, TransformerConfig};
pub use vote::{Vote, VoteConfig};
