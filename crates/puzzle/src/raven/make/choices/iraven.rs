//! I-RAVEN: the attribute bisection tree.
//!
//! Three changes are drawn, and the choices are all eight subsets of them, so
//! every value appears in half of the choices and no vote tells which is right.

use arrayvec::ArrayVec;

use crate::Stream;
use crate::raven::make::rows::{Slots, mask_of, put, random_slots};
use crate::raven::{Attribute, Component, Entity, Panel, Puzzle};

use super::Candidate;
use super::entries::{Entry, choose, entries};

/// The answer and seven more.
pub fn candidates(
    puzzle: &Puzzle,
    answer: Candidate,
    stream: &mut Stream,
) -> Option<Vec<Candidate>> {
    let mut list = entries(puzzle, &answer.panel);
    stream.shuffle_front(&mut list, 3);
    list.truncate(3);
    // Number comes last because it replaces the objects that others change.
    if let Some(at) = list.iter().position(|e| e.change.attribute == Attribute::Number) {
        let last = list.len() - 1;
        list.swap(at, last);
    }
    match list.as_slice() {
        [_, _, _] => bisect(puzzle, answer, &list, stream),
        [other, number] => Some(two(puzzle, answer, *other, *number, stream)),
        [number] => Some(one(puzzle, answer, *number, stream)),
        _ => None,
    }
}

/// A new value of an attribute, ready to be applied to any candidate.
enum Value {
    /// Levels, used in turn over the objects.
    Levels(ArrayVec<u8, 9>),
    /// Other slots for the same objects.
    Position(Slots),
    /// Another number of objects: the slots, other slots for candidates whose
    /// position is changed already, and which old object stands in each.
    Number { slots: Slots, moved_slots: Slots, from: ArrayVec<u8, 9> },
}

impl Value {
    fn apply(&self, candidate: &Candidate, entry: Entry) -> Candidate {
        let at = usize::from(entry.change.component);
        let old = &candidate.panel.components[at];
        let component = match self {
            Self::Levels(levels) => {
                let mut component = old.clone();
                for (entity, level) in component.entities.iter_mut().zip(levels.iter().cycle()) {
                    entity.set_level(entry.change.attribute, *level);
                }
                component
            }
            Self::Position(slots) => put(old, slots),
            Self::Number { slots, moved_slots, from } => {
                let moved = candidate.changes.iter().any(|c| {
                    c.component == entry.change.component && c.attribute == Attribute::Position
                });
                let slots = if moved { moved_slots } else { slots };
                let objects = from.iter().map(|&i| old.entities[usize::from(i)]);
                let entities = slots.iter().zip(objects).map(|(&slot, e)| Entity { slot, ..e });
                Component { entities: entities.collect() }
            }
        };
        let mut panel: Panel = candidate.panel.clone();
        panel.components[at] = component;
        candidate.changed(panel, entry.change)
    }
}

fn bisect(
    puzzle: &Puzzle,
    answer: Candidate,
    list: &[Entry],
    stream: &mut Stream,
) -> Option<Vec<Candidate>> {
    let mut candidates = vec![answer];
    for &entry in list {
        let value = match entry.change.attribute {
            Attribute::Number => {
                let both = list.iter().any(|e| {
                    e.change.component == entry.change.component
                        && e.change.attribute == Attribute::Position
                });
                Numbers::new(puzzle, &candidates[0], entry).next(both, stream)?
            }
            Attribute::Position => other_position(puzzle, &candidates[0], entry, stream),
            _ => other_levels(&candidates[0], entry, stream),
        };
        let changed: Vec<Candidate> =
            candidates.iter().map(|candidate| value.apply(candidate, entry)).collect();
        candidates.extend(changed);
    }
    Some(candidates)
}

/// Two attributes can be changed, the second of them number.
fn two(
    puzzle: &Puzzle,
    answer: Candidate,
    other: Entry,
    number: Entry,
    stream: &mut Stream,
) -> Vec<Candidate> {
    let is_position = other.change.attribute == Attribute::Position;
    let value = if is_position {
        other_position(puzzle, &answer, other, stream)
    } else {
        other_levels(&answer, other, stream)
    };
    let changed = value.apply(&answer, other);
    let mut numbers = Numbers::new(puzzle, &answer, number);
    let mut candidates = vec![answer, changed];
    // A change of number undoes one of position, so it starts from the answer.
    let bases = if is_position { 1 } else { 2 };
    while candidates.len() < 8 {
        let Some(value) = numbers.next(false, stream) else { break };
        for base in 0..bases {
            candidates.push(value.apply(&candidates[base], number));
        }
    }
    candidates
}

/// Only number can be changed.
fn one(puzzle: &Puzzle, answer: Candidate, number: Entry, stream: &mut Stream) -> Vec<Candidate> {
    let mut numbers = Numbers::new(puzzle, &answer, number);
    let mut candidates = vec![answer];
    while candidates.len() < 8 {
        let Some(value) = numbers.next(false, stream) else { break };
        candidates.push(value.apply(&candidates[0], number));
    }
    candidates
}

fn other_levels(answer: &Candidate, entry: Entry, stream: &mut Stream) -> Value {
    let component = &answer.panel.components[usize::from(entry.change.component)];
    let mut other = |entity: &Entity| {
        let old = i32::from(entity.level(entry.change.attribute).unwrap_or_default());
        let level = stream.between(entry.levels.lo, entry.levels.hi - 1);
        (level + i32::from(level >= old)) as u8
    };
    let count = if entry.alike { 1 } else { component.entities.len() };
    Value::Levels(component.entities[..count].iter().map(&mut other).collect())
}

fn other_position(puzzle: &Puzzle, answer: &Candidate, entry: Entry, stream: &mut Stream) -> Value {
    let at = usize::from(entry.change.component);
    let component = &answer.panel.components[at];
    let slot_count = puzzle.layout.components()[at].slot_count();
    loop {
        let slots = random_slots(slot_count, component.number(), stream);
        if mask_of(&slots) != component.mask() {
            return Value::Position(slots);
        }
    }
}

/// Draws other numbers of objects, each level once before any comes again.
struct Numbers {
    slot_count: usize,
    objects: usize,
    levels: Vec<i32>,
    round: Vec<i32>,
    used: Vec<u16>,
}

impl Numbers {
    fn new(puzzle: &Puzzle, answer: &Candidate, entry: Entry) -> Self {
        let at = usize::from(entry.change.component);
        let component = &answer.panel.components[at];
        let levels: Vec<i32> =
            entry.levels.iter().filter(|&level| level != component.number()).collect();
        Self {
            slot_count: puzzle.layout.components()[at].slot_count(),
            objects: component.entities.len(),
            round: Vec::new(),
            levels,
            used: Vec::new(),
        }
    }

    fn unused_sets(&self, number: i32) -> u32 {
        let count = number as u32 + 1;
        let used = self.used.iter().filter(|mask| mask.count_ones() == count).count() as u32;
        choose(self.slot_count as u32, count) - used
    }

    fn unused_slots(&mut self, number: i32, stream: &mut Stream) -> Slots {
        loop {
            let slots = random_slots(self.slot_count, number, stream);
            if !self.used.contains(&mask_of(&slots)) {
                self.used.push(mask_of(&slots));
                return slots;
            }
        }
    }

    /// The next value; `both` asks for a second slot set, for candidates whose
    /// position is changed too.
    fn next(&mut self, both: bool, stream: &mut Stream) -> Option<Value> {
        let needed = 1 + u32::from(both);
        let mut usable: Vec<i32> =
            self.round.iter().copied().filter(|&n| self.unused_sets(n) >= needed).collect();
        if usable.is_empty() {
            self.round = self.levels.clone();
            usable =
                self.round.iter().copied().filter(|&n| self.unused_sets(n) >= needed).collect();
        }
        if usable.is_empty() {
            return None;
        }
        let number = *stream.pick(&usable);
        self.round.retain(|&n| n != number);
        let slots = self.unused_slots(number, stream);
        let moved_slots = if both { self.unused_slots(number, stream) } else { slots.clone() };
        Some(Value::Number { slots, moved_slots, from: self.copies(number as usize + 1, stream) })
    }

    /// Which old object stands in each new slot: a random subset when there are
    /// fewer, whole repetitions and a random rest when there are more.
    fn copies(&self, count: usize, stream: &mut Stream) -> ArrayVec<u8, 9> {
        let mut order: ArrayVec<u8, 9> = (0..self.objects as u8).collect();
        let mut from = ArrayVec::new();
        while from.len() + self.objects <= count {
            from.extend(0..self.objects as u8);
        }
        let rest = count - from.len();
        stream.shuffle_front(&mut order, rest);
        from.extend(order[..rest].iter().copied());
        from
    }
}
