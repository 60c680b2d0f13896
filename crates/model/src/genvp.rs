//! The whole model.

use burn::module::Module;
use burn::tensor::{Device, Tensor, activation};

use crate::batch::PuzzleBatch;
use crate::config::{ConfigError, ModelConfig};
use crate::drawing::drawn;
use crate::error::ModelError;
use crate::expert::{Experts, Inference, Predictions};
use crate::image::{ImageDecoder, ImageEncoder};
use crate::latent::{Gaussian, split};
use crate::mixture::{MixtureKind, NeuralMixture};
use crate::noise::Noise;
use crate::select::{self, Score};
use crate::values::Writer;

/// GenVP: a hierarchical VAE over the panels, row relations and rules of a puzzle.
///
/// On an autodiff device it trains (batch norms use and record the batch);
/// `model.valid()` is the same model for solving and generating.
#[derive(Module, Debug)]
pub struct Genvp {
    /// q(Z|X).
    pub encoder: ImageEncoder,
    /// p(X|Z).
    pub decoder: ImageDecoder,
    /// q(R|·), q(Z_r|Z_o), p(Z_r|R), p(Z_o|Z_r).
    pub experts: Experts,
    /// p(Z_o|Z_r), for models whose blocks of Z_o are the codes of values.
    pub writer: Option<Writer>,
    /// The learned mixture, for models that use one.
    pub mixture: Option<NeuralMixture>,
    #[module(skip)]
    config: ModelConfig,
}

/// What the model makes of a batch of puzzles.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Everything the experts said.
    pub inference: Inference,
    /// The mixed rule matrix of each completed puzzle `[b, C, K_R, N_R]`.
    pub mixed: Tensor<4>,
    /// Every candidate's score.
    pub scores: Vec<Vec<Score>>,
}

impl Solved {
    /// The chosen candidate of each puzzle.
    pub fn answers(&self) -> Vec<usize> {
        self.scores.iter().map(|scores| select::best(scores)).collect()
    }
}

impl ModelConfig {
    /// A fresh model. Its weights come from the device's generator: seed that for the same ones again.
    ///
    /// # Errors
    /// When the configuration cannot be built.
    pub fn init(&self, device: &Device) -> Result<Genvp, ConfigError> {
        drawn(None, device, || self.build(device))
    }

    /// A fresh model whose weights are a function of the seed, whatever other
    /// models are being made in this process.
    ///
    /// # Errors
    /// When the configuration cannot be built.
    pub fn init_seeded(&self, seed: u64, device: &Device) -> Result<Genvp, ConfigError> {
        drawn(Some(seed), device, || self.build(device))
    }

    fn build(&self, device: &Device) -> Result<Genvp, ConfigError> {
        self.check()?;
        let (image, panel) = (&self.image, self.latent.panel());
        let neural = self.mixture == MixtureKind::Nn;
        Ok(Genvp {
            encoder: ImageEncoder::new(&image.encoder, image.size, 2 * panel, device),
            decoder: ImageDecoder::new(self, device)?,
            experts: Experts::new(self, device),
            writer: self.writer(device),
            mixture: neural.then(|| NeuralMixture::new(&self.puzzle, device)),
            config: self.clone(),
        })
    }

    fn writer(&self, device: &Device) -> Option<Writer> {
        let values = self.values.as_ref()?;
        Some(Writer::new(values, &self.puzzle, self.components(), device))
    }
}

impl Genvp {
    /// What this model is made of.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// The order of the experts' predictions.
    pub fn predictions(&self) -> Predictions {
        Predictions::new(&self.config.puzzle)
    }

    /// q(Z|X).
    ///
    /// # Shapes
    /// `[n, h, w, 1] -> [n, K]`
    pub fn encode(&self, images: Tensor<4>) -> Gaussian<2> {
        self.encode_coded(images).0
    }

    /// q(Z|X) and, for models whose blocks of Z_o are codes, how sure each number of
    /// the code is: half the log-odds, whose hyperbolic tangent is the mean of Z_o.
    ///
    /// # Shapes
    /// `[n, h, w, 1] -> [n, K], [n, K_Zo]`
    pub(crate) fn encode_coded(&self, images: Tensor<4>) -> (Gaussian<2>, Option<Tensor<2>>) {
        let latent = &self.config.latent;
        let z = Gaussian::from_output(self.encoder.forward(images), latent.log_var);
        let Some(values) = &self.config.values else {
            return (z, None);
        };
        let odds = z.mean.clone().narrow(1, 0, latent.relevant);
        let rest = z.mean.narrow(1, latent.relevant, latent.irrelevant);
        let mean = Tensor::cat(vec![odds.clone().tanh(), rest], 1);
        // Around a code the spread is agreed, not learned: a learned one only shrinks.
        let agreed = odds.zeros_like().add_scalar(2.0 * values.sigma.ln());
        let free = z.log_var.narrow(1, latent.relevant, latent.irrelevant);
        let log_var = Tensor::cat(vec![agreed, free], 1);
        (Gaussian { mean, log_var }, Some(odds))
    }

    /// The mean of p(X|Z).
    ///
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    pub fn decode(&self, z: Tensor<2>) -> Tensor<4> {
        self.decoder.forward(z)
    }

    /// q(Z_r|Z_o) and q(R|·) of every puzzle completed by each of its candidates.
    ///
    /// # Shapes
    /// `[b, P, K_Zo]`, see [`Inference`]
    pub fn infer(&self, z_o: Tensor<3>, noise: &mut Noise) -> Inference {
        self.experts.infer(z_o, noise)
    }

    /// p(Z_r|R, layout); rule-irrelevant numbers of Z_r, where there are any, are standard normal.
    ///
    /// # Shapes
    /// `[b, K_R, N_R]`, `[b, L]` -> `[b, K_Zr]`
    pub fn prior_z_r(&self, rules: Tensor<3>, layout: Option<Tensor<2>>) -> Gaussian<2> {
        let b = rules.dims()[0];
        let device = rules.device();
        let relevant = self.experts.prior_z_r(rules, layout);
        let irrelevant = self.config.row_latent() - self.config.row_relevant();
        if irrelevant == 0 {
            return relevant;
        }
        relevant.map(|t| Tensor::cat(vec![t, Tensor::zeros([b, irrelevant], &device)], 1))
    }

    /// p(Z_o|Z_r, layout), for models without [`writer`](Self::writer).
    ///
    /// # Shapes
    /// `[b, K_Zr]`, `[b, L]` -> `[b, MN, K_Zo]`
    pub fn prior_z_o(&self, z_r: Tensor<2>, layout: Option<Tensor<2>>) -> Gaussian<3> {
        self.experts.prior_z_o(z_r, layout)
    }

    /// The experts' rule matrices as one, by the model's own mixture.
    ///
    /// # Shapes
    /// `[E, b, C, K_R, N_R]` (logits) -> `[b, C, K_R, N_R]`
    pub fn mix(&self, logits: Tensor<5>) -> Tensor<4> {
        self.config.mixture.mix(logits, &self.predictions())
    }

    /// Solves puzzles, with means for samples and the model's own mixture.
    ///
    /// # Errors
    /// When the device fails.
    pub fn solve(&self, batch: &PuzzleBatch) -> Result<Solved, ModelError> {
        self.solve_with(batch, self.config.mixture)
    }

    /// Solves puzzles with another mixture than the model's own. Asked for the
    /// learned one without having it, the model uses the weighted average.
    ///
    /// # Errors
    /// When the device fails.
    pub fn solve_with(
        &self,
        batch: &PuzzleBatch,
        mixture: MixtureKind,
    ) -> Result<Solved, ModelError> {
        let p = &self.config.puzzle;
        let z = self.encode(batch.images());
        let (z_o, _) = split(&z, self.config.latent.relevant);
        let z_o = z_o.mean.reshape([batch.len(), p.inputs(), self.config.latent.relevant]);
        let inference = self.infer(z_o, &mut Noise::mean());
        let mixed = mixture.mix(inference.logits.clone(), &self.predictions());
        let active = match (&self.mixture, mixture) {
            (Some(network), MixtureKind::Nn) => {
                network.scores(activation::softmax(inference.logits.clone(), 4))
            }
            _ => select::active_mass(mixed.clone()),
        };
        let scores = select::read_scores(active, select::certainty(mixed.clone()))?;
        Ok(Solved { inference, mixed, scores })
    }

    /// Every single prediction's scores `[E][b][C]`, as if it were alone.
    ///
    /// # Errors
    /// When the device fails.
    pub fn scores_per_expert(
        &self,
        inference: &Inference,
    ) -> Result<Vec<Vec<Vec<Score>>>, ModelError> {
        let probabilities = activation::softmax(inference.logits.clone(), 4);
        let one = |e| {
            let own = probabilities.clone().narrow(0, e, 1).squeeze_dim::<4>(0);
            select::read_scores(select::active_mass(own.clone()), select::certainty(own))
        };
        (0..self.config.puzzle.predictions()).map(one).collect()
    }
}
