//! A rule-free run learns from images and answers: whatever else the engine knows about its
//! puzzles, the same weights come out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod tiny;

use std::path::Path;
use std::time::Duration;

use burn::tensor::Device;
use genvp_train::export::export;
use genvp_train::feed::{Batch, ExampleMut, FeedShape, Fresh, Source, Supervision, batch_of};
use genvp_train::{Learner, NoCallback, RunConfig, TrainError, fresh_model, run};

/// The pixels of one puzzle with everything else of another: rules, R⁻, layout, values, Z_o-bar.
struct Scrambled(Fresh);

impl Source for Scrambled {
    fn fill(&self, number: u64, out: &mut ExampleMut<'_>) -> Result<(), TrainError> {
        self.0.fill(number + 1_000_003, out)?;
        let side = (out.pixels.len() / 16).isqrt();
        let mut pictures = Batch::new(FeedShape::pictures(1, side));
        self.0.fill(number, &mut pictures.examples().next().unwrap())?;
        out.pixels.copy_from_slice(&pictures.pixels);
        Ok(())
    }
}

fn fresh(config: &RunConfig) -> Fresh {
    Fresh::new(&config.train.feed, config.train.seed).unwrap()
}

/// The weights after three steps, as bits.
fn weights(config: &RunConfig, source: &dyn Source) -> Vec<u32> {
    let device = Device::flex().autodiff();
    let mut learner = Learner::new(fresh_model(config, &device).unwrap(), device).unwrap();
    for step in 0..3 {
        let batch = batch_of(source, step, config.feed_shape()).unwrap();
        let report = learner.learn(batch, &config.train).unwrap();
        assert!(report.skipped.is_none());
    }
    learner.state.values.iter().map(|value| value.to_bits()).collect()
}

fn with(settings: &[&str]) -> RunConfig {
    let set = |config: RunConfig, text: &&str| config.with_setting(text).unwrap();
    settings.iter().fold(tiny::config(), set)
}

const RULE_FREE: [&str; 7] = [
    "train.loss.rule_free=true",
    "train.loss.contrast=none",
    "train.loss.weights.supervised=0",
    "train.loss.weights.ranking=50",
    "train.loss.weights.rule_prior=0.01",
    "model.puzzle.layouts=0",
    "train.warm_up.puzzles=0",
];

#[test]
fn labels_change_nothing_in_a_rule_free_run_and_much_in_another() {
    let free = with(&RULE_FREE);
    free.check().unwrap();
    assert_eq!(weights(&free, &fresh(&free)), weights(&free, &Scrambled(fresh(&free))));
    let taught = tiny::config();
    assert_eq!(taught.supervision(), Supervision::Rules);
    assert_ne!(weights(&taught, &fresh(&taught)), weights(&taught, &Scrambled(fresh(&taught))));
}

#[test]
fn a_rule_free_batch_holds_images_and_answers_only() {
    let config = with(&RULE_FREE);
    assert_eq!(config.supervision(), Supervision::Answers);
    let batch = batch_of(&fresh(&config), 0, config.feed_shape()).unwrap();
    let Batch { pixels, rules, layouts, targets, values, irrelevant, .. } = batch;
    assert!(pixels.iter().any(|p| *p > 0.0) && targets == vec![0; config.train.batch]);
    assert!(rules.is_empty() && layouts.is_empty() && values.is_empty() && irrelevant.is_empty());
}

#[test]
fn what_needs_labels_is_refused_in_a_rule_free_run_by_name() {
    for (setting, named) in [
        ("train.loss.contrast=ce", "contrast"),
        ("train.loss.weights.supervised=1", "supervised"),
        ("train.loss.weights.values=1", "values"),
        ("train.loss.symbolic_only=true", "symbolic_only"),
        ("train.feed.augment.flip=0.5", "augment"),
        ("train.feed.held_out=[\"size=progression\"]", "held_out"),
        ("train.warm_up.puzzles=8", "train.warm_up"),
        ("model.puzzle.layouts=7", "layouts"),
    ] {
        let error = with(&RULE_FREE).with_setting(setting).unwrap().check().unwrap_err();
        let error = error.to_string();
        assert!(error.contains("rule_free") && error.contains(named), "{setting}: {error}");
    }
    let told = RunConfig::preset("cpu-64").unwrap().with_setting(RULE_FREE[0]).unwrap();
    assert!(told.check().unwrap_err().to_string().contains("[model.values]"));
}

#[test]
fn a_rule_free_run_that_began_from_labelled_weights_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let teach = |name: &str, config: &RunConfig, from: Option<&Path>| {
        let mut options = tiny::options(&at(name));
        options.init_from = from.map(Path::to_owned);
        options.time = Some(Duration::ZERO);
        run(config, &options, &mut NoCallback).unwrap();
        // Going on forgets nothing.
        (options.resume, options.init_from) = (true, None);
        run(config, &options, &mut NoCallback).unwrap().latest
    };
    let exported = |run: &str, parts: &[(&str, &str)]| {
        let parts: Vec<_> = parts.iter().map(|(part, run)| ((*part).to_owned(), at(run))).collect();
        export(&at(run), &parts, &Device::flex()).unwrap()
    };
    let supervision = |run, parts: &[(&str, &str)]| exported(run, parts).card.supervision;
    let weights = |run: &str, card: serde_json::Value| {
        let path = at(&format!("{run}.safetensors"));
        std::fs::write(&path, exported(run, &[]).model.to_bytes(card).unwrap()).unwrap();
        path
    };
    let free = with(&RULE_FREE);
    // The same tensors, taught with rules.
    let labelled = tiny::config().with_setting("model.puzzle.layouts=0").unwrap();
    let first = teach("labelled", &labelled, None);
    teach("free", &free, None);
    assert_eq!(supervision("free", &[]), Supervision::Answers);
    assert_eq!(supervision("free", &[("decoder", "labelled")]), Supervision::Rules);
    let second = teach("second", &free, Some(&first));
    teach("third", &free, Some(&second));
    assert_eq!(supervision("third", &[]), Supervision::Rules);
    // By the card of a weights file; one that does not say may have been taught with anything.
    let card = serde_json::to_value(exported("third", &[]).card).unwrap();
    for (name, source, card, expected) in [
        ("by-card", "third", card, Supervision::Rules),
        (
            "by-answers",
            "free",
            serde_json::json!({ "supervision": "answers" }),
            Supervision::Answers,
        ),
        ("unsaid", "free", serde_json::Value::Null, Supervision::Rules),
    ] {
        teach(name, &free, Some(&weights(source, card)));
        assert_eq!(supervision(name, &[]), expected, "{name}");
    }
}
