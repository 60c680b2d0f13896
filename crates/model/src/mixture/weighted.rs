//! Averages.

use burn::tensor::Tensor;

use crate::expert::per_prediction;

/// `Σ_e w_e p_e / Σ_e w_e`.
///
/// # Shapes
/// `[E, b, C, K_R, N_R] -> [b, C, K_R, N_R]`
pub fn average(probabilities: Tensor<5>, weights: &[f32]) -> Tensor<4> {
    let total: f32 = weights.iter().sum();
    let weights = per_prediction(weights, &probabilities.device());
    (probabilities * weights).sum_dim(0).squeeze_dim::<4>(0).div_scalar(total)
}
