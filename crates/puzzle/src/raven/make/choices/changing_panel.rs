//! A panel from which wrong choices are made by one change each.

use arrayvec::ArrayVec;

use crate::Stream;
use crate::raven::make::narrow::Narrowed;
use crate::raven::make::rows::{Slots, mask_of, one_object, put, random_slots};
use crate::raven::{Attribute, Change, Component, Entity, Levels, Panel};

use super::entries::{Entry, choose};

/// A panel, what may still be changed in it, and which changes were used.
#[derive(Clone, Debug)]
pub struct ChangingPanel {
    /// The panel.
    pub panel: Panel,
    /// What may be changed, and how often.
    pub entries: ArrayVec<Entry, 10>,
    /// Slot sets already given to changes of number or position.
    used_sets: Vec<(Change, u16)>,
    /// Levels already given to each object, as a bit mask.
    used_levels: Vec<(Change, [u16; 9])>,
}

impl ChangingPanel {
    /// A panel with nothing changed yet.
    pub fn new(panel: Panel, entries: ArrayVec<Entry, 10>) -> Self {
        Self { panel, entries, used_sets: Vec::new(), used_levels: Vec::new() }
    }

    /// Changes one attribute, chosen uniformly among the entries; the same
    /// change is never made twice. There must be an entry left.
    pub fn change(&mut self, narrowed: &[Narrowed], stream: &mut Stream) -> (Panel, Change) {
        let index = stream.below(self.entries.len() as u32) as usize;
        let Entry { change, levels, .. } = self.entries[index];
        self.entries[index].times -= 1;
        if self.entries[index].times == 0 {
            self.entries.remove(index);
        }
        let narrowed = &narrowed[usize::from(change.component)];
        let component = match change.attribute {
            Attribute::Number => self.other_number(change, narrowed, stream),
            Attribute::Position => self.other_position(change, narrowed, stream),
            _ => self.other_levels(change, levels, stream),
        };
        let mut panel = self.panel.clone();
        panel.components[usize::from(change.component)] = component;
        (panel, change)
    }

    fn component(&self, change: Change) -> &Component {
        &self.panel.components[usize::from(change.component)]
    }

    /// Every object gets a level of its own that it did not have before.
    fn other_levels(&mut self, change: Change, levels: Levels, stream: &mut Stream) -> Component {
        let mut component = self.component(change).clone();
        let at = match self.used_levels.iter().position(|(c, _)| *c == change) {
            Some(at) => at,
            None => {
                let mut used = [0u16; 9];
                for (used, entity) in used.iter_mut().zip(&component.entities) {
                    *used = 1 << entity.level(change.attribute).unwrap_or_default();
                }
                self.used_levels.push((change, used));
                self.used_levels.len() - 1
            }
        };
        let used = &mut self.used_levels[at].1;
        for (entity, used) in component.entities.iter_mut().zip(used) {
            let left: ArrayVec<i32, 10> = levels.iter().filter(|l| *used >> l & 1 == 0).collect();
            let level = *stream.pick(&left);
            *used |= 1 << level;
            entity.set_level(change.attribute, level as u8);
        }
        component
    }

    fn is_used(&self, change: Change, mask: u16) -> bool {
        self.used_sets.contains(&(change, mask))
    }

    /// A slot set of `number + 1` slots that was not used before.
    fn unused_slots(
        &mut self,
        change: Change,
        number: i32,
        slot_count: usize,
        stream: &mut Stream,
    ) -> Slots {
        loop {
            let slots = random_slots(slot_count, number, stream);
            let mask = mask_of(&slots);
            if mask != self.component(change).mask() && !self.is_used(change, mask) {
                self.used_sets.push((change, mask));
                return slots;
            }
        }
    }

    /// The same objects elsewhere.
    fn other_position(
        &mut self,
        change: Change,
        narrowed: &Narrowed,
        stream: &mut Stream,
    ) -> Component {
        let number = self.component(change).number();
        let slots = self.unused_slots(change, number, narrowed.kind.slot_count(), stream);
        put(self.component(change), &slots)
    }

    /// More or fewer objects, all of them new.
    fn other_number(
        &mut self,
        change: Change,
        narrowed: &Narrowed,
        stream: &mut Stream,
    ) -> Component {
        let slot_count = narrowed.kind.slot_count();
        let left: ArrayVec<i32, 9> = (0..slot_count as i32)
            .filter(|&number| number != self.component(change).number())
            .filter(|&number| {
                let used = |set: &&(Change, u16)| {
                    set.0 == change && set.1.count_ones() == number as u32 + 1
                };
                let sets = choose(slot_count as u32, number as u32 + 1);
                (self.used_sets.iter().filter(used).count() as u32) < sets
            })
            .collect();
        let number = *stream.pick(&left);
        let slots = self.unused_slots(change, number, slot_count, stream);
        let entities =
            slots.iter().map(|&slot| Entity { slot, ..one_object(narrowed, stream) }).collect();
        Component { entities }
    }
}
