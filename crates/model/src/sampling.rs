//! What to sample from the generative path, how, and what comes of it.

use burn::tensor::{Device, Tensor};

use crate::batch::{self, labels};
use crate::config::PuzzleConfig;
use crate::error::ModelError;
use crate::noise::Noise;
use crate::scene::UnlikeObjects;

/// The puzzles to imagine: rule matrices and, where the model is told it, layouts.
#[derive(Clone, Debug)]
pub struct Conditioning {
    /// One-hot `[b, K_R, N_R]`.
    pub(crate) rules: Tensor<3>,
    /// One-hot `[b, L]`.
    pub(crate) layout: Option<Tensor<2>>,
    /// The parameters of the rules, see
    /// [`ValueKind::write_parameter`](crate::ValueKind::write_parameter) `[b, C · numbers]`.
    pub(crate) parameters: Option<Tensor<2>>,
    /// Where the objects of a component are not all alike.
    pub(crate) unlike: Vec<UnlikeObjects>,
}

impl Conditioning {
    /// Checks what is asked for: the rule of each attribute, puzzle by puzzle, and the layouts.
    ///
    /// # Errors
    /// When a rule or a layout does not exist, or their numbers do not fit.
    pub fn new(
        puzzle: &PuzzleConfig,
        rules: &[u8],
        layouts: Option<&[u8]>,
        device: &Device,
    ) -> Result<Self, ModelError> {
        let puzzles = rules.len() / puzzle.attributes;
        let rules = Self::one_hot(puzzle, rules, device)?;
        let layout = match layouts {
            Some(layouts) if puzzle.layouts > 0 => {
                let layouts =
                    labels("the layouts to imagine", layouts, [puzzles], puzzle.layouts, device)?;
                Some(layouts.one_hot::<2>(puzzle.layouts).float())
            }
            _ => None,
        };
        Ok(Self { rules, layout, parameters: None, unlike: Vec::new() })
    }

    /// The same with the parameters of its rules, `width` numbers for each puzzle.
    ///
    /// # Errors
    /// When there are more or fewer.
    pub fn with_parameters(self, numbers: Vec<f32>, width: usize) -> Result<Self, ModelError> {
        let ([puzzles, _, _], device) = (self.rules.dims(), self.rules.device());
        let parameters = batch::parameters(numbers, puzzles, width, &device)?;
        Ok(Self { parameters: Some(parameters), ..self })
    }

    /// The same with objects that are not all alike. Models that do not draw object by object
    /// do not look at it.
    pub fn with_unlike_objects(self, unlike: Vec<UnlikeObjects>) -> Self {
        Self { unlike, ..self }
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
    pub(crate) fn layout_or_none(&self, layouts: usize) -> Tensor<2> {
        let [b, _, _] = self.rules.dims();
        let device = self.rules.device();
        self.layout.clone().unwrap_or_else(|| Tensor::zeros([b, layouts], &device))
    }
}

/// How to sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplingConfig {
    /// Scales the noise of Z_r and Z_o: 1 samples as the model believes, 0 takes means.
    pub temperature: f32,
    /// Scales the noise of Z_o-bar.
    pub irrelevant: f32,
    /// Whether all panels of a puzzle share one Z_o-bar instead of drawing each its own.
    pub shared_irrelevant: bool,
}

impl Default for SamplingConfig {
    fn default() -> Self {
        Self { temperature: 1.0, irrelevant: 1.0, shared_irrelevant: false }
    }
}

impl SamplingConfig {
    /// A sample of a Gaussian, its noise scaled by the temperature.
    ///
    /// # Shapes
    /// `[n, k] -> [n, k]`
    pub(crate) fn sample(
        self,
        mean: Tensor<2>,
        log_var: Tensor<2>,
        noise: &mut Noise,
    ) -> Tensor<2> {
        match noise.normal(mean.dims(), &mean.device()) {
            Some(normal) => {
                mean + log_var.mul_scalar(0.5).exp() * normal.mul_scalar(self.temperature)
            }
            None => mean,
        }
    }

    /// p(Z|Z_o, Z_o-bar) with Z_o-bar ~ N(0, irrelevant² I), `width` numbers of it: the two
    /// side by side.
    ///
    /// # Shapes
    /// `[b · panels, K_Zo] -> [b · panels, K]`
    pub(crate) fn with_irrelevant(
        self,
        z_o: Tensor<2>,
        width: usize,
        panels: usize,
        noise: &mut Noise,
    ) -> Tensor<2> {
        let ([n, _], device) = (z_o.dims(), z_o.device());
        let draws = if self.shared_irrelevant { n / panels } else { n };
        let drawn = noise.normal([draws, 1, width], &device).map(|n| n.mul_scalar(self.irrelevant));
        let drawn = drawn.unwrap_or_else(|| Tensor::zeros([draws, 1, width], &device));
        let drawn = drawn.repeat_dim(1, n / draws.max(1)).reshape([n, width]);
        Tensor::cat(vec![z_o, drawn], 1)
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

/// Completed puzzles.
#[derive(Clone, Debug)]
pub struct Completed {
    /// The rules found in what was there, and followed: one-hot `[b, K_R, N_R]`.
    pub rules: Tensor<3>,
    /// The layouts found, one-hot `[b, L]`.
    pub layout: Tensor<2>,
    /// Z `[b, MN, K]`.
    pub z: Tensor<3>,
    /// All panels, drawn anew `[b · MN, h, w, 1]`.
    pub images: Tensor<4>,
}
