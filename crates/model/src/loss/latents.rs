//! The terms that all models with latents compute alike: L_rec and L_Zr.

use burn::tensor::Tensor;

use super::elbo::{kl_rows, squared_error};
use crate::batch::PuzzleBatch;
use crate::expert::Inference;
use crate::latent_model::LatentModel;

/// L_rec of the right puzzles, drawn from these latents of their panels.
///
/// # Shapes
/// `[b, MN, K] -> [1]`
pub(crate) fn reconstruction(
    model: &dyn LatentModel,
    z: Tensor<3>,
    batch: &PuzzleBatch,
) -> Tensor<1> {
    let [b, panels, width] = z.dims();
    squared_error(model.decode(z.reshape([b * panels, width])), batch.right_images(), b)
}

/// L_Zr of the right puzzles, whose prior is given these rules.
///
/// # Shapes
/// `rules` `[b, K_R, N_R] -> [1]`
pub(crate) fn row_divergence(
    model: &dyn LatentModel,
    inference: &Inference,
    rules: Tensor<3>,
    batch: &PuzzleBatch,
) -> Tensor<1> {
    let right = inference.z_r.map(|t| t.narrow(1, 0, 1).squeeze_dim::<2>(1));
    kl_rows(&right, &model.experts().prior_z_r(rules, batch.layout()))
}
