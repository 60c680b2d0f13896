//! Training sets that leave rules out.

use genvp_puzzle::make::{HeldOut, Maker, Request};
use genvp_puzzle::{Puzzle, Set, Stream};
use genvp_train::feed::{ChoiceOrder, ExampleMut, LayoutWeights, Source, write};
use genvp_train::{RunConfig, TrainError};

use crate::error::ReportError;
use crate::question::Question;

/// Fresh puzzles of one layout without the rules of a held-out set, RAVEN's
/// and I-RAVEN's wrong choices turn about.
#[derive(Clone, Debug)]
pub struct Withholding {
    makers: [Maker; 2],
    seed: u64,
}

impl Withholding {
    /// The puzzles of a seed.
    ///
    /// # Errors
    /// When they cannot be made.
    pub fn new(held_out: HeldOut, seed: u64) -> Result<Self, ReportError> {
        let maker = |set| {
            let request = Request::new(set, held_out.layout());
            Maker::new(Request { held_out: Some(held_out), ..request })
        };
        Ok(Self { makers: [maker(Set::Raven)?, maker(Set::IRaven)?], seed })
    }

    /// Puzzle number `number`.
    fn puzzle(&self, number: u64) -> Result<Puzzle, TrainError> {
        let set = Stream::new(self.seed, "withheld/pick", number).below(2) as usize;
        Ok(self.makers[set].puzzle(self.seed, number)?)
    }
}

impl Source for Withholding {
    fn fill(&self, number: u64, out: &mut ExampleMut<'_>) -> Result<(), TrainError> {
        write(&self.puzzle(number)?, ChoiceOrder::AnswerFirst, out);
        Ok(())
    }
}

/// The settings of a small model that learns without some rules.
///
/// # Errors
/// When the preset cannot be read.
pub fn settings(held_out: HeldOut, preset: &str, seed: u64) -> Result<RunConfig, ReportError> {
    let mut config = RunConfig::preset(preset)?;
    config.train.feed.layouts = LayoutWeights::only(&[held_out.layout()]);
    config.train.seed = seed;
    // The average over a thousand steps would lag behind in so short a run.
    config.train.ema_decay = config.train.ema_decay.min(0.98);
    Ok(config)
}

/// Whether a question has a rule that was left out.
pub fn is_unseen(question: &Question, held_out: HeldOut) -> bool {
    let Question::Made(puzzle) = question else { return false };
    let excluded = |(part, rules): (usize, &genvp_puzzle::PartRules)| {
        rules.0.iter().any(|&rule| held_out.excludes(part, rule))
    };
    puzzle.rules.iter().enumerate().any(excluded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_learned_from_never_has_the_rules_that_are_left_out_and_the_test_has() {
        for held_out in HeldOut::ALL {
            let source = Withholding::new(held_out, 3).unwrap();
            for number in 0..60 {
                let puzzle = source.puzzle(number).unwrap();
                assert!(!is_unseen(&Question::Made(Box::new(puzzle)), held_out));
            }
            let request = Request::new(Set::IRaven, held_out.layout());
            let test = Question::fresh(&request, 60, 3).unwrap();
            let unseen = test.iter().filter(|question| is_unseen(question, held_out)).count();
            assert!((5..60).contains(&unseen), "{unseen} of 60");
        }
    }
}
