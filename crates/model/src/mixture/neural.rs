//! The learned mixture: a small convolutional network over frozen predictions.

use std::convert::Infallible;

use burn::module::Module;
use burn::tensor::{Device, Tensor, activation};
use genvp_kernels::{Activation, ConvBlock, ConvBlockConfig, LinearBlock};

use crate::config::PuzzleConfig;
use crate::drawing::drawn;
use crate::image::plain_linear;

/// Channels of the hidden layers.
const CHANNELS: usize = 32;

/// Scores one completed puzzle from the rule matrices of all experts, which are
/// the channels of a K_R x N_R picture. The same network scores every candidate,
/// so a score depends on the context and that candidate alone.
#[derive(Module, Debug)]
pub struct NeuralMixture {
    /// Convolutions 3/1/1.
    pub convolutions: Vec<ConvBlock>,
    /// The linear layer to the score.
    pub score: LinearBlock,
}

impl NeuralMixture {
    /// A fresh mixture whose weights are a function of the seed.
    pub fn seeded(puzzle: &PuzzleConfig, seed: u64, device: &Device) -> Self {
        let Ok(mixture) =
            drawn::<_, Infallible>(Some(seed), device, || Ok(Self::new(puzzle, device)));
        mixture
    }

    /// A fresh mixture for puzzles of this shape.
    pub(crate) fn new(puzzle: &PuzzleConfig, device: &Device) -> Self {
        let layer = |inputs| {
            ConvBlockConfig::new([inputs, CHANNELS], 3)
                .with_padding(1)
                .with_norm(false)
                .with_activation(Activation::Relu)
                .init(device)
        };
        Self {
            convolutions: vec![layer(puzzle.predictions()), layer(CHANNELS)],
            score: plain_linear(CHANNELS * puzzle.cells(), 1, device),
        }
    }

    /// A score for every candidate.
    ///
    /// # Shapes
    /// `[E, b, C, K_R, N_R]` (probabilities) -> `[b, C]`
    pub fn scores(&self, probabilities: Tensor<5>) -> Tensor<2> {
        let [e, b, c, k, n] = probabilities.dims();
        let pictures = probabilities.permute([1, 2, 3, 4, 0]).reshape([b * c, k, n, e]);
        let seen = self.convolutions.iter().fold(pictures, |x, layer| layer.forward(x));
        self.score.forward(seen.flatten::<2>(1, 3)).reshape([b, c])
    }
}

/// Cross-entropy of the candidates' scores, where candidate 0 is right.
///
/// # Shapes
/// `[b, C] -> [1]`
pub fn neural_loss(scores: Tensor<2>) -> Tensor<1> {
    activation::log_softmax(scores, 1).narrow(1, 0, 1).mean().neg()
}
