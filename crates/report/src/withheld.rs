//! Models that learn without some rules.

use genvp_exam::Question;
use genvp_puzzle::Puzzle;
use genvp_puzzle::make::HeldOut;
use genvp_train::RunConfig;
use genvp_train::feed::LayoutWeights;

use crate::error::ReportError;

/// The preset of such models unless another is asked for: taught by rule labels, as the paper's.
pub const PRESET: &str = "raven-differences-64";

/// The settings of a small model of one layout that learns without some rules: RAVEN's
/// and I-RAVEN's wrong choices turn about, and all else told as in any other training.
///
/// # Errors
/// When the preset cannot be read.
pub fn settings(held_out: HeldOut, preset: &str, seed: u64) -> Result<RunConfig, ReportError> {
    let mut config = RunConfig::preset(preset)?;
    config.train.feed.layouts = LayoutWeights::only(&[held_out.layout()]);
    config.train.feed.held_out = vec![held_out.name().to_owned()];
    config.train.seed = seed;
    // The average over a thousand steps would lag behind in so short a run.
    config.train.ema_decay = config.train.ema_decay.min(0.98);
    Ok(config)
}

/// Whether a question has a rule that was left out.
pub fn is_unseen(question: &Question, held_out: HeldOut) -> bool {
    let Some(puzzle) = question.made::<Puzzle>() else { return false };
    let excluded = |(component, rules): (usize, &genvp_puzzle::ComponentRules)| {
        rules.0.iter().any(|&rule| held_out.excludes(component, rule))
    };
    puzzle.rules.iter().enumerate().any(excluded)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use genvp_exam::TestSet;
    use genvp_puzzle::family::PuzzleSpec;
    use genvp_puzzle::raven::{FORM, Raven};
    use genvp_puzzle::{Set, Stream};
    use genvp_train::feed::{Fresh, batch_of, irrelevant};

    #[test]
    fn what_is_learned_from_never_has_the_rules_that_are_left_out_and_the_test_has() {
        for held_out in HeldOut::ALL {
            let config = settings(held_out, "cpu-64", 3).unwrap();
            config.check().unwrap();
            let source = Fresh::new(&config.train.feed, config.train.seed).unwrap();
            for number in 0..60 {
                let puzzle = source.puzzle(number).unwrap();
                assert_eq!(puzzle.layout, held_out.layout());
                assert!(!is_unseen(&Question::Made(Arc::new(puzzle)), held_out));
            }
            let spec = PuzzleSpec::new(Raven::stratum(Set::IRaven, held_out.layout()));
            let test = TestSet::fresh(&Raven, &spec, 60, 3).unwrap();
            let unseen =
                test.questions.iter().filter(|question| is_unseen(question, held_out)).count();
            assert!((5..60).contains(&unseen), "{unseen} of 60");
        }
    }

    #[test]
    fn the_z_o_bar_that_is_told_is_drawn_from_the_panels() {
        for held_out in HeldOut::ALL {
            let mut config = settings(held_out, "cpu-64", 3).unwrap();
            config.train.batch = 4;
            let source = Fresh::new(&config.train.feed, 3).unwrap();
            let batch = batch_of(&source, 0, config.feed_shape()).unwrap();
            let width = config.model.latent().unwrap().irrelevant;
            assert_eq!(batch.irrelevant.len(), 4 * FORM.inputs() * width);
            for (number, told) in batch.irrelevant.chunks(FORM.inputs() * width).enumerate() {
                let puzzle = source.puzzle(number as u64).unwrap();
                let mut stream = Stream::new(3, "train/irrelevant", number as u64);
                for (panel, told) in puzzle.context.iter().zip(told.chunks(width)) {
                    let mut drawn = vec![0.0; width];
                    irrelevant::draw(panel, puzzle.domain, &mut stream, &mut drawn);
                    assert_eq!(told, drawn);
                    assert!(told.iter().any(|number| *number != 0.0));
                }
            }
        }
    }
}
