//! p(X|Z) of a model whose latents say what is where: object by object, or by a decoder that the
//! paper's model has too.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use serde::{Deserialize, Serialize};

use super::{Objects, ObjectsDecoder, ObjectsDecoderConfig, SceneConfig};
use crate::config::ConfigError;
use crate::image::{DecoderConfig, ImageDecoder, PaperDecoderConfig, PatchDecoderConfig};

/// Which network draws a panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SceneDecoderConfig {
    /// RAISE's transposed convolutions, as in the paper.
    Paper(PaperDecoderConfig),
    /// Matrix products and pixel shuffles only.
    Patch(PatchDecoderConfig),
    /// The same, object by object.
    Objects(ObjectsDecoderConfig),
}

/// What Z must hold for a decoder that draws object by object.
const NEEDED: &str = "decoder.kind \"objects\" needs values, the first of them places, decoder.windows for as many components as the experts have, for each at least one slot and at most as many as places, and 4 numbers of latent.irrelevant for each slot";

impl SceneDecoderConfig {
    /// What keeps it from drawing the panels of a model.
    pub(super) fn problems(&self, model: &SceneConfig) -> Vec<String> {
        let size = model.image.size;
        match self {
            Self::Paper(own) => own.problems(size),
            Self::Patch(own) => own.problems(size),
            Self::Objects(own) => {
                let mut problems = own.problems(size, model.puzzle.layouts);
                if objects(own, model).is_none() {
                    problems.push(NEEDED.into());
                }
                problems
            }
        }
    }

    /// A fresh decoder of a model's K numbers to its panels.
    ///
    /// # Errors
    /// When Z does not hold what the decoder draws.
    pub(super) fn init(
        &self,
        model: &SceneConfig,
        device: &Device,
    ) -> Result<SceneDecoder, ConfigError> {
        let (size, inputs) = (model.image.size, model.latent.panel());
        let whole =
            |decoder: DecoderConfig| SceneDecoder::Whole(decoder.init(size, inputs, device));
        Ok(match self {
            Self::Paper(own) => whole(DecoderConfig::Paper(own.clone())),
            Self::Patch(own) => whole(DecoderConfig::Patch(own.clone())),
            Self::Objects(own) => {
                let objects = objects(own, model)
                    .ok_or_else(|| ConfigError { problems: vec![NEEDED.into()] })?;
                SceneDecoder::Objects(own.init(size, objects, device))
            }
        })
    }
}

/// The objects whose values Z holds.
fn objects(decoder: &ObjectsDecoderConfig, model: &SceneConfig) -> Option<Objects> {
    let slots = decoder.slots();
    (slots.len() == model.experts.components()).then_some(())?;
    Objects::new(&model.values, model.puzzle.layouts, &model.latent, &slots)
}

/// The mean of p(X|Z), one panel at a time.
#[derive(Module, Debug)]
#[allow(clippy::large_enum_variant, reason = "a model has one, and moves it rarely")]
pub enum SceneDecoder {
    /// The panel as a whole.
    Whole(ImageDecoder),
    /// See [`SceneDecoderConfig::Objects`].
    Objects(ObjectsDecoder),
}

impl SceneDecoder {
    /// The panel, every pixel between 0 and 1.
    ///
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    pub fn forward(&self, z: Tensor<2>) -> Tensor<4> {
        match self {
            Self::Whole(decoder) => decoder.forward(z),
            Self::Objects(decoder) => decoder.forward(z),
        }
    }

    /// The objects that are drawn one by one, where they are.
    pub(super) fn objects(&self) -> Option<&Objects> {
        match self {
            Self::Whole(_) => None,
            Self::Objects(decoder) => Some(decoder.objects()),
        }
    }
}
