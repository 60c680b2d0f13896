//! One optimisation step.

use std::time::{Duration, Instant};

use burn::tensor::{Device, Gradients};
use genvp_model::{AnyModel, LossConfig, LossPart, LossTerms, Noise, PuzzleBatch, Term};

use crate::adamw::{self, State, Update};
use crate::config::TrainConfig;
use crate::error::TrainError;
use crate::feed::Batch;
use crate::guard::{Guard, Skip};
use crate::parameters::{self, ParameterLayout};

/// A model that is being taught, with everything that its next step depends on.
#[derive(Debug)]
pub struct Learner {
    model: AnyModel,
    device: Device,
    slots: ParameterLayout,
    gradients: Vec<f32>,
    statistics: Vec<f32>,
    /// Values, moments and running average of all tensors.
    pub state: State,
    /// What is known about gradients.
    pub guard: Guard,
    /// The next step, counted from 0.
    pub step: u64,
}

/// What one step did.
#[derive(Clone, Debug)]
pub struct StepReport {
    /// The step, counted from 0.
    pub step: u64,
    /// Every term of the objective, unweighted.
    pub terms: Vec<(Term, f32)>,
    /// The weighted sum.
    pub total: f32,
    /// Length of the gradient, where there is one.
    pub norm: Option<f64>,
    /// The learning rate.
    pub rate: f64,
    /// Why no update was made, if none was.
    pub skipped: Option<Skip>,
    /// Where the time went.
    pub times: StepTimes,
}

/// Where the time of a step went.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepTimes {
    /// Checking the batch and moving it to the device.
    pub load: Duration,
    /// The objective.
    pub forward: Duration,
    /// Its gradients.
    pub backward: Duration,
    /// The update.
    pub update: Duration,
}

/// The seed of a step's noise.
fn noise_seed(seed: u64, step: u64) -> u64 {
    genvp_puzzle::Stream::new(seed, "train/noise", step).bits()
}

impl Learner {
    /// A model on an autodiff device, before its first step.
    ///
    /// # Errors
    /// When the device fails.
    pub fn new(model: AnyModel, device: Device) -> Result<Self, TrainError> {
        let (slots, values) = parameters::read(&model)?;
        let gradients = vec![0.0; values.len()];
        Ok(Self {
            model,
            device,
            slots,
            gradients,
            statistics: Vec::new(),
            state: State::new(values),
            guard: Guard::default(),
            step: 0,
        })
    }

    /// Lets only some tensors learn, by their names: the others stay as they are.
    pub fn teach_only(&mut self, learns: impl Fn(&str) -> bool) {
        self.slots.teach(learns);
    }

    /// Goes on from a state that was kept.
    pub fn restore(mut self, state: State, guard: Guard, step: u64) -> Self {
        self.model = parameters::with_values(self.model, &state.values);
        Self { state, guard, step, ..self }
    }

    /// The tensors of the model.
    pub fn slots(&self) -> &ParameterLayout {
        &self.slots
    }

    /// The model with the running average of its weights, for solving: what is
    /// examined and shipped.
    pub fn averaged(&self) -> AnyModel {
        use burn::module::Module;
        parameters::with_values(self.model.valid(), &self.state.average)
    }

    /// Learns from one batch.
    ///
    /// An update whose loss or gradient is not finite, or whose gradient
    /// explodes, is not made; the step counts all the same.
    ///
    /// # Errors
    /// When the batch does not fit the model, or the device fails.
    pub fn learn(&mut self, batch: Batch, config: &TrainConfig) -> Result<StepReport, TrainError> {
        let (step, rate) = (self.step, config.learning_rate(self.step));
        let (_, objective) = config.phase(step);
        let started = Instant::now();
        let batch = PuzzleBatch::new(&self.model.batch_shape(), batch.into_data(), &self.device)?;
        let load = started.elapsed();
        let seed = noise_seed(config.seed, step);
        let found = self.differentiate(&batch, objective, seed)?;
        let mut report = StepReport {
            step,
            total: weighted(&found.terms, objective),
            terms: found.terms,
            norm: None,
            rate,
            skipped: None,
            times: StepTimes {
                load,
                forward: found.forward,
                backward: started.elapsed() - load - found.forward,
                ..StepTimes::default()
            },
        };
        self.step += 1;
        let outcome = match found.skip {
            Some(skip) => Err(skip),
            None => {
                for slot in self.slots.iter().filter(|slot| !slot.learns) {
                    self.gradients[slot.range.clone()].fill(0.0);
                }
                self.judge(&mut report, config)
            }
        };
        let updating = Instant::now();
        match outcome {
            Ok(norm) => self.update(norm, rate, config),
            Err(skip) => self.undo(skip, &mut report),
        }
        report.times.update = updating.elapsed();
        Ok(report)
    }

    /// Works out the objective, and its gradients unless some term is not finite.
    fn differentiate(
        &mut self,
        batch: &PuzzleBatch,
        objective: &LossConfig,
        seed: u64,
    ) -> Result<BatchLosses, TrainError> {
        let model = &self.model;
        let on_cpu = self.device == Device::flex().autodiff();
        if !(on_cpu && model.losses_split(batch, objective)) {
            let mut noise = Noise::seeded(seed);
            let all = Half::of(|| model.losses(batch, objective, &mut noise), objective)?;
            let Half { terms, gradients, forward } = all;
            let skip = first_bad(&terms);
            if skip.is_none() && gradients.is_none() {
                return Err(no_term());
            }
            self.statistics = parameters::read_gradients(model, gradients, &mut self.gradients)?;
            return Ok(BatchLosses { terms, skip, forward });
        }
        // The two halves share no graph, so that each thread can go all the way back alone.
        let twin = parameters::twin(model);
        let halves = rayon::join(
            || {
                let (mut noise, part) = (Noise::seeded(seed), LossPart::SupervisedLatents);
                Half::of(|| model.losses_of(part, batch, objective, &mut noise), objective)
            },
            || {
                let (mut noise, part) = (Noise::seeded(!seed), LossPart::FromPixels);
                Half::of(|| twin.losses_of(part, batch, objective, &mut noise), objective)
            },
        );
        let (supervised, pixels) = (halves.0?, halves.1?);
        let mut terms = [supervised.terms.as_slice(), &pixels.terms].concat();
        terms.sort_by_key(|(term, _)| *term);
        let forward = supervised.forward.max(pixels.forward);
        let skip = first_bad(&terms);
        if skip.is_none() && supervised.gradients.is_none() && pixels.gradients.is_none() {
            return Err(no_term());
        }
        let own = supervised.gradients;
        let statistics = parameters::read_gradients(model, own, &mut self.gradients)?;
        let others = parameters::add_gradients(&twin, pixels.gradients, &mut self.gradients)?;
        let before = &self.state.values;
        self.statistics = parameters::join_statistics(&self.slots, statistics, &others, before);
        Ok(BatchLosses { terms, skip, forward })
    }

    fn judge(&self, report: &mut StepReport, config: &TrainConfig) -> Result<f64, Skip> {
        let norm = adamw::norm(&self.gradients);
        if !norm.is_finite() {
            let bad = self.gradients.iter().position(|g| !g.is_finite());
            let tensor = bad.and_then(|index| self.slots.of_index(index));
            let tensor =
                tensor.map_or_else(|| "the whole model".to_owned(), |slot| slot.name.clone());
            return Err(Skip::Gradient { tensor });
        }
        report.norm = Some(norm);
        self.guard.judge(norm, &config.guard).map(|()| norm)
    }

    fn update(&mut self, norm: f64, rate: f64, config: &TrainConfig) {
        let count = self.guard.updates + 1;
        // A short memory at first, or the average would remember the untrained weights.
        let average_decay = config.ema_decay.min(count as f64 / (count as f64 + 9.0));
        let update = Update {
            rate,
            betas: config.betas,
            epsilon: config.epsilon,
            decay: config.weight_decay,
            scale: (config.gradient_clip / norm).min(1.0),
            average_decay,
            count,
        };
        parameters::put_statistics(&self.slots, &self.statistics, &mut self.state.values);
        self.state.update(&self.slots, &self.gradients, &update);
        self.guard.made(norm);
        // The forward pass has moved statistics too, those of what does not learn among them.
        self.change_model(|model, state| parameters::with_values(model, &state.values));
    }

    /// The forward pass has moved the running statistics; a step that is not
    /// trusted must leave no trace in them either.
    fn undo(&mut self, skip: Skip, report: &mut StepReport) {
        self.guard.skip();
        report.skipped = Some(skip);
        self.change_model(|model, state| parameters::with_values(model, &state.values));
    }

    fn change_model(&mut self, change: impl FnOnce(AnyModel, &State) -> AnyModel) {
        // Modules are changed by value; a clone only counts references.
        self.model = change(self.model.clone(), &self.state);
    }
}

/// What a batch says about the objective; its gradients are the learner's.
struct BatchLosses {
    terms: Vec<(Term, f32)>,
    skip: Option<Skip>,
    forward: Duration,
}

/// Some terms of the objective.
struct Half {
    terms: Vec<(Term, f32)>,
    /// None where a term is not finite, or there is none.
    gradients: Option<Gradients>,
    forward: Duration,
}

impl Half {
    fn of(losses: impl FnOnce() -> LossTerms, objective: &LossConfig) -> Result<Self, TrainError> {
        let started = Instant::now();
        let losses = losses();
        let terms = losses.values()?;
        let forward = started.elapsed();
        let total = losses.total(&objective.weights).filter(|_| first_bad(&terms).is_none());
        drop(losses);
        Ok(Self { gradients: total.map(|total| total.backward()), terms, forward })
    }
}

fn no_term() -> TrainError {
    TrainError::BadSettings(vec!["no term of the objective can be computed".into()])
}

fn first_bad(terms: &[(Term, f32)]) -> Option<Skip> {
    let bad = terms.iter().find(|(_, value)| !value.is_finite());
    bad.map(|&(term, value)| Skip::Term { term: term.name(), value })
}

fn weighted(terms: &[(Term, f32)], objective: &LossConfig) -> f32 {
    terms.iter().map(|(term, value)| term.weight(&objective.weights) * value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunConfig;
    use crate::feed::{Fresh, batch_of};
    use crate::trainer::fresh_model;

    #[test]
    fn both_halves_together_are_the_whole() -> Result<(), TrainError> {
        let mut config = RunConfig::preset("cpu-64")?;
        config.train.batch = 3;
        let device = genvp_model::DeviceChoice::Cpu.open().expect("there is a CPU").0.autodiff();
        let feed = Fresh::new(&config.train.feed, 5)?;
        let batch = batch_of(&feed, 0, config.feed_shape())?.into_data();
        let batch = PuzzleBatch::new(&config.model.batch_shape(), batch, &device)?;
        let (_, objective) = config.train.phase(0);
        let model = fresh_model(&config, &device)?;
        let (slots, before) = parameters::read(&model)?;
        let (one, other) = (parameters::twin(&model), parameters::twin(&model));
        assert!(model.losses_split(&batch, objective));

        let mut whole = vec![0.0; slots.len()];
        let all = Half::of(|| model.losses(&batch, objective, &mut Noise::mean()), objective)?;
        let statistics = parameters::read_gradients(&model, all.gradients, &mut whole)?;

        let mut sum = vec![0.0; slots.len()];
        let half = |model: &AnyModel, part| {
            Half::of(|| model.losses_of(part, &batch, objective, &mut Noise::mean()), objective)
        };
        let supervised = half(&one, LossPart::SupervisedLatents)?;
        let pixels = half(&other, LossPart::FromPixels)?;
        let moved = parameters::read_gradients(&one, supervised.gradients, &mut sum)?;
        let also = parameters::add_gradients(&other, pixels.gradients, &mut sum)?;
        let moved = parameters::join_statistics(&slots, moved, &also, &before);

        let mut terms = [supervised.terms, pixels.terms].concat();
        terms.sort_by_key(|(term, _)| *term);
        assert_eq!(terms.len(), all.terms.len());
        for ((term, a), (same, b)) in terms.iter().zip(&all.terms) {
            assert_eq!(term, same);
            assert!((a - b).abs() <= 1e-4 * b.abs(), "{}: {a} and {b}", term.name());
        }
        for slot in slots.iter().filter(|slot| slot.trained) {
            let (a, b) = (&sum[slot.range.clone()], &whole[slot.range.clone()]);
            let size = b.iter().fold(1e-3f32, |most, x| most.max(x.abs()));
            let apart = a.iter().zip(b).fold(0f32, |most, (a, b)| most.max((a - b).abs()));
            assert!(apart <= 1e-3 * size, "{}: {apart} of {size}", slot.name);
        }
        // A statistic that both halves move is moved twice in the whole, from where the first left it.
        let apart = |(a, b): (&f32, &f32)| (a - b).abs() / (1.0 + b.abs());
        let apart = moved.iter().zip(&statistics).map(apart).fold(0f32, f32::max);
        assert!(apart < 0.02, "statistics differ by {apart}");
        Ok(())
    }

    #[test]
    fn an_empty_half_does_not_stop_the_other() -> Result<(), TrainError> {
        let mut config = RunConfig::preset("cpu-64")?;
        config.train.batch = 2;
        let loss = &mut config.train.loss;
        // Only the reconstruction is left, which needs no panel to be read.
        loss.contrast = genvp_model::Contrast::None;
        loss.weights.supervised = 0.0;
        loss.weights.z_irrelevant = 0.0;
        loss.weights.z_o = 0.0;
        loss.weights.z_r = 0.0;
        loss.weights.values = 0.0;
        let device = genvp_model::DeviceChoice::Cpu.open().expect("there is a CPU").0.autodiff();
        let feed = Fresh::new(&config.train.feed, 5)?;
        let batch = batch_of(&feed, 0, config.feed_shape())?;
        let mut learner = Learner::new(fresh_model(&config, &device)?, device)?;
        let report = learner.learn(batch, &config.train)?;
        assert_eq!(report.terms.len(), 1);
        assert!(report.skipped.is_none() && report.norm.is_some_and(|norm| norm > 0.0));
        Ok(())
    }
}
