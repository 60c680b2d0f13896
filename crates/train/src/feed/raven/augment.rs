//! Other puzzles with the same rules: rows exchanged, panels mirrored, slots
//! rolled or shuffled.
//!
//! Everything happens to scenes, before they are drawn, and the puzzle's truth
//! is kept right: mirroring L-R exchanges its components and their rules, and a
//! progression of positions, which runs slot by slot and row by row, only
//! survives what keeps that order (rolling, and mirroring both ways, which turns
//! its direction). Fresh puzzles need none of this: what it gives would be drawn
//! anyway. It makes more of a dataset of fixed size.

use arrayvec::ArrayVec;
use genvp_puzzle::{Attribute, Divider, Group, Latin, Panel, Puzzle, Rule, RuleKind, Stream};
use serde::{Deserialize, Serialize};

/// How often each change is made, from 0 (never) to 1 (always).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AugmentConfig {
    /// The first two rows are exchanged.
    pub swap_rows: f32,
    /// All panels are mirrored left to right, top to bottom, or both.
    pub flip: f32,
    /// The objects of a grid all move on by the same number of slots.
    pub roll: f32,
    /// The slots of a grid are handed out anew, alike in all panels.
    pub shuffle: f32,
}

impl AugmentConfig {
    /// Whether nothing is ever changed.
    pub fn is_off(&self) -> bool {
        [self.swap_rows, self.flip, self.roll, self.shuffle].iter().all(|&p| p <= 0.0)
    }

    /// Changes a puzzle, all by the numbers of `stream`.
    pub fn apply(&self, puzzle: &mut Puzzle, stream: &mut Stream) {
        // Every number is drawn, used or not: one setting does not move another's draws.
        let wants = [self.swap_rows, self.flip, self.roll, self.shuffle].map(|p| stream.unit() < p);
        let [swap, flip, roll, shuffle] = wants;
        let (how, bits) = (stream.below(3), stream.bits());
        if swap {
            swap_first_rows(puzzle);
        }
        if flip {
            mirror(puzzle, how != 1, how != 0);
        }
        let mut slots = Stream::new(bits, "augment/slots", 0);
        for component in 0..puzzle.rules.len() {
            let count = puzzle.layout.components()[component].slot_count();
            let (by, mut order) = (slots.below(count as u32) as usize, identity(count));
            slots.shuffle(&mut order);
            if roll && count > 1 {
                let rolled: Slots =
                    (0..count as u8).map(|s| (s + by as u8) % count as u8).collect();
                move_slots(puzzle, component, &rolled);
            }
            if shuffle && count > 1 && !runs_slot_by_slot(puzzle, component) {
                move_slots(puzzle, component, &order);
            }
        }
    }
}

/// `slots[i]` is where the objects of slot `i` go.
type Slots = ArrayVec<u8, 9>;

fn identity(count: usize) -> Slots {
    (0..count as u8).collect()
}

fn place_rule(puzzle: &Puzzle, component: usize) -> Rule {
    puzzle.rules[component].of(Group::NumberPosition)
}

fn runs_slot_by_slot(puzzle: &Puzzle, component: usize) -> bool {
    let rule = place_rule(puzzle, component);
    rule.attribute == Attribute::Position && rule.kind == RuleKind::Progression
}

fn panels_mut(puzzle: &mut Puzzle) -> impl Iterator<Item = &mut Panel> {
    puzzle.context.iter_mut().chain(&mut puzzle.choices)
}

fn swap_first_rows(puzzle: &mut Puzzle) {
    let (first, rest) = puzzle.context.split_at_mut(3);
    first.swap_with_slice(&mut rest[..3]);
    puzzle.latin.iter_mut().flatten().flatten().for_each(|latin| latin.rows.swap(0, 1));
}

/// Moves the objects of a component in all panels, and the slots that its
/// distribute-three rule hands out.
fn move_slots(puzzle: &mut Puzzle, component: usize, to: &Slots) {
    for panel in panels_mut(puzzle) {
        for entity in &mut panel.components[component].entities {
            entity.slot = to[usize::from(entity.slot)];
        }
    }
    if place_rule(puzzle, component).attribute == Attribute::Position
        && let Some(Latin { rows }) = &mut puzzle.latin[component][Group::NumberPosition.index()]
    {
        for mask in rows.iter_mut().flatten() {
            *mask = to
                .iter()
                .enumerate()
                .filter(|(from, _)| *mask >> from & 1 == 1)
                .fold(0, |m, (_, &s)| m | 1 << s);
        }
    }
}

fn mirror(puzzle: &mut Puzzle, horizontal: bool, vertical: bool) {
    let components = 0..puzzle.rules.len();
    let ordered = components.clone().any(|component| runs_slot_by_slot(puzzle, component));
    let (horizontal, vertical) = if ordered { (true, true) } else { (horizontal, vertical) };
    for component in components {
        let count = puzzle.layout.components()[component].slot_count();
        let side = count.isqrt();
        let flip = |at: usize, yes: bool| if yes { side - 1 - at } else { at };
        let to = (0..count)
            .map(|s| (flip(s / side, vertical) * side + flip(s % side, horizontal)) as u8);
        move_slots(puzzle, component, &to.collect());
        if runs_slot_by_slot(puzzle, component) {
            puzzle.rules[component].0[Group::NumberPosition.index()].step *= -1;
        }
    }
    let angles = puzzle.domain.angles();
    let entities = panels_mut(puzzle).flat_map(|panel| panel.components.iter_mut());
    for entity in entities.flat_map(|component| component.entities.iter_mut()) {
        entity.angle = mirrored_angle(angles, entity.angle, horizontal, vertical);
    }
    let exchanged = match puzzle.layout.divider() {
        Some(Divider::Vertical) => horizontal,
        Some(Divider::Horizontal) => vertical,
        None => false,
    };
    if exchanged {
        exchange_components(puzzle);
    }
}

/// All shapes are their own mirror images from left to right, so a mirrored one is turned the other
/// way; from top to bottom, half a turn besides. The nearest of the angles that there are is taken.
fn mirrored_angle(angles: &[i16], level: u8, horizontal: bool, vertical: bool) -> u8 {
    let Some(&angle) = angles.get(usize::from(level)) else { return level };
    let angle = if horizontal { -angle } else { angle };
    let angle = if vertical { 180 - angle } else { angle };
    let apart = |&other: &i16| (other - angle + 180).rem_euclid(360).abs_diff(180);
    let nearest = (0..).zip(angles).min_by_key(|(_, other)| apart(other));
    nearest.map_or(level, |(own, _)| own)
}

fn exchange_components(puzzle: &mut Puzzle) {
    panels_mut(puzzle).for_each(|panel| panel.components.reverse());
    puzzle.rules.reverse();
    puzzle.latin.reverse();
    puzzle.uniformity.reverse();
    for change in puzzle.changes.iter_mut().flatten() {
        change.component = 1 - change.component;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::check;
    use genvp_puzzle::make::{Maker, Request};
    use genvp_puzzle::raven::labels;
    use genvp_puzzle::{Domain, Layout, RuleMatrix, Set, render};

    const ALL: AugmentConfig = AugmentConfig { swap_rows: 0.5, flip: 0.7, roll: 0.5, shuffle: 0.5 };

    fn each(mut look: impl FnMut(&Puzzle, &Puzzle)) {
        for set in [Set::Raven, Set::IRaven] {
            for layout in Layout::ALL {
                let maker = Maker::new(Request::new(set, layout)).unwrap();
                for index in 0..80 {
                    let before = maker.puzzle(3, index).unwrap();
                    let mut after = before.clone();
                    ALL.apply(&mut after, &mut Stream::new(9, "augment", index));
                    look(&before, &after);
                }
            }
        }
    }

    #[test]
    fn all_rows_still_obey_all_rules_and_only_the_answer_does() {
        each(|_, after| {
            let stated = check::Stated::of(after);
            for row in 0..2 {
                for component in 0..after.rules.len() {
                    let panels =
                        std::array::from_fn(|c| &after.context[3 * row + c].components[component]);
                    for group in Group::ALL {
                        assert!(check::holds(
                            &stated,
                            component,
                            group,
                            row,
                            panels,
                            check::Order::Unknown
                        ));
                    }
                }
            }
            let right = check::satisfied(after);
            assert!((0..8).all(|c| right[c] == (c == usize::from(after.target))), "{after:?}");
        });
    }

    #[test]
    fn labels_follow_the_components_and_are_otherwise_kept() {
        let mut exchanged = 0;
        each(|before, after| {
            let (old, new) = (labels::of_choices(before), labels::of_choices(after));
            if old == new {
                return;
            }
            exchanged += 1;
            assert!(matches!(after.layout, Layout::LeftRight | Layout::UpDown));
            let turned = old.map(|mut labels| {
                labels.rotate_left(RuleMatrix::ATTRIBUTES / 2);
                labels
            });
            assert_eq!(turned, new);
        });
        assert!(exchanged > 50, "{exchanged}");
    }

    #[test]
    fn a_mirrored_puzzle_is_drawn_as_the_mirrored_drawing_up_to_edges() {
        let maker = Maker::new(Request::new(Set::Raven, Layout::CenterSingle)).unwrap();
        let (mut turned, mut changed) = (0.0, 0.0);
        for index in 0..60 {
            let before = maker.puzzle(5, index).unwrap();
            for (horizontal, vertical) in [(true, false), (false, true), (true, true)] {
                let mut after = before.clone();
                mirror(&mut after, horizontal, vertical);
                let [old, new] = [&before, &after].map(|p| {
                    let mut ink = vec![0.0; 64 * 64];
                    render::ink_into(&p.context[0], p.layout, p.domain, 64, &mut ink);
                    ink
                });
                for (i, ink) in new.iter().enumerate() {
                    let flip = |at: usize, yes: bool| if yes { 63 - at } else { at };
                    let from = flip(i / 64, vertical) * 64 + flip(i % 64, horizontal);
                    turned += (ink - old[from]).abs();
                    changed += (ink - old[i]).abs();
                }
            }
        }
        assert!(turned < 0.35 * changed, "{turned} of {changed}");
    }

    #[test]
    fn mirroring_twice_turns_every_object_back() {
        for domain in [Domain::Standard, Domain::AngleI] {
            let angles = domain.angles();
            for (horizontal, vertical) in [(true, false), (false, true), (true, true)] {
                let once = |level| mirrored_angle(angles, level, horizontal, vertical);
                assert!((0..8).all(|level| once(once(level)) == level), "{domain:?}");
                assert!((0..8).any(|level| once(level) != level), "{domain:?}");
            }
        }
    }

    #[test]
    fn switched_off_it_changes_nothing() {
        let puzzle = Maker::new(Request::new(Set::IRaven, Layout::DistributeNine))
            .unwrap()
            .puzzle(1, 1)
            .unwrap();
        let mut same = puzzle.clone();
        AugmentConfig::default().apply(&mut same, &mut Stream::new(1, "augment", 1));
        assert!(AugmentConfig::default().is_off());
        assert_eq!(puzzle, same);
    }
}
