//! Panels to latents and back: q(Z|X) and p(X|Z).
//!
//! A panel is `[h, w, 1]` with ink = 1 and paper = 0.

mod decoder_paper;
mod decoder_patch;
mod encoder_paper;
mod encoder_resnet;
mod encoder_small;
mod encoder_vit;

pub use decoder_paper::{PaperDecoder, PaperDecoderConfig};
pub(crate) use decoder_patch::{PatchCanvas, PatchCanvasConfig};
pub use decoder_patch::{PatchDecoder, PatchDecoderConfig};
pub use encoder_paper::{PaperEncoder, PaperEncoderConfig};
pub use encoder_resnet::{ResidualBlock, ResnetEncoder, ResnetEncoderConfig};
pub use encoder_small::{SmallEncoder, SmallEncoderConfig};
pub use encoder_vit::{VitEncoder, VitEncoderConfig};

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{Activation, LinearBlock, LinearBlockConfig};
use serde::{Deserialize, Serialize};

use crate::config::{ConfigError, NetworkConfig};
use crate::scene::{ObjectsDecoder, ObjectsDecoderConfig};

/// The image side of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageConfig {
    /// Side of a panel in pixels.
    pub size: usize,
    /// q(Z|X).
    pub encoder: EncoderConfig,
    /// p(X|Z).
    pub decoder: DecoderConfig,
}

/// Which network draws a panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum DecoderConfig {
    /// RAISE's transposed convolutions, as in the paper.
    Paper(PaperDecoderConfig),
    /// Matrix products and pixel shuffles only.
    Patch(PatchDecoderConfig),
    /// The same, object by object, where blocks of Z_o are codes and Z_o-bar is told.
    Objects(ObjectsDecoderConfig),
}

impl ImageConfig {
    /// What keeps this from being built.
    pub(crate) fn problems(&self, config: &NetworkConfig<'_>) -> Vec<String> {
        if !(16..=512).contains(&self.size) {
            return vec![format!("image.size is 16 to 512 pixels, not {}", self.size)];
        }
        let mut problems = self.encoder.problems(config);
        problems.extend(match &self.decoder {
            DecoderConfig::Paper(c) => c.problems(self.size),
            DecoderConfig::Patch(c) => c.problems(self.size),
            DecoderConfig::Objects(c) => c.problems(self.size, config.puzzle.layouts),
        });
        problems
    }
}

/// Writes the enum of configurations of encoders and that of encoders. An encoder has, besides
/// its own settings, `problems(&NetworkConfig)`, `init(&NetworkConfig, &Device)` and
/// `forward([n, h, w, 1]) -> [n, 2K]`.
macro_rules! encoders {
    ($($(#[$about:meta])* $Kind:ident: $Config:ident => $Network:ident,)+) => {
        /// Which network reads a panel.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
        pub enum EncoderConfig {
            $($(#[$about])* $Kind($Config),)+
        }

        impl EncoderConfig {
            fn problems(&self, config: &NetworkConfig<'_>) -> Vec<String> {
                match self { $(Self::$Kind(own) => own.problems(config),)+ }
            }
        }

        /// q(Z|X), one panel at a time.
        #[derive(Module, Debug)]
        #[allow(clippy::large_enum_variant, reason = "a model has one, and moves it rarely")]
        pub enum ImageEncoder {
            $($(#[$about])* $Kind($Network),)+
        }

        impl ImageEncoder {
            /// A fresh encoder of the model's panels to 2K numbers.
            pub(crate) fn new(config: &NetworkConfig<'_>, device: &Device) -> Self {
                match &config.image.encoder {
                    $(EncoderConfig::$Kind(own) => Self::$Kind(own.init(config, device)),)+
                }
            }

            /// Means and raw log-variances of Z.
            ///
            /// # Shapes
            /// `[n, h, w, 1] -> [n, 2K]`
            pub fn forward(&self, images: Tensor<4>) -> Tensor<2> {
                match self { $(Self::$Kind(encoder) => encoder.forward(images),)+ }
            }
        }
    };
}

encoders! {
    /// RAISE's convolutional network, as in the paper.
    Paper: PaperEncoderConfig => PaperEncoder,
    /// A patch stem, then few strided convolutions: shaped for matrix products.
    Small: SmallEncoderConfig => SmallEncoder,
    /// A residual network.
    Resnet: ResnetEncoderConfig => ResnetEncoder,
    /// A vision transformer.
    Vit: VitEncoderConfig => VitEncoder,
}

/// The mean of p(X|Z), one panel at a time.
#[derive(Module, Debug)]
#[allow(clippy::large_enum_variant, reason = "a model has one, and moves it rarely")]
pub enum ImageDecoder {
    /// See [`DecoderConfig::Paper`].
    Paper(PaperDecoder),
    /// See [`DecoderConfig::Patch`].
    Patch(PatchDecoder),
    /// See [`DecoderConfig::Objects`].
    Objects(ObjectsDecoder),
}

impl ImageDecoder {
    /// A fresh decoder of the model's K numbers to its panels.
    ///
    /// # Errors
    /// When Z does not say what the decoder needs to know.
    pub(crate) fn new(config: &NetworkConfig<'_>, device: &Device) -> Result<Self, ConfigError> {
        let (size, inputs) = (config.image.size, config.latent.panel());
        Ok(match &config.image.decoder {
            DecoderConfig::Paper(c) => Self::Paper(c.init(size, inputs, device)),
            DecoderConfig::Patch(c) => Self::Patch(c.init(size, inputs, device)),
            DecoderConfig::Objects(c) => {
                let objects = config.objects().ok_or_else(|| ConfigError {
                    problems: vec!["Z says nothing about objects".into()],
                })?;
                Self::Objects(c.init(size, objects, device))
            }
        })
    }

    /// The panel, every pixel between 0 and 1.
    ///
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    pub fn forward(&self, z: Tensor<2>) -> Tensor<4> {
        match self {
            Self::Paper(d) => d.forward(z),
            Self::Patch(d) => d.forward(z),
            Self::Objects(d) => d.forward(z),
        }
    }
}

/// A linear layer with nothing after it.
pub(crate) fn plain_linear(inputs: usize, outputs: usize, device: &Device) -> LinearBlock {
    LinearBlockConfig::new([inputs, outputs]).with_activation(Activation::None).init(device)
}
