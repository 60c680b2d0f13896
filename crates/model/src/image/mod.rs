//! Panels to latents and back: q(Z|X) and p(X|Z).
//!
//! A panel is `[h, w, 1]` with ink = 1 and paper = 0.

mod decoder_paper;
mod decoder_patch;
mod encoder_paper;
mod encoder_resnet;
mod encoder_small;
mod encoder_vit;
mod resize;
mod rings;

pub use decoder_paper::{PaperDecoder, PaperDecoderConfig};
pub(crate) use decoder_patch::{PatchCanvas, PatchCanvasConfig};
pub use decoder_patch::{PatchDecoder, PatchDecoderConfig};
pub use encoder_paper::{PaperEncoder, PaperEncoderConfig};
pub use encoder_resnet::{ResidualBlock, ResnetEncoder, ResnetEncoderConfig};
pub use encoder_small::{SmallEncoder, SmallEncoderConfig};
pub use encoder_vit::{VitEncoder, VitEncoderConfig};
pub use resize::Resize;
pub(crate) use rings::Readings;
pub use rings::{ObjectReader, RingsEncoder, RingsEncoderConfig, SlotWindow};

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{Activation, LinearBlock, LinearBlockConfig};
use serde::{Deserialize, Serialize};

use crate::batch::PuzzleBatch;
use crate::config::{NetworkConfig, PuzzleConfig};
use crate::error::ModelError;
use crate::loss::{LossConfig, LossTerms, Term};

/// The image side of a model, whose decoders may be of its own kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageConfig<D = DecoderConfig> {
    /// Side of a panel in pixels.
    pub size: usize,
    /// How panels come to that size.
    #[serde(default)]
    pub resize: Resize,
    /// q(Z|X).
    pub encoder: EncoderConfig,
    /// p(X|Z).
    pub decoder: D,
}

/// Which network draws a panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum DecoderConfig {
    /// RAISE's transposed convolutions, as in the paper.
    Paper(PaperDecoderConfig),
    /// Matrix products and pixel shuffles only.
    Patch(PatchDecoderConfig),
}

impl DecoderConfig {
    /// What keeps it from drawing panels of this side.
    pub(crate) fn problems(&self, size: usize) -> Vec<String> {
        match self {
            Self::Paper(own) => own.problems(size),
            Self::Patch(own) => own.problems(size),
        }
    }

    /// A fresh decoder of K numbers to a panel.
    pub(crate) fn init(&self, size: usize, inputs: usize, device: &Device) -> ImageDecoder {
        match self {
            Self::Paper(own) => ImageDecoder::Paper(own.init(size, inputs, device)),
            Self::Patch(own) => ImageDecoder::Patch(own.init(size, inputs, device)),
        }
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
            pub(crate) fn problems(&self, config: &NetworkConfig<'_>) -> Vec<String> {
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
                match config.encoder {
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
    /// Object by object, each seen through circular harmonics.
    Rings: RingsEncoderConfig => RingsEncoder,
}

impl EncoderConfig {
    /// The terms that it learns from besides those of the model.
    pub(crate) fn terms(&self, puzzle: &PuzzleConfig) -> &'static [Term] {
        match self {
            Self::Rings(own) => own.terms(puzzle),
            _ => &[],
        }
    }
}

impl ImageEncoder {
    /// What is seen in each window of panels whose layouts are known, for encoders that look
    /// object by object.
    ///
    /// # Shapes
    /// `[n, h, w, 1]`
    pub(crate) fn readings(
        &self,
        images: Tensor<4>,
        layouts: &[usize],
    ) -> Result<Readings, ModelError> {
        match self {
            Self::Rings(encoder) => encoder.readings(images, layouts),
            _ => Err(ModelError::Cannot { what: "read panels object by object" }),
        }
    }

    /// [`forward`](Self::forward) for the panels of puzzles, so many each, which some encoders look
    /// at together.
    ///
    /// # Shapes
    /// `[b · panels, h, w, 1] -> [b · panels, 2K]`
    pub fn forward_puzzles(&self, images: Tensor<4>, panels: usize) -> Tensor<2> {
        match self {
            Self::Rings(encoder) => encoder.forward_puzzles(images, panels),
            other => other.forward(images),
        }
    }

    /// The same for training, with the [terms](EncoderConfig::terms) of encoders that have their own.
    ///
    /// # Shapes
    /// `[b · P, h, w, 1] -> [b · P, 2K]`
    pub(crate) fn learn(&self, batch: &PuzzleBatch, config: &LossConfig) -> (Tensor<2>, LossTerms) {
        match self {
            Self::Rings(encoder) => encoder.learn(batch, config),
            other => (other.forward(batch.images()), LossTerms::default()),
        }
    }
}

/// The mean of p(X|Z), one panel at a time.
#[derive(Module, Debug)]
#[allow(clippy::large_enum_variant, reason = "a model has one, and moves it rarely")]
pub enum ImageDecoder {
    /// See [`DecoderConfig::Paper`].
    Paper(PaperDecoder),
    /// See [`DecoderConfig::Patch`].
    Patch(PatchDecoder),
}

impl ImageDecoder {
    /// The panel, every pixel between 0 and 1.
    ///
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    pub fn forward(&self, z: Tensor<2>) -> Tensor<4> {
        match self {
            Self::Paper(d) => d.forward(z),
            Self::Patch(d) => d.forward(z),
        }
    }
}

/// A linear layer with nothing after it.
pub(crate) fn plain_linear(inputs: usize, outputs: usize, device: &Device) -> LinearBlock {
    LinearBlockConfig::new([inputs, outputs]).with_activation(Activation::None).init(device)
}
