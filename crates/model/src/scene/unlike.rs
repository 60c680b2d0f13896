//! Imagined components whose objects are not all alike.
//!
//! No code of a panel says what each of several unlike objects looks like; the objects' own numbers
//! of Z_o-bar do. So what differs is drawn with Z_o-bar: every object has the values that its own
//! numbers stand for, the block of the panel says their mean and "not all alike", and objects that
//! go on along a row take their numbers with them.

use burn::tensor::{Tensor, TensorData};

use super::{Objects, SceneGenvp, ValueKind};
use crate::error::{ModelError, to_host};

/// A component of an imagined puzzle whose objects are not all alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlikeObjects {
    /// Which of the puzzles.
    pub puzzle: usize,
    /// Which component.
    pub component: usize,
    /// How many slots it has in the layout of the puzzle.
    pub slots: usize,
    /// The attributes in which objects differ, counted behind the occupancy (0 is the first), and
    /// the first and last value that they take.
    pub attributes: Vec<(usize, [usize; 2])>,
    /// Whether the objects of a row's first panel go on through the row, where there are as many.
    pub kept: bool,
}

/// The value that an object's own numbers stand for, of `count` in one of its attributes: shares
/// of the standard normal distribution, the length of the first two numbers for the first
/// attribute, the third number for the second attribute, the fourth for the third.
pub fn object_value(own: &[f32], attribute: usize, count: usize) -> usize {
    let share = match attribute {
        0 => 1.0 - (-0.5 * (own[0] * own[0] + own[1] * own[1])).exp(),
        _ => below(own[1 + attribute]),
    };
    ((share * count as f32) as usize).min(count - 1)
}

/// Turns an object's own numbers so that the value they stand for is one of a range, each as
/// likely as the others.
fn keep_within(own: &mut [f32], attribute: usize, [first, last]: [usize; 2], count: usize) {
    if attribute == 0 || (first == 0 && last + 1 == count) {
        return;
    }
    let number = &mut own[1 + attribute];
    let among = (last + 1 - first) as f32;
    let share = (first as f32 + among * below(*number)) / count as f32;
    // The number below which that share lies, by halving.
    let (mut low, mut high) = (-6.0f32, 6.0f32);
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if below(middle) < share { low = middle } else { high = middle }
    }
    *number = 0.5 * (low + high);
}

/// The share of the standard normal distribution below a number (Abramowitz and Stegun, 7.1.26).
fn below(x: f32) -> f32 {
    let z = x.abs() / std::f32::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series = t
        * (0.254_829_6
            + t * (-0.284_496_74 + t * (1.421_413_8 + t * (-1.453_152 + t * 1.061_405_4))));
    let half = 0.5 * series * (-z * z).exp();
    if x < 0.0 { half } else { 1.0 - half }
}

impl SceneGenvp {
    /// Makes objects differ in imagined puzzles.
    ///
    /// # Shapes
    /// `[b · MN, K] -> [b · MN, K]`
    pub(super) fn with_unlike_objects(
        &self,
        z: Tensor<2>,
        unlike: &[UnlikeObjects],
    ) -> Result<Tensor<2>, ModelError> {
        let Some(objects) = self.decoder.objects().filter(|_| !unlike.is_empty()) else {
            return Ok(z);
        };
        let ([count, numbers], device) = (z.dims(), z.device());
        let mut host = to_host(z)?;
        let p = &self.config.puzzle;
        let kinds = &self.config.values.groups[1..];
        for own in unlike {
            let Some(puzzle) = host.chunks_exact_mut(p.panels() * numbers).nth(own.puzzle) else {
                return Err(ModelError::Shape {
                    what: "objects that are not all alike",
                    found: vec![own.puzzle],
                    wanted: format!("one of {} puzzles", count / p.panels()),
                });
            };
            for row in puzzle.chunks_exact_mut(p.columns * numbers) {
                objects.differ(row, numbers, own, kinds);
            }
        }
        Ok(Tensor::from_data(TensorData::new(host, [count, numbers]), &device))
    }
}

impl Objects {
    /// Makes the objects of one component differ in the panels of one row.
    fn differ(&self, row: &mut [f32], numbers: usize, unlike: &UnlikeObjects, kinds: &[ValueKind]) {
        let (component, slots) = (unlike.component, unlike.slots);
        for panel in row.chunks_exact_mut(numbers) {
            for (slot, &(attribute, range)) in
                (0..slots).flat_map(|slot| unlike.attributes.iter().map(move |a| (slot, a)))
            {
                let count = kinds[attribute].count();
                keep_within(&mut panel[self.own(component, slot)], attribute, range, count);
            }
        }
        let blocks: Vec<usize> = unlike.attributes.iter().map(|(block, _)| *block).collect();
        let (first, others) = row.split_at_mut(numbers);
        let before = self.taken(component, first, slots);
        for panel in others.chunks_exact_mut(numbers).filter(|_| unlike.kept) {
            for (from, to) in moved(&before, &self.taken(component, panel, slots), slots) {
                panel[self.own(component, to)].copy_from_slice(&first[self.own(component, from)]);
            }
        }
        for panel in row.chunks_exact_mut(numbers) {
            self.write_unlike(component, panel, slots, kinds, &blocks);
        }
    }
}

/// Which slot of the first panel each object of another panel comes from, where both have as many:
/// all objects moved on by the same number of slots if that fits, else in the order of their slots.
pub(super) fn moved(from: &[usize], to: &[usize], slots: usize) -> Vec<(usize, usize)> {
    if from.len() != to.len() {
        return Vec::new();
    }
    // The shortest way first, forwards or backwards.
    let mut steps: Vec<usize> = (0..slots).collect();
    steps.sort_by_key(|&step| step.min(slots - step));
    let on = |step: usize| move |&slot: &usize| (slot, (slot + step) % slots);
    let fits = |step: &usize| from.iter().map(on(*step)).all(|(_, slot)| to.contains(&slot));
    match steps.into_iter().find(fits) {
        Some(step) => from.iter().map(on(step)).collect(),
        None => from.iter().copied().zip(to.iter().copied()).collect(),
    }
}

/// Writes the mean code of some objects' values, as ±1, and behind it whether they differ.
pub(super) fn write_mean(kind: &ValueKind, values: &[usize], block: &mut [f32]) {
    let Some(first) = values.first() else { return };
    let (mean, after) = block.split_at_mut(kind.value_width());
    mean.fill(-1.0);
    let mut code = vec![0.0; mean.len()];
    for &value in values {
        kind.write(value, &mut code);
        let share = 2.0 / values.len() as f32;
        mean.iter_mut().zip(&code).for_each(|(mean, code)| *mean += share * code);
    }
    after.fill(if values.iter().any(|value| value != first) { 1.0 } else { -1.0 });
}

#[cfg(test)]
mod tests {
    use super::super::IRRELEVANT_PER_OBJECT;
    use super::*;

    #[test]
    fn every_value_is_as_likely_as_every_other() {
        let mut noise = crate::noise::Noise::seeded(4);
        let numbers = noise.normal([4000, IRRELEVANT_PER_OBJECT], &burn::tensor::Device::flex());
        let numbers = numbers.unwrap().try_into_vec_as::<f32>().unwrap();
        for (attribute, count) in [(0, 5), (1, 6), (2, 10)] {
            let mut found = vec![0; count];
            for own in numbers.chunks_exact(IRRELEVANT_PER_OBJECT) {
                found[object_value(own, attribute, count)] += 1;
            }
            let fair = 4000 / count;
            assert!(found.iter().all(|&n| n > fair * 4 / 5 && n < fair * 6 / 5), "{found:?}");
        }
    }

    #[test]
    fn values_stay_within_their_range_and_all_of_it_is_used() {
        let mut found = [0; 6];
        for i in 1..400 {
            let mut own = [0.0, 0.0, (i as f32 - 200.0) / 70.0, 0.0];
            keep_within(&mut own, 1, [2, 5], 6);
            found[object_value(&own, 1, 6)] += 1;
        }
        assert!(found[..2] == [0, 0] && found[2..].iter().all(|&n| n > 40), "{found:?}");
    }

    #[test]
    fn objects_go_on_where_they_stand_or_as_they_all_move() {
        assert_eq!(moved(&[0, 2], &[0, 2], 4), [(0, 0), (2, 2)]);
        assert_eq!(moved(&[0, 1], &[1, 2], 4), [(0, 1), (1, 2)]);
        assert_eq!(moved(&[0, 1], &[3, 0], 4), [(0, 3), (1, 0)]);
        assert_eq!(moved(&[0, 1], &[0, 2], 4), [(0, 0), (1, 2)], "handed out anew");
        assert_eq!(moved(&[0, 1], &[0], 4), [], "others");
    }

    #[test]
    fn a_block_says_the_mean_and_whether_objects_differ() {
        let kind = ValueKind::Ordered { values: 3 };
        let mut block = [9.0; 4];
        write_mean(&kind, &[0, 2], &mut block);
        assert_eq!(block, [1.0, 0.0, 0.0, 1.0]);
        write_mean(&kind, &[1], &mut block);
        assert_eq!(block, [1.0, 1.0, -1.0, -1.0], "one object is like itself");
    }
}
