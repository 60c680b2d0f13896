//! Whether rows obey the rules that a puzzle states.

use arrayvec::ArrayVec;

use crate::raven::{
    Attribute, Component, ComponentRules, Group, Latin, Layout, Panel, Puzzle, Rule, RuleKind,
};

use super::hypotheses::offset;

/// What is known of the order of a component's entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The order in which they were made: entity `i` of two panels is the same
    /// object. The originals' solver looks at it, but no eye can.
    Made,
    /// Nothing: objects are told apart by what is visible, their slot and look.
    Unknown,
}

/// The rules of a puzzle with all their parameters: what it takes to judge a
/// candidate.
#[derive(Clone, Copy, Debug)]
pub struct Stated<'a> {
    /// Where objects stand.
    pub layout: Layout,
    /// The rules of each component.
    pub rules: &'a [ComponentRules],
    /// The values of the distribute-three rules, by component and group.
    pub latin: &'a [[Option<Latin>; 4]; 2],
    /// Whether the objects of a component are all alike in every panel.
    pub uniform: [bool; 2],
}

impl<'a> Stated<'a> {
    /// What a puzzle states.
    pub fn of(puzzle: &'a Puzzle) -> Self {
        Self {
            layout: puzzle.layout,
            rules: &puzzle.rules,
            latin: &puzzle.latin,
            uniform: [puzzle.is_uniform(0), puzzle.is_uniform(1)],
        }
    }

    /// Whether a constant type, size or color is noise: the component is not
    /// uniform and its number or position rule makes new objects in every panel.
    pub fn is_noise(&self, component: usize, group: Group) -> bool {
        group != Group::NumberPosition
            && self.rules[component].of(group).kind == RuleKind::Constant
            && !self.uniform[component]
            && self.rules[component].of(Group::NumberPosition).rebuilds_objects()
    }
}

/// Which choices satisfy all stated rules of a puzzle, by what is visible.
pub fn satisfied(puzzle: &Puzzle) -> [bool; 8] {
    let stated = Stated::of(puzzle);
    let [.., seventh, eighth] = &puzzle.context;
    std::array::from_fn(|choice| {
        let row = [seventh, eighth, &puzzle.choices[choice]];
        (0..stated.rules.len()).all(|component| {
            Group::ALL.iter().all(|&group| {
                holds(&stated, component, group, 2, components(row, component), Order::Unknown)
            })
        })
    })
}

/// How many stated rules a candidate satisfies as the end of the third row, as
/// the originals' solver counts them (with `Order::Made`): at most four for
/// every component.
pub fn score(stated: &Stated<'_>, row: [&Panel; 3], order: Order) -> u32 {
    let count = |component| {
        let row = components(row, component);
        Group::ALL.iter().filter(|&&group| holds(stated, component, group, 2, row, order)).count()
            as u32
    };
    (0..stated.rules.len()).map(count).sum()
}

pub(super) fn components(row: [&Panel; 3], component: usize) -> [&Component; 3] {
    row.map(|panel| &panel.components[component])
}

/// Whether the rule of a group holds in row number `index` (0 to 2), given that
/// row's three panels of the component.
///
/// A constant type, size or color that is noise always holds, and so does one
/// whose row has unequal counts: then objects cannot be compared one by one, and
/// it is the rule on number that is broken.
pub fn holds(
    stated: &Stated<'_>,
    component: usize,
    group: Group,
    index: usize,
    row: [&Component; 3],
    order: Order,
) -> bool {
    let rule = stated.rules[component].of(group);
    if rule.kind == RuleKind::DistributeThree {
        let Some(latin) = &stated.latin[component][group.index()] else { return false };
        return (0..3).all(|column| {
            value(row[column], rule.attribute) == Some(i32::from(latin.rows[index][column]))
        });
    }
    if rule.kind == RuleKind::Constant && group != Group::NumberPosition {
        return constant(stated, component, group, row, order);
    }
    holds_rule(rule, stated.layout.components()[component].slot_count() as i32, row)
}

/// Whether a row obeys a rule that can be judged from the row alone: any but
/// distribute-three and a constant type, size or color.
pub(super) fn holds_rule(rule: Rule, slots: i32, row: [&Component; 3]) -> bool {
    match rule.attribute {
        Attribute::NumberPosition => row.iter().all(|p| p.mask() == row[0].mask()),
        Attribute::Position => {
            let masks = row.map(Component::mask);
            match rule.kind {
                RuleKind::Progression => {
                    let next = |mask| rotated(mask, rule.step, slots);
                    masks[1] == next(masks[0]) && masks[2] == next(masks[1])
                }
                _ if rule.step > 0 => masks[2] == masks[0] | masks[1],
                _ => masks[2] == masks[0] & !masks[1],
            }
        }
        Attribute::Number | Attribute::Type | Attribute::Size | Attribute::Color => {
            let [Some(a), Some(b), Some(c)] = row.map(|p| value(p, rule.attribute)) else {
                return false;
            };
            match rule.kind {
                RuleKind::Progression => {
                    let step = i32::from(rule.step);
                    b - a == step && c - b == step
                }
                _ => c == a + i32::from(rule.step) * (b + offset(rule.attribute)),
            }
        }
    }
}

/// What a distribute-three rule compares: a level, or the mask of slots.
pub(super) fn value(component: &Component, attribute: Attribute) -> Option<i32> {
    match attribute {
        Attribute::NumberPosition => None,
        Attribute::Number => Some(component.number()),
        Attribute::Position => Some(i32::from(component.mask())),
        _ => component.shared(attribute).map(i32::from),
    }
}

/// The slots that a mask moves to when every object steps on, row by row and
/// from the last slot to the first.
pub(super) fn rotated(mask: u16, step: i8, slots: i32) -> u16 {
    (0..slots)
        .filter(|slot| mask & (1 << slot) != 0)
        .fold(0, |moved, slot| moved | 1 << (slot + i32::from(step)).rem_euclid(slots))
}

fn constant(
    stated: &Stated<'_>,
    component: usize,
    group: Group,
    row: [&Component; 3],
    order: Order,
) -> bool {
    let attribute = group.attributes()[0];
    if stated.uniform[component] {
        let Some(first) = row[0].shared(attribute) else { return false };
        return row[1..].iter().all(|p| p.shared(attribute) == Some(first));
    }
    let unequal = row.iter().any(|p| p.entities.len() != row[0].entities.len());
    if unequal || stated.is_noise(component, group) {
        return true;
    }
    [(row[0], row[1]), (row[1], row[2])].into_iter().all(|(from, to)| match order {
        Order::Made => from
            .entities
            .iter()
            .zip(&to.entities)
            .all(|(a, b)| a.level(attribute) == b.level(attribute)),
        Order::Unknown => looks_kept(stated, component, group, from, to),
    })
}

/// Whether the objects of one panel can be those of the next as far as a
/// constant attribute tells. Where they stand still or move by a fixed step each
/// has a known new slot; where slots are handed out anew any of them may have
/// gone anywhere, but it takes its other constant attributes along.
pub(super) fn looks_kept(
    stated: &Stated<'_>,
    component: usize,
    group: Group,
    from: &Component,
    to: &Component,
) -> bool {
    let attribute = group.attributes()[0];
    let slots = stated.layout.components()[component].slot_count() as i32;
    let place = stated.rules[component].of(Group::NumberPosition);
    let step = match place.kind {
        RuleKind::Constant => Some(0),
        RuleKind::Progression => Some(place.step),
        _ => None,
    };
    if let Some(step) = step.filter(|&step| rotated(from.mask(), step, slots) == to.mask()) {
        return from.entities.iter().all(|a| {
            let slot = (i32::from(a.slot) + i32::from(step)).rem_euclid(slots);
            to.entities
                .iter()
                .any(|b| i32::from(b.slot) == slot && b.level(attribute) == a.level(attribute))
        });
    }
    let mut together: ArrayVec<Attribute, 3> = ArrayVec::new();
    for earlier in [Group::Type, Group::Size, Group::Color] {
        let kept = stated.rules[component].of(earlier).kind == RuleKind::Constant;
        if earlier < group && kept && looks_kept(stated, component, earlier, from, to) {
            together.push(earlier.attributes()[0]);
        }
    }
    together.push(attribute);
    looks(from, &together) == looks(to, &together)
}

/// What the objects of a panel look like in some attributes, in sorted order.
pub(super) fn looks(component: &Component, attributes: &[Attribute]) -> ArrayVec<u32, 9> {
    let mut looks: ArrayVec<u32, 9> = component
        .entities
        .iter()
        .map(|e| {
            attributes
                .iter()
                .fold(0, |look, &a| look << 8 | u32::from(e.level(a).unwrap_or_default()))
        })
        .collect();
    looks.sort_unstable();
    looks
}
