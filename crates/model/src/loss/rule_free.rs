//! Training without rule labels: from images and the right answer's place.

use burn::tensor::{Tensor, activation};

/// L_R with p(R) uniform: `Σ_k (Σ_j p_kj ln p_kj + ln N_R)` of the mixed rule matrix
/// of the right puzzle, a mean over puzzles.
///
/// # Shapes
/// `[b, 1, K_R, N_R] -> [1]`
pub fn rule_prior(mixed: Tensor<4>) -> Tensor<1> {
    let [b, c, attributes, rules] = mixed.dims();
    // p ln p goes to 0 with p; the floor keeps its gradient finite.
    let entropy = (mixed.clone() * mixed.clamp_min(1e-12).log()).sum().div_scalar((b * c) as f32);
    entropy + attributes as f32 * (rules as f32).ln()
}

/// Cross-entropy of a softmax over the candidates' active mass, where candidate
/// 0 is right: the right puzzle shall have more rules than the wrong ones.
///
/// # Shapes
/// `[b, C] -> [1]`
pub fn ranking(active: Tensor<2>) -> Tensor<1> {
    activation::log_softmax(active, 1).narrow(1, 0, 1).mean().neg()
}
