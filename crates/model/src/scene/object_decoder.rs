//! The decoder for models whose latents say what is where: object by object.

use std::f32::consts::FRAC_PI_4;
use std::sync::Arc;

use burn::module::{Module, Param};
use burn::tensor::{Device, Tensor, TensorData};
use genvp_kernels::{Cutout, Layer, LinearBlock, LinearBlockConfig, compose};
use serde::{Deserialize, Serialize};

use super::{Objects, ValueKind};
use crate::error::{ModelError, to_host};
use crate::image::{PatchCanvas, PatchCanvasConfig};
use crate::tensor_index::indices;

/// Where an object is drawn: top, left and side of a square, in pixels. It may reach over
/// the edge of the panel.
pub type Window = [i32; 3];

/// How much ink the paper has before anything is learned, as a logit.
const BARE: f64 = -4.0;

/// How sharply the eight directions that an object's own numbers can point in are told apart.
const SHARP: f32 = 40.0;

/// An object is wholly there from +0.5 on, and not at all up to -0.5: noise does not fade it.
const DOUBT: f32 = 0.5;

/// Features of the direction: on which side of four lines through the origin it is.
const SIDES: usize = 4;

/// One network for every object that there can be, which draws it in a window around its
/// slot; the paper of the layout and the objects that are there are summed as logits.
///
/// A panel is a set of objects: what one looks like does not depend on the others, and
/// what the network learns about a triangle in one slot it knows in all of them.
///
/// Which objects are there, and the layout, are read off Z and not learned through: no
/// gradient reaches them where they are sure. On other devices than the CPU objects are added to
/// the picture pixel by pixel, which is slow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectsDecoderConfig {
    /// For each layout and component the windows of its slots. Windows are either as large
    /// as the panel or all of one smaller side.
    pub windows: Vec<Vec<Vec<Window>>>,
    /// Width of the first layer of the network for objects.
    pub object: usize,
    /// Width of its second layer.
    pub hidden: usize,
    /// Channels of the first map of an object as large as the panel, then after each doubling.
    pub large: Vec<usize>,
    /// The same for an object in a smaller window.
    pub small: Vec<usize>,
}

impl ObjectsDecoderConfig {
    /// Slots of each component: as many as the layout with the most has.
    pub(crate) fn slots(&self) -> Vec<usize> {
        let components = self.windows.iter().map(Vec::len).max().unwrap_or_default();
        let most = |c| self.windows.iter().filter_map(|layout| layout.get(c)).map(Vec::len).max();
        (0..components).map(|c| most(c).unwrap_or_default()).collect()
    }

    /// Side of the windows that are smaller than the panel.
    fn small_side(&self, size: usize) -> Option<usize> {
        let sides = self.windows.iter().flatten().flatten().map(|&[_, _, side]| side);
        sides
            .filter_map(|side| usize::try_from(side).ok())
            .filter(|side| (1..size).contains(side))
            .max()
    }

    pub(crate) fn problems(&self, size: usize, layouts: usize) -> Vec<String> {
        let mut problems = canvas(self.hidden, &self.large).problems("decoder.large", size);
        let small = self.small_side(size);
        if let Some(small) = small {
            problems.extend(canvas(self.hidden, &self.small).problems("decoder.small", small));
        }
        if self.object == 0 {
            problems.push("decoder.object must not be 0".into());
        }
        if self.windows.len() != layouts {
            let found = self.windows.len();
            problems.push(format!("decoder.windows are those of {found} layouts, not {layouts}"));
        }
        let size = size as i32;
        for &[top, left, side] in self.windows.iter().flatten().flatten() {
            let fits = side == size || small.is_some_and(|small| side == small as i32);
            let near = |at: i32| (1 - side.max(1)..size).contains(&at);
            if !(fits && near(top) && near(left)) {
                problems.push(format!("decoder.windows: [{top}, {left}, {side}] is outside of the {size} px panel, or neither as large as it nor as the other small windows"));
            }
        }
        problems
    }

    /// A fresh decoder.
    pub(crate) fn init(&self, size: usize, objects: Objects, device: &Device) -> ObjectsDecoder {
        let layer = |from, to| LinearBlockConfig::new([from, to]).init(device);
        let small = self.small_side(size).unwrap_or(size);
        let paper = Tensor::full([self.windows.len(), 2 * size], BARE / 2.0, device);
        let (look, object) = (
            layer(objects.width() + SIDES + objects.len(), self.object),
            layer(self.object, self.hidden),
        );
        let large = canvas(self.hidden, &self.large).init(size, device);
        let small = canvas(self.hidden, &self.small).init(small, device);
        let (in_large, in_small) = (large.places(), small.places());
        let place = |window: Window| {
            let places = if window[2] as usize == size { &in_large } else { &in_small };
            Frame { window, pixels: pixels(window, places, size) }
        };
        let place_all = |layout: &Vec<Vec<Window>>| {
            windows(layout, &self.slots()).into_iter().map(|window| window.map(place)).collect()
        };
        let windows = self.windows.iter().map(place_all).collect();
        let paper = Param::from_tensor(paper);
        ObjectsDecoder { look, object, large, small, paper, windows, size, objects }
    }
}

fn canvas(hidden: usize, channels: &[usize]) -> PatchCanvasConfig<'_> {
    PatchCanvasConfig { hidden, channels, activation: genvp_kernels::Activation::None }
}

/// The windows of a layout in the order of [`Objects`]; `None` for slots it has not.
fn windows(layout: &[Vec<Window>], slots: &[usize]) -> Vec<Option<Window>> {
    let of = |(c, &count): (usize, &usize)| {
        (0..count).map(move |slot| layout.get(c).and_then(|windows| windows.get(slot)).copied())
    };
    slots.iter().enumerate().flat_map(of).collect()
}

/// See [`ObjectsDecoderConfig`].
#[derive(Module, Debug)]
pub struct ObjectsDecoder {
    /// The first layer for an object: what it looks like, and which one it is.
    pub look: LinearBlock,
    /// The second layer for an object.
    pub object: LinearBlock,
    /// Draws objects as large as the panel.
    pub large: PatchCanvas,
    /// Draws objects in smaller windows.
    pub small: PatchCanvas,
    /// A panel of each layout without objects, whatever lines it has: a logit for each line of
    /// pixels and one for each column, to be added: `[layouts, h + w]`.
    pub paper: Param<Tensor<2>>,
    /// For each layout and object its window, and the pixels of the panel in it.
    #[module(skip)]
    windows: Vec<Vec<Option<Frame>>>,
    #[module(skip)]
    size: usize,
    #[module(skip)]
    objects: Objects,
}

/// Where an object is drawn, and the pixel of the panel that each of its own falls on.
#[derive(Clone, Debug)]
struct Frame {
    window: Window,
    pixels: Arc<[u32]>,
}

/// An object that is there.
struct Actor {
    panel: usize,
    object: usize,
    frame: Frame,
}

impl ObjectsDecoder {
    /// The objects that it draws.
    pub(crate) fn objects(&self) -> &Objects {
        &self.objects
    }

    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    pub fn forward(&self, z: Tensor<2>) -> Tensor<4> {
        let about = pick(z.clone(), &self.objects.about);
        self.compose(z, about)
    }

    /// The same, each of several unlike objects by the code of the value that its own numbers
    /// say, as if all objects were like it. Nothing can be learned through that choice.
    ///
    /// # Errors
    /// When the device fails.
    ///
    /// # Shapes
    /// `[n, K] -> [n, h, w, 1]`
    pub(super) fn forward_one_by_one(
        &self,
        z: Tensor<2>,
        kinds: &[ValueKind],
    ) -> Result<Tensor<4>, ModelError> {
        let ([n, numbers], device) = (z.dims(), z.device());
        let host = to_host(z.clone())?;
        let about: Vec<f32> = host
            .chunks_exact(numbers)
            .flat_map(|panel| self.objects.about_one_by_one(panel, kinds))
            .collect();
        let about = TensorData::new(about, [n, self.objects.about.len()]);
        Ok(self.compose(z, Tensor::from_data(about, &device)))
    }

    /// Panels in which Z says what is there, and `about` what each object looks like.
    ///
    /// # Shapes
    /// `z` `[n, K]`, `about` `[n, objects · width] -> [n, h, w, 1]`
    pub(crate) fn compose(&self, z: Tensor<2>, about: Tensor<2>) -> Tensor<4> {
        let ([n, _], device) = (z.dims(), z.device());
        let (count, size) = (self.objects.len(), self.size);
        if n == 0 {
            return Tensor::zeros([0, size, size, 1], &device);
        }
        let (layouts, actors) = self.cast(z.clone());
        let (large, small): (Vec<Actor>, Vec<Actor>) =
            actors.into_iter().partition(|actor| self.is_large(actor.frame.window));

        let about = about.reshape([n * count, self.objects.width()]);
        // +1: it is there; -1: it is not, and must leave no trace.
        let there = pick(z, &self.objects.there).add_scalar(DOUBT).clamp(0.0, 1.0);
        let there = there.reshape([n * count, 1]);
        let which = Tensor::<2>::eye(count, &device);

        let layer = |actors: Vec<Actor>, canvas: &PatchCanvas| {
            let rows: Vec<usize> = actors.iter().map(|a| a.panel * count + a.object).collect();
            let objects: Vec<usize> = actors.iter().map(|a| a.object).collect();
            let rows = indices(&rows, &device);
            let about = about.clone().select(0, rows.clone());
            let which = which.clone().select(0, indices(&objects, &device));
            let look = Tensor::cat(vec![self.sides(about.clone()), about, which], 1);
            let drawn = canvas.forward(self.object.forward(self.look.forward(look)));
            let cutouts =
                actors.iter().map(|a| Cutout { panel: a.panel, pixels: a.frame.pixels.clone() });
            let cutouts = Arc::new(cutouts.collect());
            Layer { drawn, there: there.clone().select(0, rows), cutouts }
        };
        let layers = [(large, &self.large), (small, &self.small)];
        let layers = layers.into_iter().filter(|(actors, _)| !actors.is_empty());
        let layers = layers.map(|(actors, canvas)| layer(actors, canvas)).collect();
        let paper = self.paper.val().select(0, indices(&layouts, &device));
        compose(paper, [size, size], layers)
    }

    fn is_large(&self, window: Window) -> bool {
        window[2] as usize == self.size
    }

    /// The layout of every panel, and the objects that are there.
    ///
    /// # Shapes
    /// `z [n, K]`
    fn cast(&self, z: Tensor<2>) -> (Vec<usize>, Vec<Actor>) {
        let n = z.dims()[0];
        let read = |places: &[usize]| -> Vec<f32> {
            let data = pick(z.clone().detach(), places).into_data().convert::<f32>();
            data.try_to_vec().expect("converted to f32")
        };
        let (kinds, there) = (read(&self.objects.layout), read(&self.objects.there));
        let count = self.objects.len();
        let (mut layouts, mut actors) = (Vec::with_capacity(n), Vec::new());
        for panel in 0..n {
            let kinds = &kinds[panel * self.windows.len()..][..self.windows.len()];
            let likeliest = (0..kinds.len()).max_by(|&a, &b| kinds[a].total_cmp(&kinds[b]));
            let layout = likeliest.unwrap_or_default();
            layouts.push(layout);
            for (object, frame) in self.windows[layout].iter().enumerate() {
                let there = there[panel * count + object] > -DOUBT;
                if let (Some(frame), true) = (frame, there) {
                    actors.push(Actor { panel, object, frame: frame.clone() });
                }
            }
        }
        (layouts, actors)
    }

    /// Which of eight directions the first two of an object's own numbers point in, as soft signs.
    ///
    /// # Shapes
    /// `[m, width] -> [m, 4]`
    fn sides(&self, about: Tensor<2>) -> Tensor<2> {
        let own = self.objects.width() - super::IRRELEVANT_PER_OBJECT;
        let (x, y) = (about.clone().narrow(1, own, 1), about.narrow(1, own + 1, 1));
        let length = (x.clone().square() + y.clone().square()).add_scalar(1e-6).sqrt();
        let side = |i: usize| {
            let (sin, cos) = (i as f32 * FRAC_PI_4).sin_cos();
            (y.clone().mul_scalar(cos) - x.clone().mul_scalar(sin)) / length.clone()
        };
        Tensor::cat((0..SIDES).map(side).collect(), 1).mul_scalar(SHARP).tanh()
    }
}

/// The pixel of a panel that each of an object's pixels falls on, those in `places` of its window.
fn pixels([top, left, _]: Window, places: &[(usize, usize)], size: usize) -> Arc<[u32]> {
    let inside =
        |from: i32, at: usize| usize::try_from(from + at as i32).ok().filter(|&at| at < size);
    let of = |&(y, x): &(usize, usize)| match (inside(top, y), inside(left, x)) {
        (Some(y), Some(x)) => (y * size + x) as u32,
        _ => Cutout::BEYOND,
    };
    places.iter().map(of).collect()
}

/// Some columns of a matrix.
///
/// # Shapes
/// `[n, K] -> [n, places]`
fn pick(z: Tensor<2>, places: &[usize]) -> Tensor<2> {
    let device = z.device();
    z.select(1, indices(places, &device))
}
