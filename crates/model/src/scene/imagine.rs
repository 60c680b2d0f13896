//! Ancestral sampling: R -> Z_r -> values of all panels -> Z -> X.

use burn::tensor::Tensor;

use super::SceneGenvp;
use crate::noise::Noise;
use crate::sampling::{Imagined, PuzzleSpec, SamplingConfig};

impl SceneGenvp {
    /// `p(R) p(Z_r|R) Π p(Z_o of a panel|panels before it, Z_r) p(Z_o-bar) p(X|Z)`, R given.
    pub(super) fn sample(
        &self,
        spec: &PuzzleSpec,
        sampling: SamplingConfig,
        noise: &mut Noise,
    ) -> Imagined {
        let [b, _, _] = spec.rules.dims();
        let (p, latent) = (&self.config.puzzle, &self.config.latent);
        let panels = p.panels();
        let z_r = self.experts.prior_z_r(spec.rules.clone(), spec.layout.clone());
        let z_r = sampling.sample(z_r.mean, z_r.log_var, noise);
        let nothing = Tensor::zeros([b, panels, latent.relevant], &z_r.device());
        let layout = spec.layout_or_none(p.layouts);
        let none = vec![false; b * panels];
        let z_o = self.writer.write(&nothing, &none, &z_r, &layout, sampling.temperature, noise);
        let z_o = z_o.reshape([b * panels, latent.relevant]);
        let z = sampling.with_irrelevant(z_o, latent.irrelevant, panels, noise);
        let images = self.decode(z.clone());
        Imagined { z_r, z: z.reshape([b, panels, latent.panel()]), images }
    }
}
