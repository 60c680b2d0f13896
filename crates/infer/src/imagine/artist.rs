//! The model at work: from rules to pictures, and from pictures back to rules.

use burn::tensor::{Device, Tensor, TensorData};
use genvp_model::{
    AnyModel, Conditioning, ModelError, Noise, SamplingConfig, UnlikeObjects, to_host,
    write_parameters,
};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::raven::{Grid, Raven, RuleRows};
use genvp_puzzle::{
    Attribute, ComponentRules, Domain, Group, Layout, Panel, Puzzle, RuleKind, RuleMatrix, Set,
    Stream, render,
};

use super::{ImagineError, decoded_scene};
use crate::judge::{self, RuleSpec, Verdict};

/// The panels of a grid as a model drew them, at the judge's size: ink = 1, paper = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The panels, row by row.
    pub panels: Grid<Vec<f32>>,
    /// The scenes that Z_o says, where its blocks are codes: what the model meant to draw.
    pub decoded: Option<Box<Grid<Panel>>>,
}

impl Drawing {
    /// The panels as the judge wants them.
    pub fn views(&self) -> Grid<&[f32]> {
        std::array::from_fn(|i| self.panels[i].as_slice())
    }

    /// The mean squared difference of a pixel from what the engine draws of the scenes that the
    /// judge read.
    pub fn squared_difference(&self, verdict: &Verdict) -> f64 {
        let mut exact = vec![0.0; judge::SIDE * judge::SIDE];
        let mut total = 0.0;
        for (own, scene) in self.panels.iter().zip(verdict.panels()) {
            render::ink_into(scene, verdict.layout, Domain::Standard, judge::SIDE, &mut exact);
            let squares = own.iter().zip(&exact).map(|(a, b)| f64::from((a - b) * (a - b)));
            total += squares.sum::<f64>() / exact.len() as f64;
        }
        total / self.panels.len() as f64
    }

    /// One panel as grey bytes, 255 = paper.
    pub fn grey(&self, panel: usize) -> Vec<u8> {
        grey(&self.panels[panel])
    }
}

/// Ink as grey bytes, 255 = paper.
pub(crate) fn grey(ink: &[f32]) -> Vec<u8> {
    let byte = |ink: &f32| (255.0 * (1.0 - ink.clamp(0.0, 1.0))).round() as u8;
    ink.iter().map(byte).collect()
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
    pub fn draw(&self, spec: &RuleSpec, seed: u64, index: u64) -> Result<Drawing, ImagineError> {
        let conditioning = self.conditioning(spec, seed, index)?;
        let mut noise = noise(seed, "imagine", index);
        let imagined = self.genvp.imagine(&conditioning, self.sampling, &mut noise)?;
        let drawing = self.drawing(imagined.images)?;
        Ok(Drawing { decoded: self.decoded_scenes(imagined.z, spec.layout)?, ..drawing })
    }

    /// What to draw: the rules of the specification, and what they leave open as the engine draws it: the
    /// parameters of rules that are not stated, and whether objects are alike.
    fn conditioning(
        &self,
        spec: &RuleSpec,
        seed: u64,
        index: u64,
    ) -> Result<Conditioning, ImagineError> {
        let layout = [spec.layout.index() as u8];
        let puzzle = self.genvp.puzzle();
        let conditioning = Conditioning::new(puzzle, &spec.columns(), Some(&layout), self.device)?;
        let config = self.genvp.config();
        let Some(values) = config.values() else { return Ok(conditioning) };
        let request = Request { rules: spec.rules, ..Request::new(Set::IRaven, spec.layout) };
        let seed = Stream::new(seed, "imagine/parameters", index).bits();
        let drawn = Maker::new(request)?.puzzle(seed, index)?;
        let conditioning = conditioning.with_unlike_objects(unlike_objects(&drawn));
        let width = config.batch_shape().parameters;
        if width == 0 {
            return Ok(conditioning);
        }
        let mut told = vec![0.0; width];
        let components = told.chunks_exact_mut(values.parameters_per_component());
        for (component, told) in components.enumerate().take(drawn.rules.len()) {
            write_parameters(&values.groups, &drawn.rule_parameters(component), told);
        }
        Ok(conditioning.with_parameters(told, width)?)
    }

    /// Pictures of one puzzle from a tensor `[panels, h, w, 1]`.
    pub(crate) fn drawing(&self, images: Tensor<4>) -> Result<Drawing, ImagineError> {
        let side = self.side;
        let pixels = to_host(images)?;
        let panel = |index: usize| {
            let own = &pixels[index * side * side..(index + 1) * side * side];
            let mut ink = vec![0.0; judge::SIDE * judge::SIDE];
            render::resize_ink(own, side, judge::SIDE, &mut ink);
            ink
        };
        Ok(Drawing { panels: std::array::from_fn(panel), decoded: None })
    }

    /// The scenes that Z says `[1, panels, K]`.
    fn decoded_scenes(
        &self,
        z: Tensor<3>,
        layout: Layout,
    ) -> Result<Option<Box<Grid<Panel>>>, ImagineError> {
        let config = self.genvp.config();
        let (Some(values), Some(latent)) = (config.values(), config.latent()) else {
            return Ok(None);
        };
        let z = to_host(z)?;
        let scenes = z.chunks_exact(latent.panel());
        let layouts = config.puzzle().layouts;
        let scenes: Option<Vec<Panel>> =
            scenes.map(|z| decoded_scene::scene(values, latent, layouts, layout, z)).collect();
        Ok(scenes.and_then(|scenes| Box::try_from(scenes.into_boxed_slice()).ok()))
    }

    /// The pictures of a puzzle as the model wants them `[panels, h, w, 1]`.
    pub(crate) fn canvas(&self, panels: &Grid<&[f32]>) -> Tensor<4> {
        let side = self.side;
        let mut pixels = vec![0.0; panels.len() * side * side];
        for (panel, out) in panels.iter().zip(pixels.chunks_exact_mut(side * side)) {
            render::resize_ink(panel, judge::SIDE, side, out);
        }
        Tensor::from_data(TensorData::new(pixels, [panels.len(), side, side, 1]), self.device)
    }

    /// The rules that the model's own encoder and experts see in the panels of a grid, as
    /// rule columns: the mixed rule matrix of the complete puzzle.
    ///
    /// # Errors
    /// When the device fails.
    pub fn own_rules(&self, panels: &Grid<&[f32]>) -> Result<RuleRows<usize>, ImagineError> {
        let mixed = to_host(self.genvp.rules(self.canvas(panels))?)?;
        let best = |row: usize| {
            let own = &mixed[row * RuleMatrix::RULES..(row + 1) * RuleMatrix::RULES];
            (1..own.len()).fold(0, |best, i| if own[i] > own[best] { i } else { best })
        };
        Ok(std::array::from_fn(best))
    }
}

/// The components whose objects differ in a puzzle, and how.
fn unlike_objects(puzzle: &Puzzle) -> Vec<UnlikeObjects> {
    let component = |(component, rules): (usize, &ComponentRules)| {
        let kind = puzzle.layout.components()[component];
        let slots = kind.slot_count();
        let looks = [Group::Type, Group::Size, Group::Color].into_iter().enumerate();
        let free = looks.filter(|(_, group)| rules.of(*group).kind == RuleKind::Constant);
        let range = |group: Group| {
            let attribute = group.attributes()[0];
            let levels = puzzle.domain.range(kind, attribute);
            let lowest = i32::from(attribute == Attribute::Type);
            [levels.lo - lowest, levels.hi - lowest].map(|level| level as usize)
        };
        let unlike = UnlikeObjects {
            puzzle: 0,
            component,
            slots,
            attributes: free.map(|(attribute, group)| (attribute, range(group))).collect(),
            kept: !rules.of(Group::NumberPosition).rebuilds_objects(),
        };
        (slots > 1 && !puzzle.is_uniform(component)).then_some(unlike)
    };
    puzzle.rules.iter().enumerate().filter_map(component).collect()
}

/// The noise of sample `index` of a seed.
pub(crate) fn noise(seed: u64, purpose: &str, index: u64) -> Noise {
    Noise::seeded(Stream::new(seed, purpose, index).bits())
}
