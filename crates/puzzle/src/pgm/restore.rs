//! The whole puzzle from its pixels and what a file states.

use super::{Governed, Pgm, Puzzle, Regime, broken, value_matrix};
use crate::family::{FamilyError, Sheet, Split};
use crate::relations::read::{LEAST_CONFIDENCE, confidence};
use crate::relations::{Axis, Triple, counts, holds_on_all};

impl Pgm {
    /// Reads the panels and finds the axis of every triple; one that holds along
    /// neither is said to run along rows, where an audit will find it untrue. Which
    /// attributes distract is not found out. Triples after the fourth are left out.
    /// `None` for panels that are drawn otherwise than ours: what is read from those
    /// proves nothing.
    ///
    /// # Errors
    /// When the puzzle does not have PGM's form, or its side cannot be read.
    pub fn restore(
        sheet: &Sheet,
        regime: Regime,
        split: Split,
        triples: &[Triple],
        target: u8,
    ) -> Result<Option<Puzzle>, FamilyError> {
        let exact = Self::read(sheet)?;
        if confidence(&exact.readings) < LEAST_CONFIDENCE {
            return Ok(None);
        }
        let answer = &exact.choices[usize::from(target) % exact.choices.len()];
        let governed = |&triple: &Triple| {
            let matrix = value_matrix(&exact.context, answer, triple.attribute);
            let shown = |axis: &Axis| counts(triple.relation, &axis.lines(&matrix));
            let held = |axis: &Axis| holds_on_all(triple.relation, &axis.lines(&matrix));
            let axes = || Axis::ALL.into_iter();
            let axis = axes().find(shown).or_else(|| axes().find(held)).unwrap_or(Axis::Rows);
            Governed { triple, axis }
        };
        let mut puzzle = Puzzle {
            regime,
            split,
            structure: triples.iter().take(4).map(governed).collect(),
            distracting: [false; 7],
            context: exact.context,
            choices: exact.choices,
            target,
            broken: [0; 8],
        };
        puzzle.broken = puzzle.choices.each_ref().map(|choice| {
            let found = broken(&puzzle.context, choice, &puzzle.structure);
            let is_broken = |g: &Governed| found.iter().any(|b| b.triple == g.triple);
            let places = puzzle.structure.iter().enumerate().filter(|(_, g)| is_broken(g));
            places.fold(0, |mask, (place, _)| mask | 1 << place)
        });
        Ok(Some(puzzle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::AnyPuzzle;
    use crate::pgm::{Maker, Request};

    #[test]
    fn a_made_puzzle_is_found_again_in_its_pixels() {
        for regime in Regime::ALL {
            let maker = Maker::new(Request::new(regime, Split::Train)).expect("a plain request");
            let puzzle = maker.puzzle(8, 3).expect("a puzzle");
            let triples: Vec<Triple> = puzzle.structure.iter().map(|g| g.triple).collect();
            let restored =
                Pgm::restore(&puzzle.sheet(), regime, Split::Train, &triples, puzzle.target);
            let restored = restored.expect("a puzzle of PGM's form").expect("our own drawing");
            assert_eq!(restored, Puzzle { distracting: [false; 7], ..puzzle });
        }
    }

    #[test]
    fn nothing_is_said_about_panels_that_are_drawn_otherwise() {
        let maker = Maker::new(Request::new(Regime::Neutral, Split::Train)).expect("plain");
        let puzzle = maker.puzzle(8, 3).expect("a puzzle");
        let triples: Vec<Triple> = puzzle.structure.iter().map(|g| g.triple).collect();
        let mut sheet = puzzle.sheet();
        // Every third row of pixels a little darker, as no panel of ours has it.
        for (at, pixel) in sheet.pixels.iter_mut().enumerate() {
            *pixel -= if at / 160 % 3 == 0 { *pixel / 20 } else { 0 };
        }
        let restored = Pgm::restore(&sheet, Regime::Neutral, Split::Train, &triples, puzzle.target);
        assert_eq!(restored.expect("a puzzle of PGM's form"), None);
    }
}
