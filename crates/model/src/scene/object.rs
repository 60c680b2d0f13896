//! Where the numbers that speak about one object stand in Z.

use std::ops::Range;

use super::{ValueKind, ValuesConfig};
use crate::config::LatentConfig;

/// Numbers of Z_o-bar for one object.
pub const IRRELEVANT_PER_OBJECT: usize = 4;

/// Where an object's own numbers begin in Z_o-bar: objects of the first component are
/// counted from the front, those of another from the back. No layout has so many that
/// they meet.
pub fn irrelevant_offset(component: usize, slot: usize, irrelevant: usize) -> usize {
    IRRELEVANT_PER_OBJECT
        * if component == 0 { slot } else { irrelevant / IRRELEVANT_PER_OBJECT - 1 - slot }
}

/// The numbers of Z that speak about each object that there can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Objects {
    /// For each object the number that says whether it is there.
    pub there: Vec<usize>,
    /// The numbers of the first component that say which layout it is.
    pub layout: Vec<usize>,
    /// For each object, one after the other: layout, values of its component, its own.
    pub about: Vec<usize>,
    /// For each component its objects, and its attributes other than places.
    components: Vec<Component>,
}

/// The objects of a component, counted as in [`Objects`], and for each attribute other than
/// places where its block is; the last number of a block says "not all alike".
#[derive(Clone, Debug, PartialEq, Eq)]
struct Component {
    objects: Range<usize>,
    blocks: Vec<Range<usize>>,
}

impl Objects {
    /// The objects of `slots[c]` slots of each component; `None` where Z has no room
    /// for them.
    pub fn new(
        values: &ValuesConfig,
        layouts: usize,
        latent: &LatentConfig,
        slots: &[usize],
    ) -> Option<Self> {
        let [ValueKind::Occupancy { slots: most }, _, ..] = values.groups[..] else { return None };
        let own = latent.irrelevant / IRRELEVANT_PER_OBJECT;
        if slots.is_empty() || slots.iter().any(|&s| s == 0 || s > most.min(own)) {
            return None;
        }
        let width = latent.relevant / slots.len();
        let place = &values.groups[0];
        let (mut there, mut about, mut components) = (Vec::new(), Vec::new(), Vec::new());
        for (component, &count) in slots.iter().enumerate() {
            let start = component * width;
            let objects = there.len()..there.len() + count;
            let mut from = start + place.width(layouts);
            let blocks = values.groups[1..].iter().map(|kind| {
                let block = from..from + kind.width(layouts);
                from = block.end;
                block
            });
            components.push(Component { objects, blocks: blocks.collect() });
            for slot in 0..count {
                there.push(start + slot);
                about.extend(start + place.value_width()..start + width);
                let own = latent.relevant + irrelevant_offset(component, slot, latent.irrelevant);
                about.extend(own..own + IRRELEVANT_PER_OBJECT);
            }
        }
        debug_assert!(width >= place.width(layouts));
        let layout = (place.value_width()..place.width(layouts)).collect();
        Some(Self { there, layout, about, components })
    }

    /// Lets objects go on as they are from panels that are there to missing ones.
    ///
    /// Where the objects of a component are not all alike in an attribute, each has a value of
    /// its own, which no code of a panel says; then that attribute follows no rule but that it
    /// stays. So a missing panel with the same slots taken as another panel of its row takes
    /// over what that one shows: the blocks of these attributes, and the objects' own numbers.
    ///
    /// `new`, `shown`: Z of the panels of one puzzle, `present`: which of them are there.
    pub fn carry_on(&self, new: &mut [f32], shown: &[f32], present: &[bool], columns: usize) {
        let numbers = new.len() / present.len().max(1);
        let there = |&panel: &usize| present[panel];
        for component in &self.components {
            let several: Vec<usize> = (0..present.len())
                .filter(there)
                .filter(|panel| {
                    let taken = |slot: &&usize| shown[panel * numbers + **slot] > 0.0;
                    self.there[component.objects.clone()].iter().filter(taken).count() > 1
                })
                .collect();
            // At least every second says so: one may be mistaken.
            let uneven = |block: &&Range<usize>| {
                let flag = |panel: &&usize| shown[**panel * numbers + block.end - 1] > 0.0;
                let flagged = several.iter().filter(flag).count();
                flagged > 0 && 2 * flagged >= several.len()
            };
            let blocks: Vec<Range<usize>> =
                component.blocks.iter().filter(uneven).cloned().collect();
            if blocks.is_empty() {
                continue;
            }
            let own = component.objects.clone().map(|object| {
                let start = self.about[(object + 1) * self.width() - IRRELEVANT_PER_OBJECT];
                start..start + IRRELEVANT_PER_OBJECT
            });
            let places: Vec<usize> = blocks.into_iter().chain(own).flatten().collect();
            for missing in (0..present.len()).filter(|panel| !present[*panel]) {
                let same_slots = |&panel: &usize| {
                    let taken =
                        |z: &[f32], panel: usize, slot: usize| z[panel * numbers + slot] > 0.0;
                    self.there[component.objects.clone()]
                        .iter()
                        .all(|&slot| taken(shown, panel, slot) == taken(new, missing, slot))
                };
                let row = missing / columns * columns..(missing / columns + 1) * columns;
                if let Some(from) = row.filter(there).find(same_slots) {
                    for &place in &places {
                        new[missing * numbers + place] = shown[from * numbers + place];
                    }
                }
            }
        }
    }

    /// How many objects there can be.
    pub fn len(&self) -> usize {
        self.there.len()
    }

    /// How many numbers speak about each.
    pub fn width(&self) -> usize {
        self.about.len() / self.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One component of two slots with a size; one layout.
    fn objects() -> (Objects, usize) {
        let values = ValuesConfig {
            sigma: 0.1,
            hidden: 1,
            groups: vec![ValueKind::Occupancy { slots: 2 }, ValueKind::Ordered { values: 3 }],
        };
        // Slots 0-1, "two" 2, layout 3; sizes 4-6, "not all alike" 7; then four for each object.
        let latent =
            LatentConfig { relevant: 8, irrelevant: 8, row_irrelevant: 0, log_var: [-8.0, 4.0] };
        (Objects::new(&values, 1, &latent, &[2]).unwrap(), 16)
    }

    fn panel(slots: [f32; 2], uneven: f32, own: f32) -> Vec<f32> {
        let mut z = vec![slots[0], slots[1], -1.0, 1.0, own, own, own, uneven];
        z.resize(16, own);
        z
    }

    #[test]
    fn objects_that_differ_go_on_as_they_are_and_others_do_not() {
        let (objects, numbers) = objects();
        let carried = |slots: [f32; 2], uneven: f32| {
            let shown = [panel([1.0, 1.0], uneven, 0.5), panel([9.0; 2], 9.0, 9.0)].concat();
            let mut new = [panel([9.0; 2], 9.0, 9.0), panel(slots, uneven, 0.1)].concat();
            objects.carry_on(&mut new, &shown, &[true, false], 2);
            new[numbers..].to_vec()
        };
        let same = carried([1.0, 1.0], 1.0);
        assert_eq!(same[4..7], [0.5; 3], "sizes");
        assert_eq!(same[8..], [0.5; 8], "their own");
        assert_eq!(carried([1.0, -1.0], 1.0)[8..], [0.1; 8], "other slots: other objects");
        assert_eq!(carried([1.0, 1.0], -1.0)[8..], [0.1; 8], "all alike: nothing to keep");
    }

    #[test]
    fn what_differs_in_one_row_stays_in_all() {
        let (objects, numbers) = objects();
        // Two rows of two; the second has one object, the last panel is missing.
        let rows = [[1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [1.0, -1.0]];
        let shown: Vec<f32> =
            (0..4).flat_map(|i| panel(rows[i], if i < 2 { 1.0 } else { -1.0 }, i as f32)).collect();
        let mut new = shown.clone();
        new[3 * numbers..].copy_from_slice(&panel(rows[3], 1.0, 9.0));
        objects.carry_on(&mut new, &shown, &[true, true, true, false], 2);
        assert_eq!(new[3 * numbers..], panel(rows[3], -1.0, 2.0), "as the panel before it");
    }
}
