//! Whether confidence means what it says: of the answers that a model is 90 % sure of, nine in
//! ten should be right.
//!
//! [`fit`] chooses the [`Constants`] of a model on puzzles of one seed, [`Reliability`] says how
//! well they do on others.

use genvp_model::{ModelError, Score};
use genvp_puzzle::family::Sheet;
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::raven::FORM;
use genvp_puzzle::{Domain, Layout, Set, Stream, render};

use crate::confidence::{Confidence, Constants};
use crate::error::InferError;
use crate::solver::Solver;

/// The share of fresh puzzles whose panels are all redrawn within the fitted bound.
pub const USUAL_SHARE: f64 = 0.98;
/// The temperatures that are tried: from 1/200 to 5 in steps of 5 %.
const TEMPERATURES: (f64, f64, i32) = (0.005, 1.05, 142);
/// No answer is taken for surer than this where its likelihood is counted: one that is wrong
/// must not outweigh all others.
const SUREST: f64 = 1.0 - 1e-6;
/// Standard deviation of the noise on every pixel of noisy puzzles, in shares of black.
pub const NOISE: f32 = 0.1;

/// What is known of one answer: enough for its confidence with any constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    scores: Vec<Score>,
    answer: usize,
    worst_error: f32,
    blank: bool,
    /// Whether the answer is right.
    pub right: bool,
}

impl Observation {
    /// How sure the answer is with these constants.
    pub fn confidence(&self, constants: Constants) -> f32 {
        let errors = [self.worst_error];
        Confidence::new(&self.scores, self.answer, &errors, self.blank, constants).value
    }
}

/// What a puzzle is of which confidence is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PuzzleVariant {
    /// Drawn as in training.
    Plain(Set),
    /// With values that training never showed.
    Shifted(Domain),
    /// With [noise](NOISE) on every pixel.
    Noisy,
}

impl PuzzleVariant {
    /// Kinds of puzzles that training never showed.
    pub const STRANGE: [Self; 5] = [
        Self::Shifted(Domain::AngleI),
        Self::Shifted(Domain::ColorI),
        Self::Shifted(Domain::SizeI),
        Self::Shifted(Domain::SizeE),
        Self::Noisy,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain(set) => set.key(),
            Self::Shifted(domain) => domain.name(),
            Self::Noisy => "noise",
        }
    }

    fn request(self, layout: Layout) -> Request {
        match self {
            Self::Plain(set) => Request::new(set, layout),
            Self::Shifted(domain) => Request { domain, ..Request::new(Set::IRaven, layout) },
            Self::Noisy => Request::new(Set::IRaven, layout),
        }
    }

    fn draw(self, mut pixels: Vec<u8>, seed: u64, index: u64) -> Sheet {
        if self == Self::Noisy {
            let mut stream = Stream::new(seed, "noisy pixels", index);
            for pixel in &mut pixels {
                let noisy = f32::from(*pixel) + 255.0 * NOISE * stream.normal();
                *pixel = noisy.round().clamp(0.0, 255.0) as u8;
            }
        }
        Sheet::new(FORM, render::SIDE, pixels)
    }
}

/// Asks fresh puzzles, `each` of every layout. `done` is told how many more were solved.
///
/// # Errors
/// When the model cannot say how sure it is, a puzzle cannot be made, or the device fails.
pub fn observe(
    solver: &Solver<'_>,
    layouts: &[Layout],
    kind: PuzzleVariant,
    each: u64,
    seed: u64,
    done: &dyn Fn(u64),
) -> Result<Vec<Observation>, InferError> {
    let solver = solver.clone().with_confidence(true).with_experts(false);
    let mut found = Vec::new();
    for &layout in layouts {
        let maker = Maker::new(kind.request(layout))?;
        let mut index = 0;
        while index < each {
            let end = each.min(index + 2 * Solver::BATCH as u64);
            let mut some = Vec::new();
            for index in index..end {
                let puzzle = maker.puzzle(seed, index)?;
                let sheet = kind.draw(render::puzzle(&puzzle), seed, index);
                some.push((sheet, usize::from(puzzle.target)));
            }
            let sheets: Vec<&Sheet> = some.iter().map(|(sheet, _)| sheet).collect();
            for (solution, (_, target)) in solver.solve(&sheets)?.into_iter().zip(&some) {
                let own = solution.confidence.ok_or(ModelError::Cannot { what: "draw panels" })?;
                found.push(Observation {
                    scores: solution.scores,
                    answer: solution.answer,
                    worst_error: own.worst_error,
                    blank: own.blank,
                    right: solution.answer == *target,
                });
            }
            done(end - index);
            index = end;
        }
    }
    Ok(found)
}

/// The constants that suit some answers best: the bound that [`USUAL_SHARE`] of them stay
/// within, and the temperature under which confidence gives right and wrong answers the highest
/// likelihood.
pub fn fit(observations: &[Observation]) -> Option<Constants> {
    let mut errors: Vec<f32> = observations.iter().map(|o| o.worst_error).collect();
    errors.sort_unstable_by(f32::total_cmp);
    let usual = (USUAL_SHARE * errors.len() as f64) as usize;
    let bound = *errors.get(usual.min(errors.len().checked_sub(1)?))?;
    let (least, factor, steps) = TEMPERATURES;
    let constants = |step: i32| {
        let temperature = (least * factor.powi(step)) as f32;
        Constants { temperature, bound }
    };
    let all = (0..=steps).map(constants).filter(Constants::are_usable);
    all.map(|constants| (surprise(observations, constants), constants))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, constants)| constants)
}

/// The mean negative logarithm of what confidence gave to what came true, in nats.
pub fn surprise(observations: &[Observation], constants: Constants) -> f64 {
    let of = |own: &Observation| {
        let sure = f64::from(own.confidence(constants)).min(SUREST);
        -if own.right { sure } else { 1.0 - sure }.ln()
    };
    observations.iter().map(of).sum::<f64>() / observations.len().max(1) as f64
}

/// The lower ends of the bins of a reliability table.
pub const BINS: [f32; 8] = [0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99];

/// The answers of which a model is about as sure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// How many.
    pub n: u64,
    /// How many of them are right.
    pub right: u64,
    confidence: f64,
}

impl Bin {
    /// How sure the model is on average, from 0 to 1.
    pub fn confidence(&self) -> f64 {
        self.confidence / self.n.max(1) as f64
    }

    /// The share of right answers, from 0 to 1.
    pub fn accuracy(&self) -> f64 {
        self.right as f64 / self.n.max(1) as f64
    }
}

/// How sure a model is of some answers, and how often these are right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reliability {
    /// Answers by confidence, from each of [`BINS`] to the next.
    pub bins: [Bin; BINS.len()],
}

impl Reliability {
    /// Of some answers, with these constants.
    pub fn of(observations: &[Observation], constants: Constants) -> Self {
        let mut own = Self::default();
        for observation in observations {
            let sure = observation.confidence(constants);
            let bin = BINS.iter().rposition(|&low| sure >= low).unwrap_or(0);
            let bin = &mut own.bins[bin];
            bin.n += 1;
            bin.right += u64::from(observation.right);
            bin.confidence += f64::from(sure);
        }
        own
    }

    /// All answers together.
    pub fn whole(&self) -> Bin {
        self.bins.iter().fold(Bin::default(), |all, bin| Bin {
            n: all.n + bin.n,
            right: all.right + bin.right,
            confidence: all.confidence + bin.confidence,
        })
    }

    /// The expected calibration error, from 0 to 1: how far confidence is from the share of right
    /// answers, the mean over answers, bin by bin.
    pub fn expected_error(&self) -> f64 {
        let n = self.whole().n.max(1) as f64;
        let gap = |bin: &Bin| bin.n as f64 / n * (bin.confidence() - bin.accuracy()).abs();
        self.bins.iter().map(gap).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::raven::FORM;

    /// Two choices stand out, the first by `lead`; the others are out of the question.
    fn two(lead: f32, error: f32, right: bool) -> Observation {
        let active = [3.0 + lead, 3.0, -99.0, -99.0, -99.0, -99.0, -99.0, -99.0];
        let scores = active.map(|active| Score { active, certainty: 0.0 }).to_vec();
        Observation { scores, answer: 0, worst_error: error, blank: false, right }
    }

    /// Answers with leads of several sizes, right as often as a temperature says.
    fn answers(temperature: f32) -> Vec<Observation> {
        let mut all = Vec::new();
        for lead in [0.05, 0.1, 0.2, 0.3, 0.4] {
            let right = (200.0 / (1.0 + (-lead / temperature).exp())).round() as usize;
            all.extend((0..200).map(|i| two(lead, 5.0 + 0.01 * i as f32, i < right)));
        }
        all
    }

    #[test]
    fn the_temperature_that_made_the_answers_is_found() {
        for temperature in [0.02, 0.1, 0.5] {
            let found = fit(&answers(temperature)).expect("answers").temperature;
            assert!((found / temperature).ln().abs() < 0.1, "{found} for {temperature}");
        }
        assert_eq!(fit(&[]), None);
    }

    #[test]
    fn the_bound_is_what_nearly_all_stay_within() {
        let constants = fit(&answers(0.1)).expect("answers");
        assert!((6.9..7.0).contains(&constants.bound), "{constants:?}");
    }

    #[test]
    fn the_expected_error_is_small_with_the_right_temperature_and_large_with_another() {
        let answers = answers(0.1);
        let error = |temperature| {
            Reliability::of(&answers, Constants { temperature, bound: 99.0 }).expected_error()
        };
        assert!(error(0.1) < 0.01, "{}", error(0.1));
        assert!(error(0.01) > 0.1 && error(5.0) > 0.2, "{} {}", error(0.01), error(5.0));
    }

    #[test]
    fn every_answer_is_in_one_bin() {
        let answers = answers(0.1);
        let own = Reliability::of(&answers, Constants { temperature: 0.1, bound: 99.0 });
        let whole = own.whole();
        assert_eq!(whole.n, answers.len() as u64);
        assert_eq!(whole.right, answers.iter().filter(|o| o.right).count() as u64);
        for (bin, low) in own.bins.iter().zip(BINS).filter(|(bin, _)| bin.n > 0) {
            assert!(bin.confidence() >= f64::from(low), "{bin:?}");
        }
    }

    #[test]
    fn noise_changes_pixels_and_is_the_same_again() {
        let plain = vec![128; FORM.inputs() * render::SIDE * render::SIDE];
        let noisy = |index| PuzzleVariant::Noisy.draw(plain.clone(), 3, index).pixels;
        assert_ne!(noisy(1), plain);
        assert_eq!(noisy(1), noisy(1));
        assert_ne!(noisy(1), noisy(2));
        assert_eq!(PuzzleVariant::Plain(Set::Raven).draw(plain.clone(), 3, 1).pixels, plain);
    }
}
