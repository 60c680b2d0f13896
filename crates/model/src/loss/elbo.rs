//! The terms of the evidence lower bound (eq. 5).

use burn::tensor::Tensor;

use crate::latent::Gaussian;

/// L_rec: `Σ (x̂ − x)²` over panels and pixels, a mean over puzzles. It is the
/// paper's reconstruction with its constant variance left to the weight.
///
/// # Shapes
/// `[b · MN, h, w, 1]` twice -> `[1]`
pub fn squared_error(drawn: Tensor<4>, wanted: Tensor<4>, puzzles: usize) -> Tensor<1> {
    (drawn - wanted).square().sum().div_scalar(puzzles as f32)
}

/// A divergence summed over all of a puzzle's numbers, a mean over puzzles.
///
/// # Shapes
/// `[b, …] -> [1]`
pub fn kl_sum<const D: usize>(kl: Tensor<D>) -> Tensor<1> {
    let puzzles = kl.dims()[0];
    kl.sum().div_scalar(puzzles as f32)
}

/// L_Zr: the relevant numbers against p(Z_r|R), the irrelevant ones, where there
/// are any, against N(0, I).
///
/// # Shapes
/// posterior `[b, K_Zr]`, prior `[b, M K_Zo]` -> `[1]`
pub fn kl_rows(posterior: &Gaussian<2>, prior: &Gaussian<2>) -> Tensor<1> {
    let (all, relevant) = (posterior.mean.dims()[1], prior.mean.dims()[1]);
    let kl = kl_sum(posterior.narrow(0, relevant).kl(prior));
    if all == relevant {
        return kl;
    }
    kl + kl_sum(posterior.narrow(relevant, all - relevant).kl_standard())
}
