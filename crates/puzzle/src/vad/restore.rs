//! The whole puzzle from its pixels and what a file states.

use super::choices::completed;
use super::{Analogy, ChoiceKind, Puzzle, Regime, Vad, readings};
use crate::family::{FamilyError, Sheet, Split};
use crate::relations::read::{LEAST_CONFIDENCE, confidence};
use crate::relations::{Triple, completes};

impl Vad {
    /// Reads the panels and finds the source domain of the stated target triple; where
    /// none fits, any legal one is taken, and an audit will find the analogy untrue.
    /// `None` for a triple that is no analogy's target, and for panels that are drawn
    /// otherwise than ours: what is read from those proves nothing.
    ///
    /// # Errors
    /// When the puzzle does not have VAD's form, or its side cannot be read.
    pub fn restore(
        sheet: &Sheet,
        regime: Regime,
        split: Split,
        kind: ChoiceKind,
        triple: Triple,
        target: u8,
    ) -> Result<Option<Puzzle>, FamilyError> {
        let exact = Self::read(sheet)?;
        if confidence(&exact.readings) < LEAST_CONFIDENCE {
            return Ok(None);
        }
        let answer = &exact.choices[usize::from(target) % exact.choices.len()];
        let is_stated = |analogy: &Analogy| analogy.target_triple() == triple;
        let shown = readings(&exact.context, answer).into_iter().find(is_stated);
        // A source row may follow the relation without showing which one it is.
        let source = [0, 1, 2].map(|panel| &exact.context[panel]);
        let is_held = |analogy: &Analogy| {
            let line = source.map(|panel| panel.values(analogy.source));
            is_stated(analogy) && completes(analogy.relation, &line)
        };
        let held = || Analogy::legal().find(is_held).or_else(|| Analogy::legal().find(is_stated));
        let Some(analogy) = shown.or_else(held) else {
            return Ok(None);
        };
        let completes = exact
            .choices
            .each_ref()
            .map(|choice| completed(analogy, [&exact.context[3], &exact.context[4], choice]));
        Ok(Some(Puzzle {
            regime,
            split,
            kind,
            analogy,
            context: exact.context,
            choices: exact.choices,
            target,
            completes,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::AnyPuzzle;
    use crate::vad::{Maker, Request};

    #[test]
    fn a_made_puzzle_is_found_again_in_its_pixels() {
        for regime in Regime::ALL {
            for kind in ChoiceKind::ALL {
                let maker = Maker::new(Request::new(regime, Split::Train, kind)).expect("plain");
                let puzzle = maker.puzzle(8, 3).expect("a puzzle");
                let triple = puzzle.analogy.target_triple();
                let restored = Vad::restore(
                    &puzzle.sheet(),
                    regime,
                    Split::Train,
                    kind,
                    triple,
                    puzzle.target,
                );
                let restored = restored.expect("a puzzle of VAD's form").expect("an analogy");
                assert!(restored.audit().is_sound(usize::from(puzzle.target)));
                assert_eq!(restored, puzzle);
            }
        }
    }
}
