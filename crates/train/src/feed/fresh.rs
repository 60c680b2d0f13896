//! Fresh puzzles: every one is drawn by the engine and never seen again.

use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, Puzzle, Set, Stream};

use super::Source;
use super::config::FeedConfig;
use super::example::{self, ChoiceOrder, ExampleMut};
use crate::error::TrainError;

/// Puzzles of a mix of sets and layouts; number `n` is a function of (seed, n).
#[derive(Clone, Debug)]
pub struct Fresh {
    makers: Vec<Vec<Maker>>,
    set_weights: Vec<u32>,
    layout_weights: Vec<u32>,
    augment: super::AugmentConfig,
    seed: u64,
}

/// Weights are compared in thousandths.
fn thousandths(weight: f32) -> u32 {
    (weight.max(0.0) * 1000.0).round() as u32
}

impl Fresh {
    /// The puzzles of a mix under a seed.
    ///
    /// # Errors
    /// When a kind of puzzle cannot be made.
    pub fn new(config: &FeedConfig, seed: u64) -> Result<Self, TrainError> {
        let sets = config.sets.weights().map(|(set, weight)| (set, thousandths(weight)));
        let layouts =
            config.layouts.weights().map(|(layout, weight)| (layout, thousandths(weight)));
        let makers = sets.iter().map(|&(set, _)| {
            let of = |&(layout, _): &(Layout, u32)| Maker::new(Request::new(set, layout));
            layouts.iter().map(of).collect::<Result<Vec<_>, _>>()
        });
        Ok(Self {
            makers: makers.collect::<Result<_, _>>()?,
            set_weights: sets.iter().map(|&(_, weight)| weight).collect(),
            layout_weights: layouts.iter().map(|&(_, weight)| weight).collect(),
            augment: config.augment.clone(),
            seed,
        })
    }

    /// Puzzle number `number`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn puzzle(&self, number: u64) -> Result<Puzzle, TrainError> {
        let mut stream = Stream::new(self.seed, "train/pick", number);
        let set = stream.weighted(&self.set_weights);
        let layout = stream.weighted(&self.layout_weights);
        let mut puzzle = self.makers[set][layout].puzzle(self.seed, number)?;
        if !self.augment.is_off() {
            self.augment.apply(&mut puzzle, &mut stream);
        }
        Ok(puzzle)
    }

    /// The sets in the order of the weights.
    pub const SETS: [Set; 2] = [Set::Raven, Set::IRaven];
}

impl Source for Fresh {
    fn fill(&self, number: u64, out: &mut ExampleMut<'_>) -> Result<(), TrainError> {
        example::write(&self.puzzle(number)?, ChoiceOrder::AnswerFirst, out);
        Ok(())
    }
}
