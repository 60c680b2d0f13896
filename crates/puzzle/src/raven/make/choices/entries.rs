//! Which attributes of a panel can be changed so that a rule breaks.

use arrayvec::ArrayVec;

use crate::raven::{Attribute, Change, Group, Levels, Panel, Puzzle, RuleKind};

/// An attribute that may be changed, and how often.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What is changed.
    pub change: Change,
    /// How many different changes there are.
    pub times: u32,
    /// The levels before rules narrow them.
    pub levels: Levels,
    /// Whether all objects get the same new level (used by I-RAVEN).
    pub alike: bool,
}

/// All entries: of each component number, position, type, size and color, as
/// far as a change of it can be told from the rules.
pub fn entries(puzzle: &Puzzle, panel: &Panel) -> ArrayVec<Entry, 10> {
    let mut list = ArrayVec::new();
    for (component, &kind) in puzzle.layout.components().iter().enumerate() {
        let rules = &puzzle.rules[component];
        let place = rules.of(Group::NumberPosition);
        let slots = kind.slot_count() as u32;
        let count = panel.components[component].entities.len() as u32;
        let mut add = |attribute, times, levels, alike| {
            if times > 0 {
                let change = Change { component: component as u8, attribute };
                list.push(Entry { change, times, levels, alike });
            }
        };
        let numbers = puzzle.domain.range(kind, Attribute::Number);
        let other_sets = (1 << slots) - 1 - choose(slots, count);
        add(Attribute::Number, other_sets, numbers, false);
        if place.attribute != Attribute::Number {
            add(Attribute::Position, choose(slots, count) - 1, numbers, false);
        }
        // Objects that are rebuilt in every panel are constant in name only.
        let carried = place.kind == RuleKind::Constant
            || (place.attribute == Attribute::Position && place.kind != RuleKind::Arithmetic);
        let uniform = puzzle.is_uniform(component);
        for attribute in [Attribute::Type, Attribute::Size, Attribute::Color] {
            let ruled = rules.of(attribute.group()).kind != RuleKind::Constant;
            if ruled || uniform || carried {
                let levels = puzzle.domain.range(kind, attribute);
                add(attribute, (levels.hi - levels.lo) as u32, levels, ruled || uniform);
            }
        }
    }
    list
}

/// Binomial coefficient for up to nine slots.
pub fn choose(n: u32, k: u32) -> u32 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}
