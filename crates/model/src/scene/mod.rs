//! GenVP taught by the values of scenes.
//!
//! A generator of puzzles knows which slots are taken and which shapes, sizes and greys are
//! there. In this model every block of Z_o is the *code* of its own attribute's value
//! ([`ValuesConfig`]): numbers near +1 or -1 that say "this slot is taken", "at least three
//! objects", "darker than grey 4". So a block means one attribute and nothing else, values are
//! discrete where the scenes are, p(Z_o|Z_r) is an [`AutoregressivePrior`] over values, panel by
//! panel, and p(X|Z) may draw object by object ([`ObjectsDecoder`]).
//!
//! Encoders and experts are those of the paper's model. Where a batch says what is in its
//! panels, the posterior of Z is known: p(X|Z) and p(Z_o|Z_r) learn from draws of that one, and
//! q(Z|X) learns to say the same.

mod code;
mod complete;
mod decoded_scene;
mod decoder;
mod draw;
mod number_ops;
mod object;
mod object_decoder;
mod objective;
mod position_ops;
mod prior;
mod prior_outputs;
mod uneven;
mod unlike;
mod values;

pub use code::{ValueKind, write_parameters};
pub use decoder::{SceneDecoder, SceneDecoderConfig};
pub(crate) use object::Objects;
pub use object::{IRRELEVANT_PER_OBJECT, irrelevant_offset};
pub use object_decoder::{ObjectsDecoder, ObjectsDecoderConfig, Window};
pub use prior::{AutoregressivePrior, Condition};
pub use unlike::{UnlikeObjects, object_value};
pub use values::ValuesConfig;

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use serde::{Deserialize, Serialize};

use crate::architecture::{ArchitectureConfig, LossPart, PuzzleModel};
use crate::batch::{BatchShape, PuzzleBatch};
use crate::config::{ConfigError, LatentConfig, NetworkConfig, PuzzleConfig};
use crate::error::ModelError;
use crate::expert::{ExpertConfig, Experts};
use crate::image::{ImageConfig, ImageEncoder};
use crate::latent::Gaussian;
use crate::latent_model::LatentModel;
use crate::loss::{LossConfig, LossTerms, Term};
use crate::mixture::{MixtureKind, NeuralMixture};
use crate::noise::Noise;
use crate::sampling::{Completed, Conditioning, SamplingConfig};
use crate::solve::{RuleSide, Solved};

/// What a [`SceneGenvp`] is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneConfig {
    /// The grid of panels, the candidates and the rule matrix.
    pub puzzle: PuzzleConfig,
    /// Widths and limits of the latent variables.
    pub latent: LatentConfig,
    /// q(Z|X) and p(X|Z).
    pub image: ImageConfig<SceneDecoderConfig>,
    /// q(R|·), q(Z_r|Z_o) and p(Z_r|R).
    pub experts: ExpertConfig,
    /// What the blocks of Z_o mean.
    pub values: ValuesConfig,
    /// How the experts' predictions become one.
    #[serde(default)]
    pub mixture: MixtureKind,
}

/// See the [module](self).
#[derive(Module, Debug)]
pub struct SceneGenvp {
    /// q(Z|X).
    pub encoder: ImageEncoder,
    /// p(X|Z).
    pub decoder: SceneDecoder,
    /// q(R|·), q(Z_r|Z_o), p(Z_r|R).
    pub experts: Experts,
    /// p(Z_o|Z_r). Weights files know its tensors by this name.
    pub writer: AutoregressivePrior,
    /// The learned mixture, for models that use one.
    pub mixture: Option<NeuralMixture>,
    #[module(skip)]
    config: SceneConfig,
}

impl ArchitectureConfig for SceneConfig {
    type Model = SceneGenvp;

    fn puzzle(&self) -> &PuzzleConfig {
        &self.puzzle
    }

    fn batch_shape(&self) -> BatchShape {
        let codes = Some([self.latent.relevant, self.latent.irrelevant]);
        let parameters = self.experts.components() * self.values.parameters_per_component();
        let shape = BatchShape::of_pixels(self.puzzle, self.image.size);
        BatchShape { resize: self.image.resize, codes, parameters, ..shape }
    }

    fn problems(&self) -> Vec<String> {
        let mut problems = self.network_config().problems();
        problems.extend(self.image.decoder.problems(self));
        problems.extend(self.values.problems(&self.experts, self.puzzle.layouts));
        problems
    }

    fn values(&self) -> Option<&ValuesConfig> {
        Some(&self.values)
    }

    fn terms(&self) -> Vec<Term> {
        self.mixture.terms_of(&objective::TERMS)
    }

    fn fixed_supervision(&self) -> Option<&'static str> {
        Some("values")
    }

    /// Without a term that reads panels, values and rules are enough.
    fn needs_pixels(&self, loss: &LossConfig) -> bool {
        objective::needs_pixels(loss)
    }

    fn build(&self, device: &Device) -> Result<SceneGenvp, ConfigError> {
        let neural = self.mixture == MixtureKind::Nn;
        let components = self.experts.components();
        Ok(SceneGenvp {
            encoder: ImageEncoder::new(&self.network_config(), device),
            decoder: self.image.decoder.init(self, device)?,
            experts: Experts::new(&self.network_config(), device).without_z_o_prior(),
            writer: AutoregressivePrior::new(&self.values, &self.puzzle, components, device),
            mixture: neural.then(|| NeuralMixture::new(&self.puzzle, device)),
            config: self.clone(),
        })
    }

    fn networks(&self) -> Option<NetworkConfig<'_>> {
        Some(self.network_config())
    }
}

impl SceneConfig {
    fn network_config(&self) -> NetworkConfig<'_> {
        let Self { puzzle, latent, image, experts, .. } = self;
        NetworkConfig { puzzle, latent, size: image.size, encoder: &image.encoder, experts }
    }
}

impl SceneGenvp {
    /// What this model is made of.
    pub fn config(&self) -> &SceneConfig {
        &self.config
    }

    /// q(Z|X), and how sure each number of the codes is: half the log-odds, whose hyperbolic
    /// tangent is the mean of Z_o.
    ///
    /// # Shapes
    /// `[n, h, w, 1] -> [n, K], [n, K_Zo]`
    fn encode_with_odds(&self, images: Tensor<4>) -> (Gaussian<2>, Tensor<2>) {
        let latent = &self.config.latent;
        let z = Gaussian::from_output(self.encoder.forward(images), latent.log_var);
        let odds = z.mean.clone().narrow(1, 0, latent.relevant);
        let rest = z.mean.narrow(1, latent.relevant, latent.irrelevant);
        let mean = Tensor::cat(vec![odds.clone().tanh(), rest], 1);
        // The spread around a code is fixed: a learned one only shrinks.
        let fixed = odds.zeros_like().add_scalar(2.0 * self.config.values.sigma.ln());
        let free = z.log_var.narrow(1, latent.relevant, latent.irrelevant);
        let log_var = Tensor::cat(vec![fixed, free], 1);
        (Gaussian { mean, log_var }, odds)
    }

    /// Panels from a Z that was imagined or completed, unlike objects each by its own numbers.
    ///
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    fn draw_objects(&self, z: Tensor<2>) -> Result<Tensor<4>, ModelError> {
        match &self.decoder {
            SceneDecoder::Objects(decoder) => {
                decoder.forward_one_by_one(z, &self.config.values.groups[1..])
            }
            SceneDecoder::Whole(_) => Ok(self.decode(z)),
        }
    }

    /// The layouts that the question of each puzzle shows, by the means of q(Z|X).
    ///
    /// # Shapes
    /// `[b · P, K] -> [b, L]`, -1 (it is not) to +1 (it is)
    fn layout_of_question(&self, means: &Tensor<2>) -> Option<Tensor<2>> {
        let p = &self.config.puzzle;
        let positions = self.config.values.groups.first()?;
        if p.layouts == 0 || !matches!(positions, ValueKind::Occupancy { .. }) {
            return None;
        }
        let puzzles = means.dims()[0] / p.inputs();
        let said = means.clone().narrow(1, positions.value_width(), p.layouts);
        let said = said.reshape([puzzles, p.inputs(), p.layouts]);
        Some(said.narrow(1, 0, p.context()).mean_dim(1).squeeze_dim(1))
    }
}

impl PuzzleModel for SceneGenvp {
    fn puzzle(&self) -> &PuzzleConfig {
        &self.config.puzzle
    }

    fn batch_shape(&self) -> BatchShape {
        self.config.batch_shape()
    }

    fn latent_model(&self) -> Option<&dyn LatentModel> {
        Some(self)
    }

    fn solve(&self, batch: &PuzzleBatch) -> Result<Solved, ModelError> {
        let z = self.encode(batch.images());
        let layout = self.layout_of_question(&z.mean);
        let mut solved = RuleSide::of(self).solve(z)?;
        solved.layout = layout;
        Ok(solved)
    }

    fn losses(&self, batch: &PuzzleBatch, config: &LossConfig, noise: &mut Noise) -> LossTerms {
        let mut terms = self.losses_of(LossPart::SupervisedLatents, batch, config, noise);
        terms.join(self.losses_of(LossPart::FromPixels, batch, config, noise));
        terms.add_z(&config.weights);
        terms
    }

    fn losses_split(&self, batch: &PuzzleBatch, config: &LossConfig) -> bool {
        self.has_two_parts(batch, config)
    }

    fn losses_of(
        &self,
        part: LossPart,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) -> LossTerms {
        self.part_of_objective(part, batch, config, noise)
    }

    fn complete(
        &self,
        images: Tensor<4>,
        present: &[bool],
        rules: Option<&[u8]>,
        sampling: SamplingConfig,
        noise: &mut Noise,
    ) -> Result<Completed, ModelError> {
        self.fill(images, present, rules, sampling, noise)
    }
}

impl LatentModel for SceneGenvp {
    fn latent(&self) -> &LatentConfig {
        &self.config.latent
    }

    fn experts(&self) -> &Experts {
        &self.experts
    }

    fn mixture(&self) -> (MixtureKind, Option<&NeuralMixture>) {
        (self.config.mixture, self.mixture.as_ref())
    }

    fn encode(&self, images: Tensor<4>) -> Gaussian<2> {
        self.encode_with_odds(images).0
    }

    fn decode(&self, z: Tensor<2>) -> Tensor<4> {
        self.decoder.forward(z)
    }

    fn prior_z_r(&self, rules: Tensor<3>, layout: Option<Tensor<2>>) -> Gaussian<2> {
        self.experts.prior_z_r(rules, layout)
    }

    /// `Π p(Z_o of a panel|panels before it, Z_r)`.
    fn sample_z_o(
        &self,
        z_r: &Tensor<2>,
        spec: &Conditioning,
        sampling: SamplingConfig,
        noise: &mut Noise,
    ) -> Result<Tensor<2>, ModelError> {
        let (panels, relevant) = (self.config.puzzle.panels(), self.config.latent.relevant);
        let b = z_r.dims()[0];
        let nothing = Tensor::zeros([b, panels, relevant], &z_r.device());
        let none = vec![false; b * panels];
        let layout = spec.layout_or_none(self.config.puzzle.layouts);
        let parameters = self.writer.told(spec.parameters.as_ref(), b, &z_r.device());
        let condition = Condition { z_r, layout: &layout, parameters: &parameters };
        let z_o = self.writer.write(&nothing, &none, &condition, sampling.temperature, noise);
        Ok(z_o.reshape([b * panels, relevant]))
    }

    fn draw(&self, z: Tensor<2>, _spec: &Conditioning) -> Result<Tensor<4>, ModelError> {
        self.draw_objects(z)
    }

    fn differ(&self, z: Tensor<2>, spec: &Conditioning) -> Result<Tensor<2>, ModelError> {
        self.with_unlike_objects(z, &spec.unlike)
    }
}
