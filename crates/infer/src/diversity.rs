//! Whether imagined puzzles differ from each other, and whether their values are
//! spread as the engine's are.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use genvp_puzzle::raven::Grid;
use genvp_puzzle::{Attribute, Panel};

/// How often each value of an attribute occurs.
#[derive(Clone, Debug, Default)]
pub struct Histogram(BTreeMap<(u8, u16), u64>);

impl Histogram {
    /// Counts the values of a grid's panels.
    pub fn add(&mut self, panels: &Grid<Panel>, attribute: Attribute) {
        for panel in panels {
            for (index, component) in panel.components.iter().enumerate() {
                let index = index as u8;
                match attribute {
                    Attribute::Number => self.count(index, component.entities.len() as u16),
                    Attribute::Position | Attribute::NumberPosition => {
                        component
                            .entities
                            .iter()
                            .for_each(|e| self.count(index, u16::from(e.slot)));
                    }
                    _ => component.entities.iter().for_each(|e| {
                        self.count(index, u16::from(e.level(attribute).unwrap_or_default()));
                    }),
                }
            }
        }
    }

    fn count(&mut self, component: u8, value: u16) {
        *self.0.entry((component, value)).or_default() += 1;
    }

    /// Total variation distance from another histogram, 0 (the same shares) to 1
    /// (nothing in common); the mean over components.
    pub fn distance(&self, other: &Self) -> f64 {
        // Sorted, because the order of a sum shows in its last digit.
        let components: BTreeSet<u8> = self.0.keys().chain(other.0.keys()).map(|k| k.0).collect();
        if components.is_empty() {
            return 0.0;
        }
        let of = |histogram: &Self, component: u8| -> BTreeMap<u16, f64> {
            let own = || histogram.0.iter().filter(move |((p, _), _)| *p == component);
            let total = own().map(|(_, n)| *n).sum::<u64>().max(1) as f64;
            own().map(|((_, value), n)| (*value, *n as f64 / total)).collect()
        };
        let distance = |&component: &u8| {
            let (a, b) = (of(self, component), of(other, component));
            let values: BTreeSet<u16> = a.keys().chain(b.keys()).copied().collect();
            let share = |m: &BTreeMap<u16, f64>, v: &u16| m.get(v).copied().unwrap_or(0.0);
            values.iter().map(|v| (share(&a, v) - share(&b, v)).abs()).sum::<f64>() / 2.0
        };
        components.iter().map(distance).sum::<f64>() / components.len() as f64
    }
}

/// The attributes whose values are compared.
pub const COMPARED: [Attribute; 5] =
    [Attribute::Number, Attribute::Position, Attribute::Type, Attribute::Size, Attribute::Color];

/// The values of many puzzles, attribute by attribute.
#[derive(Clone, Debug, Default)]
pub struct Values {
    attributes: [Histogram; 5],
    /// Panels with several objects in a component, and those of them whose objects differ.
    several: u64,
    unlike: u64,
}

impl Values {
    /// Counts the values of a grid's panels.
    pub fn add(&mut self, panels: &Grid<Panel>) {
        for (histogram, attribute) in self.attributes.iter_mut().zip(COMPARED) {
            histogram.add(panels, attribute);
        }
        for component in panels.iter().flat_map(|panel| &panel.components) {
            let looks = [Attribute::Type, Attribute::Size, Attribute::Color];
            let differ = looks.iter().any(|&attribute| component.shared(attribute).is_none());
            self.several += u64::from(component.entities.len() > 1);
            self.unlike += u64::from(differ);
        }
    }

    /// Percent of the groups of objects (those of a component in a panel, where there are
    /// several) that are not all alike; `None` where there is no such group.
    pub fn unlike(&self) -> Option<f64> {
        (self.several > 0).then(|| 100.0 * self.unlike as f64 / self.several as f64)
    }

    /// The distance of each attribute of [`COMPARED`] from other values.
    pub fn distances(&self, other: &Self) -> [f64; 5] {
        std::array::from_fn(|i| self.attributes[i].distance(&other.attributes[i]))
    }
}

/// How many different scenes there are among puzzles; angles do not count, for
/// no rule speaks about them.
pub fn distinct<'a>(scenes: impl IntoIterator<Item = &'a Grid<Panel>>) -> usize {
    let upright = |panels: &Grid<Panel>| {
        let mut panels = panels.clone();
        for component in panels.iter_mut().flat_map(|p| &mut p.components) {
            component.entities.iter_mut().for_each(|e| e.angle = 0);
            component.entities.sort_by_key(|e| e.slot);
        }
        panels
    };
    scenes.into_iter().map(upright).collect::<HashSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::stress::nine;
    use genvp_puzzle::make::{Maker, Request};
    use genvp_puzzle::{Layout, Set};

    #[test]
    fn the_engine_is_diverse_and_near_to_itself() {
        let maker = Maker::new(Request::new(Set::Raven, Layout::OutInGrid)).expect("plain");
        let scenes = |seed| -> Vec<Grid<Panel>> {
            (0..200).map(|i| nine(&maker.puzzle(seed, i).expect("made"))).collect()
        };
        let (a, b) = (scenes(1), scenes(2));
        assert_eq!(distinct(&a), 200);
        assert_eq!(distinct([&a[0], &a[0], &a[1]]), 2);
        let values = |scenes: &[Grid<Panel>]| {
            let mut values = Values::default();
            scenes.iter().for_each(|s| values.add(s));
            values
        };
        let near = values(&a).distances(&values(&b));
        assert!(near.iter().all(|&d| d < 0.12), "{near:?}");
        let far = values(&a).distances(&values(&vec![a[0].clone(); 5]));
        assert!(far.iter().any(|&d| d > 0.3), "{far:?}");
    }

    #[test]
    fn a_distance_is_the_same_number_whenever_it_is_asked_for() {
        let mut one = Histogram::default();
        let mut other = Histogram::default();
        for value in 0..40 {
            (0..=value % 7).for_each(|_| one.count(0, value));
            (0..=value % 5).for_each(|_| other.count(0, value));
        }
        let first = one.distance(&other);
        assert!((0..200).all(|_| one.distance(&other).to_bits() == first.to_bits()));
    }
}
