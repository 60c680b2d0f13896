//! Ancestral sampling: R -> Z_r -> Z_o -> Z -> X.

use burn::tensor::{Device, Tensor};

use crate::batch::labels;
use crate::config::{ModelConfig, PuzzleConfig};
use crate::error::ModelError;
use crate::genvp::Genvp;
use crate::noise::Noise;

/// What to imagine: rule matrices and, where the model is told it, layouts.
#[derive(Clone, Debug)]
pub struct Wish {
    rules: Tensor<3>,
    layout: Option<Tensor<2>>,
}

impl Wish {
    /// Checks what is asked for: the rule of each attribute, puzzle by puzzle, and the layouts.
    ///
    /// # Errors
    /// When a rule or a layout does not exist, or their numbers do not fit.
    pub fn new(
        config: &ModelConfig,
        rules: &[u8],
        layouts: Option<&[u8]>,
        device: &Device,
    ) -> Result<Self, ModelError> {
        let p = &config.puzzle;
        let puzzles = rules.len() / p.attributes;
        let rules = Self::one_hot(p, rules, device)?;
        let layout = match layouts {
            Some(layouts) if p.layouts > 0 => {
                let layouts =
                    labels("the layouts to imagine", layouts, [puzzles], p.layouts, device)?;
                Some(layouts.one_hot::<2>(p.layouts).float())
            }
            _ => None,
        };
        Ok(Self { rules, layout })
    }

    /// Rule matrices from the rule of each attribute.
    ///
    /// # Shapes
    /// `[b, K_R, N_R]`
    pub(crate) fn one_hot(
        puzzle: &PuzzleConfig,
        rules: &[u8],
        device: &Device,
    ) -> Result<Tensor<3>, ModelError> {
        let shape = [rules.len() / puzzle.attributes, puzzle.attributes];
        let rules = labels("the rules to imagine", rules, shape, puzzle.rules, device)?;
        Ok(rules.one_hot::<3>(puzzle.rules).float())
    }

    /// The layouts, all zeros where they are not told.
    ///
    /// # Shapes
    /// `[b, L]`
    fn layout_or_none(&self, layouts: usize) -> Tensor<2> {
        let [b, _, _] = self.rules.dims();
        let device = self.rules.device();
        self.layout.clone().unwrap_or_else(|| Tensor::zeros([b, layouts], &device))
    }
}

/// How freely to imagine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Freedom {
    /// Scales the noise of Z_r and Z_o: 1 samples as the model believes, 0 takes means.
    pub temperature: f32,
    /// Scales the noise of Z_o-bar.
    pub irrelevant: f32,
    /// Whether all panels of a puzzle share one Z_o-bar instead of drawing each its own.
    pub shared_irrelevant: bool,
}

impl Default for Freedom {
    fn default() -> Self {
        Self { temperature: 1.0, irrelevant: 1.0, shared_irrelevant: false }
    }
}

/// Imagined puzzles, with the latents that gave them.
#[derive(Clone, Debug)]
pub struct Imagined {
    /// Z_r `[b, K_Zr]`.
    pub z_r: Tensor<2>,
    /// Z `[b, MN, K]`.
    pub z: Tensor<3>,
    /// X `[b · MN, h, w, 1]`.
    pub images: Tensor<4>,
}

impl Genvp {
    /// Samples complete puzzles from the generative model,
    /// `p(R) p(Z_r|R) p(Z_o|Z_r) p(Z_o-bar) p(Z|Z_o, Z_o-bar) p(X|Z)`, R given.
    ///
    /// # Shapes
    /// see [`Imagined`]
    pub fn imagine(&self, wish: &Wish, freedom: Freedom, noise: &mut Noise) -> Imagined {
        let cooled = |mean: Tensor<2>, log_var: Tensor<2>, noise: &mut Noise| match noise
            .normal(mean.dims(), &mean.device())
        {
            Some(normal) => {
                mean + log_var.mul_scalar(0.5).exp() * normal.mul_scalar(freedom.temperature)
            }
            None => mean,
        };
        let [b, _, _] = wish.rules.dims();
        let config = self.config();
        let (panels, relevant) = (config.puzzle.panels(), config.latent.relevant);
        let z_r = self.prior_z_r(wish.rules.clone(), wish.layout.clone());
        let z_r = cooled(z_r.mean, z_r.log_var, noise);
        let z_o = if let Some(writer) = &self.writer {
            let nothing = Tensor::zeros([b, panels, relevant], &z_r.device());
            let layout = wish.layout_or_none(config.puzzle.layouts);
            let none = vec![false; b * panels];
            let z_o = writer.write(&nothing, &none, &z_r, &layout, freedom.temperature, noise);
            z_o.reshape([b * panels, relevant])
        } else {
            let z_o = self.prior_z_o(z_r.clone(), wish.layout.clone());
            let z_o = z_o.map(|t| t.reshape([b * panels, relevant]));
            cooled(z_o.mean, z_o.log_var, noise)
        };
        let z = self.with_irrelevant(z_o, panels, freedom, noise);
        let images = self.decode(z.clone());
        Imagined { z_r, z: z.reshape([b, panels, config.latent.panel()]), images }
    }

    /// p(Z|Z_o, Z_o-bar) with Z_o-bar ~ N(0, irrelevant² I): the two side by side.
    ///
    /// # Shapes
    /// `[b · panels, K_Zo] -> [b · panels, K]`
    pub(crate) fn with_irrelevant(
        &self,
        z_o: Tensor<2>,
        panels: usize,
        freedom: Freedom,
        noise: &mut Noise,
    ) -> Tensor<2> {
        let [n, _] = z_o.dims();
        let (width, device) = (self.config().latent.irrelevant, z_o.device());
        let draws = if freedom.shared_irrelevant { n / panels } else { n };
        let drawn =
            noise.normal([draws, 1, width], &device).map(|n| n.mul_scalar(freedom.irrelevant));
        let drawn = drawn.unwrap_or_else(|| Tensor::zeros([draws, 1, width], &device));
        let drawn = drawn.repeat_dim(1, n / draws.max(1)).reshape([n, width]);
        Tensor::cat(vec![z_o, drawn], 1)
    }
}
