//! The model at work: from rules to pictures, and from pictures back to rules.

use burn::tensor::{Device, Tensor, TensorData};
use genvp_model::{AnyModel, ModelError, Noise, PuzzleSpec, SamplingConfig};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Layout, Panel, RuleMatrix, Stream, render};

use super::{ImagineError, decoded_scene};
use crate::judge::{self, RuleSpec};

/// Nine panels as a model drew them, at the judge's size: ink = 1, paper = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The panels, row by row.
    pub panels: [Vec<f32>; 9],
    /// The scenes that Z_o says, where its blocks are codes: what the model meant to draw.
    pub decoded: Option<Box<[Panel; 9]>>,
}

impl Drawing {
    /// The panels as the judge wants them.
    pub fn views(&self) -> [&[f32]; 9] {
        std::array::from_fn(|i| self.panels[i].as_slice())
    }

    /// One panel as grey bytes, 255 = paper.
    pub fn grey(&self, panel: usize) -> Vec<u8> {
        let byte = |ink: &f32| (255.0 * (1.0 - ink.clamp(0.0, 1.0))).round() as u8;
        self.panels[panel].iter().map(byte).collect()
    }
}

/// A model that draws.
#[derive(Clone, Copy, Debug)]
pub struct Artist<'m> {
    genvp: &'m AnyModel,
    device: &'m Device,
    /// The side of the panels that the model draws.
    side: usize,
    sampling: SamplingConfig,
}

impl<'m> Artist<'m> {
    /// An artist that samples as the model believes.
    ///
    /// # Errors
    /// When the model is for other puzzles than those of the RAVEN family, or has no pixels.
    pub fn new(genvp: &'m AnyModel, device: &'m Device) -> Result<Self, ImagineError> {
        genvp.puzzle().check_for(&Raven)?;
        let side = genvp.batch_shape().size;
        let side = side.ok_or(ModelError::Cannot { what: "draw panels" })?;
        Ok(Self { genvp, device, side, sampling: SamplingConfig::default() })
    }

    /// The same artist, sampling otherwise.
    pub fn with_sampling(self, sampling: SamplingConfig) -> Self {
        Self { sampling, ..self }
    }

    /// The model.
    pub fn genvp(&self) -> &'m AnyModel {
        self.genvp
    }

    /// Where it computes.
    pub fn device(&self) -> &'m Device {
        self.device
    }

    /// How it samples.
    pub fn sampling(&self) -> SamplingConfig {
        self.sampling
    }

    /// Draws a puzzle with the asked rules: sample number `index` of `seed`,
    /// whatever else is drawn.
    ///
    /// # Errors
    /// When the model or its device fails.
    pub fn draw(&self, asked: &RuleSpec, seed: u64, index: u64) -> Result<Drawing, ImagineError> {
        let layout = [asked.layout.index() as u8];
        let puzzle = self.genvp.puzzle();
        let spec = PuzzleSpec::new(puzzle, &asked.columns(), Some(&layout), self.device)?;
        let mut noise = noise(seed, "imagine", index);
        let imagined = self.genvp.imagine(&spec, self.sampling, &mut noise)?;
        let drawing = self.drawing(imagined.images)?;
        Ok(Drawing { decoded: self.decoded_scenes(imagined.z, asked.layout)?, ..drawing })
    }

    /// Pictures of one puzzle from a tensor `[9, h, w, 1]`.
    pub(crate) fn drawing(&self, images: Tensor<4>) -> Result<Drawing, ImagineError> {
        let side = self.side;
        let pixels = host(images)?;
        let panel = |index: usize| {
            let own = &pixels[index * side * side..(index + 1) * side * side];
            let mut ink = vec![0.0; judge::SIDE * judge::SIDE];
            render::resize_ink(own, side, judge::SIDE, &mut ink);
            ink
        };
        Ok(Drawing { panels: std::array::from_fn(panel), decoded: None })
    }

    /// The scenes that Z says `[1, 9, K]`.
    fn decoded_scenes(
        &self,
        z: Tensor<3>,
        layout: Layout,
    ) -> Result<Option<Box<[Panel; 9]>>, ImagineError> {
        let config = self.genvp.config();
        let (Some(values), Some(latent)) = (config.values(), config.latent()) else {
            return Ok(None);
        };
        let z_o = host(z.narrow(2, 0, latent.relevant))?;
        let scenes = z_o.chunks_exact(latent.relevant);
        let layouts = config.puzzle().layouts;
        let scenes: Option<Vec<Panel>> =
            scenes.map(|z_o| decoded_scene::scene(values, layouts, layout, z_o)).collect();
        Ok(scenes.and_then(|scenes| Box::try_from(scenes.into_boxed_slice()).ok()))
    }

    /// The pictures of a puzzle as the model wants them `[9, h, w, 1]`.
    pub(crate) fn canvas(&self, panels: &[&[f32]; 9]) -> Tensor<4> {
        let side = self.side;
        let mut pixels = vec![0.0; 9 * side * side];
        for (panel, out) in panels.iter().zip(pixels.chunks_exact_mut(side * side)) {
            render::resize_ink(panel, judge::SIDE, side, out);
        }
        Tensor::from_data(TensorData::new(pixels, [9, side, side, 1]), self.device)
    }

    /// The rules that the model's own encoder and experts see in nine panels, as
    /// rule columns: the mixed rule matrix of the complete puzzle.
    ///
    /// # Errors
    /// When the device fails.
    pub fn own_rules(&self, panels: &[&[f32]; 9]) -> Result<[usize; 12], ImagineError> {
        let mixed = host(self.genvp.rules(self.canvas(panels))?)?;
        let best = |row: usize| {
            let own = &mixed[row * RuleMatrix::RULES..(row + 1) * RuleMatrix::RULES];
            (1..own.len()).fold(0, |best, i| if own[i] > own[best] { i } else { best })
        };
        Ok(std::array::from_fn(best))
    }
}

/// The noise of sample `index` of a seed.
pub(crate) fn noise(seed: u64, purpose: &str, index: u64) -> Noise {
    Noise::seeded(Stream::new(seed, purpose, index).bits())
}

pub(crate) fn host<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>, ImagineError> {
    Ok(tensor.try_into_vec_as::<f32>().map_err(|e| ModelError::Device(e.to_string()))?)
}
