//! What a model makes of panels by its codebook: which slots are taken, and the value of every
//! object in each attribute.

use std::f32::consts::{FRAC_PI_4, TAU};

use super::codebook::Entries;
use crate::config::LatentConfig;
use crate::image::Readings;
use crate::noise::Noise;
use crate::scene::{IRRELEVANT_PER_OBJECT, Objects, ValueKind};

/// Directions in which objects are turned.
pub(super) const DIRECTIONS: usize = 8;

/// How unlike objects are that are all alike, as the encoder says it.
const ALIKE: f32 = 0.01;

/// What the encoder adds to the number of objects before it divides by it.
const ROUNDING: f32 = 1e-3;

/// Widths and counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    /// The kind of value of each attribute group.
    pub kinds: Vec<ValueKind>,
    /// Numbers of the encoder's Z_o for each group.
    pub widths: Vec<usize>,
    pub components: usize,
    pub layouts: usize,
    /// For each layout the slots of its components.
    pub slots: Vec<Vec<usize>>,
    /// For each layout which size of windows each of its components has.
    pub size_of: Vec<Vec<usize>>,
    /// How many sizes of windows there are.
    pub sizes: usize,
    /// The widths of what labels become for prior and decoder.
    pub latent: LatentConfig,
    /// Numbers of the encoder's Z_o-bar for each slot.
    pub per_slot: usize,
}

impl Shape {
    /// Slots of a component in Z.
    pub fn most_slots(&self) -> usize {
        self.kinds[0].classes()
    }

    /// The size of the windows of a component; the first for one that the layout has not.
    pub fn size(&self, layout: usize, component: usize) -> usize {
        self.size_of.get(layout).and_then(|own| own.get(component)).copied().unwrap_or(0)
    }

    pub fn panel_slots(&self) -> usize {
        self.components * self.most_slots()
    }
}

/// An object as its labels say.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Object {
    pub component: usize,
    pub slot: usize,
    /// The value of each group but the first.
    pub values: Vec<usize>,
    /// A point in the direction in which it is turned.
    pub turn: [f32; 2],
}

/// The objects of panels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Labels {
    pub panels: Vec<Vec<Object>>,
}

impl Labels {
    /// What an encoder saw. Which of several directions an object has that look the same is drawn.
    pub fn of_readings(
        shape: &Shape,
        entries: &Entries,
        seen: &Readings,
        layouts: &[usize],
        noise: &mut Noise,
    ) -> Self {
        let per_panel = shape.panel_slots();
        let draws = noise.uniform(seen.rows.len() * 2);
        let mut panels = vec![Vec::new(); seen.rows.len() / per_panel];
        for (place, row) in seen.rows.iter().enumerate() {
            let Some(row) = row.filter(|&row| seen.is_taken(row)) else { continue };
            let component = place % per_panel / shape.most_slots();
            let size = shape.size(layouts[place / per_panel], component);
            let mut code = seen.codes(row);
            let mut values = Vec::with_capacity(entries.groups.len());
            for (group, width) in shape.widths[1..].iter().enumerate() {
                let (own, rest) = code.split_at(width - 1);
                values.push(entries.groups[group].nearest(size, own));
                code = rest;
            }
            let [which, within] =
                draws.as_ref().map_or([0.0, 0.5], |draws| [draws[2 * place], draws[2 * place + 1]]);
            let direction = direction(entries.turns[values[0]], seen.moments(row), which);
            let angle = (direction as f32 + within) * FRAC_PI_4;
            let object = Object {
                component,
                slot: place % shape.most_slots(),
                values,
                turn: [angle.cos(), angle.sin()],
            };
            panels[place / per_panel].push(object);
        }
        Self { panels }
    }

    /// What a prior wrote: codes of values as ±1 `[n · relevant]`.
    pub fn of_written(shape: &Shape, written: &[f32]) -> Self {
        let component = |(component, block): (usize, &[f32])| -> Vec<Object> {
            let mut rest = block;
            let mut values = Vec::new();
            for kind in &shape.kinds {
                let (own, others) = rest.split_at(kind.width(shape.layouts));
                values.push(kind.read(&own[..kind.value_width()]));
                rest = others;
            }
            let Some(mask) = values.remove(0).map(|value| value + 1) else { return Vec::new() };
            let values: Vec<usize> = values.into_iter().map(Option::unwrap_or_default).collect();
            let taken = (0..shape.most_slots()).filter(|slot| mask >> slot & 1 == 1);
            taken
                .map(|slot| Object { component, slot, values: values.clone(), turn: [1.0, 0.0] })
                .collect()
        };
        let width = shape.latent.relevant;
        let panel = |panel: &[f32]| {
            panel.chunks_exact(width / shape.components).enumerate().flat_map(component).collect()
        };
        Self { panels: written.chunks_exact(width).map(panel).collect() }
    }

    /// What Z says of panels: all objects of a component have the values that are nearest to its
    /// codes, and each its own direction.
    pub fn of_z(shape: &Shape, entries: &Entries, z: &[f32], layouts: &[usize]) -> Self {
        let block: usize = shape.widths.iter().sum();
        let width = shape.components * block + shape.panel_slots() * shape.per_slot;
        let panel = |(z, &layout): (&[f32], &usize)| {
            let (z_o, irrelevant) = z.split_at(shape.components * block);
            let component = |(component, own): (usize, &[f32])| {
                let size = shape.size(layout, component);
                let (places, mut rest) = own.split_at(shape.widths[0]);
                let mut values = Vec::new();
                for (group, &width) in shape.widths[1..].iter().enumerate() {
                    let (own, others) = rest.split_at(width);
                    values.push(entries.groups[group].nearest(size, &own[..width - 1]));
                    rest = others;
                }
                let taken = (0..shape.most_slots()).filter(|&slot| places[slot] > 0.0);
                let object = |slot: usize| {
                    let at = (component * shape.most_slots() + slot) * shape.per_slot;
                    Object {
                        component,
                        slot,
                        values: values.clone(),
                        turn: [irrelevant[at], irrelevant.get(at + 1).copied().unwrap_or(0.0)],
                    }
                };
                taken.map(object).collect::<Vec<_>>()
            };
            z_o.chunks_exact(block).enumerate().flat_map(component).collect()
        };
        Self { panels: z.chunks_exact(width).zip(layouts).map(panel).collect() }
    }

    /// The encoder's Z_o of panels whose components' objects are all alike.
    pub fn z_o(&self, shape: &Shape, entries: &Entries, layouts: &[usize]) -> Vec<f32> {
        let (block, most) = (shape.widths.iter().sum::<usize>(), shape.most_slots());
        let mut z_o = Vec::with_capacity(self.panels.len() * shape.components * block);
        for (panel, &layout) in self.panels.iter().zip(layouts) {
            for component in 0..shape.components {
                let objects: Vec<&Object> =
                    panel.iter().filter(|object| object.component == component).collect();
                let exists = shape.slots[layout].get(component).copied().unwrap_or(0);
                let taken = |slot| objects.iter().any(|object| object.slot == slot);
                z_o.extend((0..most).map(|slot| match (slot < exists, taken(slot)) {
                    (false, _) => 0.0,
                    (true, true) => 1.0,
                    (true, false) => -1.0,
                }));
                let number = objects.len();
                z_o.push(number as f32 / most as f32);
                z_o.extend((1..=most).map(|count| f32::from(u8::from(count == number))));
                let share = number as f32 / (number as f32 + ROUNDING);
                for (group, &width) in shape.widths[1..].iter().enumerate() {
                    match objects.first() {
                        Some(object) => {
                            let size = shape.size(layout, component);
                            let code = &entries.groups[group].codes[size][object.values[group]];
                            z_o.extend(code.iter().map(|number| number * share));
                        }
                        None => z_o.extend(std::iter::repeat_n(0.0, width - 1)),
                    }
                    z_o.push(ALIKE);
                }
            }
        }
        z_o
    }

    /// The codes of values as shares, as a prior learns them.
    ///
    /// # Shapes
    /// `[n · relevant]`
    pub fn shares(&self, shape: &Shape, layouts: &[usize]) -> Vec<f32> {
        let width = shape.latent.relevant;
        let mut all = vec![0.0; self.panels.len() * width];
        let panels = all.chunks_exact_mut(width).zip(&self.panels).zip(layouts);
        for ((shares, panel), &layout) in panels {
            let components = shares.chunks_exact_mut(width / shape.components).enumerate();
            for (component, out) in components {
                let objects: Vec<&Object> =
                    panel.iter().filter(|object| object.component == component).collect();
                if !objects.is_empty() {
                    write_component(shape, &objects, layout, out);
                }
            }
        }
        all
    }

    /// For a decoder: Z of panels, and what is said about each object, as if all were like it.
    ///
    /// # Shapes
    /// `[n · K]`, `[n · objects · width]`
    pub fn scenes(
        &self,
        shape: &Shape,
        objects: &Objects,
        layouts: &[usize],
    ) -> (Vec<f32>, Vec<f32>) {
        let codes = self.shares(shape, layouts);
        let relevant = shape.latent.relevant;
        let width = objects.width();
        let mut z = Vec::with_capacity(self.panels.len() * shape.latent.panel());
        let mut about = vec![0.0; self.panels.len() * objects.about.len()];
        let panels = self.panels.iter().zip(codes.chunks_exact(relevant)).zip(layouts);
        for (((panel, codes), &layout), about) in
            panels.zip(about.chunks_exact_mut(objects.about.len().max(1)))
        {
            z.extend(codes.iter().map(|share| 2.0 * share - 1.0));
            z.extend(std::iter::repeat_n(0.0, shape.latent.irrelevant));
            for object in panel {
                let Some(place) = objects.place(object.component, object.slot) else { continue };
                let out = &mut about[place * width..(place + 1) * width];
                let (said, own) = out.split_at_mut(width - IRRELEVANT_PER_OBJECT);
                let mut alone = vec![0.0; relevant / shape.components];
                write_component(shape, &[object], layout, &mut alone);
                let code = &alone[shape.kinds[0].value_width()..];
                said.iter_mut().zip(code).for_each(|(said, share)| *said = 2.0 * share - 1.0);
                own[..2].copy_from_slice(&object.turn);
            }
        }
        (z, about)
    }
}

/// The shares of a component with some objects: where these differ, the mean of their codes.
fn write_component(shape: &Shape, objects: &[&Object], layout: usize, out: &mut [f32]) {
    let (places, mut rest) = out.split_at_mut(shape.kinds[0].width(shape.layouts));
    let mask: usize = objects.iter().map(|object| 1 << object.slot).sum();
    let (code, after) = places.split_at_mut(shape.kinds[0].value_width());
    shape.kinds[0].write(mask - 1, code);
    if let Some(own) = after.get_mut(layout) {
        *own = 1.0;
    }
    let share = 1.0 / objects.len() as f32;
    for (group, kind) in shape.kinds[1..].iter().enumerate() {
        let (own, others) = rest.split_at_mut(kind.width(shape.layouts));
        let (mean, differ) = own.split_at_mut(kind.value_width());
        let mut code = vec![0.0; mean.len()];
        for object in objects {
            kind.write(object.values[group], &mut code);
            mean.iter_mut().zip(&code).for_each(|(mean, code)| *mean += share * code);
        }
        let first = objects[0].values[group];
        let unlike = objects.iter().any(|object| object.values[group] != first);
        differ.fill(f32::from(u8::from(unlike)));
        rest = others;
    }
}

/// The direction that fits best to the phase of an object's strongest harmonic, which turns
/// `harmonic` times as fast as the object; `which` (0 to 1) chooses among those that fit as well.
pub(super) fn direction([harmonic, upright]: [f32; 2], moments: &[f32], which: f32) -> usize {
    let m = harmonic as usize;
    let Some(moment) = moments.get(3 * m.saturating_sub(1)..).filter(|_| m > 0) else { return 0 };
    let phase = moment[1].atan2(moment[0]) - upright;
    let fits: Vec<f32> =
        (0..DIRECTIONS).map(|d| misfit(harmonic * d as f32 * FRAC_PI_4 - phase)).collect();
    let least = fits.iter().copied().fold(f32::INFINITY, f32::min);
    let as_good: Vec<usize> = (0..DIRECTIONS).filter(|&d| fits[d] < least + 0.1).collect();
    as_good[((which * as_good.len() as f32) as usize).min(as_good.len() - 1)]
}

/// How far an angle is from 0, whole turns aside.
pub(super) fn misfit(angle: f32) -> f32 {
    let angle = angle.rem_euclid(TAU);
    angle.min(TAU - angle)
}
