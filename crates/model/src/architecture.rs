//! The kinds of models: the list of them, and what every one gives.
//!
//! A kind of model is a module of this crate (a folder or a file) with a configuration
//! ([`ArchitectureConfig`]) and a model ([`PuzzleModel`]), and one line of `architectures!` below.
//! The line's name is the `architecture` of a configuration file and of a weights file.

use std::fmt::Debug;
use std::ops::Deref;

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::batch::{BatchShape, PuzzleBatch};
use crate::config::{ConfigError, LatentConfig, NetworkConfig, PuzzleConfig};
use crate::drawing::drawn;
use crate::error::ModelError;
use crate::genvp::{Genvp, GenvpConfig};
use crate::latent_model::{LatentModel, ancestral_sample};
use crate::loss::{LossConfig, LossTerms, Term};
use crate::mixture::NeuralMixture;
use crate::noise::Noise;
use crate::relations::{RelationConfig, RelationModel};
use crate::sampling::{Completed, Conditioning, Imagined, SamplingConfig};
use crate::scene::{SceneConfig, SceneGenvp, ValuesConfig};
use crate::solve::{RuleSide, Solved};
use crate::vote::{Vote, VoteConfig};

/// Writes the enum of configurations and that of models, and forwards to what is inside.
macro_rules! architectures {
    ($($(#[$about:meta])* $Kind:ident = $name:tt: $Config:ident => $Model:ident,)+) => {
        /// The names of all architectures.
        pub const ARCHITECTURES: &[&str] = &[$($name),+];

        /// The whole model, as plain data: read from a preset, stored inside the weights file.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(tag = "architecture")]
        pub enum ModelConfig {
            $($(#[$about])* #[serde(rename = $name)] $Kind($Config),)+
        }

        impl<'de> Deserialize<'de> for ModelConfig {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut fields = Map::deserialize(deserializer)?;
                let name = fields.remove("architecture");
                let name = match &name {
                    Some(Value::String(name)) => name.as_str(),
                    Some(other) => {
                        return Err(D::Error::custom(format!("architecture is a name, not {other}")));
                    }
                    None => unnamed(&fields),
                };
                let fields = Value::Object(fields);
                match name {
                    $($name => $Config::deserialize(fields).map(Self::$Kind).map_err(D::Error::custom),)+
                    _ => Err(D::Error::custom(format!(
                        "there is no architecture `{name}`; there are {}", ARCHITECTURES.join(", ")
                    ))),
                }
            }
        }

        impl ModelConfig {
            /// The name of the architecture.
            pub fn architecture(&self) -> &'static str {
                match self { $(Self::$Kind(_) => $name,)+ }
            }

            /// The puzzles it is for: grid, choices and rule matrix.
            pub fn puzzle(&self) -> &PuzzleConfig {
                match self { $(Self::$Kind(config) => config.puzzle(),)+ }
            }

            /// What a batch of puzzles must look like.
            pub fn batch_shape(&self) -> BatchShape {
                match self { $(Self::$Kind(config) => config.batch_shape(),)+ }
            }

            /// The networks, for models that have an encoder, latents and experts.
            pub fn networks(&self) -> Option<NetworkConfig<'_>> {
                match self { $(Self::$Kind(config) => config.networks(),)+ }
            }

            /// What the blocks of Z_o mean, for models that are taught it.
            pub fn values(&self) -> Option<&ValuesConfig> {
                match self { $(Self::$Kind(config) => config.values(),)+ }
            }

            /// The terms of its objective.
            pub fn terms(&self) -> Vec<Term> {
                match self { $(Self::$Kind(config) => config.terms(),)+ }
            }

            /// Whether some term of an objective needs the pixels of a batch.
            pub fn needs_pixels(&self, loss: &LossConfig) -> bool {
                match self { $(Self::$Kind(config) => config.needs_pixels(loss),)+ }
            }

            /// Whether it learns from puzzles of which only some rules are known.
            pub fn learns_from_partial_rules(&self) -> bool {
                match self { $(Self::$Kind(config) => config.learns_from_partial_rules(),)+ }
            }

            /// What it is taught with, where its kind leaves no choice.
            pub fn fixed_supervision(&self) -> Option<&'static str> {
                match self { $(Self::$Kind(config) => config.fixed_supervision(),)+ }
            }

            fn problems(&self) -> Vec<String> {
                match self { $(Self::$Kind(config) => config.problems(),)+ }
            }

            fn build(&self, device: &Device) -> Result<AnyModel, ConfigError> {
                match self { $(Self::$Kind(config) => config.build(device).map(AnyModel::$Kind),)+ }
            }
        }

        /// A model of any architecture: a burn module, and by [`Deref`] a [`PuzzleModel`].
        ///
        /// On an autodiff device it trains (batch norms use and record the batch);
        /// `model.valid()` is the same model for solving and generating.
        #[derive(Module, Debug)]
        #[allow(clippy::large_enum_variant, reason = "there are few models, and they move rarely")]
        pub enum AnyModel {
            $($(#[$about])* $Kind($Model),)+
        }

        impl AnyModel {
            /// What this model is made of.
            pub fn config(&self) -> ModelConfig {
                match self { $(Self::$Kind(model) => ModelConfig::$Kind(model.config().clone()),)+ }
            }
        }

        impl Deref for AnyModel {
            type Target = dyn PuzzleModel;

            fn deref(&self) -> &Self::Target {
                match self { $(Self::$Kind(model) => model,)+ }
            }
        }

        $(impl From<$Config> for ModelConfig {
            fn from(config: $Config) -> Self {
                Self::$Kind(config)
            }
        })+
    };
}

architectures! {
    /// The paper's model.
    Genvp = "genvp": GenvpConfig => Genvp,
    /// GenVP whose Z_o holds the attribute values of a panel's scene.
    Scene = "scene-genvp": SceneConfig => SceneGenvp,
    /// For PGM and VAD: panels read as sets of values, relations along rows and columns.
    Relations = "relations": RelationConfig => RelationModel,
    /// A majority vote among the choices: the baseline that never looks at the question.
    Vote = "vote": VoteConfig => Vote,
}

/// The architecture of configurations that were written before they named one.
fn unnamed(fields: &Map<String, Value>) -> &'static str {
    if fields.contains_key("values") { "scene-genvp" } else { "genvp" }
}

const CANNOT_DRAW: ModelError = ModelError::Cannot { what: "draw panels" };

/// A part of an objective that can be computed apart from the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossPart {
    /// The terms that need no panel to be read, because the batch says what is in it.
    SupervisedLatents,
    /// The terms that the encoder's reading of the panels enters.
    FromPixels,
}

/// What every kind of model gives. What it cannot do is an error that says so.
pub trait PuzzleModel: Debug {
    /// The puzzles it is for: grid, choices and rule matrix.
    fn puzzle(&self) -> &PuzzleConfig;

    /// What a batch of puzzles must look like.
    fn batch_shape(&self) -> BatchShape;

    /// The model as one with latents, if it is one: it then draws, names rules and imagines.
    fn latent_model(&self) -> Option<&dyn LatentModel> {
        None
    }

    /// Whether it says which rules a puzzle follows.
    fn names_rules(&self) -> bool {
        self.latent_model().is_some()
    }

    /// The network of the learned mixture, for models that have one.
    fn learned_mixture(&self) -> Option<&NeuralMixture> {
        self.latent_model().and_then(|model| model.mixture().1)
    }

    /// Scores every choice, with means for samples; rules and latents where the model has them.
    ///
    /// # Errors
    /// When the device fails, or the batch lacks what the model looks at.
    fn solve(&self, batch: &PuzzleBatch) -> Result<Solved, ModelError>;

    /// All terms of the objective for a batch whose candidate 0 is right. A model without
    /// terms has nothing to learn.
    ///
    /// Terms that need labels are absent where there are none, and the generative path is
    /// then given the predicted rules instead of the true ones. With `rule_free` set,
    /// nothing of the batch but its images is used. Terms whose weight is 0 are left out,
    /// and with them the work they would cost.
    fn losses(&self, _batch: &PuzzleBatch, _config: &LossConfig, _noise: &mut Noise) -> LossTerms {
        LossTerms::default()
    }

    /// Whether both [parts](LossPart) of the objective are non-empty and together equal
    /// [`losses`](Self::losses), so that they may be computed in parallel.
    fn losses_split(&self, _batch: &PuzzleBatch, _config: &LossConfig) -> bool {
        false
    }

    /// One part of the objective.
    fn losses_of(
        &self,
        part: LossPart,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) -> LossTerms {
        match part {
            LossPart::SupervisedLatents => LossTerms::default(),
            LossPart::FromPixels => self.losses(batch, config, noise),
        }
    }

    /// The most likely latents of puzzles of so many panels each, drawn again.
    ///
    /// # Shapes
    /// `[b · panels, h, w, 1] -> [b · panels, h, w, 1]`
    ///
    /// # Errors
    /// When the model does not draw.
    fn reconstruct(&self, images: Tensor<4>, panels: usize) -> Result<Tensor<4>, ModelError> {
        let model = self.latent_model().ok_or(CANNOT_DRAW)?;
        Ok(model.decode(model.encode_puzzles(images, panels).mean))
    }

    /// The mean of p(X|Z).
    ///
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    ///
    /// # Errors
    /// When the model does not draw.
    fn redraw(&self, z: Tensor<2>) -> Result<Tensor<4>, ModelError> {
        Ok(self.latent_model().ok_or(CANNOT_DRAW)?.decode(z))
    }

    /// The rule probabilities of complete puzzles; with experts, by the model's own mixture.
    ///
    /// # Shapes
    /// `[b · MN, h, w, 1] -> [b, K_R, N_R]`
    ///
    /// # Errors
    /// When the model does not name rules.
    fn rules(&self, images: Tensor<4>) -> Result<Tensor<3>, ModelError> {
        let model = self.latent_model().ok_or(ModelError::Cannot { what: "name rules" })?;
        Ok(RuleSide::of(model).rules(model.encode_puzzles(images, self.puzzle().panels()).mean))
    }

    /// Samples complete puzzles from the generative model, given their rules.
    ///
    /// # Errors
    /// When the model does not imagine.
    fn imagine(
        &self,
        spec: &Conditioning,
        sampling: SamplingConfig,
        noise: &mut Noise,
    ) -> Result<Imagined, ModelError> {
        let model = self.latent_model().ok_or(ModelError::Cannot { what: "imagine puzzles" })?;
        ancestral_sample(model, spec, sampling, noise)
    }

    /// Fills the missing panels of puzzles by rules that are given (the rule of each attribute,
    /// puzzle by puzzle), or found in the panels that are present.
    ///
    /// # Shapes
    /// `images`: `[b · MN, h, w, 1]`, anything in the place of missing ones;
    /// `present`: a flag for each of them
    ///
    /// # Errors
    /// When the model does not complete, the flags or rules do not fit, a puzzle has no panel at
    /// all, or the device fails.
    fn complete(
        &self,
        _images: Tensor<4>,
        _present: &[bool],
        _rules: Option<&[u8]>,
        _sampling: SamplingConfig,
        _noise: &mut Noise,
    ) -> Result<Completed, ModelError> {
        Err(ModelError::Cannot { what: "complete puzzles" })
    }
}

/// What a kind of model is made of: every width and every choice, as plain data.
pub trait ArchitectureConfig {
    /// The model.
    type Model;

    /// The puzzles it is for.
    fn puzzle(&self) -> &PuzzleConfig;

    /// What a batch of puzzles must look like.
    fn batch_shape(&self) -> BatchShape;

    /// Everything that keeps the model from being built, one sentence each.
    fn problems(&self) -> Vec<String>;

    /// A model with fresh weights, for a configuration without problems.
    ///
    /// # Errors
    /// When it cannot be built after all.
    fn build(&self, device: &Device) -> Result<Self::Model, ConfigError>;

    /// The networks, for models that have an encoder, latents and experts.
    fn networks(&self) -> Option<NetworkConfig<'_>> {
        None
    }

    /// What the blocks of Z_o mean, for models that are taught it.
    fn values(&self) -> Option<&ValuesConfig> {
        None
    }

    /// The terms of its objective; a model without terms has nothing to learn.
    fn terms(&self) -> Vec<Term> {
        Vec::new()
    }

    /// Whether some term of an objective needs the pixels of a batch.
    fn needs_pixels(&self, _loss: &LossConfig) -> bool {
        true
    }

    /// Whether it learns from puzzles of which only some rules are known.
    fn learns_from_partial_rules(&self) -> bool {
        false
    }

    /// What it is taught with, where its kind leaves no choice: `nothing`, `answers`, `rules` or
    /// `values`.
    fn fixed_supervision(&self) -> Option<&'static str> {
        None
    }
}

impl ModelConfig {
    /// Checks that every part can be built and fits the others.
    ///
    /// # Errors
    /// With the list of everything that does not fit.
    pub fn check(&self) -> Result<(), ConfigError> {
        let problems = self.problems();
        if problems.is_empty() { Ok(()) } else { Err(ConfigError { problems }) }
    }

    /// A fresh model. Its weights come from the device's generator: seed that for the same ones again.
    ///
    /// # Errors
    /// When the configuration cannot be built.
    pub fn init(&self, device: &Device) -> Result<AnyModel, ConfigError> {
        self.check()?;
        drawn(None, device, || self.build(device))
    }

    /// A fresh model whose weights are a function of the seed, whatever other
    /// models are being made in this process.
    ///
    /// # Errors
    /// When the configuration cannot be built.
    pub fn init_seeded(&self, seed: u64, device: &Device) -> Result<AnyModel, ConfigError> {
        self.check()?;
        drawn(Some(seed), device, || self.build(device))
    }

    /// Widths and limits of the latent variables, for models that have them.
    pub fn latent(&self) -> Option<&LatentConfig> {
        self.networks().map(|networks| networks.latent)
    }
}
