//! The paper's model: a hierarchical VAE over the panels, row relations and rules of a puzzle.
//!
//! The generative model (paper, "Generative Module" and appendix A) turns a rule matrix into panels,
//! `p(R) p(Z_r|R) p(Z_o|Z_r) p(Z_o-bar) p(Z|Z_o, Z_o-bar) p(X|Z)`. Inference goes the other way:
//!
//! | distribution | here |
//! |---|---|
//! | `q(Z\|X) = Π_ij N(μ(x_ij), σ²(x_ij) I)` | [`encode`](LatentModel::encode) |
//! | `q(Z_o\|Z)`, `q(Z_o-bar\|Z)`: slices of Z | [`latent::split`](crate::latent::split) |
//! | `q(Z_r\|Z_o)` and the experts `q(R\|·)` (eq. 1-4) | [`Experts::infer`] |
//! | their mixture, and the answer | `solve.rs` |
//! | `p(Z_r\|R)`, `p(Z_o\|Z_r)` | [`prior_z_r`](LatentModel::prior_z_r), [`Genvp::prior_z_o`] |
//! | `p(X\|Z) = N(μ(Z), σ² I)` | [`decode`](LatentModel::decode) |
//!
//! What is minimised is in `objective.rs`, how puzzles are sampled in `latent_model.rs`.

mod objective;

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use serde::{Deserialize, Serialize};

use crate::architecture::{ArchitectureConfig, PuzzleModel};
use crate::batch::{BatchShape, PuzzleBatch};
use crate::config::{ConfigError, LatentConfig, NetworkConfig, PuzzleConfig};
use crate::error::ModelError;
use crate::expert::{ExpertConfig, Experts};
use crate::image::{ImageConfig, ImageDecoder, ImageEncoder};
use crate::imagination::{CodebookFit, Imagination, ImaginationConfig};
use crate::latent::Gaussian;
use crate::latent_model::LatentModel;
use crate::loss::{LossConfig, LossTerms, Term};
use crate::mixture::{MixtureKind, NeuralMixture};
use crate::noise::Noise;
use crate::sampling::{Conditioning, SamplingConfig};
use crate::solve::{RuleSide, Solved};

/// What a [`Genvp`] is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenvpConfig {
    /// The grid of panels, the candidates and the rule matrix.
    pub puzzle: PuzzleConfig,
    /// Widths and limits of the latent variables.
    pub latent: LatentConfig,
    /// q(Z|X) and p(X|Z).
    pub image: ImageConfig,
    /// q(R|·), q(Z_r|Z_o), p(Z_r|R) and p(Z_o|Z_r).
    pub experts: ExpertConfig,
    /// How the experts' predictions become one.
    #[serde(default)]
    pub mixture: MixtureKind,
    /// How it imagines by values that it finds in its own codes; without, by p(Z_o|Z_r) of the
    /// experts and the decoder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imagination: Option<ImaginationConfig>,
}

/// See the [module](self).
#[derive(Module, Debug)]
pub struct Genvp {
    /// q(Z|X).
    pub encoder: ImageEncoder,
    /// p(X|Z).
    pub decoder: ImageDecoder,
    /// q(R|·), q(Z_r|Z_o), p(Z_r|R), p(Z_o|Z_r).
    pub experts: Experts,
    /// The learned mixture, for models that use one.
    pub mixture: Option<NeuralMixture>,
    /// Values found in its own codes, and how to imagine with them.
    pub imagination: Option<Imagination>,
    #[module(skip)]
    config: GenvpConfig,
}

impl ArchitectureConfig for GenvpConfig {
    type Model = Genvp;

    fn puzzle(&self) -> &PuzzleConfig {
        &self.puzzle
    }

    fn batch_shape(&self) -> BatchShape {
        let shape = BatchShape::of_pixels(self.puzzle, self.image.size);
        let labels = self.imagination.as_ref();
        let codes = labels.map(|own| [own.latent(&self.network_config()).relevant, 0]);
        BatchShape { resize: self.image.resize, codes, ..shape }
    }

    fn problems(&self) -> Vec<String> {
        let mut problems = self.network_config().problems();
        problems.extend(self.image.decoder.problems(self.image.size));
        if let (Some(imagination), true) = (&self.imagination, problems.is_empty()) {
            problems.extend(imagination.problems(&self.network_config()));
        }
        problems
    }

    fn terms(&self) -> Vec<Term> {
        let own = self.image.encoder.terms(&self.puzzle);
        let terms = [&objective::PANEL_TERMS[..], own, &objective::PUZZLE_TERMS].concat();
        self.mixture.terms_of(&terms)
    }

    fn build(&self, device: &Device) -> Result<Genvp, ConfigError> {
        let neural = self.mixture == MixtureKind::Nn;
        Ok(Genvp {
            encoder: ImageEncoder::new(&self.network_config(), device),
            decoder: self.image.decoder.init(self.image.size, self.latent.panel(), device),
            experts: Experts::new(&self.network_config(), device),
            mixture: neural.then(|| NeuralMixture::new(&self.puzzle, device)),
            imagination: self
                .imagination
                .as_ref()
                .map(|imagination| imagination.init(&self.network_config(), device)),
            config: self.clone(),
        })
    }

    fn networks(&self) -> Option<NetworkConfig<'_>> {
        Some(self.network_config())
    }
}

impl GenvpConfig {
    fn network_config(&self) -> NetworkConfig<'_> {
        let Self { puzzle, latent, image, experts, .. } = self;
        NetworkConfig { puzzle, latent, size: image.size, encoder: &image.encoder, experts }
    }
}

impl Genvp {
    /// What this model is made of.
    pub fn config(&self) -> &GenvpConfig {
        &self.config
    }

    /// Whether it imagines by a codebook that is still empty.
    ///
    /// # Errors
    /// When the device fails.
    pub fn lacks_codebook(&self) -> Result<bool, ModelError> {
        self.imagination.as_ref().map_or(Ok(false), Imagination::lacks_codebook)
    }

    /// The same model with a codebook of the codes that its encoder gives to the objects of some
    /// puzzles, whose rules say in which order values come; and how well the rules agree.
    ///
    /// # Errors
    /// When it imagines without, the puzzles come without rules or layouts, or the device fails.
    pub fn with_codebook(
        mut self,
        puzzles: &[PuzzleBatch],
        noise: &mut Noise,
    ) -> Result<(Self, CodebookFit), ModelError> {
        let imagination = self.imagination.take();
        let imagination =
            imagination.ok_or(ModelError::Cannot { what: "imagine by values of its own" })?;
        let rows = self.config.experts.rule_rows();
        let (imagination, found) =
            imagination.with_codebook(&self.encoder, &rows, puzzles, noise)?;
        Ok((Self { imagination: Some(imagination), ..self }, found))
    }

    /// The values that it finds in the panels of the right puzzles, as the shares of codes of the
    /// kinds that its imagination is made for.
    ///
    /// # Errors
    /// When it imagines without, the puzzles come without pixels or layouts, or the device fails.
    ///
    /// # Shapes
    /// `[b · MN · numbers]`
    pub fn labels(&self, puzzles: &PuzzleBatch) -> Result<Vec<f32>, ModelError> {
        let own = self.imagination.as_ref();
        let own = own.ok_or(ModelError::Cannot { what: "find values in panels" })?;
        own.labels(&self.encoder, puzzles)
    }

    /// p(Z_o|Z_r, layout).
    ///
    /// # Shapes
    /// `[b, K_Zr]`, `[b, L]` -> `[b, MN, K_Zo]`
    pub fn prior_z_o(&self, z_r: Tensor<2>, layout: Option<Tensor<2>>) -> Gaussian<3> {
        self.experts.prior_z_o(z_r, layout)
    }
}

impl PuzzleModel for Genvp {
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
        let inputs = self.config.puzzle.inputs();
        RuleSide::of(self).solve(self.encode_puzzles(batch.images(), inputs))
    }

    fn losses(&self, batch: &PuzzleBatch, config: &LossConfig, noise: &mut Noise) -> LossTerms {
        self.objective(batch, config, noise)
    }
}

impl LatentModel for Genvp {
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
        Gaussian::from_output(self.encoder.forward(images), self.config.latent.log_var)
    }

    fn encode_puzzles(&self, images: Tensor<4>, panels: usize) -> Gaussian<2> {
        let output = self.encoder.forward_puzzles(images, panels);
        Gaussian::from_output(output, self.config.latent.log_var)
    }

    fn decode(&self, z: Tensor<2>) -> Tensor<4> {
        self.decoder.forward(z)
    }

    /// Rule-irrelevant numbers of Z_r, where there are any, are standard normal.
    fn prior_z_r(&self, rules: Tensor<3>, layout: Option<Tensor<2>>) -> Gaussian<2> {
        let (b, device) = (rules.dims()[0], rules.device());
        let relevant = self.experts.prior_z_r(rules, layout);
        let irrelevant = self.config.puzzle.rows * self.config.latent.row_irrelevant;
        if irrelevant == 0 {
            return relevant;
        }
        relevant.map(|t| Tensor::cat(vec![t, Tensor::zeros([b, irrelevant], &device)], 1))
    }

    fn sample_z_o(
        &self,
        z_r: &Tensor<2>,
        spec: &Conditioning,
        sampling: SamplingConfig,
        noise: &mut Noise,
    ) -> Result<Tensor<2>, ModelError> {
        if let Some(imagination) = &self.imagination {
            let (layout, panels) =
                (spec.layout_or_none(self.config.puzzle.layouts), self.config.puzzle.panels());
            let temperature = sampling.temperature;
            return imagination.sample_z_o(z_r, &layout, panels, temperature, noise);
        }
        let z_o = self.prior_z_o(z_r.clone(), spec.layout.clone());
        let [b, panels, relevant] = z_o.mean.dims();
        let z_o = z_o.map(|t| t.reshape([b * panels, relevant]));
        Ok(sampling.sample(z_o.mean, z_o.log_var, noise))
    }

    fn draw(&self, z: Tensor<2>, spec: &Conditioning) -> Result<Tensor<4>, ModelError> {
        match &self.imagination {
            Some(own) => own.draw(z, &spec.layout_or_none(self.config.puzzle.layouts)),
            None => Ok(self.decode(z)),
        }
    }
}
