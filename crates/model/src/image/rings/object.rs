//! What is in a window.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{LinearBlock, LinearBlockConfig};

use super::RingsEncoderConfig;
use super::sampling::{HARMONICS, radius};
use crate::image::plain_linear;

/// A strength is rounded off below this, so that it has a slope at 0.
const ROUNDING: f32 = 1e-8;

/// Rings around the middle whose ink is the object's own grey.
const MIDDLE_RINGS: usize = 4;

/// The outermost rings, of which the lightest shows what lies behind the object.
const RIM_RINGS: usize = 3;

/// How the presence of an object depends on ink before anything is learned.
const PRESENCE: [f32; 3] = [4.0, 0.01, 2.0];

/// From the harmonics of a window to whether an object is there, and to its codes.
///
/// The first layers slide over the rings, so that they see the same edge in objects of any size;
/// then their outputs are summed over the rings, with and without the ring's place as a weight.
/// Without a kernel one layer looks at all rings at once.
#[derive(Module, Debug)]
pub struct ObjectReader {
    /// Layers over neighbouring rings.
    pub sliding: Vec<LinearBlock>,
    /// The hidden layer.
    pub hidden: LinearBlock,
    /// Presence, then codes: from the hidden layer and from what it sees.
    pub out: LinearBlock,
    #[module(skip)]
    rings: usize,
    #[module(skip)]
    kernel: usize,
}

impl ObjectReader {
    pub(super) fn new(config: &RingsEncoderConfig, codes: usize, device: &Device) -> Self {
        let RingsEncoderConfig { rings, kernel, hidden, .. } = *config;
        let norm = |from: usize, to: usize| {
            LinearBlockConfig::new([from, to]).with_norm(true).init(device)
        };
        let mut width = 1 + HARMONICS;
        let mut sliding = Vec::new();
        for &channels in config.channels.iter().filter(|_| kernel > 0) {
            sliding.push(norm(kernel * width, channels));
            width = channels;
        }
        let seen = if kernel > 0 { 2 * width } else { rings * width } + MIDDLE_RINGS;
        Self {
            sliding,
            hidden: norm(seen, hidden),
            out: plain_linear(hidden + seen, 1 + codes, device),
            rings,
            kernel,
        }
    }

    /// # Shapes
    /// `[windows, rings (1 + 2 harmonics)] -> [windows, 1 + codes]`
    pub fn forward(&self, harmonics: Tensor<2>) -> Tensor<2> {
        let n = harmonics.dims()[0];
        let (rings, parts) = (self.rings, HARMONICS * self.rings);
        let means = harmonics.clone().narrow(1, 0, rings);
        let behind = means.clone().narrow(1, rings - RIM_RINGS, RIM_RINGS).min_dim(1);
        let means = means - behind;
        let (cos, sin) =
            (harmonics.clone().narrow(1, rings, parts), harmonics.narrow(1, rings + parts, parts));
        let strengths = (cos.square() + sin.square()).add_scalar(ROUNDING).sqrt();
        let middle = means.clone().narrow(1, 0, MIDDLE_RINGS);
        let ink = means.clone().mean_dim(1);
        let profile = Tensor::cat(vec![means, strengths], 1);
        let seen = if self.kernel == 0 {
            profile
        } else {
            // Rings first, harmonics last.
            let profile = profile.reshape([n, 1 + HARMONICS, rings]).swap_dims(1, 2);
            let maps =
                self.sliding.iter().fold(profile, |x, layer| layer.forward(self.neighbours(x)));
            let places = (0..rings).map(|ring| radius(ring as f32, rings).ln() + 1.0);
            let places =
                Tensor::<1>::from_floats(places.collect::<Vec<_>>().as_slice(), &maps.device());
            let weighted = maps.clone() * places.reshape([1, rings, 1]);
            let sum = |maps: Tensor<3>| maps.mean_dim(1).squeeze_dim::<2>(1);
            Tensor::cat(vec![sum(maps), sum(weighted)], 1)
        };
        let seen = Tensor::cat(vec![seen, middle], 1);
        let out = self.out.forward(Tensor::cat(vec![self.hidden.forward(seen.clone()), seen], 1));
        let [steep, scale, empty] = PRESENCE;
        let prior = ink.div_scalar(scale).tanh().mul_scalar(steep).sub_scalar(empty);
        let codes = out.dims()[1] - 1;
        Tensor::cat(vec![out.clone().narrow(1, 0, 1) + prior, out.narrow(1, 1, codes)], 1)
    }

    /// Every ring with those around it; beyond the first and the last there is nothing.
    ///
    /// # Shapes
    /// `[n, rings, c] -> [n, rings, kernel c]`
    fn neighbours(&self, x: Tensor<3>) -> Tensor<3> {
        let [n, rings, c] = x.dims();
        let before = self.kernel / 2;
        let nothing = |rings| Tensor::zeros([n, rings, c], &x.device());
        let padded =
            Tensor::cat(vec![nothing(before), x.clone(), nothing(self.kernel - 1 - before)], 1);
        let shifted = (0..self.kernel).map(|k| padded.clone().narrow(1, k, rings));
        Tensor::cat(shifted.collect(), 2)
    }
}
