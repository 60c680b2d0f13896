//! Puzzles whose panels a model has labelled itself, kept to be learned from again and again.
//!
//! A model that imagines by values of its own learns p(Z_o|Z_r) from the values that it finds in
//! panels, and from nothing else of them. Drawing and reading panels costs far more than learning
//! from their values, so that some puzzles are read once. Each time one comes by its rows stand in
//! another order, which leaves its rules as they are.

use burn::tensor::Device;
use genvp_model::{Genvp, PuzzleBatch};
use genvp_puzzle::Stream;

use super::example::ExampleMut;
use super::{FeedShape, Source, Supervision, batch_of};
use crate::config::RunConfig;
use crate::error::TrainError;

/// Puzzles that are read together.
const TOGETHER: usize = 32;

/// See the [module](self); number `n` is a function of (seed, n).
#[derive(Debug)]
pub struct SelfLabelled {
    puzzles: Vec<Labelled>,
    rows: usize,
    seed: u64,
}

/// A puzzle as its labels say.
#[derive(Debug)]
struct Labelled {
    /// `[MN, numbers]`
    values: Vec<f32>,
    /// R.
    rules: Vec<u8>,
    layout: u8,
}

impl SelfLabelled {
    /// The first `count` puzzles of a source, labelled by a model that is done with learning to see.
    ///
    /// # Errors
    /// When a puzzle cannot be made, or the device fails.
    pub fn new(
        model: &Genvp,
        source: &dyn Source,
        count: usize,
        config: &RunConfig,
        device: &Device,
    ) -> Result<Self, TrainError> {
        let shape = FeedShape { puzzles: TOGETHER, ..config.feed_shape() };
        let mut puzzles = Vec::with_capacity(count);
        for step in 0..count.div_ceil(TOGETHER) {
            let batch = batch_of(source, step as u64, shape)?;
            let of_puzzle = batch.rules.len() / TOGETHER;
            // The right choice comes first.
            let rules: Vec<Vec<u8>> = batch
                .rules
                .chunks_exact(of_puzzle)
                .map(|rules| rules[..shape.attributes].to_vec())
                .collect();
            let layouts = batch.layouts.clone();
            let batch = PuzzleBatch::new(&config.model.batch_shape(), batch.into_data(), device)?;
            let values = model.labels(&batch)?;
            let values = values.chunks_exact(values.len() / TOGETHER);
            let labelled = values.zip(rules).zip(layouts);
            puzzles.extend(labelled.map(|((values, rules), layout)| Labelled {
                values: values.to_vec(),
                rules,
                layout,
            }));
        }
        puzzles.truncate(count);
        Ok(Self { puzzles, rows: config.model.puzzle().rows, seed: config.train.seed })
    }

    /// The shape of its batches: values and rules, no pixels.
    pub fn shape(&self, plain: FeedShape) -> FeedShape {
        let panels = plain.form.context() + 1;
        let numbers = self.puzzles.first().map_or(0, |puzzle| puzzle.values.len() / panels);
        FeedShape {
            side: 0,
            supervision: Supervision::Values,
            codes: None,
            family_codes: numbers,
            irrelevant: 0,
            ..plain
        }
    }
}

impl Source for SelfLabelled {
    fn fill(&self, number: u64, out: &mut ExampleMut<'_>) -> Result<(), TrainError> {
        let index = number % self.puzzles.len().max(1) as u64;
        let Some(puzzle) = self.puzzles.get(index as usize) else {
            return Err(TrainError::FeedEnded("no puzzles were labelled".into()));
        };
        let mut stream = Stream::new(self.seed, "train/rows", number);
        let mut rows: Vec<&[f32]> =
            puzzle.values.chunks_exact(puzzle.values.len() / self.rows).collect();
        stream.shuffle(&mut rows);
        out.values.fill(0.0);
        let width = rows.first().map_or(1, |row| row.len());
        for (row, out) in rows.iter().zip(out.values.chunks_exact_mut(width)) {
            out.copy_from_slice(row);
        }
        out.rules.fill(0);
        out.rules[..puzzle.rules.len()].copy_from_slice(&puzzle.rules);
        out.known.fill(true);
        out.layout.fill(puzzle.layout);
        *out.target = 0;
        Ok(())
    }
}
