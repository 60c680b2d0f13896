//! Z = [Z_o, Z_o-bar].

use crate::latent::Gaussian;

/// The first `relevant` numbers of Z are Z_o, the rest is Z_o-bar, so that
/// q(Z_o|Z) and q(Z_o-bar|Z) need no parameters of their own (paper, appendix A).
///
/// # Shapes
/// `[..., K] -> ([..., K_Zo], [..., K - K_Zo])`
pub fn split<const D: usize>(z: &Gaussian<D>, relevant: usize) -> (Gaussian<D>, Gaussian<D>) {
    let width = z.mean.dims()[D - 1];
    (z.narrow(0, relevant), z.narrow(relevant, width - relevant))
}
