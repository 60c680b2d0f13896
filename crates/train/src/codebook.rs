//! The codebook of a model that imagines by values of its own: found before the first step.

use burn::tensor::Device;
use genvp_model::{AnyModel, CodebookFit, Noise, PuzzleBatch, Term};
use genvp_puzzle::Stream;

use crate::config::RunConfig;
use crate::error::TrainError;
use crate::feed::{Source, batch_of};
use crate::guard::Guard;
use crate::parameters;
use crate::step::Learner;

/// Puzzles in whose panels values are looked for.
const PUZZLES: usize = 2000;

/// A learner whose model has a codebook, if it needs one: found in the first puzzles of a source,
/// by what its encoder makes of them and the rules that they follow.
pub(crate) fn filled(
    learner: Learner,
    source: &dyn Source,
    config: &RunConfig,
    device: &Device,
) -> Result<(Learner, Option<CodebookFit>), TrainError> {
    let AnyModel::Genvp(model) = learner.averaged() else { return Ok((learner, None)) };
    let objective = &config.train.loss;
    let imagines = objective.wants(Term::Reconstruction) || objective.wants(Term::ZO);
    if !imagines || !config.train.teaches("imagination.codebook") || !model.lacks_codebook()? {
        return Ok((learner, None));
    }
    let shape = config.feed_shape();
    let batch = |step: usize| {
        let batch = batch_of(source, step as u64, shape)?;
        Ok(PuzzleBatch::new(&config.model.batch_shape(), batch.into_data(), device)?)
    };
    let batches = (0..PUZZLES.div_ceil(shape.puzzles)).map(batch);
    let batches = batches.collect::<Result<Vec<_>, TrainError>>()?;
    let seed = Stream::new(config.train.seed, "train/codebook", 0).bits();
    let (model, found) = model.with_codebook(&batches, &mut Noise::seeded(seed))?;
    let state = crate::adamw::State::new(parameters::read(&model)?.1);
    Ok((learner.restore(state, Guard::default(), 0), Some(found)))
}
