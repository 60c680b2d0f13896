//! One optimisation step.

use std::time::{Duration, Instant};

use burn::tensor::Device;
use genvp_model::{Genvp, LossConfig, Noise, PuzzleBatch, Term};

use crate::adamw::{self, State, Update};
use crate::config::TrainConfig;
use crate::error::TrainError;
use crate::feed::Batch;
use crate::guard::{Guard, Skip};
use crate::parameters::{self, Places};

/// A model that is being taught, with everything that its next step depends on.
#[derive(Debug)]
pub struct Learner {
    model: Genvp,
    device: Device,
    places: Places,
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
    pub fn new(model: Genvp, device: Device) -> Result<Self, TrainError> {
        let (places, values) = parameters::read(&model)?;
        let gradients = vec![0.0; values.len()];
        Ok(Self {
            model,
            device,
            places,
            gradients,
            statistics: Vec::new(),
            state: State::new(values),
            guard: Guard::default(),
            step: 0,
        })
    }

    /// Lets only some tensors learn, by their names: the others stay as they are.
    pub fn teach_only(&mut self, learns: impl Fn(&str) -> bool) {
        self.places.teach(learns);
    }

    /// Goes on from a state that was kept.
    pub fn restore(mut self, state: State, guard: Guard, step: u64) -> Self {
        self.model = parameters::with_values(self.model, &state.values);
        Self { state, guard, step, ..self }
    }

    /// The tensors of the model.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The model with the running average of its weights, for solving: what is
    /// examined and shipped.
    pub fn averaged(&self) -> Genvp {
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
        let batch = PuzzleBatch::new(self.model.config(), batch.into_data(), &self.device)?;
        let loaded = Instant::now();
        let mut noise = Noise::seeded(noise_seed(config.seed, step));
        let losses = self.model.losses(&batch, objective, &mut noise);
        let terms = losses.values()?;
        let total = weighted(&terms, objective);
        let forward = Instant::now();
        let mut report = StepReport {
            step,
            terms,
            total,
            norm: None,
            rate,
            skipped: None,
            times: StepTimes {
                load: loaded - started,
                forward: forward - loaded,
                ..StepTimes::default()
            },
        };
        self.step += 1;
        let outcome = match (first_bad(&report.terms), losses.total(&objective.weights)) {
            (Some(skip), _) => Err(skip),
            (None, None) => {
                return Err(TrainError::BadSettings(vec![
                    "no term of the objective can be computed".into(),
                ]));
            }
            (None, Some(loss)) => {
                let gradients = loss.backward();
                drop((loss, losses));
                self.statistics =
                    parameters::read_gradients(&self.model, gradients, &mut self.gradients)?;
                for place in self.places.iter().filter(|place| !place.learns) {
                    self.gradients[place.range.clone()].fill(0.0);
                }
                report.times.backward = forward.elapsed();
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

    fn judge(&self, report: &mut StepReport, config: &TrainConfig) -> Result<f64, Skip> {
        let norm = adamw::norm(&self.gradients);
        if !norm.is_finite() {
            let bad = self.gradients.iter().position(|g| !g.is_finite());
            let tensor = bad.and_then(|index| self.places.of_index(index));
            let tensor =
                tensor.map_or_else(|| "the whole model".to_owned(), |place| place.name.clone());
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
        parameters::put_statistics(&self.places, &self.statistics, &mut self.state.values);
        self.state.update(&self.places, &self.gradients, &update);
        self.guard.made(norm);
        if self.places.iter().all(|place| place.learns) {
            self.change_model(|model, state| parameters::with_trained_values(model, &state.values));
        } else {
            // The forward pass has also moved the statistics of what does not learn.
            self.change_model(|model, state| parameters::with_values(model, &state.values));
        }
    }

    /// The forward pass has moved the running statistics; a step that is not
    /// trusted must leave no trace in them either.
    fn undo(&mut self, skip: Skip, report: &mut StepReport) {
        self.guard.skip();
        report.skipped = Some(skip);
        self.change_model(|model, state| parameters::with_values(model, &state.values));
    }

    fn change_model(&mut self, change: impl FnOnce(Genvp, &State) -> Genvp) {
        // Modules are changed by value; a clone only counts references.
        self.model = change(self.model.clone(), &self.state);
    }
}

fn first_bad(terms: &[(Term, f32)]) -> Option<Skip> {
    let bad = terms.iter().find(|(_, value)| !value.is_finite());
    bad.map(|&(term, value)| Skip::Term { term: term.name(), value })
}

fn weighted(terms: &[(Term, f32)], objective: &LossConfig) -> f32 {
    terms.iter().map(|(term, value)| term.weight(&objective.weights) * value).sum()
}
