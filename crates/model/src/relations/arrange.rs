//! p(Z|Z_o, Z_o-bar): which object of a panel shows which of its values.
//!
//! Relations speak of sets of values alone. How the objects share them is Z_o-bar: every object shows
//! some value, every value is shown by some object, and all else is left to chance.

use genvp_puzzle::relations::codes::{CODES, PER_LINE, PER_PLACE, PLACES, SIZES, TYPES};
use genvp_puzzle::relations::{Attribute, ValueSet};

use super::chance::Chance;
use super::value_grid::ValueGrid;

/// Writes what a panel of a grid shows, 1 for what is there and else 0, see
/// [`codes`](genvp_puzzle::relations::codes). Attributes that are not known, or have no value where
/// there are objects, show their lowest one.
///
/// # Shapes
/// `out` `[codes]`
pub(super) fn arrange(grid: &ValueGrid, panel: usize, chance: &mut Chance<'_>, out: &mut [f32]) {
    debug_assert_eq!(out.len(), CODES);
    out.fill(0.0);
    let set = |attribute| grid.get(attribute, panel).unwrap_or(ValueSet::EMPTY);
    let (places, lines) = out.split_at_mut(PLACES * PER_PLACE);
    let positions: Vec<u8> = set(Attribute::ShapePosition).iter().collect();
    let mut looks = [Attribute::ShapeType, Attribute::ShapeSize, Attribute::ShapeColor]
        .map(|look| shared(set(look), positions.len(), chance).into_iter());
    for position in positions {
        let own = &mut places[usize::from(position) * PER_PLACE..][..PER_PLACE];
        own[0] = 1.0;
        for (from, values) in [1, 1 + TYPES, 1 + TYPES + SIZES].into_iter().zip(&mut looks) {
            own[from + usize::from(values.next().unwrap_or_default())] = 1.0;
        }
    }
    let kinds: Vec<u8> = set(Attribute::LineType).iter().collect();
    let colors = shared(set(Attribute::LineColor), kinds.len(), chance);
    for (kind, color) in kinds.into_iter().zip(colors) {
        lines[usize::from(kind) * PER_LINE + usize::from(color)] = 1.0;
    }
}

/// A value for each of `count` objects, such that each value of the set is shown, as far as there
/// are objects.
fn shared(set: ValueSet, count: usize, chance: &mut Chance<'_>) -> Vec<u8> {
    let mut members: Vec<u8> = set.iter().collect();
    if members.is_empty() {
        members.push(0);
    }
    chance.shuffle(&mut members);
    let mut values: Vec<u8> = members.iter().copied().take(count).collect();
    while values.len() < count {
        values.push(members[chance.below(members.len())]);
    }
    chance.shuffle(&mut values);
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::Noise;
    use crate::relations::sets::ATTRIBUTES;
    use genvp_puzzle::relations::Vocabulary;

    #[test]
    fn every_value_is_shown_and_no_other() {
        let mut grid = ValueGrid::new(1, Vocabulary::Vad, [None; ATTRIBUTES]);
        let set = |values: &[u8]| values.iter().copied().collect::<ValueSet>();
        let wanted = [
            (Attribute::ShapePosition, set(&[0, 4, 5, 8])),
            (Attribute::ShapeColor, set(&[2, 3, 9])),
            (Attribute::ShapeSize, set(&[7])),
            (Attribute::ShapeType, set(&[0, 9])),
            (Attribute::LineType, set(&[1, 5])),
            (Attribute::LineColor, set(&[0, 10])),
        ];
        wanted.into_iter().for_each(|(attribute, set)| grid.put(attribute, 1, set));
        for seed in 0..20 {
            let mut codes = vec![0.0; CODES];
            arrange(&grid, 1, &mut Chance(&mut Noise::seeded(seed)), &mut codes);
            let found = super::super::sets::sets_of(&codes);
            for (attribute, set) in wanted {
                assert_eq!(found[attribute.index()], set, "{attribute}");
            }
            assert_eq!(found[Attribute::ShapeNumber.index()].single(), Some(4));
        }
    }
}
