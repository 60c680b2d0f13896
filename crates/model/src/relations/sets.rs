//! Z_o: which values every attribute has in a panel.

use burn::tensor::Tensor;
use genvp_puzzle::relations::codes::{
    COLORS, LINE_TYPES, PER_LINE, PER_PLACE, PLACES, SIZES, TYPES,
};
use genvp_puzzle::relations::{Attribute, ValueSet};

/// Attributes that can be governed.
pub(super) const ATTRIBUTES: usize = Attribute::ALL.len();

/// Values of an attribute; most attributes have fewer, and the rest is never there.
pub(super) const VALUES: usize = PER_LINE;

/// Keeps the logarithm of "nothing there" finite.
const LEAST: f64 = 1e-6;

/// The values that attributes have in panels, from the chances of what the panels show: a value is
/// there unless no place (or no line) shows it, `1 - Π (1 - p)`; a number is as likely as that many
/// places are taken.
///
/// # Shapes
/// `[n, codes] -> [n, A, V]`, attributes in the order of [`Attribute::ALL`], -1 (not there) to +1
pub(super) fn value_sets(shares: Tensor<2>) -> Tensor<3> {
    let [n, _] = shares.dims();
    let places = shares.clone().narrow(1, 0, PLACES * PER_PLACE).reshape([n, PLACES, PER_PLACE]);
    let lines = shares.narrow(1, PLACES * PER_PLACE, LINE_TYPES * PER_LINE);
    let lines = lines.reshape([n, LINE_TYPES, PER_LINE]);
    let taken = places.clone().narrow(2, 0, 1).reshape([n, PLACES]);
    let looks = anywhere(places.narrow(2, 1, PER_PLACE - 1), 1);
    let sets = [
        looks.clone().narrow(1, TYPES + SIZES, COLORS),
        counts(taken.clone()),
        taken,
        looks.clone().narrow(1, TYPES, SIZES),
        looks.narrow(1, 0, TYPES),
        anywhere(lines.clone(), 1),
        anywhere(lines, 2),
    ];
    let padded = sets.map(|set| {
        let missing = VALUES - set.dims()[1];
        let set = match missing {
            0 => set,
            _ => Tensor::cat(vec![set.clone(), Tensor::zeros([n, missing], &set.device())], 1),
        };
        set.unsqueeze_dim::<3>(1)
    });
    Tensor::cat(padded.to_vec(), 1).mul_scalar(2.0).sub_scalar(1.0)
}

/// The values that attributes have in a panel whose codes are more likely than not, in the order of
/// [`Attribute::ALL`].
///
/// # Shapes
/// `[codes]`
pub(super) fn sets_of(codes: &[f32]) -> [ValueSet; ATTRIBUTES] {
    let is_there = |chance: &f32| *chance > 0.5;
    let (places, lines) = codes.split_at(PLACES * PER_PLACE);
    let taken = places.chunks_exact(PER_PLACE).enumerate().filter(|(_, own)| is_there(&own[0]));
    let mut sets = [ValueSet::EMPTY; ATTRIBUTES];
    let mut add = |attribute: Attribute, values: ValueSet| {
        sets[attribute.index()] = sets[attribute.index()] | values;
    };
    let members = |from: &[f32]| {
        let found = from.iter().enumerate().filter(|(_, chance)| is_there(chance));
        found.map(|(value, _)| value as u8).collect::<ValueSet>()
    };
    let mut number = 0;
    for (position, own) in taken {
        number += 1;
        add(Attribute::ShapePosition, ValueSet::of(position as u8));
        add(Attribute::ShapeType, members(&own[1..1 + TYPES]));
        add(Attribute::ShapeSize, members(&own[1 + TYPES..1 + TYPES + SIZES]));
        add(Attribute::ShapeColor, members(&own[1 + TYPES + SIZES..]));
    }
    add(Attribute::ShapeNumber, ValueSet::of(number));
    for (kind, own) in lines.chunks_exact(PER_LINE).enumerate() {
        let colors = members(own);
        add(Attribute::LineColor, colors);
        if !colors.is_empty() {
            add(Attribute::LineType, ValueSet::of(kind as u8));
        }
    }
    sets
}

/// The chance that something is shown anywhere along an axis: `1 - Π (1 - p)`.
///
/// # Shapes
/// `[n, i, j] -> [n, j]` along axis 1, `[n, i]` along axis 2
fn anywhere(chances: Tensor<3>, axis: usize) -> Tensor<2> {
    let nowhere = chances.neg().add_scalar(1.0 + LEAST).log().sum_dim(axis).squeeze_dim::<2>(axis);
    nowhere.exp().neg().add_scalar(1.0)
}

/// How likely each number of taken places is.
///
/// # Shapes
/// `[n, places] -> [n, 1 + places]`
fn counts(taken: Tensor<2>) -> Tensor<2> {
    let [n, places] = taken.dims();
    let none = Tensor::zeros([n, 1], &taken.device());
    let mut counts = none.clone().add_scalar(1.0);
    for place in 0..places {
        let own = taken.clone().narrow(1, place, 1);
        let free = own.clone().neg().add_scalar(1.0);
        let stays = Tensor::cat(vec![counts.clone() * free, none.clone()], 1);
        let grows = Tensor::cat(vec![none.clone(), counts * own], 1);
        counts = stays + grows;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::{Device, TensorData};
    use genvp_puzzle::family::{PuzzleSpec, families};
    use genvp_puzzle::relations::codes::CODES;
    use genvp_puzzle::{pgm, vad};

    #[test]
    fn true_codes_give_the_sets_that_puzzles_are_made_of() {
        let device = Device::flex();
        for family in families().iter().filter(|family| family.code_width() > 0) {
            let generator = family.generator(&PuzzleSpec::new(family.strata()[0])).unwrap();
            for index in 0..10 {
                let puzzle = generator.puzzle(5, index).unwrap();
                let any: &dyn std::any::Any = &*puzzle;
                let panels: Vec<_> = match any.downcast_ref::<pgm::Puzzle>() {
                    Some(puzzle) => puzzle.panels().cloned().collect(),
                    None => any.downcast_ref::<vad::Puzzle>().unwrap().panels().cloned().collect(),
                };
                let mut codes = vec![0.0; panels.len() * CODES];
                for (panel, out) in codes.chunks_exact_mut(CODES).enumerate() {
                    puzzle.codes_into(panel, out);
                }
                let codes =
                    Tensor::<2>::from_data(TensorData::new(codes, [panels.len(), CODES]), &device);
                let sets = value_sets(codes.clone()).into_data().try_to_vec::<f32>().unwrap();
                let on_host = codes.into_data().try_to_vec::<f32>().unwrap();
                for (panel, codes) in panels.iter().zip(on_host.chunks(CODES)) {
                    assert_eq!(sets_of(codes), panel.all_values());
                }
                for (panel, sets) in panels.iter().zip(sets.chunks(ATTRIBUTES * VALUES)) {
                    for (attribute, set) in Attribute::ALL.into_iter().zip(sets.chunks(VALUES)) {
                        let wanted = panel.values(attribute);
                        for (value, &share) in set.iter().enumerate() {
                            let there = wanted.contains(value as u8);
                            let wanted = if there { 1.0 } else { -1.0 };
                            assert!((share - wanted).abs() < 1e-4, "{attribute}: {set:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn an_uncertain_place_makes_two_numbers_as_likely() {
        let taken = Tensor::<2>::from_floats([[1.0, 0.5, 0.0]], &Device::flex());
        let found = counts(taken).into_data().try_to_vec::<f32>().unwrap();
        assert_eq!(found, [0.0, 0.5, 0.5, 0.0]);
    }
}
