//! The exact solver: pixels are read into scenes, scenes are reasoned about.

use super::solve::{Solution, broken, solve};
use crate::relations::read::{PanelReading, Reader};
use crate::relations::{Broken, Panel, Vocabulary};

/// Solves puzzles of one side from pixels.
pub struct Solver {
    reader: Reader,
}

/// What the solver makes of sixteen pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    /// What was seen, panel by panel.
    pub readings: Vec<PanelReading>,
    /// The eight panels of the question.
    pub context: [Panel; 8],
    /// The eight choices.
    pub choices: [Panel; 8],
    /// The answer, every choice's score, and the relations.
    pub solution: Solution,
}

impl Solver {
    /// A solver for panels of `side * side` pixels.
    ///
    /// # Panics
    /// As [`Reader::new`].
    pub fn new(side: usize) -> Self {
        Self { reader: Reader::new(side, Vocabulary::Pgm) }
    }

    /// Solves a puzzle of sixteen grey pictures: the question, then the choices.
    ///
    /// # Panics
    /// When a picture does not have `side * side` bytes.
    pub fn solve(&self, panels: &[&[u8]; 16]) -> Exact {
        let readings: Vec<PanelReading> = panels.iter().map(|p| self.reader.panel(p)).collect();
        let panel = |index: usize| readings[index].panel.clone();
        let context: [Panel; 8] = std::array::from_fn(panel);
        let choices: [Panel; 8] = std::array::from_fn(|index| panel(8 + index));
        let solution = solve(&context, &choices);
        Exact { readings, context, choices, solution }
    }
}

impl Exact {
    /// The relations, of those that hold with the answer, that a choice breaks.
    ///
    /// # Panics
    /// When the choice is above 7.
    pub fn broken(&self, choice: usize) -> Vec<Broken> {
        let found: Vec<_> = self.solution.readings.iter().map(|r| r.governed).collect();
        broken(&self.context, &self.choices[choice], &found)
    }
}
