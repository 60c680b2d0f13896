//! Fresh puzzles: every one is drawn by the engine and never seen again.

use genvp_puzzle::make::{HeldOut, Maker, Request};
use genvp_puzzle::{Combination, Layout, Puzzle, Set, Stream};

use super::example::{self, ChoiceOrder};
use super::{AugmentConfig, scenes};
use crate::error::TrainError;
use crate::feed::{ExampleMut, FeedConfig, Source, WarpConfig};

/// Puzzles of a mix of sets and layouts; number `n` is a function of (seed, n).
#[derive(Clone, Debug)]
pub struct Fresh {
    makers: Vec<Vec<Maker>>,
    set_weights: Vec<u32>,
    layout_weights: Vec<u32>,
    augment: AugmentConfig,
    warp: WarpConfig,
    free_scenes: bool,
    held_out: Vec<Combination>,
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
        let named = |layout| {
            let mut sets = config.held_out.iter().filter_map(|text| HeldOut::parse(text));
            sets.find(|held_out| held_out.layout() == layout)
        };
        let makers = sets.iter().map(|&(set, _)| {
            let of = |&(layout, _): &(Layout, u32)| {
                Maker::new(Request { held_out: named(layout), ..Request::new(set, layout) })
            };
            layouts.iter().map(of).collect::<Result<Vec<_>, _>>()
        });
        let combinations = config.held_out.iter().filter(|text| HeldOut::parse(text).is_none());
        let held_out = combinations.map(|text| Combination::parse(text));
        Ok(Self {
            makers: makers.collect::<Result<_, _>>()?,
            set_weights: sets.iter().map(|&(_, weight)| weight).collect(),
            layout_weights: layouts.iter().map(|&(_, weight)| weight).collect(),
            augment: config.augment.clone(),
            warp: config.warp.clone(),
            free_scenes: config.free_scenes,
            held_out: held_out.collect::<Result<_, _>>()?,
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
        let maker = &self.makers[set][layout];
        // Numbers of puzzles stay far below the steps between attempts.
        let mut attempts =
            (0..1 << 16).map(|attempt| maker.puzzle(self.seed, number | attempt << 44));
        let mut puzzle = attempts
            .find(|made| made.as_ref().map_or(true, |puzzle| self.may_be_seen(puzzle)))
            .ok_or_else(|| TrainError::FeedEnded("all puzzles are held out".into()))??;
        if !self.augment.is_off() {
            self.augment.apply(&mut puzzle, &mut stream);
        }
        if self.free_scenes {
            scenes::free(&mut puzzle, &mut stream);
        }
        Ok(puzzle)
    }

    fn may_be_seen(&self, puzzle: &Puzzle) -> bool {
        !self.held_out.iter().any(|rules| rules.occurs_in(&puzzle.rules))
    }

    /// The sets in the order of the weights.
    pub const SETS: [Set; 2] = [Set::Raven, Set::IRaven];
}

impl Source for Fresh {
    fn fill(&self, number: u64, out: &mut ExampleMut<'_>) -> Result<(), TrainError> {
        let puzzle = self.puzzle(number)?;
        example::write(&puzzle, ChoiceOrder::AnswerFirst, out);
        if !self.warp.is_off() {
            let mut stream = Stream::new(self.seed, "train/warp", number);
            self.warp.apply(out.pixels, example::side(out.pixels.len()), &mut stream);
        }
        let mut stream = Stream::new(self.seed, "train/irrelevant", number);
        example::draw_irrelevant(&puzzle, ChoiceOrder::AnswerFirst, &mut stream, out);
        Ok(())
    }
}
