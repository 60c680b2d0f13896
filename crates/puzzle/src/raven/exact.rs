//! The exact solver: pixels are read into scenes, scenes are reasoned about.
//!
//! No learning, and nothing but pixels: the reader ([`crate::raven::read`]) and the
//! solver ([`crate::raven::check`]) put together.

use crate::raven::check::{self, Broken, Sight, Solution};
use crate::raven::read::{self, PuzzleReading};
use crate::raven::{Domain, Panel};

/// What the exact solver makes of sixteen pictures.
#[derive(Clone, Debug)]
pub struct Exact {
    /// What was seen.
    pub reading: PuzzleReading,
    /// The eight panels of the question.
    pub context: [Panel; 8],
    /// The eight choices.
    pub choices: [Panel; 8],
    /// The answer, every choice's score, and the rules.
    pub solution: Solution,
    domain: Domain,
}

impl Exact {
    /// The rules that a choice breaks.
    pub fn broken(&self, choice: usize) -> Vec<Broken> {
        check::broken_rules(
            &self.context,
            &self.choices[choice],
            self.reading.layout,
            self.domain,
            Sight::Pixels,
            &self.solution.found,
        )
    }

    /// Other choices that show the very same scene as the answer, which no
    /// solver can tell from it.
    pub fn twins(&self) -> Vec<usize> {
        let answer = &self.choices[self.solution.answer];
        (0..8)
            .filter(|&i| i != self.solution.answer)
            .filter(|&i| {
                let layout = self.reading.layout;
                check::visibly_equal(&self.choices[i], answer, layout, self.domain)
            })
            .collect()
    }
}

/// Solves a puzzle of sixteen grey pictures of `side * side` bytes each: the
/// question, then the choices.
pub fn solve(panels: &[&[u8]; 16], side: usize, domain: Domain) -> Exact {
    let reading = read::puzzle(panels, side, domain);
    let panel = |index: usize| reading.panels[index].panel.clone();
    let context: [Panel; 8] = std::array::from_fn(panel);
    let choices: [Panel; 8] = std::array::from_fn(|index| panel(8 + index));
    let solution = check::solve(&context, &choices, reading.layout, domain, Sight::Pixels);
    Exact { reading, context, choices, solution, domain }
}
