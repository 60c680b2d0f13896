//! The latent variables: clamped diagonal Gaussians, and the split of a panel's
//! latent into what rules act on and what they do not.

use burn::tensor::Tensor;

use crate::noise::Noise;

/// N(mean, diag(exp(log_var))).
///
/// # Shapes
/// mean and log_var: `[..., k]`
#[derive(Clone, Debug)]
pub struct Gaussian<const D: usize> {
    /// The means.
    pub mean: Tensor<D>,
    /// The logarithms of the variances, within the configured limits.
    pub log_var: Tensor<D>,
}

impl<const D: usize> Gaussian<D> {
    /// Reads a network's output as means, then log-variances, clamped to `limits`:
    /// sigma -> 0 stops at the lower one.
    ///
    /// # Shapes
    /// `[..., 2k] -> [..., k]`
    pub fn from_output(output: Tensor<D>, limits: [f32; 2]) -> Self {
        let half = output.dims()[D - 1] / 2;
        Self {
            mean: output.clone().narrow(D - 1, 0, half),
            log_var: output.narrow(D - 1, half, half).clamp(limits[0], limits[1]),
        }
    }

    /// A sample by reparameterisation, `mean + exp(log_var / 2) · noise`; the
    /// mean itself when the noise is silent.
    ///
    /// # Shapes
    /// `[..., k]`
    pub fn sample(&self, noise: &mut Noise) -> Tensor<D> {
        let mean = self.mean.clone();
        match noise.normal(mean.dims(), &mean.device()) {
            Some(normal) => mean + self.log_var.clone().mul_scalar(0.5).exp() * normal,
            None => mean,
        }
    }

    /// KL(self || prior), number by number:
    /// `½ (ln σ_p² − ln σ_q² + (σ_q² + (μ_q − μ_p)²) / σ_p² − 1)`.
    ///
    /// # Shapes
    /// `[..., k]`
    pub fn kl(&self, prior: &Self) -> Tensor<D> {
        let gap = self.log_var.clone() - prior.log_var.clone();
        let distance = self.mean.clone() - prior.mean.clone();
        let scaled = distance.square() * prior.log_var.clone().neg().exp();
        (gap.clone().exp() - gap + scaled - 1.0).mul_scalar(0.5)
    }

    /// KL(self || N(0, I)), number by number: `½ (σ² + μ² − 1 − ln σ²)`.
    ///
    /// # Shapes
    /// `[..., k]`
    pub fn kl_standard(&self) -> Tensor<D> {
        let (mean, log_var) = (self.mean.clone(), self.log_var.clone());
        (log_var.clone().exp() - log_var + mean.square() - 1.0).mul_scalar(0.5)
    }

    /// `length` numbers from `start` on.
    pub(crate) fn narrow(&self, start: usize, length: usize) -> Self {
        self.map(|t| t.narrow(D - 1, start, length))
    }

    /// The same done to means and log-variances: reshapes, slices and the like.
    pub(crate) fn map<const D2: usize>(&self, f: impl Fn(Tensor<D>) -> Tensor<D2>) -> Gaussian<D2> {
        Gaussian { mean: f(self.mean.clone()), log_var: f(self.log_var.clone()) }
    }
}

/// The first `relevant` numbers of Z are Z_o, the rest is Z_o-bar, so that
/// q(Z_o|Z) and q(Z_o-bar|Z) need no parameters of their own (paper, appendix A).
///
/// # Shapes
/// `[..., K] -> ([..., K_Zo], [..., K - K_Zo])`
pub fn split<const D: usize>(z: &Gaussian<D>, relevant: usize) -> (Gaussian<D>, Gaussian<D>) {
    let width = z.mean.dims()[D - 1];
    (z.narrow(0, relevant), z.narrow(relevant, width - relevant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    fn gaussian(mean: f32, log_var: f32) -> Gaussian<1> {
        let device = Device::flex();
        Gaussian {
            mean: Tensor::from_floats([mean], &device),
            log_var: Tensor::from_floats([log_var], &device),
        }
    }

    #[test]
    fn a_distribution_has_no_divergence_from_itself() {
        for (mean, log_var) in [(0.0, 0.0), (3.0, -8.0), (-2.0, 4.0)] {
            let g = gaussian(mean, log_var);
            let kl: f32 = g.kl(&g).into_scalar();
            assert!(kl.abs() < 1e-5, "{kl}");
        }
    }

    #[test]
    fn divergence_from_the_standard_normal_is_the_general_one() {
        let (g, standard) = (gaussian(0.7, -1.3), gaussian(0.0, 0.0));
        let general: f32 = g.kl(&standard).into_scalar();
        let special: f32 = g.kl_standard().into_scalar();
        assert!((general - special).abs() < 1e-6);
        assert!(general > 0.0);
    }

    #[test]
    fn a_vanishing_or_exploding_variance_stops_at_the_limits() {
        let output = Tensor::<1>::from_floats([1.0, 2.0, -1e9, 1e9], &Device::flex());
        let g = Gaussian::from_output(output, [-8.0, 4.0]);
        assert_eq!(g.log_var.clone().into_data().try_to_vec::<f32>().unwrap(), [-8.0, 4.0]);
        let kl = g.kl_standard().sum().into_scalar::<f32>();
        assert!(kl.is_finite());
        let sample = g.sample(&mut Noise::seeded(0)).into_data().try_to_vec::<f32>().unwrap();
        assert!((sample[0] - 1.0).abs() < 0.2, "sigma is exp(-4): {sample:?}");
    }
}
