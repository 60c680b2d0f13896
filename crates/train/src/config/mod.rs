//! Every setting of a run: the model and how it is taught.

mod overrides;
mod schedule;

pub use overrides::apply_setting;
pub use schedule::{Schedule, ScheduleKind};

use std::collections::BTreeMap;
use std::path::Path;

use genvp_model::{Contrast, LossConfig, LossWeights, ModelConfig, Preset, PuzzleConfig, Term};
use genvp_puzzle::Layout;
use genvp_puzzle::family::{Family, families};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::vad::Vad;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::TrainError;
use crate::feed::{FeedConfig, FeedShape, SceneCodes, Supervision, irrelevant};
use crate::parameters::ParameterLayout;

/// Every setting of a run, as `config.toml` keeps them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// The preset it started from.
    pub preset: String,
    /// The model.
    pub model: ModelConfig,
    /// How it is taught.
    pub train: TrainConfig,
}

/// How a model is taught.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainConfig {
    /// Puzzles in a step.
    pub batch: usize,
    /// Puzzles in all; the schedule runs over them.
    pub puzzles: u64,
    /// The seed of weights, puzzles and noise.
    pub seed: u64,
    /// The highest learning rate.
    pub learning_rate: f64,
    /// How the learning rate goes on after it has been reached.
    pub schedule: ScheduleKind,
    /// Steps in which the learning rate rises from 0.
    pub warmup_steps: u64,
    /// What is left of the learning rate at the end.
    pub final_share: f64,
    /// How fast weights (not biases and norms) decay, times the learning rate.
    pub weight_decay: f64,
    /// How slowly AdamW's two moments forget.
    pub betas: [f64; 2],
    /// Keeps AdamW's divisor away from 0.
    pub epsilon: f64,
    /// Gradients longer than this are cut to it.
    pub gradient_clip: f64,
    /// Decay of the moving average (EMA) of the weights; the EMA is what is exported.
    pub ema_decay: f64,
    /// The parts of the model that learn, by the beginnings of their names (`decoder`,
    /// `writer`, `experts.z_r_prior`); empty: all. The others stay as they are.
    pub only: Vec<String>,
    /// The parts that start anew in a run that begins from other weights, which may
    /// have others in their place or none; named as in `only`.
    pub fresh: Vec<String>,
    /// The objective.
    pub loss: LossConfig,
    /// A first phase with an objective of its own.
    pub warm_up: WarmUpConfig,
    /// What to learn from.
    pub feed: FeedConfig,
    /// When an update is not trusted.
    pub guard: GuardConfig,
    /// How the model is examined.
    pub validation: ValidationConfig,
    /// What is kept on disk, and when.
    pub keep: KeepConfig,
}

impl Default for TrainConfig {
    fn default() -> Self {
        Self {
            batch: 32,
            puzzles: 2_000_000,
            seed: 1,
            learning_rate: 2e-3,
            schedule: ScheduleKind::Cosine,
            warmup_steps: 100,
            final_share: 0.02,
            weight_decay: 0.01,
            betas: [0.9, 0.999],
            epsilon: 1e-8,
            gradient_clip: 100.0,
            ema_decay: 0.999,
            only: Vec::new(),
            fresh: Vec::new(),
            loss: LossConfig::default(),
            warm_up: WarmUpConfig::default(),
            feed: FeedConfig::default(),
            guard: GuardConfig::default(),
            validation: ValidationConfig::default(),
            keep: KeepConfig::default(),
        }
    }
}

/// The paper's first phase: ELBO and supervision, no contrast.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WarmUpConfig {
    /// Puzzles in this phase; 0: there is none.
    pub puzzles: u64,
    /// Its objective.
    pub loss: LossConfig,
}

/// When an update is not trusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GuardConfig {
    /// A gradient this many times longer than usual is an explosion.
    pub explosion: f64,
    /// After so many skipped updates in a row the run stops.
    pub most_skips: u64,
}

impl Default for GuardConfig {
    fn default() -> Self {
        Self { explosion: 100.0, most_skips: 20 }
    }
}

/// How the model is examined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ValidationConfig {
    /// Where the examination's puzzles come from.
    pub source: ValidationSource,
    /// The seed of the examination's fresh puzzles, kept apart from the training's.
    pub seed: u64,
    /// Puzzles of every layout and kind of wrong choices; of a stored split, at most so many of
    /// every layout.
    pub puzzles: u64,
    /// Puzzles learned from between two examinations.
    pub every: u64,
}

impl Default for ValidationConfig {
    fn default() -> Self {
        Self {
            source: ValidationSource::default(),
            seed: 1_000_000_007,
            puzzles: 100,
            every: 32_000,
        }
    }
}

/// Where the puzzles of an examination come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValidationSource {
    /// As those that are learned from: stored for puzzles of RAVEN in `train.feed.data`, else fresh.
    #[default]
    Auto,
    /// The engine draws them.
    Fresh,
    /// The validation split of `train.feed.data`.
    Stored,
}

/// What is kept on disk, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KeepConfig {
    /// Minutes between two checkpoints.
    pub checkpoint_minutes: f64,
    /// Steps between two lines of metrics.
    pub metrics_steps: u64,
    /// Examinations between two sets of pictures; 0: none.
    pub pictures_every: u64,
}

impl Default for KeepConfig {
    fn default() -> Self {
        Self { checkpoint_minutes: 3.0, metrics_steps: 20, pictures_every: 5 }
    }
}

impl RunConfig {
    /// The settings of a preset.
    ///
    /// # Errors
    /// When there is no such preset, or its settings cannot be read.
    pub fn preset(name: &str) -> Result<Self, TrainError> {
        Self::of(Preset::named(name)?)
    }

    /// The settings of a preset that is at hand.
    ///
    /// # Errors
    /// When its training settings cannot be read.
    pub fn of(preset: Preset) -> Result<Self, TrainError> {
        let origin = format!("the preset `{}`", preset.name);
        let train = preset.train.try_into::<TrainConfig>();
        let train = train.map_err(|e| TrainError::Settings { origin, message: e.to_string() })?;
        Ok(Self { preset: preset.name, model: preset.model, train })
    }

    /// Lays the settings of a file over these.
    ///
    /// # Errors
    /// When the file cannot be read or names a setting that does not exist.
    pub fn with_file(&self, path: &Path) -> Result<Self, TrainError> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|source| TrainError::file("read", path, source))?;
        let settings =
            |message: String| TrainError::Settings { origin: path.display().to_string(), message };
        let table: toml::Table = toml::from_str(&text).map_err(|e| settings(e.to_string()))?;
        overrides::lay_over(self, table, &path.display().to_string())
    }

    /// Sets one setting by text, `train.batch=64`.
    ///
    /// # Errors
    /// When there is no such setting, or the value does not fit.
    pub fn with_setting(&self, text: &str) -> Result<Self, TrainError> {
        apply_setting(self, text)
    }

    /// Checks that training can start with these.
    ///
    /// # Errors
    /// With everything that makes no sense.
    pub fn check(&self) -> Result<(), TrainError> {
        let mut problems = Vec::new();
        if let Err(error) = self.model.check() {
            problems.extend(error.problems);
        }
        let layouts = Layout::ALL.len();
        match self.family() {
            Some(family) => problems.extend(self.train.feed.problems_of_family(family)),
            None => {
                let known = families().iter().map(|&family| PuzzleConfig::of(family).to_string());
                problems.push(format!("there are fresh puzzles of {} (of the first also with more attributes and rules, which never occur, unless the experts are \"slots\", and with {layouts} layouts or none)", known.collect::<Vec<_>>().join("; ")));
            }
        }
        if self.train.loss.symbolic_only && self.model.batch_shape().codes.is_none() {
            problems.push(
                "train.loss.symbolic_only needs a model that can be told what panels show ([model.values], or the relations architecture)"
                    .into(),
            );
        }
        if self.model.values().is_some() && SceneCodes::of(&self.model).is_none() {
            problems.push(format!("[model.values] cannot hold RAVEN's values: these need two components, each with groups of 9 places, 5 named, 6 ordered and 10 ordered values, and {layouts} layouts or none"));
        }
        if !self.train.feed.warp.is_off() {
            let (shape, weights) = (self.feed_shape(), &self.train.loss.weights);
            if shape.side == 0 {
                problems.push("train.feed.warp changes pixels, and none are looked at".into());
            }
            if shape.irrelevant > 0 && (weights.reconstruction > 0.0 || weights.z_irrelevant > 0.0)
            {
                problems.push("train.feed.warp turns objects, and Z_o-bar is told how they were turned: set train.feed.learned_irrelevant, or the weights of reconstruction and z_irrelevant to 0".into());
            }
        }
        let of_raven = self.family().is_none_or(Family::has_layouts);
        if self.train.validation.source == ValidationSource::Stored
            && (self.train.feed.data.is_empty() || !of_raven)
        {
            problems.push("train.validation.source is \"stored\" only where puzzles of RAVEN are learned from a folder (train.feed.data)".into());
        }
        if self.train.feed.self_labelled > 0 && !self.learns_from_own_labels() {
            problems.push("train.feed.self_labelled is for models that imagine by values of their own ([model.imagination]), in runs that learn z_o alone".into());
        }
        problems.extend(self.absent_terms());
        problems.extend(self.label_problems());
        problems.extend(self.train.problems());
        if problems.is_empty() { Ok(()) } else { Err(TrainError::BadSettings(problems)) }
    }

    /// Whether all that is learned is learned from the values that the model finds itself.
    fn learns_from_own_labels(&self) -> bool {
        let imagines =
            matches!(&self.model, ModelConfig::Genvp(model) if model.imagination.is_some());
        let z_o_alone = |loss: &LossConfig| {
            self.model.terms().into_iter().all(|term| loss.wants(term) == (term == Term::ZO))
        };
        imagines && self.train.losses().all(z_o_alone)
    }

    /// Weights that were set for terms which the model does not have.
    fn absent_terms(&self) -> Vec<String> {
        let (terms, paper) = (self.model.terms(), LossWeights::default());
        let mut absent = Term::ALL.to_vec();
        absent.retain(|term| {
            let set = |loss: &LossConfig| {
                ![0.0, term.weight(&paper)].contains(&term.weight(&loss.weights))
            };
            !terms.contains(term) && self.train.losses().any(set)
        });
        let architecture = self.model.architecture();
        let sentence = |term: Term| {
            format!(
                "loss.weights.{}: a model of the kind {architecture} has no such term",
                term.name()
            )
        };
        absent.into_iter().map(sentence).collect()
    }

    /// The family of puzzles that the model is for.
    pub fn family(&self) -> Option<&'static dyn Family> {
        let p = self.model.puzzle();
        if ![0, Layout::ALL.len()].contains(&p.layouts) {
            return None;
        }
        // Rows and columns of RAVEN's matrix may be followed by some that never occur.
        let padded = self.model.networks().is_some_and(|n| n.experts.allows_unused_rules());
        let raven: Option<&'static dyn Family> =
            (padded && p.check_holds(&Raven).is_ok()).then_some(&Raven);
        p.family().or(raven)
    }

    /// What the model is taught with.
    pub fn supervision(&self) -> Supervision {
        let train = &self.train;
        let labelled = || train.losses().filter(|loss| !loss.rule_free);
        let told = |loss: &LossConfig| loss.symbolic_only || loss.weights.values > 0.0;
        let can_be_told = self.model.batch_shape().codes.is_some();
        if labelled().next().is_none() {
            Supervision::Answers
        } else if self.model.values().is_some() || can_be_told && labelled().any(told) {
            Supervision::Values
        } else {
            Supervision::Rules
        }
    }

    /// Settings of a rule-free run that need more than images and answers.
    fn label_problems(&self) -> Vec<String> {
        let (train, model) = (&self.train, &self.model);
        if !train.loss.rule_free {
            return Vec::new();
        }
        let warm_up = train.warm_up.puzzles > 0;
        let mut needs = vec![
            (model.values().is_some(), "[model.values]: its codes are the true values of panels"),
            (model.puzzle().layouts > 0, "model.puzzle.layouts above 0: the layout is told"),
            (!train.feed.augment.is_off(), "train.feed.augment: it keeps rules that it must know"),
            (!train.feed.held_out.is_empty(), "train.feed.held_out: it chooses puzzles by rules"),
            (warm_up && !train.warm_up.loss.rule_free, "a train.warm_up that is not rule_free"),
        ];
        for loss in train.losses().filter(|loss| loss.rule_free) {
            needs.extend([
                (loss.contrast != Contrast::None, "loss.contrast other than \"none\": it needs R⁻"),
                (loss.weights.supervised > 0.0, "loss.weights.supervised above 0: it needs R"),
                (loss.weights.values > 0.0, "loss.weights.values above 0: it needs true values"),
                (loss.symbolic_only, "loss.symbolic_only: it needs true values"),
            ]);
        }
        let sentence = |(_, what): (bool, &str)| {
            format!(
                "train.loss.rule_free learns from images and answers only, which rules out {what}"
            )
        };
        needs.into_iter().filter(|(needed, _)| *needed).map(sentence).collect()
    }

    /// The folder whose validation split examines the model; `None` for fresh puzzles.
    pub fn stored_validation(&self) -> Option<&Path> {
        let data = &self.train.feed.data;
        let of_raven = self.family().is_some_and(Family::has_layouts);
        let is_stored = match self.train.validation.source {
            ValidationSource::Auto => of_raven && !data.is_empty(),
            ValidationSource::Fresh => false,
            ValidationSource::Stored => true,
        };
        is_stored.then(|| Path::new(data))
    }

    /// What a step is fed with: only what its terms need.
    pub fn feed_shape(&self) -> FeedShape {
        // A shorter Z_o-bar has no room for what is known of it: it is learned.
        let width = self.model.latent().map_or(0, |latent| latent.irrelevant);
        let supervision = self.supervision();
        let supervised = supervision == Supervision::Values
            && width >= irrelevant::WIDTH
            && !self.train.feed.learned_irrelevant;
        let shape = self.model.batch_shape();
        let pixels = self.train.losses().any(|loss| self.model.needs_pixels(loss));
        let side = shape.size.filter(|_| pixels).unwrap_or(0);
        let family = self.family().unwrap_or(&Raven);
        let own = FeedShape::of_family(family, self.train.batch, side, supervision);
        FeedShape {
            resize: shape.resize,
            attributes: self.model.puzzle().attributes,
            codes: SceneCodes::of(&self.model),
            family_codes: shape.codes.map_or(0, |_| family.code_width()),
            irrelevant: if supervised { width } else { 0 },
            // A file of VAD records one of two attributes.
            partly_known: self.model.learns_from_partial_rules()
                && family.id() == Vad.id()
                && !self.train.feed.data.is_empty(),
            ..own
        }
    }

    /// As `config.toml` has it.
    ///
    /// # Errors
    /// When a value cannot be written.
    pub fn to_toml(&self) -> Result<String, TrainError> {
        let settings = |e: toml::ser::Error| TrainError::Settings {
            origin: "config.toml".into(),
            message: e.to_string(),
        };
        toml::to_string(self).map_err(settings)
    }

    /// Every setting by its full name.
    pub fn flat(&self) -> BTreeMap<String, String> {
        let mut settings = BTreeMap::new();
        flatten("", &serde_json::to_value(self).unwrap_or_default(), &mut settings);
        settings
    }

    /// A digest of all settings.
    pub fn hash(&self) -> String {
        let mut digest = Sha256::new();
        for (name, value) in self.flat() {
            digest.update(format!("{name}={value}\n"));
        }
        digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Every setting in which these differ from `other`, with both values.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let (own, others) = (self.flat(), other.flat());
        let names: std::collections::BTreeSet<&String> = own.keys().chain(others.keys()).collect();
        let value = |settings: &BTreeMap<String, String>, name| {
            settings.get(name).cloned().unwrap_or_else(|| "absent".into())
        };
        let differing = names.into_iter().filter(|name| own.get(*name) != others.get(*name));
        differing
            .map(|name| {
                format!("{name}: {} there, {} now", value(&own, name), value(&others, name))
            })
            .collect()
    }
}

/// Names of nested values, joined by dots.
fn flatten(name: &str, value: &serde_json::Value, settings: &mut BTreeMap<String, String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(&name, value, settings);
            }
        }
        leaf => {
            settings.insert(name.to_owned(), leaf.to_string());
        }
    }
}

impl TrainConfig {
    /// Steps in all.
    pub fn steps(&self) -> u64 {
        self.puzzles.div_ceil(self.batch.max(1) as u64)
    }

    /// The objective of a step, and the name of its phase.
    pub fn phase(&self, step: u64) -> (&'static str, &LossConfig) {
        if step * (self.batch as u64) < self.warm_up.puzzles {
            ("warm-up", &self.warm_up.loss)
        } else {
            ("contrast", &self.loss)
        }
    }

    /// The objectives of all phases.
    pub fn losses(&self) -> impl Iterator<Item = &LossConfig> {
        let warm_up = Some(&self.warm_up.loss).filter(|_| self.warm_up.puzzles > 0);
        warm_up.into_iter().chain([&self.loss])
    }

    /// Whether a tensor of this name learns.
    pub fn teaches(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| name.starts_with(part.as_str()))
    }

    /// Whether a tensor of this name starts anew.
    pub fn starts_anew(&self, name: &str) -> bool {
        self.fresh.iter().any(|part| name.starts_with(part.as_str()))
    }

    /// The parts named in the settings that no tensor belongs to.
    pub fn unknown_parts(&self, slots: &ParameterLayout) -> Vec<String> {
        let unknown = |part: &&String| !slots.iter().any(|slot| slot.name.starts_with(*part));
        self.only.iter().chain(&self.fresh).filter(unknown).cloned().collect()
    }

    /// The learning rate of a step.
    pub fn learning_rate(&self, step: u64) -> f64 {
        Schedule {
            kind: self.schedule,
            peak: self.learning_rate,
            final_share: self.final_share,
            warmup_steps: self.warmup_steps,
            steps: self.steps(),
        }
        .at(step)
    }

    /// Everything that makes no sense, one sentence each.
    fn problems(&self) -> Vec<String> {
        let mut problems = self.feed.problems();
        problems.extend(self.optimiser_problems());
        problems.extend(self.routine_problems());
        problems.extend(self.objective_problems());
        problems
    }

    /// What makes no sense about steps, rates and decays.
    fn optimiser_problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut wants = |holds: bool, sentence: String| {
            if !holds {
                problems.push(sentence);
            }
        };
        wants(
            (2..=4096).contains(&self.batch),
            format!("train.batch is 2 to 4096, not {}", self.batch),
        );
        wants(
            self.puzzles >= self.batch as u64,
            format!("train.puzzles is at least one batch, not {}", self.puzzles),
        );
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let rate = self.learning_rate;
        wants(
            positive(rate) && rate <= 1.0,
            format!("train.learning_rate lies above 0 and is at most 1, not {rate}"),
        );
        let share = self.final_share;
        wants(
            (0.0..=1.0).contains(&share),
            format!("train.final_share lies between 0 and 1, not {share}"),
        );
        let decay = self.weight_decay;
        wants(
            (0.0..=1.0).contains(&decay),
            format!("train.weight_decay lies between 0 and 1, not {decay}"),
        );
        wants(
            self.betas.iter().all(|b| (0.0..1.0).contains(b)),
            format!("train.betas lie between 0 and 1, not {:?}", self.betas),
        );
        wants(positive(self.epsilon), format!("train.epsilon lies above 0, not {}", self.epsilon));
        wants(
            positive(self.gradient_clip),
            format!("train.gradient_clip lies above 0, not {}", self.gradient_clip),
        );
        wants(
            (0.0..1.0).contains(&self.ema_decay),
            format!("train.ema_decay lies between 0 and 1, not {}", self.ema_decay),
        );
        problems
    }

    /// What makes no sense about skipped updates, examinations and what is kept.
    fn routine_problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut wants = |holds: bool, sentence: String| {
            if !holds {
                problems.push(sentence);
            }
        };
        wants(
            self.guard.explosion > 1.0,
            format!("train.guard.explosion lies above 1, not {}", self.guard.explosion),
        );
        wants(self.guard.most_skips > 0, "train.guard.most_skips is at least 1".into());
        wants(self.validation.seed != self.seed, "train.validation.seed differs from train.seed: the examination's puzzles must not be learned from".into());
        wants(self.validation.puzzles > 0, "train.validation.puzzles is at least 1".into());
        wants(
            self.validation.every >= self.batch as u64,
            "train.validation.every is at least one batch".into(),
        );
        let minutes = self.keep.checkpoint_minutes;
        wants(
            minutes.is_finite() && minutes > 0.0,
            format!("train.keep.checkpoint_minutes lies above 0, not {minutes}"),
        );
        wants(self.keep.metrics_steps > 0, "train.keep.metrics_steps is at least 1".into());
        problems
    }

    /// What makes no sense about the terms and what they are to be learned from.
    fn objective_problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut wants = |holds: bool, sentence: String| {
            if !holds {
                problems.push(sentence);
            }
        };
        for (name, loss) in [("train.loss", &self.loss), ("train.warm_up.loss", &self.warm_up.loss)]
        {
            let weights = Term::ALL.map(|term| term.weight(&loss.weights));
            wants(
                weights.iter().all(|w| w.is_finite() && *w >= 0.0),
                format!("the weights of {name} are finite and not below 0"),
            );
            wants(
                weights.iter().any(|w| *w > 0.0),
                format!("{name} needs a term with a weight above 0"),
            );
        }
        wants(
            self.warm_up.puzzles == 0 || self.warm_up.loss.contrast == Contrast::None,
            "train.warm_up.loss.contrast is \"none\": the warm-up is the phase without it".into(),
        );
        let rules = [Term::ZO, Term::ZR, Term::Supervised, Term::ContrastLocal];
        wants(
            !self.feed.free_scenes || !rules.iter().any(|&term| self.loss.wants(term)),
            "train.feed.free_scenes leaves no rule standing: only reconstruction, values and z_irrelevant can be learned from them".into(),
        );
        problems
    }
}

#[cfg(test)]
mod tests;
