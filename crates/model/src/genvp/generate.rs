//! Ancestral sampling: R -> Z_r -> Z_o -> Z -> X.

use super::Genvp;
use crate::noise::Noise;
use crate::sampling::{Imagined, PuzzleSpec, SamplingConfig};

impl Genvp {
    /// `p(R) p(Z_r|R) p(Z_o|Z_r) p(Z_o-bar) p(Z|Z_o, Z_o-bar) p(X|Z)`, R given.
    pub(super) fn sample(
        &self,
        spec: &PuzzleSpec,
        sampling: SamplingConfig,
        noise: &mut Noise,
    ) -> Imagined {
        let [b, _, _] = spec.rules.dims();
        let (p, latent) = (&self.config.puzzle, &self.config.latent);
        let panels = p.panels();
        let z_r = self.prior_z_r(spec.rules.clone(), spec.layout.clone());
        let z_r = sampling.sample(z_r.mean, z_r.log_var, noise);
        let z_o = self.prior_z_o(z_r.clone(), spec.layout.clone());
        let z_o = z_o.map(|t| t.reshape([b * panels, latent.relevant]));
        let z_o = sampling.sample(z_o.mean, z_o.log_var, noise);
        let z = sampling.with_irrelevant(z_o, latent.irrelevant, panels, noise);
        let images = self.decode(z.clone());
        Imagined { z_r, z: z.reshape([b, panels, latent.panel()]), images }
    }
}
