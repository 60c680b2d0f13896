//! How sure an answer is.
//!
//! Two things must be well for an answer to be trusted:
//!
//! * **The choice is clear.** A wrong choice that breaks a rule loses up to 1 of
//!   active mass. The scores become chances by `softmax(active / temperature)`.
//! * **The panels are what the model knows.** It redraws the panels of the
//!   question and the one it chose. An error within a bound is usual; beyond it, trust
//!   falls with the fourth power of bound / error of the worst panel. A panel of one
//!   shade shows no scene at all: trust 0.
//!
//! Of n choices, confidence is `1/n + trust * (chance - 1/n)`: without trust it is that
//! of a guess. It says how far the model is on known ground, not that it is right:
//! a clear, well-drawn puzzle can still be answered wrong.
//!
//! Temperature and bound are [fitted](crate::calibration) to a model (`genvp eval confidence`)
//! and stand on its card.

use genvp_model::Score;
use serde::{Deserialize, Serialize};

use crate::card::Card;

/// The temperature of models to which none was fitted: a lead of a half over all others gives
/// more than 99 %, a tie of two 50 %.
const TEMPERATURE: f32 = 0.05;
/// Where no bound was fitted: how many times the error of the layout that a model redraws worst,
/// by its card, is not yet suspicious.
const SLACK: f64 = 4.0;
/// The bound per pixel for models whose usual error is not known: an ink that is
/// off by 0.1 everywhere.
const UNKNOWN_ERROR: f64 = 0.01;
/// A panel whose lightest and darkest pixel differ by less ink is of one shade.
const LEAST_CONTRAST: f32 = 0.02;

/// What confidence depends on besides a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Constants {
    /// Active mass that makes one choice e times as likely as another.
    pub temperature: f32,
    /// The summed squared error of a redrawn panel that is not yet suspicious.
    pub bound: f32,
}

impl Constants {
    /// Constants from the model card; otherwise estimated from its reconstruction error.
    pub fn of(card: &Card) -> Self {
        card.confidence().unwrap_or_else(|| {
            let side = card.config().batch_shape().size.unwrap_or_default();
            let unknown = UNKNOWN_ERROR * (side * side) as f64;
            let bound = card.redraw_error().map_or(unknown, |usual| SLACK * usual);
            Self { temperature: TEMPERATURE, bound: bound as f32 }
        })
    }

    /// Whether they can be used: both are positive numbers.
    pub fn are_usable(&self) -> bool {
        [self.temperature, self.bound].iter().all(|v| v.is_finite() && *v > 0.0)
    }
}

/// How sure an answer is, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    /// From 1/n of n choices (a guess) to 1.
    pub value: f32,
    /// How likely the chosen candidate is among the choices, by their scores alone.
    pub chance: f32,
    /// From 0 to 1: whether the panels are of a kind that the model knows.
    pub trust: f32,
    /// The summed squared error of the panel that was redrawn worst.
    pub worst_error: f32,
    /// Whether some panel is of one shade.
    pub blank: bool,
}

impl Confidence {
    /// From the scores, the errors of redrawing, and whether some panel is blank.
    pub(crate) fn new(
        scores: &[Score],
        answer: usize,
        errors: &[f32],
        blank: bool,
        constants: Constants,
    ) -> Self {
        let Constants { temperature, bound } = constants;
        let chance = chance(scores, answer, temperature);
        // A panel that cannot be redrawn at all is the worst.
        let worst_error =
            errors.iter().map(|e| if e.is_nan() { f32::INFINITY } else { *e }).fold(0.0, f32::max);
        let trust = if blank { 0.0 } else { (bound / worst_error.max(bound)).powi(4) };
        let guess = 1.0 / scores.len().max(1) as f32;
        Self { value: guess + trust * (chance - guess).max(0.0), chance, trust, worst_error, blank }
    }
}

/// Whether a panel is of one shade.
pub(crate) fn is_blank(panel: &[f32]) -> bool {
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    // Most panels show something in their first half.
    panel.chunks(64).all(|part| {
        (low, high) = part.iter().fold((low, high), |(low, high), &v| (low.min(v), high.max(v)));
        high - low < LEAST_CONTRAST
    })
}

fn chance(scores: &[Score], answer: usize, temperature: f32) -> f32 {
    let guess = 1.0 / scores.len().max(1) as f32;
    let Some(best) = scores.get(answer).map(|s| s.active).filter(|a| a.is_finite()) else {
        return guess;
    };
    let others = scores.iter().map(|s| s.active).filter(|a| a.is_finite());
    1.0 / others.map(|active| ((active - best) / temperature).exp()).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Constants = Constants { temperature: TEMPERATURE, bound: 40.0 };

    fn scores(active: [f32; 8]) -> Vec<Score> {
        active.map(|active| Score { active, certainty: 0.0 }).to_vec()
    }

    #[test]
    fn a_clear_lead_on_known_panels_is_sure() {
        let scores = scores([4.0, 3.0, 2.0, 3.0, 3.0, 2.0, 1.0, 3.0]);
        let sure = Confidence::new(&scores, 0, &[5.0; 9], false, USUAL);
        assert!(sure.value > 0.99 && sure.trust == 1.0, "{sure:?}");
    }

    #[test]
    fn a_tie_is_shared_and_eight_alike_are_a_guess() {
        let two = scores([4.0, 4.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0]);
        assert!((Confidence::new(&two, 0, &[], false, USUAL).value - 0.5).abs() < 0.01);
        let same = scores([3.0; 8]);
        assert!((Confidence::new(&same, 0, &[], false, USUAL).value - 0.125).abs() < 1e-6);
    }

    #[test]
    fn unknown_panels_make_a_guess_of_the_clearest_lead() {
        let clear = scores([9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let mut last = 1.1;
        for error in [30.0, 60.0, 120.0, 1e3, f32::NAN] {
            let value = Confidence::new(&clear, 0, &[error], false, USUAL).value;
            assert!(value < last && value >= 0.125, "{error}: {value}");
            last = value;
        }
        assert!(last < 0.13);
        assert_eq!(Confidence::new(&clear, 0, &[0.0], true, USUAL).value, 0.125);
    }

    #[test]
    fn a_panel_of_one_shade_is_blank_and_a_faint_line_is_not() {
        for shade in [0.0, 0.5, 1.0] {
            let mut panel = [shade; 64];
            assert!(is_blank(&panel));
            panel[9] = 0.4;
            assert!(!is_blank(&panel));
        }
    }

    #[test]
    fn scores_that_are_no_numbers_are_a_guess() {
        let broken = scores([f32::NAN; 8]);
        assert_eq!(Confidence::new(&broken, 0, &[0.0], false, USUAL).value, 0.125);
    }
}
