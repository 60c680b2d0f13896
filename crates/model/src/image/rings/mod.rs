//! An encoder that looks at a panel object by object.
//!
//! 1. Which layout a panel has is read from its pixels by a small network, which is taught the
//!    layout. A layout says where its objects' windows are.
//! 2. Every window is seen through circular harmonics (`sampling.rs`), a fixed map under which an
//!    object that turns looks the same.
//! 3. One network for all windows of all layouts says whether there is an object, and gives it a
//!    code for each attribute group (`object.rs`).
//! 4. The blocks of Z_o: which slots are taken and how many; then for every other group the mean
//!    of the objects' codes and how unlike they are. Z_o-bar has some numbers for every slot.
//!
//! Nothing here is told what the values are: codes mean what makes the experts' rules right.

mod object;
mod readings;
mod sampling;

pub use object::ObjectReader;
pub(crate) use readings::Readings;

use std::sync::Arc;

use burn::module::Module;
use burn::tensor::{Device, Int, Tensor, TensorData, activation};
use serde::{Deserialize, Serialize};

use self::sampling::{SharedMap, shared_maps};
use crate::batch::PuzzleBatch;
use crate::config::{NetworkConfig, PuzzleConfig};
use crate::expert::ExpertConfig;
use crate::loss::{LossConfig, LossTerms, Term};
use crate::mlp::Mlp;

/// Middle (down, across), side, and the inner part of half the side that is not looked at
/// because another component covers it.
pub type SlotWindow = [f32; 4];

/// The layout's network looks at a panel of so many pixels a side.
const GLANCE: usize = 16;

/// See the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RingsEncoderConfig {
    /// The windows of each layout, component and slot, in pixels of a drawing. A model of puzzles
    /// whose layouts are not told apart (`puzzle.layouts = 0`) has those of one layout.
    pub windows: Vec<Vec<Vec<SlotWindow>>>,
    /// Side of a drawing in the pixels in which windows are given.
    pub drawing: f32,
    /// Rings of a window.
    pub rings: usize,
    /// Rings that a unit of the object's first layers looks at; 0: all at once.
    pub kernel: usize,
    /// Channels of the object's first layers, which slide over the rings.
    pub channels: Vec<usize>,
    /// Width of the object's hidden layer.
    pub hidden: usize,
    /// Width of the hidden layer that tells layouts apart.
    pub layout_hidden: usize,
    /// Spread of Z_o around what is seen.
    pub sigma: f32,
}

impl RingsEncoderConfig {
    /// Slots of the component that has the most.
    pub(crate) fn slots(&self) -> usize {
        self.windows.iter().flatten().map(Vec::len).max().unwrap_or(0)
    }

    /// For each layout which size of windows each of its components has, and how many there are.
    pub(crate) fn window_sizes(&self) -> (Vec<Vec<usize>>, usize) {
        let mut known: Vec<[f32; 2]> = Vec::new();
        let mut size = |windows: &Vec<SlotWindow>| {
            let own = windows.first().map_or([0.0; 2], |&[_, _, side, inner]| [side, inner]);
            known.iter().position(|other| *other == own).unwrap_or_else(|| {
                known.push(own);
                known.len() - 1
            })
        };
        let of_layout = |own: &Vec<Vec<SlotWindow>>| own.iter().map(&mut size).collect();
        (self.windows.iter().map(of_layout).collect(), known.len())
    }

    pub(crate) fn problems(&self, config: &NetworkConfig<'_>) -> Vec<String> {
        let ExpertConfig::Slots(experts) = config.experts else {
            return vec!["encoder.kind \"rings\" needs experts of the family \"slots\"".into()];
        };
        let (layouts, slots) = (config.puzzle.layouts, self.slots());
        let (own, components) = (self.windows.len(), experts.components);
        let (places, irrelevant) = (2 * slots + 1, (components * slots).max(1));
        let widths_fit = experts.widths.len() > 1
            && experts.widths[0] == places
            && experts.widths[1..].iter().all(|&width| width > 1);
        let wanted = [
            (
                own == layouts || own == 1 && layouts == 0,
                format!("windows for {own} layouts, puzzle.layouts is {layouts}"),
            ),
            (
                slots > 0 && self.windows.iter().all(|own| own.len() <= components),
                format!("a layout has windows for at most {components} components"),
            ),
            (
                widths_fit,
                format!(
                    "experts.widths begins with {places} for {slots} slots; the others are above 1"
                ),
            ),
            (
                config.latent.irrelevant.is_multiple_of(irrelevant),
                format!("latent.irrelevant is a multiple of the {irrelevant} slots"),
            ),
            (config.size.is_multiple_of(GLANCE), format!("image.size is a multiple of {GLANCE}")),
        ];
        let wanted = wanted.into_iter().chain(self.own_wants());
        wanted.filter(|(holds, _)| !holds).map(|(_, what)| format!("encoder: {what}")).collect()
    }

    /// The terms that it learns from besides those of the model.
    pub(crate) fn terms(&self, puzzle: &PuzzleConfig) -> &'static [Term] {
        if puzzle.layouts > 0 { &[Term::Layout] } else { &[] }
    }

    /// What must hold whatever the rest of the model is.
    fn own_wants(&self) -> [(bool, String); 5] {
        let fits = |&[y, x, side, inner]: &SlotWindow| {
            let inside = |v: f32| (0.0..=self.drawing).contains(&v);
            inside(y) && inside(x) && inside(side) && side > 0.0 && (0.0..1.0).contains(&inner)
        };
        [
            (
                self.drawing > 0.0 && self.windows.iter().flatten().flatten().all(fits),
                "windows lie inside the drawing, and less than all of one is left out".into(),
            ),
            (
                (4..=64).contains(&self.rings) && self.kernel <= self.rings,
                "4 to 64 rings, and a kernel that is no longer".into(),
            ),
            (
                self.kernel == 0 || !self.channels.is_empty() && !self.channels.contains(&0),
                "a kernel needs channels, none of them 0".into(),
            ),
            (self.hidden > 0 && self.layout_hidden > 0, "no width is 0".into()),
            (self.sigma > 0.0 && self.sigma <= 1.0, "sigma lies above 0 and is at most 1".into()),
        ]
    }

    /// A fresh encoder.
    ///
    /// # Panics
    /// When the configuration has problems.
    pub fn init(&self, config: &NetworkConfig<'_>, device: &Device) -> RingsEncoder {
        let ExpertConfig::Slots(experts) = config.experts else {
            panic!("a checked configuration has experts of the family slots");
        };
        let slots = self.slots();
        let codes: Vec<usize> = experts.widths[1..].iter().map(|width| width - 1).collect();
        let per_slot = config.latent.irrelevant / (experts.components * slots);
        let harmonics = sampling::linear_outputs(self.rings);
        RingsEncoder {
            layout: (self.windows.len() > 1).then(|| {
                let widths = [GLANCE * GLANCE, self.layout_hidden, self.windows.len()];
                Mlp::new(&widths, true, device)
            }),
            object: ObjectReader::new(self, codes.iter().sum(), device),
            rest: Mlp::new(&[harmonics, self.hidden, 2 * per_slot], true, device),
            maps: Arc::new(shared_maps(self, config.size)),
            components: experts.components,
            slots,
            codes,
            per_slot,
            sigma: self.sigma,
        }
    }
}

/// See the [module](self).
#[derive(Module, Debug)]
pub struct RingsEncoder {
    /// Which layout a panel has; none where there is only one.
    pub layout: Option<Mlp>,
    /// What is in a window, as far as rules are concerned.
    pub object: ObjectReader,
    /// Z_o-bar of a window, from the harmonics with their phases.
    pub rest: Mlp,
    #[module(skip)]
    maps: Arc<Vec<SharedMap>>,
    #[module(skip)]
    components: usize,
    #[module(skip)]
    slots: usize,
    /// Numbers of an object's code for each attribute group but the first.
    #[module(skip)]
    codes: Vec<usize>,
    /// Numbers of Z_o-bar for a slot.
    #[module(skip)]
    per_slot: usize,
    #[module(skip)]
    sigma: f32,
}

/// The windows of some panels, seen.
struct Windows {
    /// Harmonics of all windows that there are `[windows, linear outputs]`.
    harmonics: Tensor<2>,
    /// For every panel and slot its window's row; one past the last where there is none.
    rows: Vec<i32>,
}

impl RingsEncoder {
    /// Every panel by the layout that it shows.
    ///
    /// # Shapes
    /// `[n, h, w, 1] -> [n, 2K]`
    pub fn forward(&self, images: Tensor<4>) -> Tensor<2> {
        let layouts = match self.layout_logits(images.clone()) {
            Some(logits) => likeliest(logits),
            None => vec![0; images.dims()[0]],
        };
        self.forward_known(images, &layouts)
    }

    /// The panels of puzzles, so many each, by the layout that those of a puzzle show together.
    ///
    /// # Shapes
    /// `[b · panels, h, w, 1] -> [b · panels, 2K]`
    pub fn forward_puzzles(&self, images: Tensor<4>, panels: usize) -> Tensor<2> {
        match self.layout_logits(images.clone()) {
            Some(shown) => self.forward_shared(images, shared_layout(shown, panels), panels),
            None => self.forward(images),
        }
    }

    /// The same for training: by the layouts that the batch tells, if the encoder is to learn them,
    /// and with what it learns from.
    ///
    /// # Shapes
    /// `[b · P, h, w, 1] -> [b · P, 2K]`
    pub fn learn(&self, batch: &PuzzleBatch, config: &LossConfig) -> (Tensor<2>, LossTerms) {
        let (images, mut terms) = (batch.images(), LossTerms::default());
        let Some(shown) = self.layout_logits(images.clone()) else {
            return (self.forward(images), terms);
        };
        let panels = images.dims()[0] / batch.len();
        let told = batch.layout().filter(|_| config.wants(Term::Layout));
        let together = told.clone().unwrap_or_else(|| shared_layout(shown.clone(), panels));
        let output = self.forward_shared(images, together, panels);
        if let Some(layout) = told {
            terms.set(Term::Layout, layout_error(shown, layout));
        }
        (output, terms)
    }

    /// # Shapes
    /// `[b · panels, h, w, 1]`, `[b, L]` -> `[b · panels, 2K]`
    fn forward_shared(&self, images: Tensor<4>, layouts: Tensor<2>, panels: usize) -> Tensor<2> {
        let of_panels = |layout: usize| std::iter::repeat_n(layout, panels);
        let layouts: Vec<usize> = likeliest(layouts).into_iter().flat_map(of_panels).collect();
        self.forward_known(images, &layouts)
    }

    /// How likely each layout is, unnormalised; none where there is only one.
    ///
    /// # Shapes
    /// `[n, h, w, 1] -> [n, L]`
    pub fn layout_logits(&self, images: Tensor<4>) -> Option<Tensor<2>> {
        let [n, h, w, _] = images.dims();
        let layout = self.layout.as_ref()?;
        let glance = shrunk(images, [h / GLANCE, w / GLANCE]);
        Some(layout.forward(glance.reshape([n, GLANCE * GLANCE])))
    }

    /// The same for panels whose layouts are known.
    ///
    /// # Shapes
    /// `[n, h, w, 1] -> [n, 2K]`
    pub fn forward_known(&self, images: Tensor<4>, layouts: &[usize]) -> Tensor<2> {
        let (n, device) = (images.dims()[0], images.device());
        let seen = self.look(images, layouts);
        let (slots, per_panel) = (self.slots, self.components * self.slots);
        let exists: Vec<f32> = {
            let none = seen.harmonics.dims()[0] as i32;
            seen.rows.iter().map(|&row| f32::from(u8::from(row < none))).collect()
        };
        let exists = Tensor::<1>::from_data(TensorData::new(exists, [n * per_panel]), &device);
        let exists = exists.reshape([n, self.components, slots, 1]);
        let rows =
            Tensor::<1, Int>::from_data(TensorData::new(seen.rows, [n * per_panel]), &device);
        // What there is no window for is a row of zeros behind all others.
        let to_slots = |of_windows: Tensor<2>| {
            let width = of_windows.dims()[1];
            let none = Tensor::zeros([1, width], &device);
            let all = Tensor::cat(vec![of_windows, none], 0).select(0, rows.clone());
            all.reshape([n, self.components, slots, width])
        };
        let objects = to_slots(self.object.forward(seen.harmonics.clone()));
        let z_o = self.blocks(objects, exists);
        let rest = to_slots(self.rest.forward(seen.harmonics));
        let numbers = per_panel * self.per_slot;
        let rest = |from| -> Tensor<2> {
            rest.clone().narrow(3, from, self.per_slot).reshape([n, numbers])
        };
        let spread = z_o.zeros_like().add_scalar(2.0 * self.sigma.ln());
        Tensor::cat(vec![z_o, rest(0), spread, rest(self.per_slot)], 1)
    }

    /// The harmonics of every window of panels of these layouts.
    fn look(&self, images: Tensor<4>, layouts: &[usize]) -> Windows {
        let ([n, _, _, _], device) = (images.dims(), images.device());
        let per_panel = self.components * self.slots;
        let mut of_slot = vec![None; n * per_panel];
        let mut harmonics = Vec::new();
        let mut next = 0;
        let panels = |layout: usize| -> Vec<i32> {
            (0..n).filter(|&panel| layouts[panel] == layout).map(|panel| panel as i32).collect()
        };
        let of_layout: Vec<Vec<i32>> =
            (0..=layouts.iter().copied().max().unwrap_or(0)).map(panels).collect();
        let mut shrunken = std::collections::BTreeMap::new();
        for shared in self.maps.iter() {
            let mut pixels = Vec::new();
            for (layout, slot, region) in &shared.windows {
                let Some(own) = of_layout.get(*layout).filter(|own| !own.is_empty()) else {
                    continue;
                };
                let panels = shrunken.entry((*layout, region.shrink)).or_insert_with(|| {
                    let which = TensorData::new(own.clone(), [own.len()]);
                    let panels = images.clone().select(0, Tensor::from_data(which, &device));
                    shrunk(panels, [region.shrink; 2])
                });
                let (rows, columns) = (&region.rows, &region.columns);
                let part = panels.clone().narrow(1, rows.start, rows.len());
                let part = part.narrow(2, columns.start, columns.len());
                pixels.push(part.reshape([own.len(), shared.pixels]));
                for &panel in own {
                    of_slot[panel as usize * per_panel + slot] = Some(next);
                    next += 1;
                }
            }
            if !pixels.is_empty() {
                let outputs = shared.map.len() / shared.pixels;
                let map = TensorData::new(shared.map.clone(), [shared.pixels, outputs]);
                let map = Tensor::<2>::from_data(map, &device);
                harmonics.push(genvp_kernels::linear(Tensor::cat(pixels, 0), map, None));
            }
        }
        let rows = of_slot.into_iter().map(|row| row.unwrap_or(next)).collect();
        Windows { harmonics: Tensor::cat(harmonics, 0), rows }
    }

    /// The blocks of Z_o.
    ///
    /// # Shapes
    /// `objects`: `[n, components, slots, 1 + codes]`, `exists`: `[n, components, slots, 1]`
    /// -> `[n, K_Zo]`
    fn blocks(&self, objects: Tensor<4>, exists: Tensor<4>) -> Tensor<2> {
        let [n, components, slots, width] = objects.dims();
        let present = activation::sigmoid(objects.clone().narrow(3, 0, 1)) * exists.clone();
        let taken = (present.clone().mul_scalar(2.0) - exists.clone()) * exists;
        let number = present.clone().sum_dim(2).reshape([n, components, 1]);
        let counts: Vec<f32> = (1..=slots).map(|k| k as f32).collect();
        let counts = Tensor::<1>::from_floats(counts.as_slice(), &objects.device());
        // "There are k": 1 at k, 0 from one less and one more on.
        let is_count = (number.clone() - counts.reshape([1, 1, slots])).abs();
        let is_count = is_count.neg().add_scalar(1.0).clamp_min(0.0);
        let mut blocks = vec![
            taken.reshape([n, components, slots]),
            number.clone().div_scalar(slots as f32),
            is_count,
        ];
        let share = present / number.add_scalar(1e-3).reshape([n, components, 1, 1]);
        let codes = objects.narrow(3, 1, width - 1);
        let mean = (codes.clone() * share.clone()).sum_dim(2);
        let apart = ((codes - mean.clone()).square() * share).sum_dim(2);
        let mut from = 0;
        for &own in &self.codes {
            blocks.push(mean.clone().narrow(3, from, own).reshape([n, components, own]));
            let apart = apart.clone().narrow(3, from, own).mean_dim(3).add_scalar(1e-4).sqrt();
            blocks.push(apart.reshape([n, components, 1]));
            from += own;
        }
        let blocks = Tensor::cat(blocks, 2);
        let all = blocks.dims()[2] * components;
        blocks.reshape([n, all])
    }
}

/// How likely each layout is by all panels of a puzzle together.
///
/// # Shapes
/// `[b · panels, L] -> [b, L]`
fn shared_layout(shown: Tensor<2>, panels: usize) -> Tensor<2> {
    let [n, layouts] = shown.dims();
    let shown = activation::log_softmax(shown, 1);
    shown.reshape([n / panels, panels, layouts]).sum_dim(1).squeeze_dim(1)
}

/// Cross-entropy of the layout that every panel shows, a mean over panels.
///
/// # Shapes
/// `[b · panels, L]`, one-hot `[b, L] -> [1]`
fn layout_error(shown: Tensor<2>, layouts: Tensor<2>) -> Tensor<1> {
    let (n, puzzles) = (shown.dims()[0], layouts.dims()[0]);
    let wanted = layouts.repeat_dim(1, n / puzzles).reshape(shown.dims());
    (activation::log_softmax(shown, 1) * wanted).sum().div_scalar(-(n as f32))
}

/// The layout with the highest logit.
fn likeliest(logits: Tensor<2>) -> Vec<usize> {
    let best = logits.argmax(1).into_data().convert::<i64>();
    best.iter::<i64>().map(|layout| layout as usize).collect()
}

/// Means over blocks of pixels.
///
/// # Shapes
/// `[n, h, w, 1] -> [n, h / by, w / by, 1]`
fn shrunk(images: Tensor<4>, by: [usize; 2]) -> Tensor<4> {
    if by == [1, 1] {
        return images;
    }
    let [n, h, w, _] = images.dims();
    let (rows, columns) = (h / by[0], w / by[1]);
    let across = images.reshape([n * h, columns, by[1]]).mean_dim(2);
    let down = across.reshape([n * rows, by[0], columns]).mean_dim(1);
    down.reshape([n, rows, columns, 1])
}
