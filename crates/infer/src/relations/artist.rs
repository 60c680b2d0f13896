//! The model at work: from relations to pictures, and from pictures back to relations.

use burn::tensor::{Device, Tensor, TensorData};
use genvp_model::{AnyModel, Conditioning, ModelError, SamplingConfig, to_host};
use genvp_puzzle::family::Family;
use genvp_puzzle::pgm::Pgm;
use genvp_puzzle::relations::judge::{AskedRules, JudgedPanels, SIDE};
use genvp_puzzle::relations::{Panel, Vocabulary, codes, render};
use genvp_puzzle::resize_ink;

use crate::imagine::{ImagineError, grey, noise};

/// The panels of a puzzle as a model drew them, at the judge's size: ink = 1, paper = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct RelationDrawing {
    /// The panels, row by row.
    pub panels: Vec<Vec<f32>>,
    /// What the model decided to draw.
    pub decoded: Vec<Panel>,
}

impl RelationDrawing {
    /// One panel as grey bytes, 255 = paper.
    pub fn grey(&self, panel: usize) -> Vec<u8> {
        grey(&self.panels[panel])
    }

    /// The mean squared difference of a pixel from what the engine draws of the panels that were
    /// read.
    pub fn squared_difference(&self, read: &JudgedPanels) -> f64 {
        let mut exact = vec![0.0; SIDE * SIDE];
        let mut total = 0.0;
        for (own, reading) in self.panels.iter().zip(&read.readings) {
            render::ink_into(&reading.panel, SIDE, &mut exact);
            let squares = own.iter().zip(&exact).map(|(a, b)| f64::from((a - b) * (a - b)));
            total += squares.sum::<f64>() / exact.len() as f64;
        }
        total / self.panels.len() as f64
    }
}

/// A model that draws puzzles of PGM or VAD.
#[derive(Clone, Copy)]
pub struct RelationArtist<'m> {
    genvp: &'m AnyModel,
    device: &'m Device,
    family: &'static dyn Family,
    /// The side of the panels that the model draws.
    side: usize,
    sampling: SamplingConfig,
}

impl<'m> RelationArtist<'m> {
    /// An artist that samples as the model believes.
    ///
    /// # Errors
    /// When the model is for other puzzles, or has no pixels.
    pub fn new(
        genvp: &'m AnyModel,
        family: &'static dyn Family,
        device: &'m Device,
    ) -> Result<Self, ImagineError> {
        genvp.puzzle().check_for(family)?;
        let side = genvp.batch_shape().size;
        let side = side.ok_or(ModelError::Cannot { what: "draw panels" })?;
        Ok(Self { genvp, device, family, side, sampling: SamplingConfig::default() })
    }

    /// The same artist, sampling otherwise.
    pub fn with_sampling(self, sampling: SamplingConfig) -> Self {
        Self { sampling, ..self }
    }

    /// The family of puzzles that it draws.
    pub fn family(&self) -> &'static dyn Family {
        self.family
    }

    /// Draws a puzzle with the asked rules: sample number `index` of `seed`, whatever else is
    /// drawn.
    ///
    /// # Errors
    /// When the model or its device fails.
    pub fn draw(
        &self,
        asked: &AskedRules,
        seed: u64,
        index: u64,
    ) -> Result<RelationDrawing, ImagineError> {
        let (columns, sides) = (asked.columns(), asked.sides());
        let width = sides.len();
        let spec = Conditioning::new(self.genvp.puzzle(), &columns, None, self.device)?;
        let spec = spec.with_parameters(sides, width)?;
        let mut noise = noise(seed, "imagine", index);
        let imagined = self.genvp.imagine(&spec, self.sampling, &mut noise)?;
        self.drawing(imagined.images, imagined.z)
    }

    /// Fills missing panels: sample number `index` of `seed`. Where no rules are given, they are
    /// found in the panels that are there, and what stands in the others is not looked at.
    /// Returns the drawing, of which panels that are there are drawn anew, and the rules followed.
    ///
    /// # Errors
    /// When the model cannot complete, or its device fails.
    pub(super) fn fill(
        &self,
        panels: &[Vec<f32>],
        present: &[bool],
        rules: Option<&[u8]>,
        seed: u64,
        index: u64,
    ) -> Result<(RelationDrawing, Vec<u8>), ImagineError> {
        let blank = vec![0.0; SIDE * SIDE];
        let shown = panels.iter().zip(present);
        let shown: Vec<&[f32]> = shown
            .map(|(own, &there)| if there { own.as_slice() } else { blank.as_slice() })
            .collect();
        let mut noise = noise(seed, "complete", index);
        let canvas = self.canvas(&shown);
        let done = self.genvp.complete(canvas, present, rules, self.sampling, &mut noise)?;
        let rules = self.likeliest(&to_host(done.rules)?);
        Ok((self.drawing(done.images, done.z)?, rules))
    }

    /// What the judge reads in panels.
    pub fn read(&self, panels: &[Vec<f32>]) -> JudgedPanels {
        read(panels, self.vocabulary())
    }

    /// The rules that the model's own reader and experts see in complete puzzles: the relation of
    /// each row of the rule matrix.
    ///
    /// # Errors
    /// When the device fails.
    pub fn own_rules(&self, panels: &[Vec<f32>]) -> Result<Vec<u8>, ImagineError> {
        let views: Vec<&[f32]> = panels.iter().map(Vec::as_slice).collect();
        let said = to_host(self.genvp.rules(self.canvas(&views))?)?;
        Ok(self.likeliest(&said))
    }

    /// The shapes and lines of its puzzles.
    pub(super) fn vocabulary(&self) -> Vocabulary {
        if self.family.id() == Pgm.id() { Vocabulary::Pgm } else { Vocabulary::Vad }
    }

    /// The likeliest rule of each row of a rule matrix.
    fn likeliest(&self, said: &[f32]) -> Vec<u8> {
        let rules = self.genvp.puzzle().rules;
        let best = |own: &[f32]| {
            let best = |best: usize, rule: usize| if own[rule] > own[best] { rule } else { best };
            (1..own.len()).fold(0, best) as u8
        };
        said.chunks_exact(rules).map(best).collect()
    }

    /// Pictures of one puzzle from tensors `[panels, h, w, 1]` and `[1, panels, codes]`.
    fn drawing(&self, images: Tensor<4>, z: Tensor<3>) -> Result<RelationDrawing, ImagineError> {
        let side = self.side;
        let (pixels, z) = (to_host(images)?, to_host(z)?);
        let panel = |own: &[f32]| {
            let mut ink = vec![0.0; SIDE * SIDE];
            resize_ink(own, side, SIDE, &mut ink);
            ink
        };
        Ok(RelationDrawing {
            panels: pixels.chunks_exact(side * side).map(panel).collect(),
            decoded: z.chunks_exact(codes::CODES).map(codes::read).collect(),
        })
    }

    /// The pictures of a puzzle as the model wants them `[panels, h, w, 1]`.
    fn canvas(&self, panels: &[&[f32]]) -> Tensor<4> {
        let side = self.side;
        let mut pixels = vec![0.0; panels.len() * side * side];
        for (panel, out) in panels.iter().zip(pixels.chunks_exact_mut(side * side)) {
            resize_ink(panel, SIDE, side, out);
        }
        Tensor::from_data(TensorData::new(pixels, [panels.len(), side, side, 1]), self.device)
    }
}

/// What the judge reads in panels of a family's shapes and lines.
pub(super) fn read(panels: &[Vec<f32>], vocabulary: Vocabulary) -> JudgedPanels {
    let views: Vec<&[f32]> = panels.iter().map(Vec::as_slice).collect();
    JudgedPanels::read(&views, vocabulary)
}
