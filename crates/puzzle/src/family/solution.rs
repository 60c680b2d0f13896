//! What the exact solver of a family says.

use super::Stratum;

/// An answer found by reading pixels and reasoning about rules.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactSolution {
    /// The best choice, counted from 0.
    pub answer: usize,
    /// The score of each choice; larger is better.
    pub scores: Vec<f64>,
    /// The probability of each choice, in families whose scores are probabilities.
    pub chances: Option<Vec<f64>>,
    /// Whether another choice is as good, so that the answer is a guess.
    pub tied: bool,
    /// The rules that hold with the answer, in the family's text form.
    pub rules: String,
    /// What the pixels show the puzzle to be, where a family can tell.
    pub read_as: Option<Stratum>,
    /// How sure the reading of the pixels is, 0 to 1, in families that say so.
    pub confidence: Option<f32>,
    /// Why the wrong choices are wrong, if that was asked for.
    pub explanation: Option<Explanation>,
}

/// Scores that are closer than this are equal but for rounding.
pub(crate) const CLOSE: f64 = 1e-7;

impl ExactSolution {
    /// Whether a choice is as good as the answer, but for rounding.
    pub fn is_as_good(&self, choice: usize) -> bool {
        self.scores[choice] == self.scores[self.answer]
            || (self.scores[choice] - self.scores[self.answer]).abs() < CLOSE
    }
}

/// Why the wrong choices are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// For each choice the rules that it breaks, in words.
    pub broken: Vec<Vec<String>>,
    /// Choices that show the same scene as the answer.
    pub twins: Vec<usize>,
}
