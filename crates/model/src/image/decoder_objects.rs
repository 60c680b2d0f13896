//! The decoder for models whose latents say what is where: object by object.

use burn::module::Module;
use burn::tensor::{Device, Int, Tensor, TensorData};
use genvp_kernels::{LinearBlock, LinearBlockConfig};
use serde::{Deserialize, Serialize};

use super::decoder_patch::{PatchCanvas, PatchCanvasConfig};
use crate::values::Objects;

/// One network for every object that there can be, a sum over those that are there, and
/// the canvas of [`PatchDecoderConfig`](super::PatchDecoderConfig).
///
/// A panel is a set of objects: what one looks like does not depend on the others, and
/// what the network learns about a triangle in one slot it knows in all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectsDecoderConfig {
    /// Slots of each component.
    pub slots: Vec<usize>,
    /// Width of the first layer of the network for objects.
    pub object: usize,
    /// Width of its second layer, and of the sum.
    pub hidden: usize,
    /// Channels of the first map, then after each doubling.
    pub channels: Vec<usize>,
}

impl ObjectsDecoderConfig {
    fn canvas(&self) -> PatchCanvasConfig<'_> {
        PatchCanvasConfig { hidden: self.hidden, channels: &self.channels }
    }

    pub(crate) fn problems(&self, size: usize) -> Vec<String> {
        let mut problems = self.canvas().problems(size);
        if self.object == 0 {
            problems.push("decoder.object must not be 0".into());
        }
        problems
    }

    /// A fresh decoder.
    pub(crate) fn init(&self, size: usize, objects: Objects, device: &Device) -> ObjectsDecoder {
        let layer = |from, to| LinearBlockConfig::new([from, to]).init(device);
        ObjectsDecoder {
            look: layer(objects.width() + objects.len(), self.object),
            object: layer(self.object, self.hidden),
            canvas: self.canvas().init(size, device),
            objects,
        }
    }
}

/// See [`ObjectsDecoderConfig`].
#[derive(Module, Debug)]
pub struct ObjectsDecoder {
    /// The first layer for an object: what it looks like, and which one it is.
    pub look: LinearBlock,
    /// The second layer for an object.
    pub object: LinearBlock,
    /// From the sum over objects to the picture.
    pub canvas: PatchCanvas,
    #[module(skip)]
    objects: Objects,
}

impl ObjectsDecoder {
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    pub fn forward(&self, z: Tensor<2>) -> Tensor<4> {
        let ([n, _], device) = (z.dims(), z.device());
        let (count, width) = (self.objects.len(), self.objects.width());
        let about = pick(z.clone(), &self.objects.about).reshape([n, count, width]);
        let which = Tensor::<2>::eye(count, &device).unsqueeze::<3>().repeat_dim(0, n);
        let about = Tensor::cat(vec![about, which], 2).reshape([n * count, width + count]);
        let drawn = self.object.forward(self.look.forward(about));
        let hidden = drawn.dims()[1];
        // +1: it is there; -1: it is not, and must leave no trace.
        let there = pick(z, &self.objects.there).add_scalar(1.0).mul_scalar(0.5).clamp(0.0, 1.0);
        let sum = there.reshape([n, 1, count]).matmul(drawn.reshape([n, count, hidden]));
        self.canvas.forward(sum.reshape([n, hidden]))
    }
}

/// Some columns of a matrix.
///
/// # Shapes
/// `[n, K] -> [n, places]`
fn pick(z: Tensor<2>, places: &[usize]) -> Tensor<2> {
    let device = z.device();
    let places: Vec<i64> = places.iter().map(|&place| place as i64).collect();
    let count = places.len();
    z.select(1, Tensor::<1, Int>::from_data(TensorData::new(places, [count]), &device))
}
