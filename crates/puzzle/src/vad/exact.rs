//! The exact solver: pixels are read into scenes, scenes are reasoned about.

use super::solve::{Solution, broken, solve};
use crate::relations::read::{PanelReading, Reader};
use crate::relations::{Broken, Panel, Vocabulary};

/// Solves puzzles of one side from pixels.
pub struct Solver {
    reader: Reader,
}

/// What the solver makes of nine pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    /// What was seen, panel by panel.
    pub readings: Vec<PanelReading>,
    /// The five panels of the question.
    pub context: [Panel; 5],
    /// The four choices.
    pub choices: [Panel; 4],
    /// The answer, every choice's score, and the analogies.
    pub solution: Solution,
}

impl Solver {
    /// A solver for panels of `side * side` pixels.
    ///
    /// # Panics
    /// As [`Reader::new`].
    pub fn new(side: usize) -> Self {
        Self { reader: Reader::new(side, Vocabulary::Vad) }
    }

    /// Solves a puzzle of nine grey pictures: the source row, two panels of the
    /// target row, the choices.
    ///
    /// # Panics
    /// When a picture does not have `side * side` bytes.
    pub fn solve(&self, panels: &[&[u8]; 9]) -> Exact {
        let readings: Vec<PanelReading> = panels.iter().map(|p| self.reader.panel(p)).collect();
        let panel = |index: usize| readings[index].panel.clone();
        let context: [Panel; 5] = std::array::from_fn(panel);
        let choices: [Panel; 4] = std::array::from_fn(|index| panel(5 + index));
        let solution = solve(&context, &choices);
        Exact { readings, context, choices, solution }
    }
}

impl Exact {
    /// How a choice breaks the analogies that the answer completes.
    ///
    /// # Panics
    /// When the choice is above 3.
    pub fn broken(&self, choice: usize) -> Vec<Broken> {
        let analogies = self.solution.analogies.iter();
        analogies.filter_map(|&a| broken(&self.context, &self.choices[choice], a)).collect()
    }
}
