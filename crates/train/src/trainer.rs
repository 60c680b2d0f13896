//! A run from its first step, or its last checkpoint, to its end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use burn::tensor::Device;
use genvp_model::{AnyModel, CodebookFit};
use genvp_puzzle::family::Split;

use crate::callback::TrainCallback;
use crate::checkpoint::{self, Best, Progress};
use crate::codebook;
use crate::collapse;
use crate::config::RunConfig;
use crate::error::TrainError;
use crate::events::EventFile;
use crate::feed::{
    Feed, FeedShape, Fresh, Regimes, SelfLabelled, Source, Stored, StoredRelations, Supervision,
};
use crate::metrics::{Line, MetricsFile, Steps};
use crate::pictures;
use crate::run_folder::RunFolder;
use crate::runs::Runs;
use crate::seeds::Seeds;
use crate::step::{Learner, StepReport};
use crate::stop::Stop;
use crate::validate::{Exam, Validation};

/// What a run is asked for besides its settings; none of it changes what is learned.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The run folder.
    pub out: PathBuf,
    /// Whether to go on with the run in it.
    pub resume: bool,
    /// Weights, or a checkpoint, to start a new run from.
    pub init_from: Option<PathBuf>,
    /// Stops after so long; the schedule does not know.
    pub time: Option<Duration>,
    /// Threads that make puzzles.
    pub feed_threads: usize,
    /// Batches that each of them makes ahead.
    pub feed_ahead: usize,
    /// How to ask the run to stop.
    pub stop: Stop,
    /// What computes, without autodiff.
    pub device: Device,
}

impl RunOptions {
    /// A new run in a folder, to its end.
    pub fn new(out: &Path, device: Device) -> Self {
        Self {
            out: out.to_owned(),
            resume: false,
            init_from: None,
            time: None,
            feed_threads: 1,
            feed_ahead: 3,
            stop: Stop::new(),
            device,
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All puzzles were learned from.
    Finished,
    /// The time was up.
    OutOfTime,
    /// It was asked to stop.
    Asked,
}

/// What a run has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Steps made, over all sessions.
    pub step: u64,
    /// The best examination.
    pub best: Option<Best>,
    /// The newest checkpoint.
    pub latest: PathBuf,
    /// Updates skipped.
    pub skipped: u64,
}

/// A fresh model whose weights are a function of the seed.
///
/// # Errors
/// When it cannot be built.
pub fn fresh_model(config: &RunConfig, device: &Device) -> Result<AnyModel, TrainError> {
    config
        .model
        .init_seeded(config.train.seed, device)
        .map_err(|e| TrainError::BadSettings(e.problems))
}

/// Trains on fresh puzzles, or on those of the dataset that the settings name.
///
/// # Errors
/// When the settings make no sense, the folder cannot be used, or training fails.
pub fn run(
    config: &RunConfig,
    options: &RunOptions,
    watch: &mut dyn TrainCallback,
) -> Result<Outcome, TrainError> {
    config.check()?;
    let (feed, seed) = (&config.train.feed, config.train.seed);
    let folder = Some(Path::new(&feed.data)).filter(|_| !feed.data.is_empty());
    let source: Arc<dyn Source> = match (config.family(), folder) {
        (Some(family), None) if !family.has_layouts() => {
            Arc::new(Regimes::new(family, feed, seed)?)
        }
        (Some(family), Some(folder)) if !family.has_layouts() => {
            Arc::new(StoredRelations::open(folder, family, feed, seed)?)
        }
        (_, None) => Arc::new(Fresh::new(feed, seed)?),
        (_, Some(folder)) => {
            let layouts = feed.layouts.used();
            Arc::new(Stored::open(folder, &layouts, &feed.augment, config.supervision(), seed)?)
        }
    };
    run_on(source, config, options, watch)
}

/// Trains on the puzzles of any source.
///
/// # Errors
/// As [`run`].
pub fn run_on(
    source: Arc<dyn Source>,
    config: &RunConfig,
    options: &RunOptions,
    watch: &mut dyn TrainCallback,
) -> Result<Outcome, TrainError> {
    config.check()?;
    let folder = if options.resume {
        RunFolder::resume(&options.out, config)?
    } else {
        RunFolder::create(&options.out, config)?
    };
    Session::open(folder, source, config, options)?.go(watch)
}

/// A learner before its first step, whose tensors learn as the settings say.
fn new_learner(config: &RunConfig, options: &RunOptions) -> Result<Learner, TrainError> {
    let device = options.device.clone().autodiff();
    let model = fresh_model(config, &device)?;
    let mut learner = Learner::new(model, device)?;
    let unknown = config.train.unknown_parts(learner.slots());
    if !unknown.is_empty() {
        return Err(TrainError::BadSettings(vec![format!(
            "train.only and train.fresh name parts of the model; there is no {}",
            unknown.join(", ")
        )]));
    }
    learner.teach_only(|name| config.train.teaches(name));
    Ok(learner)
}

/// The puzzles of a source as the settings want them, and the shape of their batches: as they are,
/// or labelled by the model.
fn labelled(
    source: Arc<dyn Source>,
    learner: &Learner,
    config: &RunConfig,
    device: &Device,
) -> Result<(Arc<dyn Source>, FeedShape), TrainError> {
    let (shape, count) = (config.feed_shape(), config.train.feed.self_labelled);
    match learner.averaged() {
        AnyModel::Genvp(model) if count > 0 => {
            let source = SelfLabelled::new(&model, &*source, count, config, device)?;
            let shape = source.shape(shape);
            Ok((Arc::new(source), shape))
        }
        _ => Ok((source, shape)),
    }
}

/// What a run owes to those from whose weights it began.
#[derive(Clone, Debug, Default)]
struct Earlier {
    seeds: Seeds,
    supervision: Option<Supervision>,
    runs: Runs,
}

/// Where a session begins.
struct Start {
    learner: Learner,
    codebook: Option<CodebookFit>,
    best: Option<Best>,
    earlier: Earlier,
    latest: PathBuf,
}

impl Start {
    /// Where the last session of the same run was left.
    fn from_checkpoint(
        learner: Learner,
        path: PathBuf,
        config: &RunConfig,
        options: &RunOptions,
    ) -> Result<Self, TrainError> {
        let (progress, bytes) = checkpoint::read_progress(&path)?;
        let differences = progress.config.differences(config);
        if !differences.is_empty() {
            return Err(TrainError::OtherSettings { folder: options.out.clone(), differences });
        }
        let state = checkpoint::read_state(&path, &bytes, learner.slots())?;
        let learner = learner.restore(state, progress.guard, progress.step);
        let earlier = Earlier {
            seeds: progress.earlier,
            supervision: progress.earlier_supervision,
            runs: progress.earlier_runs,
        };
        Ok(Self { learner, codebook: None, best: progress.best, earlier, latest: path })
    }

    /// At the first step, from fresh or other weights.
    fn anew(
        learner: Learner,
        source: &dyn Source,
        folder: &RunFolder,
        config: &RunConfig,
        options: &RunOptions,
    ) -> Result<Self, TrainError> {
        let (learner, mut earlier) = match &options.init_from {
            Some(path) => start_from(learner, path, config)?,
            None => (learner, Earlier::default()),
        };
        let (learner, codebook) = codebook::filled(learner, source, config, &options.device)?;
        if !config.train.feed.data.is_empty() {
            // The dataset may be gone when its seed is asked for.
            earlier.seeds = earlier.seeds.with(&Seeds::of_run(config));
        }
        // A run that is killed before its first checkpoint can still be resumed.
        let progress = Progress {
            step: 0,
            guard: learner.guard.clone(),
            best: None,
            config: config.clone(),
            earlier: earlier.seeds.clone(),
            earlier_supervision: earlier.supervision,
            earlier_runs: earlier.runs.clone(),
        };
        let latest = folder.keep(learner.slots(), &learner.state, &progress, false)?;
        Ok(Self { learner, codebook, best: None, earlier, latest })
    }
}

/// One session of a run.
struct Session<'a> {
    config: &'a RunConfig,
    options: &'a RunOptions,
    folder: RunFolder,
    learner: Learner,
    codebook: Option<CodebookFit>,
    feed: Feed,
    exam: Exam,
    metrics: MetricsFile,
    events: EventFile,
    best: Option<Best>,
    earlier: Earlier,
    latest: PathBuf,
    kept_step: u64,
    kept_at: Instant,
    started: Instant,
    seconds_before: f64,
    sums: Sums,
}

impl<'a> Session<'a> {
    fn open(
        folder: RunFolder,
        source: Arc<dyn Source>,
        config: &'a RunConfig,
        options: &'a RunOptions,
    ) -> Result<Self, TrainError> {
        let learner = new_learner(config, options)?;
        let Start { learner, codebook, best, earlier, latest } = if options.resume {
            let nothing = || TrainError::NothingToResume { folder: options.out.clone() };
            let path = folder.latest().ok_or_else(nothing)?;
            Start::from_checkpoint(learner, path, config, options)?
        } else {
            Start::anew(learner, &*source, &folder, config, options)?
        };
        let (metrics, seconds_before) = MetricsFile::open(folder.path(), learner.step)?;
        let events = EventFile::create(folder.path(), clock())?;
        let train = &config.train;
        let layouts = train.feed.layouts.used();
        let exam = match (config.family(), config.stored_validation()) {
            (Some(family), _) if !family.has_layouts() => {
                let specs = train.feed.specs(family, Split::Val)?;
                Exam::of_specs(family, &specs, &train.validation)?
            }
            (_, Some(folder)) => Exam::stored(folder, &train.validation, &layouts)?,
            (_, None) => Exam::new(&train.validation, &layouts)?,
        };
        let (source, shape) = labelled(source, &learner, config, &options.device)?;
        let feed =
            Feed::start(source, learner.step, shape, options.feed_threads, options.feed_ahead);
        let (now, kept_step) = (Instant::now(), learner.step);
        Ok(Self {
            config,
            options,
            folder,
            learner,
            codebook,
            feed,
            exam,
            metrics,
            events,
            best,
            earlier,
            latest,
            kept_step,
            kept_at: now,
            started: now,
            seconds_before,
            sums: Sums::default(),
        })
    }

    fn go(mut self, watch: &mut dyn TrainCallback) -> Result<Outcome, TrainError> {
        let train = &self.config.train;
        let steps = train.steps();
        watch.started(self.learner.step, steps, train.batch);
        self.codebook.iter().for_each(|found| watch.found_values(found));
        let mut end = End::Finished;
        while self.learner.step < steps {
            if self.options.stop.is_asked() {
                end = End::Asked;
                break;
            }
            if self.options.time.is_some_and(|time| self.started.elapsed() >= time) {
                end = End::OutOfTime;
                break;
            }
            self.step(watch)?;
            let step = self.learner.step;
            let done = |step: u64| step * train.batch as u64 / train.validation.every;
            let mut is_best = false;
            let examine = done(step) > done(step - 1) || step == steps;
            if examine {
                is_best = self.examine(watch)?;
            }
            let due = self.kept_at.elapsed().as_secs_f64() > 60.0 * train.keep.checkpoint_minutes;
            if is_best || due || step == steps {
                self.keep(is_best, watch)?;
            }
        }
        if self.kept_step != self.learner.step {
            self.keep(false, watch)?;
        }
        let (step, skipped) = (self.learner.step, self.learner.guard.skipped);
        Ok(Outcome { end, step, best: self.best, latest: self.latest, skipped })
    }

    fn step(&mut self, watch: &mut dyn TrainCallback) -> Result<(), TrainError> {
        let train = &self.config.train;
        let start = Instant::now();
        let batch = self.feed.next_batch()?;
        let waited = start.elapsed();
        let report = self.learner.learn(batch, train)?;
        self.sums.add(&report, waited, start.elapsed());
        watch.stepped(&report);
        let guard = &self.learner.guard;
        if guard.in_a_row >= train.guard.most_skips {
            let last = report.skipped.map(|skip| skip.to_string()).unwrap_or_default();
            let kept = Some(self.latest.clone());
            return Err(TrainError::Stuck {
                skipped: guard.in_a_row,
                last,
                step: report.step,
                kept,
            });
        }
        let step = self.learner.step;
        if step.is_multiple_of(train.keep.metrics_steps) {
            let steps =
                std::mem::take(&mut self.sums).mean(&self.learner, self.config, self.seconds());
            let mut scalars: Vec<(String, f32)> =
                steps.loss.iter().map(|(k, v)| (format!("loss/{k}"), *v)).collect();
            scalars.push(("loss/total".into(), steps.total));
            scalars.push(("train/learning_rate".into(), steps.learning_rate as f32));
            scalars.push(("train/gradient_norm".into(), steps.gradient_norm as f32));
            scalars.push(("train/puzzles_per_second".into(), steps.puzzles_per_second as f32));
            self.events.scalars(clock(), step, &scalars)?;
            watch.measured(&steps);
            self.metrics.add(&Line::Steps(steps))?;
        }
        Ok(())
    }

    /// Examines the running average of the weights; says whether it is the best so far.
    fn examine(&mut self, watch: &mut dyn TrainCallback) -> Result<bool, TrainError> {
        let (step, device) = (self.learner.step, &self.options.device);
        let model = self.learner.averaged();
        let result = self.exam.take(&model, device)?;
        let is_best = self.best.as_ref().is_none_or(|best| result.score() > best.score);
        if is_best {
            self.best = Some(Best { step, score: result.score() });
        }
        self.events.scalars(clock(), step, &scalars(&result))?;
        watch.examined(step, &result, is_best);
        let weights = &self.config.train.loss.weights;
        let encodes = self.config.train.teaches("encoder");
        let draws = weights.reconstruction > 0.0
            && self.config.model.latent().is_some_and(|latent| latent.irrelevant > 0);
        let names = weights.supervised > 0.0 && self.config.train.teaches("experts");
        let warnings = collapse::warnings(&result, names, draws && encodes);
        warnings.iter().for_each(|warning| watch.warned(step, warning));
        let puzzles = step * self.config.train.batch as u64;
        self.metrics.add(&Line::Validation { step, puzzles, seconds: self.seconds(), result })?;
        let every = self.config.train.keep.pictures_every * self.config.train.validation.every;
        if every > 0
            && model.latent_model().is_some()
            && !self.exam.examples().is_empty()
            && (step == self.config.train.steps()
                || puzzles % every < self.config.train.batch as u64)
        {
            let examples: Vec<_> = self.exam.examples().iter().collect();
            let drawn = pictures::reconstructions(&model, device, &examples)?;
            let imagined =
                pictures::imagined(&model, device, &examples, self.config.train.validation.seed)?;
            for (name, picture) in [("reconstructions", &drawn), ("imagined", &imagined)] {
                self.folder.picture(name, step, &picture.png)?;
                self.events.picture(clock(), step, name, picture.size, &picture.png)?;
            }
        }
        Ok(is_best)
    }

    fn keep(&mut self, is_best: bool, watch: &mut dyn TrainCallback) -> Result<(), TrainError> {
        let progress = Progress {
            step: self.learner.step,
            guard: self.learner.guard.clone(),
            best: self.best.clone(),
            config: self.config.clone(),
            earlier: self.earlier.seeds.clone(),
            earlier_supervision: self.earlier.supervision,
            earlier_runs: self.earlier.runs.clone(),
        };
        self.latest =
            self.folder.keep(self.learner.slots(), &self.learner.state, &progress, is_best)?;
        (self.kept_step, self.kept_at) = (self.learner.step, Instant::now());
        watch.kept(&self.latest);
        Ok(())
    }

    fn seconds(&self) -> f64 {
        self.seconds_before + self.started.elapsed().as_secs_f64()
    }
}

/// Takes over the weights of a file and what they owe to earlier runs: a weights file, or the
/// running average of a checkpoint.
fn start_from(
    learner: Learner,
    path: &Path,
    config: &RunConfig,
) -> Result<(Learner, Earlier), TrainError> {
    let train = &config.train;
    let bytes = std::fs::read(path).map_err(|source| TrainError::file("read", path, source))?;
    let progress = checkpoint::read_progress(path).map(|(progress, _)| progress);
    let earlier = match &progress {
        Ok(progress) => Earlier {
            seeds: progress.seeds(),
            supervision: Some(progress.supervision()),
            runs: progress.runs(),
        },
        Err(_) => {
            // Weights that say nothing about themselves are taken as they are.
            let header = genvp_model::read_header(&bytes);
            let (card, model) = header.map_or_else(
                |_| (serde_json::Value::Null, config.model.clone()),
                |header| (header.card, header.config),
            );
            let supervision = Supervision::of_card(&card, &model);
            Earlier {
                seeds: Seeds::of_card(&card),
                supervision: Some(supervision),
                runs: Runs::of_card(&card),
            }
        }
    };
    let values = match progress {
        _ if !train.fresh.is_empty() => {
            let anew = |name: &str| train.starts_anew(name);
            let values = learner.state.values.clone();
            checkpoint::adopt(path, &bytes, learner.slots(), values, anew)?
        }
        Ok(_) => checkpoint::read_state(path, &bytes, learner.slots())?.average,
        Err(_) => {
            let model = learner.averaged().load_bytes(&bytes);
            let model =
                model.map_err(|source| TrainError::Weights { path: path.to_owned(), source })?;
            crate::parameters::read(&model)?.1
        }
    };
    let state = crate::adamw::State::new(values);
    Ok((learner.restore(state, crate::guard::Guard::default(), 0), earlier))
}

/// Seconds since 1970, for TensorBoard.
fn clock() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
}

fn scalars(result: &Validation) -> Vec<(String, f32)> {
    if !result.regimes.is_empty() {
        let own = result.regimes.iter().flat_map(|(name, own)| {
            [
                (format!("answers/{name}"), own.answers.percent as f32),
                (format!("majority/{name}"), own.majority as f32),
                (format!("rules/{name}"), own.rules.percent as f32),
            ]
        });
        let means = [
            ("validation/answers".to_owned(), result.score() as f32),
            ("validation/rules".to_owned(), result.rules as f32),
        ];
        return means.into_iter().chain(own).collect();
    }
    let mut scalars = vec![
        ("validation/rules".to_owned(), result.rules as f32),
        ("validation/squared_error".to_owned(), result.squared_error as f32),
        ("validation/kl_irrelevant".to_owned(), result.kl_irrelevant as f32),
        ("validation/rule_entropy".to_owned(), result.rule_entropy as f32),
    ];
    if !result.stored.is_empty() {
        scalars.push(("validation/answers".to_owned(), result.score() as f32));
        for (layout, own) in &result.stored {
            scalars.push((format!("answers/{layout}"), own.answers.percent as f32));
            scalars.push((format!("majority/{layout}"), own.majority as f32));
            scalars.push((format!("rules/{layout}"), own.rules.percent as f32));
        }
        return scalars;
    }
    scalars.extend([
        ("validation/raven".to_owned(), result.raven as f32),
        ("validation/iraven".to_owned(), result.iraven as f32),
        ("validation/majority_raven".to_owned(), result.majority_raven as f32),
        ("validation/majority_iraven".to_owned(), result.majority_iraven as f32),
    ]);
    for (layout, own) in &result.layouts {
        scalars.push((format!("raven/{layout}"), own.raven.percent as f32));
        scalars.push((format!("iraven/{layout}"), own.iraven.percent as f32));
        scalars.push((format!("rules/{layout}"), own.rules.percent as f32));
    }
    scalars
}

/// What steps add up to between two lines of metrics.
#[derive(Debug, Default)]
struct Sums {
    terms: BTreeMap<&'static str, f64>,
    total: f64,
    norm: f64,
    steps: f64,
    trusted: f64,
    rate: f64,
    waited: Duration,
    passed: Duration,
}

impl Sums {
    fn add(&mut self, report: &StepReport, waited: Duration, passed: Duration) {
        self.waited += waited;
        self.passed += passed;
        self.rate = report.rate;
        self.steps += 1.0;
        if report.skipped.is_some() {
            return;
        }
        self.trusted += 1.0;
        self.total += f64::from(report.total);
        self.norm += report.norm.unwrap_or_default();
        for (term, value) in &report.terms {
            *self.terms.entry(term.name()).or_default() += f64::from(*value);
        }
    }

    fn mean(self, learner: &Learner, config: &RunConfig, seconds: f64) -> Steps {
        let (n, batch) = (self.trusted.max(1.0), config.train.batch as u64);
        let passed = self.passed.as_secs_f64().max(1e-9);
        Steps {
            step: learner.step,
            puzzles: learner.step * batch,
            seconds,
            phase: config.train.phase(learner.step.saturating_sub(1)).0.to_owned(),
            learning_rate: self.rate,
            loss: self
                .terms
                .iter()
                .map(|(name, sum)| ((*name).to_owned(), (sum / n) as f32))
                .collect(),
            total: (self.total / n) as f32,
            gradient_norm: self.norm / n,
            skipped: learner.guard.skipped,
            puzzles_per_second: self.steps * batch as f64 / passed,
            waiting_percent: 100.0 * self.waited.as_secs_f64() / passed,
        }
    }
}
