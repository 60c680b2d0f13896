//! What models with latents have in common. A model that says how its panels are encoded, decoded
//! and sampled gets redrawing, the names of rules and imagining from
//! [`PuzzleModel`](crate::PuzzleModel).

use burn::tensor::Tensor;

use crate::architecture::PuzzleModel;
use crate::config::LatentConfig;
use crate::error::ModelError;
use crate::expert::Experts;
use crate::latent::Gaussian;
use crate::mixture::{MixtureKind, NeuralMixture};
use crate::noise::Noise;
use crate::sampling::{Conditioning, Imagined, SamplingConfig};

/// A hierarchical VAE over panels (Z), row relations (Z_r) and rules (R).
pub trait LatentModel: PuzzleModel {
    /// Widths and limits of the latent variables.
    fn latent(&self) -> &LatentConfig;

    /// q(R|·), q(Z_r|Z_o) and p(Z_r|R).
    fn experts(&self) -> &Experts;

    /// How the experts' predictions become one, and the network of the learned mixture.
    fn mixture(&self) -> (MixtureKind, Option<&NeuralMixture>);

    /// q(Z|X), one panel at a time.
    ///
    /// # Shapes
    /// `[n, h, w, 1] -> [n, K]`
    fn encode(&self, images: Tensor<4>) -> Gaussian<2>;

    /// q(Z|X) of puzzles of so many panels each, for models that look at the panels of a puzzle
    /// together.
    ///
    /// # Shapes
    /// `[b · panels, h, w, 1] -> [b · panels, K]`
    fn encode_puzzles(&self, images: Tensor<4>, _panels: usize) -> Gaussian<2> {
        self.encode(images)
    }

    /// The mean of p(X|Z).
    ///
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    fn decode(&self, z: Tensor<2>) -> Tensor<4>;

    /// p(Z_r|R, layout).
    ///
    /// # Shapes
    /// `[b, K_R, N_R]`, `[b, L]` -> `[b, K_Zr]`
    fn prior_z_r(&self, rules: Tensor<3>, layout: Option<Tensor<2>>) -> Gaussian<2>;

    /// A sample of p(Z_o|Z_r, layout), of all panels of complete puzzles.
    ///
    /// # Errors
    /// When the device fails.
    ///
    /// # Shapes
    /// `[b, K_Zr] -> [b · MN, K_Zo]`
    fn sample_z_o(
        &self,
        z_r: &Tensor<2>,
        spec: &Conditioning,
        sampling: SamplingConfig,
        noise: &mut Noise,
    ) -> Result<Tensor<2>, ModelError>;

    /// Panels drawn from a Z that was imagined, and not encoded.
    ///
    /// # Errors
    /// When the device fails.
    ///
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    fn draw(&self, z: Tensor<2>, _spec: &Conditioning) -> Result<Tensor<4>, ModelError> {
        Ok(self.decode(z))
    }

    /// Z of complete puzzles in which the objects differ that are to differ.
    ///
    /// # Errors
    /// When the device fails.
    ///
    /// # Shapes
    /// `[b · MN, K] -> [b · MN, K]`
    fn differ(&self, z: Tensor<2>, _spec: &Conditioning) -> Result<Tensor<2>, ModelError> {
        Ok(z)
    }
}

/// Ancestral sampling, R -> Z_r -> Z_o -> Z -> X:
/// `p(R) p(Z_r|R) p(Z_o|Z_r) p(Z_o-bar) p(Z|Z_o, Z_o-bar) p(X|Z)`, R given.
pub(crate) fn ancestral_sample(
    model: &dyn LatentModel,
    spec: &Conditioning,
    sampling: SamplingConfig,
    noise: &mut Noise,
) -> Result<Imagined, ModelError> {
    let [b, _, _] = spec.rules.dims();
    let (panels, latent) = (model.puzzle().panels(), model.latent());
    let z_r = model.prior_z_r(spec.rules.clone(), spec.layout.clone());
    let z_r = sampling.sample(z_r.mean, z_r.log_var, noise);
    let z_o = model.sample_z_o(&z_r, spec, sampling, noise)?;
    let z = sampling.with_irrelevant(z_o, latent.irrelevant, panels, noise);
    let z = model.differ(z, spec)?;
    let images = model.draw(z.clone(), spec)?;
    Ok(Imagined { z_r, z: z.reshape([b, panels, latent.panel()]), images })
}
