//! The rule-irrelevant facts of a panel as a sample of Z_o-bar.
//!
//! A generator of puzzles knows how each object is turned, and what each one looks
//! like where the objects of a component differ. This module encodes it in standard
//! normal numbers: four for each object, where [`irrelevant_offset`] says,
//!
//! * two whose *direction* is the way the object is turned, among the ways that can
//!   be told apart (a square turned by 90 degrees is the same picture), and whose
//!   *length* is its shape where shapes differ;
//! * one for its size and one for its color, where these differ.
//!
//! Each is drawn from the part of the standard normal distribution that stands for
//! the value; what says nothing (an empty slot, a circle's angle, the size of objects
//! that are all alike: Z_o says that) is drawn from all of it. So Z_o-bar says nothing
//! that Z_o says, and over all panels it is N(0, I), which is what is drawn from when
//! a puzzle is imagined.

use std::f32::consts::TAU;

use genvp_model::{IRRELEVANT_PER_OBJECT, irrelevant_offset};
use genvp_puzzle::{Attribute, Domain, Entity, Panel, Stream};

/// Numbers that are used: nine objects, or one and four. A longer Z_o-bar is filled up
/// with noise.
pub const WIDTH: usize = 9 * IRRELEVANT_PER_OBJECT;

/// Where the standard normal distribution is cut into six, and into ten, equal parts.
const SIXTHS: [f32; 5] = [-0.967_42, -0.430_73, 0.0, 0.430_73, 0.967_42];
const TENTHS: [f32; 9] =
    [-1.281_55, -0.841_62, -0.524_4, -0.253_35, 0.0, 0.253_35, 0.524_4, 0.841_62, 1.281_55];

/// Draws the Z_o-bar of a panel.
///
/// # Panics
/// When there is room for less than [`WIDTH`] numbers.
pub fn draw(panel: &Panel, domain: Domain, stream: &mut Stream, out: &mut [f32]) {
    assert!(out.len() >= WIDTH);
    out.iter_mut().for_each(|number| *number = stream.normal());
    let width = out.len();
    for (index, component) in panel.components.iter().enumerate() {
        let differ = |attribute| component.shared(attribute).is_none();
        let (shapes, sizes, colors) =
            (differ(Attribute::Type), differ(Attribute::Size), differ(Attribute::Color));
        for entity in &component.entities {
            let at = irrelevant_offset(index, usize::from(entity.slot), width);
            let own = &mut out[at..at + IRRELEVANT_PER_OBJECT];
            let length = if shapes {
                (f32::from(entity.shape - 1) + stream.unit()) / 5.0
            } else {
                stream.unit()
            };
            let (turned, ways) = turn(entity, domain);
            let direction = TAU * (turned as f32 + stream.unit()) / ways as f32;
            let length = (-2.0 * (1.0 - length).ln()).sqrt();
            (own[0], own[1]) = (length * direction.cos(), length * direction.sin());
            if sizes {
                own[2] = normal_in(&SIXTHS, usize::from(entity.size), stream);
            }
            if colors {
                own[3] = normal_in(&TENTHS, usize::from(entity.color), stream);
            }
        }
    }
}

/// Which way an object is turned, of how many that can be told apart.
fn turn(entity: &Entity, domain: Domain) -> (usize, usize) {
    // A regular polygon of n corners looks the same after 360 / n degrees.
    let corners = match entity.shape {
        5 => return (0, 1),
        shape => i32::from(shape) + 2,
    };
    let phase = |angle: i16| (i32::from(angle) * corners).rem_euclid(360);
    let mut phases: Vec<i32> = domain.angles().iter().map(|&angle| phase(angle)).collect();
    let own = domain.angles().get(usize::from(entity.angle)).map_or(0, |&angle| phase(angle));
    phases.sort_unstable();
    phases.dedup();
    (phases.iter().position(|&p| p == own).unwrap_or_default(), phases.len())
}

/// A standard normal number among those between two of the cuts.
fn normal_in(cuts: &[f32], class: usize, stream: &mut Stream) -> f32 {
    let low = class.checked_sub(1).and_then(|i| cuts.get(i)).copied().unwrap_or(f32::NEG_INFINITY);
    let high = cuts.get(class).copied().unwrap_or(f32::INFINITY);
    loop {
        let number = stream.normal();
        if (low..high).contains(&number) {
            return number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::make::{Maker, Request};
    use genvp_puzzle::{Layout, Set};

    fn entity(shape: u8, angle: u8) -> Entity {
        Entity { slot: 0, shape, size: 0, color: 0, angle }
    }

    #[test]
    fn only_angles_that_can_be_seen_are_told_apart() {
        let ways = |shape| {
            let turns = (0..8).map(|angle| turn(&entity(shape, angle), Domain::Standard));
            let mut ways: Vec<usize> = turns.map(|(turned, _)| turned).collect();
            ways.sort_unstable();
            ways.dedup();
            (ways.len(), turn(&entity(shape, 0), Domain::Standard).1)
        };
        assert_eq!([1, 2, 3, 4, 5].map(ways), [(8, 8), (2, 2), (8, 8), (4, 4), (1, 1)]);
    }

    #[test]
    fn over_all_panels_it_is_standard_normal_and_within_one_it_says_the_angle() {
        let maker = Maker::new(Request::new(Set::IRaven, Layout::DistributeFour)).unwrap();
        let mut stream = Stream::new(3, "test", 0);
        let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
        for index in 0..400 {
            let puzzle = maker.puzzle(5, index).unwrap();
            for panel in puzzle.panels() {
                let mut out = [0.0; WIDTH + 4];
                draw(panel, puzzle.domain, &mut stream, &mut out);
                for entity in &panel.components[0].entities {
                    let own = &out[usize::from(entity.slot) * IRRELEVANT_PER_OBJECT..][..2];
                    let (turned, ways) = turn(entity, puzzle.domain);
                    let direction = own[1].atan2(own[0]).rem_euclid(TAU) / TAU;
                    let found = (direction * ways as f32) as usize % ways;
                    assert_eq!(found, turned);
                }
                sum += out.iter().sum::<f32>();
                squares += out.iter().map(|z| z * z).sum::<f32>();
                count += out.len() as f32;
            }
        }
        let (mean, variance) = (sum / count, squares / count);
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }
}
