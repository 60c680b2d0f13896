//! The masked distance g that both contrastive terms are made of (eq. 6).

use burn::tensor::Tensor;

/// `g = ‖M ⊙ (R̂₁ − R₂)‖² − ‖M̄ ⊙ (R̂₁ − R₂)‖²` row by row of R, where M marks the
/// cells in which R₁ and R₂ differ and M̄ those in which both are 1.
///
/// # Shapes
/// three of `[…, K_R, N_R]` that broadcast -> `[…, K_R, 1]`
pub fn masked_distance<const D: usize>(
    predicted: Tensor<D>,
    first: Tensor<D>,
    second: Tensor<D>,
) -> Tensor<D> {
    // Cells are 0 or 1: the squared difference is M, the product M̄.
    let mask = (first.clone() - second.clone()).square() - first * second.clone();
    ((predicted - second).square() * mask).sum_dim(D - 1)
}
