//! The product of experts.

use burn::tensor::{Tensor, activation};

/// `softmax(Σ_e ln p_e)`: the product of all predictions, each row scaled to sum to 1
/// (the paper leaves it unscaled; a row of R is a distribution, and fourteen
/// factors would underflow).
///
/// # Shapes
/// `[E, b, C, K_R, N_R]` (logits) -> `[b, C, K_R, N_R]`
pub fn product(logits: Tensor<5>) -> Tensor<4> {
    let sum = activation::log_softmax(logits, 4).sum_dim(0).squeeze_dim::<4>(0);
    activation::softmax(sum, 3)
}
