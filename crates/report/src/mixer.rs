//! Teaching the learned mixture on predictions of a frozen model (paper,
//! appendix "mixture of experts").

use burn::module::Module;
use burn::optim::{AdamWConfig, GradientsParams};
use burn::tensor::{Device, Tensor, TensorData};
use genvp_exam::{Opened, Question};
use genvp_model::mixture::{NeuralMixture, neural_loss};
use genvp_model::{AnyModel, ModelError, PuzzleBatch, PuzzleData, to_host};
use genvp_puzzle::Stream;
use rayon::prelude::*;

use crate::error::ReportError;

/// How the mixture is taught.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MixerTraining {
    /// How often every puzzle is seen.
    pub epochs: u32,
    /// Puzzles in a step.
    pub batch: usize,
    /// The learning rate, which falls to 0.
    pub learning_rate: f64,
    /// The seed of weights and orders.
    pub seed: u64,
}

impl Default for MixerTraining {
    fn default() -> Self {
        Self { epochs: 8, batch: 32, learning_rate: 1e-3, seed: 1 }
    }
}

/// Puzzles that go through the model at once.
const CHUNK: usize = 32;

/// A mixture that was taught to choose the answers of some questions from what
/// the model's experts say about them; the model itself stays as it is.
///
/// # Errors
/// When the model names no rules, a question cannot be read, or the device fails.
pub fn teach_mixer(
    model: &AnyModel,
    device: &Device,
    questions: &[Question],
    settings: MixerTraining,
    progress: &dyn Fn(u64),
) -> Result<NeuralMixture, ReportError> {
    if !model.names_rules() {
        return Err(ModelError::Cannot { what: "name rules" }.into());
    }
    let puzzle = model.puzzle();
    let shape = [puzzle.predictions(), puzzle.candidates, puzzle.attributes, puzzle.rules];
    let mut said = Vec::with_capacity(questions.len());
    for chunk in questions.chunks(CHUNK) {
        said.extend(predictions(model, device, chunk, shape)?);
        progress(chunk.len() as u64);
    }
    let training = device.clone().autodiff();
    let mut mixer = NeuralMixture::seeded(puzzle, settings.seed, &training);
    let mut optimiser = AdamWConfig::new().init();
    let steps = u64::from(settings.epochs) * said.len().div_ceil(settings.batch.max(1)) as u64;
    let mut step = 0;
    for epoch in 0..settings.epochs {
        let mut order: Vec<u32> = (0..said.len() as u32).collect();
        Stream::new(settings.seed, "mixer/order", u64::from(epoch)).shuffle(&mut order);
        for indices in order.chunks(settings.batch.max(1)) {
            let [e, c, k, n] = shape;
            let numbers = indices.iter().flat_map(|&index| said[index as usize].iter().copied());
            let data = TensorData::new(numbers.collect::<Vec<f32>>(), [indices.len(), e, c, k, n]);
            let batch: Tensor<5> = Tensor::from_data(data, &training);
            let loss = neural_loss(mixer.scores(batch.permute([1, 0, 2, 3, 4])));
            let gradients = GradientsParams::from_grads(loss.backward(), &mixer);
            let left = 1.0 - f64::from(step) / steps.max(1) as f64;
            mixer = optimiser.step(settings.learning_rate * left, mixer, gradients);
            step += 1;
        }
    }
    Ok(mixer.valid())
}

/// What the experts say about some puzzles `[E, C, K_R, N_R]`, the answer first.
fn predictions(
    model: &AnyModel,
    device: &Device,
    questions: &[Question],
    shape: [usize; 4],
) -> Result<Vec<Vec<f32>>, ReportError> {
    let shape_of_batch = model.batch_shape();
    let opened = questions.par_iter().map(|question| question.open(&shape_of_batch));
    let opened: Vec<Opened> = opened.collect::<Result<_, _>>()?;
    let pixels = opened.iter().flat_map(|question| question.pixels.iter().copied()).collect();
    let data = PuzzleData { pixels, ..PuzzleData::default() };
    let solved = model.solve(&PuzzleBatch::new(&shape_of_batch, data, device)?)?;
    let [e, c, k, n] = shape;
    let probabilities = solved.rules()?.experts()?.probabilities();
    let numbers = to_host(probabilities.permute([1, 0, 2, 3, 4]))?;
    let mut said: Vec<Vec<f32>> = numbers.chunks(e * c * k * n).map(<[f32]>::to_vec).collect();
    for (numbers, question) in said.iter_mut().zip(&opened) {
        let target = question.target * k * n;
        for expert in numbers.chunks_mut(c * k * n) {
            for cell in (0..k * n).filter(|_| target > 0) {
                expert.swap(cell, target + cell);
            }
        }
    }
    Ok(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_exam::TestSet;
    use genvp_infer::Model;
    use genvp_puzzle::family::PuzzleSpec;
    use genvp_puzzle::raven::Raven;
    use genvp_puzzle::{Layout, Set};

    #[test]
    fn the_same_training_gives_the_same_mixture_and_teaches_something() {
        let shipped = Model::shipped().unwrap();
        let (model, device) = (shipped.genvp(), shipped.device().clone());
        let spec = PuzzleSpec::new(Raven::stratum(Set::Raven, Layout::CenterSingle));
        let questions = TestSet::fresh(&Raven, &spec, 24, 4).unwrap().questions;
        let settings = MixerTraining { epochs: 30, batch: 12, ..MixerTraining::default() };
        let teach = || teach_mixer(model, &device, &questions, settings, &|_| ()).unwrap();
        let puzzle = model.puzzle();
        let shape = [puzzle.predictions(), puzzle.candidates, puzzle.attributes, puzzle.rules];
        let said = predictions(model, &device, &questions, shape).unwrap().concat();
        let loss = |mixer: &NeuralMixture| {
            let data = TensorData::new(said.clone(), [24, 14, 8, 12, 5]);
            let batch: Tensor<5> = Tensor::from_data(data, &device);
            to_host(neural_loss(mixer.scores(batch.permute([1, 0, 2, 3, 4])))).unwrap()[0]
        };
        let (first, second) = (teach(), teach());
        assert_eq!(loss(&first), loss(&second));
        assert!(loss(&first) < 8f32.ln() - 0.001, "better than guessing: {}", loss(&first));
    }
}
