//! The three rows of a component, drawn so that its rules hold.

use arrayvec::ArrayVec;

use crate::Stream;
use crate::raven::{
    Attribute, Component, ComponentRules, Entity, Group, Latin, Levels, Rule, RuleKind,
};

use super::narrow::Narrowed;

/// Slots in the order in which objects are put into them.
pub type Slots = ArrayVec<u8, 9>;

/// Nine panels' worth of one component.
#[derive(Clone, Debug)]
pub struct ComponentRows {
    /// Row by row.
    pub panels: [[Component; 3]; 3],
    /// What the distribute-three rules hand out, by group.
    pub latin: [Option<Latin>; 4],
}

impl ComponentRows {
    /// Draws three rows. Number and position come first; type, size and color
    /// are then written over the objects that they left. `handed_out`: the levels that the
    /// distribute-three of each group must hand out, as bits; 0 for any.
    pub fn draw(
        rules: &ComponentRules,
        levels: &Narrowed,
        uniform: bool,
        handed_out: &[u16; 4],
        stream: &mut Stream,
    ) -> Self {
        let objects =
            Objects { levels, uniform, numbers: handed_out[Group::NumberPosition.index()] };
        let (mut panels, placed) = objects.place(rules.of(Group::NumberPosition), stream);
        let mut latin = [placed, None, None, None];
        for group in [Group::Type, Group::Size, Group::Color] {
            let stated = handed_out[group.index()];
            let values = values(rules.of(group), levels.of(group), stated, &mut panels, stream);
            latin[group.index()] = values;
        }
        Self { panels, latin }
    }
}

/// The order in which three values appear in the three rows: the second and
/// third rows are the two rotations of the first, either way round.
fn latin_orders(stream: &mut Stream) -> [[usize; 3]; 3] {
    if stream.coin() {
        [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    } else {
        [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    }
}

/// Draws objects from the narrowed levels.
struct Objects<'a> {
    levels: &'a Narrowed,
    uniform: bool,
    /// The numbers that a distribute-three must hand out, as bits; 0 for any.
    numbers: u16,
}

impl Objects<'_> {
    fn one(&self, stream: &mut Stream) -> Entity {
        one_object(self.levels, stream)
    }

    /// Fresh objects in these slots.
    fn fresh(&self, slots: &Slots, stream: &mut Stream) -> Component {
        let first = self.one(stream);
        let entities = slots.iter().enumerate().map(|(i, &slot)| {
            let entity = if self.uniform || i == 0 { first } else { self.one(stream) };
            Entity { slot, ..entity }
        });
        Component { entities: entities.collect() }
    }

    /// New objects in place of old ones: copies of the first where the
    /// component is uniform, otherwise all drawn again.
    fn rebuild(&self, old: &Component, slots: &Slots, stream: &mut Stream) -> Component {
        let first = old.entities[0];
        let entities = slots.iter().map(|&slot| {
            let entity = if self.uniform { first } else { self.one(stream) };
            Entity { slot, ..entity }
        });
        Component { entities: entities.collect() }
    }

    fn slot_count(&self) -> usize {
        self.levels.kind.slot_count()
    }

    fn random_slots(&self, number: i32, stream: &mut Stream) -> Slots {
        random_slots(self.slot_count(), number, stream)
    }

    fn first(&self, stream: &mut Stream) -> Component {
        let number = stream.between(self.levels.number.lo, self.levels.number.hi);
        let slots = self.random_slots(number, stream);
        self.fresh(&slots, stream)
    }

    /// Number and position of all nine panels.
    fn place(&self, rule: Rule, stream: &mut Stream) -> ([[Component; 3]; 3], Option<Latin>) {
        if rule.kind == RuleKind::DistributeThree {
            return match rule.attribute {
                Attribute::Number => self.distribute_number(stream),
                _ => self.distribute_position(stream),
            };
        }
        let rows = std::array::from_fn(|_| {
            let first = self.first(stream);
            match (rule.kind, rule.attribute) {
                (RuleKind::Progression, Attribute::Number) => {
                    self.progress_number(first, rule.step, stream)
                }
                (RuleKind::Progression, _) => self.progress_position(first, rule.step),
                (RuleKind::Arithmetic, Attribute::Number) => {
                    self.add_numbers(first, rule.step, stream)
                }
                (RuleKind::Arithmetic, _) => self.add_positions(first, rule.step, stream),
                _ => [first.clone(), first.clone(), first],
            }
        });
        (rows, None)
    }

    /// A row with the given counts: slots at random, objects rebuilt.
    fn with_numbers(
        &self,
        first: Component,
        second: i32,
        third: i32,
        stream: &mut Stream,
    ) -> [Component; 3] {
        let slots = self.random_slots(second, stream);
        let second = self.rebuild(&first, &slots, stream);
        let slots = self.random_slots(third, stream);
        let third = self.rebuild(&second, &slots, stream);
        [first, second, third]
    }

    fn progress_number(&self, first: Component, step: i8, stream: &mut Stream) -> [Component; 3] {
        let (number, step) = (first.number(), i32::from(step));
        self.with_numbers(first, number + step, number + 2 * step, stream)
    }

    fn progress_position(&self, first: Component, step: i8) -> [Component; 3] {
        let slots = self.slot_count() as i32;
        let moved = |by: i32| {
            let mut component = first.clone();
            for entity in &mut component.entities {
                entity.slot = (i32::from(entity.slot) + by).rem_euclid(slots) as u8;
            }
            component
        };
        let step = i32::from(step);
        [first.clone(), moved(step), moved(2 * step)]
    }

    fn add_numbers(&self, first: Component, sign: i8, stream: &mut Stream) -> [Component; 3] {
        let one = first.number();
        let two = operand(self.levels.number, one, sign, stream);
        let three = if sign > 0 { one + two + 1 } else { one - two - 1 };
        self.with_numbers(first, two, three, stream)
    }

    /// Union or difference of the occupied slots. The second panel must matter:
    /// add something, or leave something.
    fn add_positions(&self, first: Component, sign: i8, stream: &mut Stream) -> [Component; 3] {
        let one = first.mask();
        let slots = loop {
            let number = stream.between(self.levels.number.lo, self.levels.number.hi);
            let slots = self.random_slots(number, stream);
            let two = mask_of(&slots);
            let matters = if sign > 0 { two & !one != 0 } else { one & !two != 0 };
            if matters {
                break slots;
            }
        };
        let second = self.rebuild(&first, &slots, stream);
        let two = second.mask();
        let three = if sign > 0 { one | two } else { one & !two };
        let third = self.rebuild(&second, &slots_of(three), stream);
        [first, second, third]
    }

    fn distribute_number(&self, stream: &mut Stream) -> ([[Component; 3]; 3], Option<Latin>) {
        let allowed = |level: &i32| self.numbers == 0 || self.numbers >> level & 1 == 1;
        let start = if self.numbers == 0 {
            self.first(stream)
        } else {
            let mut levels: ArrayVec<i32, 9> = self.levels.number.iter().filter(allowed).collect();
            stream.shuffle_front(&mut levels, 1);
            let slots = self.random_slots(levels[0], stream);
            self.fresh(&slots, stream)
        };
        let first = start.number();
        let mut others: ArrayVec<i32, 9> =
            self.levels.number.iter().filter(|&level| level != first && allowed(&level)).collect();
        stream.shuffle_front(&mut others, 2);
        let values = [first, others[0], others[1]];
        let orders = latin_orders(stream);
        let mut start = Some(start);
        let panels = orders.map(|[a, b, c]| {
            let first = start.take().unwrap_or_else(|| {
                let slots = self.random_slots(values[a], stream);
                self.fresh(&slots, stream)
            });
            self.with_numbers(first, values[b], values[c], stream)
        });
        let rows = orders.map(|order| order.map(|i| values[i] as u16));
        (panels, Some(Latin { rows }))
    }

    fn distribute_position(&self, stream: &mut Stream) -> ([[Component; 3]; 3], Option<Latin>) {
        let start = self.first(stream);
        let mut sets: ArrayVec<Slots, 3> = ArrayVec::new();
        sets.push(start.entities.iter().map(|e| e.slot).collect());
        while !sets.is_full() {
            let slots = self.random_slots(start.number(), stream);
            if sets.iter().all(|s| mask_of(s) != mask_of(&slots)) {
                sets.push(slots);
            }
        }
        let orders = latin_orders(stream);
        let mut start = Some(start);
        let panels = orders.map(|order| {
            let objects = start.take().unwrap_or_else(|| self.fresh(&sets[0], stream));
            order.map(|set| put(&objects, &sets[set]))
        });
        let rows = orders.map(|order| order.map(|i| mask_of(&sets[i])));
        (panels, Some(Latin { rows }))
    }
}

/// The second operand of a sum or difference, such that the third panel stays in
/// range. `narrowed` is the range of the first operand.
fn operand(narrowed: Levels, first: i32, sign: i8, stream: &mut Stream) -> i32 {
    if sign > 0 {
        stream.between(narrowed.lo, narrowed.lo + narrowed.hi - first)
    } else {
        // The narrowed lower end is 2 lo + 1, so this is the attribute's own.
        let lo = (narrowed.lo - 1) / 2;
        stream.between(lo, first - lo - 1)
    }
}

/// Type, size or color of all nine panels; constant leaves them as they are.
fn values(
    rule: Rule,
    narrowed: Levels,
    handed_out: u16,
    panels: &mut [[Component; 3]; 3],
    stream: &mut Stream,
) -> Option<Latin> {
    let mut latin = None;
    let rows: [[i32; 3]; 3] = match rule.kind {
        RuleKind::Constant => return None,
        RuleKind::DistributeThree => {
            let allowed = |level: &i32| handed_out == 0 || handed_out >> level & 1 == 1;
            let mut levels: ArrayVec<i32, 10> = narrowed.iter().filter(allowed).collect();
            stream.shuffle_front(&mut levels, 3);
            let rows = latin_orders(stream).map(|order| order.map(|i| levels[i]));
            latin = Some(Latin { rows: rows.map(|row| row.map(|level| level as u16)) });
            rows
        }
        RuleKind::Progression => {
            let step = i32::from(rule.step);
            firsts(panels, rule.attribute).map(|x| [x, x + step, x + 2 * step])
        }
        RuleKind::Arithmetic if rule.attribute == Attribute::Color => {
            add_colors(firsts(panels, rule.attribute), narrowed, rule.step, stream)
        }
        RuleKind::Arithmetic => firsts(panels, rule.attribute).map(|x| {
            let y = operand(narrowed, x, rule.step, stream);
            [x, y, if rule.step > 0 { x + y + 1 } else { x - y - 1 }]
        }),
    };
    for (row, levels) in panels.iter_mut().zip(rows) {
        for (component, level) in row.iter_mut().zip(levels) {
            for entity in &mut component.entities {
                entity.set_level(rule.attribute, level as u8);
            }
        }
    }
    latin
}

/// The level of the first object of each row.
fn firsts(panels: &[[Component; 3]; 3], attribute: Attribute) -> [i32; 3] {
    std::array::from_fn(|row| {
        let level = panels[row][0].entities[0].level(attribute);
        i32::from(level.expect("only type, size and color have values"))
    })
}

/// Sums and differences of grey levels, counted from white = 0, so that plus and
/// minus agree whenever the second panel is white. If row 1 is such a row, row 2
/// must not be.
fn add_colors(first: [i32; 3], range: Levels, sign: i8, stream: &mut Stream) -> [[i32; 3]; 3] {
    let Levels { lo, hi } = range;
    let mut white_second = false;
    std::array::from_fn(|row| {
        let mut x = first[row];
        let guarded = row == 1 && white_second;
        let no_choice = if sign > 0 { hi } else { lo };
        if guarded && x == no_choice {
            x = stream.between(lo, hi - 1);
            x += i32::from(x >= no_choice);
        }
        let least = i32::from(guarded);
        let y =
            if sign > 0 { stream.between(least, hi - x) } else { stream.between(least, x - lo) };
        if row == 0 {
            white_second = y == 0;
        }
        [x, y, if sign > 0 { x + y } else { x - y }]
    })
}

/// One object drawn from the narrowed levels, in slot 0.
pub fn one_object(levels: &Narrowed, stream: &mut Stream) -> Entity {
    let mut draw = |range: Levels| stream.between(range.lo, range.hi) as u8;
    let shape = draw(levels.shape);
    let size = draw(levels.size);
    let color = draw(levels.color);
    let angle = draw(levels.angle);
    Entity { slot: 0, shape, size, color, angle }
}

/// A random ordered sample of `number + 1` slots.
pub fn random_slots(slot_count: usize, number: i32, stream: &mut Stream) -> Slots {
    let mut slots: Slots = (0..slot_count as u8).collect();
    let count = number as usize + 1;
    stream.shuffle_front(&mut slots, count);
    slots.truncate(count);
    slots
}

/// The same objects in other slots, one by one.
pub fn put(objects: &Component, slots: &Slots) -> Component {
    let entities = objects.entities.iter().zip(slots).map(|(&e, &slot)| Entity { slot, ..e });
    Component { entities: entities.collect() }
}

/// Slots as a bit mask.
pub fn mask_of(slots: &Slots) -> u16 {
    slots.iter().fold(0, |mask, slot| mask | 1 << slot)
}

/// The slots of a bit mask, ascending.
fn slots_of(mask: u16) -> Slots {
    (0..9).filter(|slot| mask >> slot & 1 == 1).collect()
}
