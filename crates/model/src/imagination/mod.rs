//! Imagining with values that nobody told: those that the model's own codes fall into.
//!
//! An encoder that looks object by object gives every object a code for each attribute. Objects
//! with the same value have nearly the same code, so codes lie in clumps, and the middles of the
//! clumps are a [`Codebook`] of values: found by k-means, never told. With it the model labels its
//! own panels, and the generative path of a model that is told values can be taught from these
//! labels instead:
//!
//! * p(Z_o|Z_r) is an [`AutoregressivePrior`](crate::AutoregressivePrior) over them; the code of a
//!   value is its entry in the codebook, so Z_o is the encoder's own;
//! * p(X|Z) is an [`ObjectsDecoder`](crate::ObjectsDecoder), which draws every object from the
//!   entry that is nearest to its code, turned as Z_o-bar says.
//!
//! What is known beforehand: where the windows of a layout are, how many values each attribute
//! has, and that objects are turned in eight directions.

mod codebook;
mod fit;
mod labels;
mod objective;
mod order;

pub use codebook::Codebook;
pub use fit::CodebookFit;
pub(crate) use objective::TERMS;

use burn::module::Module;
use burn::tensor::{Device, Tensor, TensorData};
use serde::{Deserialize, Serialize};

use self::labels::{Labels, Shape};
use crate::config::{LatentConfig, NetworkConfig};
use crate::error::{ModelError, to_host};
use crate::expert::ExpertConfig;
use crate::image::EncoderConfig;
use crate::noise::Noise;
use crate::scene::{
    AutoregressivePrior, Condition, IRRELEVANT_PER_OBJECT, Objects, ObjectsDecoder,
    ObjectsDecoderConfig, ValueKind, ValuesConfig,
};

/// How a model imagines by values that it finds in its own codes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImaginationConfig {
    /// How many values each attribute group has, and the network that predicts them.
    pub values: ValuesConfig,
    /// What draws objects.
    pub decoder: ObjectsDecoderConfig,
}

impl ImaginationConfig {
    /// What keeps it from being built.
    pub(crate) fn problems(&self, config: &NetworkConfig<'_>) -> Vec<String> {
        let (EncoderConfig::Rings(encoder), ExpertConfig::Slots(experts)) =
            (config.encoder, config.experts)
        else {
            return vec!["imagination needs an encoder of the kind \"rings\"".into()];
        };
        let layouts = config.puzzle.layouts;
        let mut problems = self.decoder.problems(config.size, layouts);
        let groups = &self.values.groups;
        let places = ValueKind::Occupancy { slots: encoder.slots() };
        let others = |kind: &ValueKind| !matches!(kind, ValueKind::Occupancy { .. });
        if groups.len() != experts.widths.len()
            || groups.first() != Some(&places)
            || !groups[1..].iter().all(others)
        {
            problems.push(format!(
                "imagination.values.groups are {places:?} and a kind of value for each of the other {} groups",
                experts.widths.len() - 1
            ));
        } else if self.objects(config).is_none() {
            problems.push("imagination.decoder has windows for every component".into());
        }
        if layouts == 0 {
            problems.push("imagination is told the layout: puzzle.layouts is not 0".into());
        }
        if self.values.parameters {
            problems.push("imagination.values.parameters: nobody tells them".into());
        }
        problems
    }

    /// The numbers that labels become for prior and decoder.
    pub(crate) fn latent(&self, config: &NetworkConfig<'_>) -> LatentConfig {
        let width = |kind: &ValueKind| kind.width(config.puzzle.layouts);
        let objects = self.values.groups[0].classes() + 1;
        LatentConfig {
            relevant: config.experts.components()
                * self.values.groups.iter().map(width).sum::<usize>(),
            irrelevant: objects * IRRELEVANT_PER_OBJECT,
            ..*config.latent
        }
    }

    fn objects(&self, config: &NetworkConfig<'_>) -> Option<Objects> {
        let slots = self.decoder.slots();
        (slots.len() == config.experts.components()).then_some(())?;
        Objects::new(&self.values, config.puzzle.layouts, &self.latent(config), &slots)
    }

    /// A fresh generative path, whose codebook is empty.
    ///
    /// # Panics
    /// When the configuration has problems.
    pub(crate) fn init(&self, config: &NetworkConfig<'_>, device: &Device) -> Imagination {
        let ExpertConfig::Slots(experts) = config.experts else {
            panic!("a checked configuration has experts of the family slots");
        };
        let (components, widths) = (experts.components, &experts.widths);
        let EncoderConfig::Rings(encoder) = config.encoder else {
            panic!("a checked configuration has an encoder of the kind rings");
        };
        let (size_of, sizes) = encoder.window_sizes();
        let objects = self.objects(config).expect("a checked configuration has room for objects");
        let shape = Shape {
            kinds: self.values.groups.clone(),
            widths: widths.clone(),
            components,
            layouts: config.puzzle.layouts,
            slots: self
                .decoder
                .windows
                .iter()
                .map(|own| own.iter().map(Vec::len).collect())
                .collect(),
            size_of,
            sizes,
            latent: self.latent(config),
            per_slot: config.latent.irrelevant / (components * self.values.groups[0].classes()),
        };
        Imagination {
            codebook: Codebook::empty(&shape, device),
            writer: AutoregressivePrior::with_row_latents(
                &self.values,
                config.puzzle,
                components,
                widths.clone(),
                device,
            ),
            decoder: self.decoder.init(config.size, objects, device),
            shape,
        }
    }
}

/// See the [module](self).
#[derive(Module, Debug)]
pub struct Imagination {
    /// The values that codes fall into.
    pub codebook: Codebook,
    /// p(Z_o|Z_r), over the codebook's values.
    pub writer: AutoregressivePrior,
    /// p(X|Z).
    pub decoder: ObjectsDecoder,
    #[module(skip)]
    shape: Shape,
}

impl Imagination {
    /// A sample of p(Z_o|Z_r, layout): values one by one, and their entries in the codebook.
    ///
    /// # Shapes
    /// `[b, K_Zr]`, `[b, L] -> [b · MN, K_Zo]`
    pub(crate) fn sample_z_o(
        &self,
        z_r: &Tensor<2>,
        layout: &Tensor<2>,
        panels: usize,
        temperature: f32,
        noise: &mut Noise,
    ) -> Result<Tensor<2>, ModelError> {
        let (b, device) = (z_r.dims()[0], z_r.device());
        let nothing = Tensor::zeros([b, panels, self.shape.latent.relevant], &device);
        let condition = Condition { z_r, layout, parameters: &[] };
        let written =
            self.writer.write(&nothing, &vec![false; b * panels], &condition, temperature, noise);
        let labels = Labels::of_written(&self.shape, &to_host(written)?);
        let z_o = labels.z_o(
            &self.shape,
            &self.codebook.entries(&self.shape)?,
            &layouts_of(layout, panels)?,
        );
        let width = z_o.len() / (b * panels);
        Ok(Tensor::from_data(TensorData::new(z_o, [b * panels, width]), &device))
    }

    /// Draws panels of known layouts: each object from the entry of the codebook that is nearest.
    ///
    /// # Shapes
    /// `[b · panels, K]`, `[b, L] -> [b · panels, h, w, 1]`
    pub(crate) fn draw(&self, z: Tensor<2>, layout: &Tensor<2>) -> Result<Tensor<4>, ModelError> {
        let ([n, _], device) = (z.dims(), z.device());
        let layouts = layouts_of(layout, n / layout.dims()[0].max(1))?;
        let entries = self.codebook.entries(&self.shape)?;
        let labels = Labels::of_z(&self.shape, &entries, &to_host(z)?, &layouts);
        Ok(self.draw_labels(&labels, &layouts, &device))
    }

    /// # Shapes
    /// `-> [n, h, w, 1]`
    fn draw_labels(&self, labels: &Labels, layouts: &[usize], device: &Device) -> Tensor<4> {
        let (z, about) = labels.scenes(&self.shape, self.decoder.objects(), layouts);
        let n = layouts.len();
        let rows = |numbers: Vec<f32>| {
            let width = numbers.len() / n.max(1);
            Tensor::<2>::from_data(TensorData::new(numbers, [n, width]), device)
        };
        self.decoder.compose(rows(z), rows(about))
    }
}

/// The layout of every panel of puzzles whose layouts are given one-hot.
fn layouts_of(layout: &Tensor<2>, panels: usize) -> Result<Vec<usize>, ModelError> {
    let [_, layouts] = layout.dims();
    let host = to_host(layout.clone())?;
    let of = |puzzle: &[f32]| {
        let found = puzzle.iter().position(|&share| share > 0.5);
        found.ok_or(ModelError::Cannot { what: "imagine a puzzle without being told its layout" })
    };
    let each = host.chunks_exact(layouts).map(of).collect::<Result<Vec<_>, _>>()?;
    Ok(each.into_iter().flat_map(|layout| std::iter::repeat_n(layout, panels)).collect())
}
