//! Where the numbers that speak about one object stand in Z.

use std::ops::Range;

use super::unlike::{moved, object_value, write_mean};
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

/// A puzzle with missing panels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid<'a> {
    /// Which panels are there.
    pub present: &'a [bool],
    /// Panels in a row.
    pub columns: usize,
    /// Slots of each component in the puzzle's layout.
    pub slots: &'a [usize],
    /// The attributes behind the occupancy.
    pub kinds: &'a [ValueKind],
    /// Of each component, whether its rule makes new objects in every panel.
    pub renewed: &'a [bool],
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
    /// stays. So the objects of a missing panel are those of another panel of its row with as
    /// many, wherever they have [moved](moved): with that panel's blocks of these attributes, and
    /// the objects' own numbers. Where no panel has as many, or the rule makes new objects in every
    /// panel, they are new ones.
    ///
    /// `new`, `shown`: Z of the panels of one puzzle, `present`: which of them are there; `slots`:
    /// how many slots each component has.
    pub fn carry_on(&self, new: &mut [f32], shown: &[f32], grid: &Grid<'_>) {
        let Grid { present, columns, slots, kinds, renewed } = *grid;
        let numbers = new.len() / present.len().max(1);
        let there = |&panel: &usize| present[panel];
        for (component, &slots) in slots.iter().enumerate() {
            let taken =
                |z: &[f32], panel: usize| self.taken(component, &z[panel * numbers..], slots);
            let blocks = self.unlike_blocks(component, shown, grid);
            if blocks.is_empty() {
                continue;
            }
            for missing in (0..present.len()).filter(|panel| !present[*panel]) {
                let to = taken(new, missing);
                let row = missing / columns * columns..(missing / columns + 1) * columns;
                let row: Vec<usize> = row.filter(there).filter(|_| !renewed[component]).collect();
                let same = row.iter().find(|panel| taken(shown, **panel) == to);
                let as_many = || row.iter().find(|panel| taken(shown, **panel).len() == to.len());
                let own = &mut new[missing * numbers..(missing + 1) * numbers];
                let Some(from) = same.or_else(as_many) else {
                    self.write_unlike(component, own, slots, kinds, &blocks);
                    continue;
                };
                let from = &shown[from * numbers..(from + 1) * numbers];
                for &block in &blocks {
                    let block = self.components[component].blocks[block].clone();
                    own[block.clone()].copy_from_slice(&from[block]);
                }
                for (before, after) in moved(&self.taken(component, from, slots), &to, slots) {
                    own[self.own(component, after)]
                        .copy_from_slice(&from[self.own(component, before)]);
                }
            }
        }
    }

    /// The attributes of a component in which objects are not all alike: so says at least every
    /// second of the panels that are there with several objects. (One may be mistaken.)
    fn unlike_blocks(&self, component: usize, shown: &[f32], grid: &Grid<'_>) -> Vec<usize> {
        let numbers = shown.len() / grid.present.len().max(1);
        let panels = shown.chunks_exact(numbers).zip(grid.present).filter(|(_, there)| **there);
        let several: Vec<&[f32]> = panels
            .map(|(panel, _)| panel)
            .filter(|panel| self.taken(component, panel, grid.slots[component]).len() > 1)
            .collect();
        let blocks = &self.components[component].blocks;
        let unlike = |block: &usize| {
            let flag = |panel: &&&[f32]| panel[blocks[*block].end - 1] > 0.0;
            let flagged = several.iter().filter(flag).count();
            flagged > 0 && 2 * flagged >= several.len()
        };
        (0..blocks.len()).filter(unlike).collect()
    }

    /// Says that objects are all alike in the attributes of components for which `alike` holds.
    pub(super) fn clear_unlike(&self, panel: &mut [f32], alike: &dyn Fn(usize, usize) -> bool) {
        for (number, component) in self.components.iter().enumerate() {
            for (attribute, block) in component.blocks.iter().enumerate() {
                let flag = &mut panel[block.end - 1];
                if *flag > 0.0 && alike(attribute, number) {
                    *flag = -*flag;
                }
            }
        }
    }

    /// What is said about every object of a panel ([`about`](Self::about)), where each of several
    /// unlike ones is described by the code of the value that its own numbers say.
    pub(super) fn about_one_by_one(&self, panel: &[f32], kinds: &[ValueKind]) -> Vec<f32> {
        let mut about: Vec<f32> = self.about.iter().map(|&number| panel[number]).collect();
        let width = self.width();
        for (number, component) in self.components.iter().enumerate() {
            let unlike = component.blocks.iter().enumerate().zip(kinds);
            for ((attribute, block), kind) in
                unlike.filter(|((_, block), _)| panel[block.end - 1] > 0.0)
            {
                for (slot, object) in component.objects.clone().enumerate() {
                    let places = &self.about[object * width..(object + 1) * width];
                    let Some(at) = places.iter().position(|&place| place == block.start) else {
                        continue;
                    };
                    let value =
                        object_value(&panel[self.own(number, slot)], attribute, kind.count());
                    let own = &mut about[object * width + at..][..block.len()];
                    write_mean(kind, &[value], own);
                }
            }
        }
        about
    }

    /// Where the own numbers of an object are.
    pub(super) fn own(&self, component: usize, slot: usize) -> Range<usize> {
        let object = self.components[component].objects.start + slot;
        let start = self.about[(object + 1) * self.width() - IRRELEVANT_PER_OBJECT];
        start..start + IRRELEVANT_PER_OBJECT
    }

    /// The slots of a component that are taken in a panel.
    pub(super) fn taken(&self, component: usize, panel: &[f32], slots: usize) -> Vec<usize> {
        let there = &self.there[self.components[component].objects.clone()];
        (0..slots.min(there.len())).filter(|&slot| panel[there[slot]] > 0.0).collect()
    }

    /// Writes the blocks of a panel whose objects have the values that their own numbers say.
    pub(super) fn write_unlike(
        &self,
        component: usize,
        panel: &mut [f32],
        slots: usize,
        kinds: &[ValueKind],
        blocks: &[usize],
    ) {
        let taken = self.taken(component, panel, slots);
        for &attribute in blocks {
            let kind = &kinds[attribute];
            let value = |&slot: &usize| {
                object_value(&panel[self.own(component, slot)], attribute, kind.count())
            };
            let values: Vec<usize> = taken.iter().map(value).collect();
            let block = self.components[component].blocks[attribute].clone();
            write_mean(kind, &values, &mut panel[block]);
        }
    }

    /// Which object stands in a slot of a component.
    pub fn place(&self, component: usize, slot: usize) -> Option<usize> {
        let own = &self.components.get(component)?.objects;
        (slot < own.len()).then(|| own.start + slot)
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
            parameters: false,
            number_ops: false,
            groups: vec![ValueKind::Occupancy { slots: 2 }, ValueKind::Ordered { values: 3 }],
        };
        // Slots 0-1, "two" 2, layout 3; sizes 4-6, "not all alike" 7; then four for each object.
        let latent =
            LatentConfig { relevant: 8, irrelevant: 8, row_irrelevant: 0, log_var: [-8.0, 4.0] };
        (Objects::new(&values, 1, &latent, &[2]).unwrap(), 16)
    }

    fn grid(present: &[bool]) -> Grid<'_> {
        let kinds = &[ValueKind::Ordered { values: 3 }];
        Grid { present, columns: 2, slots: &[2], kinds, renewed: &[false] }
    }

    fn panel(slots: [f32; 2], uneven: f32, own: f32) -> Vec<f32> {
        let mut z = vec![slots[0], slots[1], -1.0, 1.0, own, own, own, uneven];
        z.resize(16, own);
        z
    }

    #[test]
    fn objects_that_differ_go_on_as_they_are_and_others_do_not() {
        let (objects, numbers) = objects();
        let carried_if = |renewed: bool, slots: [f32; 2], uneven: f32| {
            let shown = [panel([1.0, 1.0], uneven, 0.5), panel([9.0; 2], 9.0, 9.0)].concat();
            let mut new = [panel([9.0; 2], 9.0, 9.0), panel(slots, uneven, 0.1)].concat();
            let grid = Grid { renewed: &[renewed], ..grid(&[true, false]) };
            objects.carry_on(&mut new, &shown, &grid);
            new[numbers..].to_vec()
        };
        let carried = |slots, uneven| carried_if(false, slots, uneven);
        let same = carried([1.0, 1.0], 1.0);
        assert_eq!(same[4..7], [0.5; 3], "sizes");
        assert_eq!(same[8..], [0.5; 8], "their own");
        let fewer = carried([1.0, -1.0], 1.0);
        assert_eq!(fewer[8..], [0.1; 8], "fewer: other objects");
        assert_eq!(fewer[4..8], [1.0, -1.0, -1.0, -1.0], "a single one is like itself");
        assert_eq!(carried([1.0, 1.0], -1.0)[8..], [0.1; 8], "all alike: nothing to keep");
        let renewed = carried_if(true, [1.0, 1.0], 1.0);
        assert_eq!(renewed[8..], [0.1; 8], "a rule that makes new objects: others");
        assert_ne!(renewed[4..7], [0.5; 3], "and sizes of their own");
    }

    #[test]
    fn what_follows_a_rule_is_the_same_in_all_objects() {
        let (objects, _) = objects();
        let mut z = panel([1.0, 1.0], 0.7, 0.5);
        objects.clear_unlike(&mut z, &|_, _| false);
        assert_eq!(z, panel([1.0, 1.0], 0.7, 0.5), "constant: it may differ");
        objects.clear_unlike(&mut z, &|attribute, component| (attribute, component) == (0, 0));
        assert_eq!(z, panel([1.0, 1.0], -0.7, 0.5));
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
        objects.carry_on(&mut new, &shown, &grid(&[true, true, true, false]));
        // The object that is there; nothing is said of the empty slot.
        let before = panel(rows[3], -1.0, 2.0);
        assert_eq!(new[3 * numbers..][..12], before[..12], "as the panel before it");
    }
}
