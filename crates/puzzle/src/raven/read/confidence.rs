//! How sure a reading is: how well the scene matches, and how clearly it beats
//! the next best one.

use super::bank::GRID;
use super::fit::{Fit, SlotFit};
use super::view::View;
use super::{Reading, Sighting};
use crate::raven::Entity;

/// Variance of a pixel's ink that no picture is held to be free of: the
/// rounding to bytes is far smaller.
const LEAST_NOISE: f32 = 1e-4;

/// The chance that the best of several layouts is the right one, from the
/// squared errors they leave on `pictures` pictures.
pub(super) fn of_layout(errors: &[f32], best: usize, pictures: usize) -> f32 {
    let noise = noise(errors[best] / pictures.max(1) as f32, 0.0);
    1.0 / errors.iter().map(|e| ((errors[best] - e) / (2.0 * noise)).exp()).sum::<f32>()
}

/// Variance per independent pixel, taken from what a scene leaves unexplained.
/// What is wrong in a soft picture is wrong in whole neighbourhoods.
fn noise(residual: f32, sigma: f32) -> f32 {
    let neighbourhood = 1.0 + 2.0 * std::f32::consts::PI * sigma * sigma;
    (residual / (GRID * GRID) as f32).max(LEAST_NOISE) * neighbourhood
}

/// Turns a fit into a reading.
pub(super) fn reading(view: &View, fit: &Fit, exact: bool, layout_confidence: f32) -> Reading {
    let left: Vec<f32> = view.differences(fit).iter().map(|d| d * d).collect();
    let residual: f32 = left.iter().sum();
    let sightings: Vec<Sighting> = fit
        .slots
        .iter()
        .filter_map(|slot| {
            let guess = slot.guess()?;
            let confidence = if exact {
                1.0
            } else {
                let seen: f32 = guess.window.cells().map(|at| view.ink[at].powi(2)).sum();
                let missed: f32 = guess.window.cells().map(|at| left[at]).sum();
                let alone = fit.count(slot.component) == 1;
                explained(seen, missed) * clearness(slot, alone, noise(residual, fit.sigma))
            };
            Some(Sighting {
                component: slot.component as u8,
                entity: guess.entity,
                confidence,
                possible_sizes: guess.sizes,
                ambiguous_color: guess.colorless,
            })
        })
        .collect();
    let confidence = if exact {
        1.0
    } else {
        sightings
            .iter()
            .map(|s| s.confidence)
            .fold(explained(view.energy, residual).min(layout_confidence), f32::min)
    };
    Reading {
        layout: fit.layout,
        panel: fit.panel(),
        confidence,
        residual: residual / (GRID * GRID) as f32,
        exact,
        sightings,
    }
}

/// The share of the ink that is accounted for.
fn explained(seen: f32, missed: f32) -> f32 {
    if seen > 0.0 { (1.0 - missed / seen).clamp(0.0, 1.0) } else { 0.0 }
}

/// The chance that the object taken is right, against the others that fit
/// nearly as well and against an empty slot.
fn clearness(slot: &SlotFit, alone: bool, noise: f32) -> f32 {
    let Some(best) = slot.guess() else { return 0.0 };
    let odds = |gain: f32| ((gain - best.gain) / (2.0 * noise)).exp();
    let empty = if alone { 0.0 } else { odds(slot.empty) };
    let others: f32 = slot
        .guesses
        .iter()
        .filter(|other| !same_attributes(&best.entity, best.sizes, &other.entity))
        .map(|other| odds(other.gain))
        .sum();
    1.0 / (1.0 + empty + others)
}

/// Whether two objects agree in all that a rule can speak about, as far as can
/// be seen.
fn same_attributes(best: &Entity, sizes: u16, other: &Entity) -> bool {
    best.shape == other.shape && best.color == other.color && sizes >> other.size & 1 == 1
}
