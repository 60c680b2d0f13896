//! Hard decisions.

use burn::tensor::Tensor;

/// Every row as the one-hot of its most likely rule. It has no gradient.
///
/// # Shapes
/// `[b, C, K_R, N_R] -> [b, C, K_R, N_R]`
pub fn one_hot(probabilities: Tensor<4>) -> Tensor<4> {
    let rules = probabilities.dims()[3];
    let best = probabilities.argmax(3).squeeze_dim::<3>(3);
    best.one_hot::<4>(rules).float()
}
