//! Parts of a model can be taught on their own, and the rest stays as it is.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use burn::tensor::Device;
use genvp_model::AnyModel;
use genvp_train::feed::{Fresh, Regimes, SelfLabelled, Source, batch_of};
use genvp_train::{Learner, RunConfig, fresh_model};

/// The shipped preset with its weights at 0 but one, teaching one part.
fn only(part: &str, term: &str, weight: f32) -> RunConfig {
    let mut config = RunConfig::preset("cpu-64").unwrap();
    for name in ["reconstruction", "z_irrelevant", "z_o", "z_r", "supervised", "values"] {
        let weight = if name == term { weight } else { 0.0 };
        config = config.with_setting(&format!("train.loss.weights.{name}={weight}")).unwrap();
    }
    let config = config.with_setting("train.loss.contrast=none").unwrap();
    let config = config.with_setting(&format!("train.only=[\"{part}\"]")).unwrap();
    let config = config.with_setting("train.batch=4").unwrap();
    config.check().unwrap();
    config
}

/// The same of a preset for PGM or VAD.
fn only_of_relations(preset: &str, part: &str, term: &str) -> RunConfig {
    let settings = [
        format!("train.only=[\"{part}\"]"),
        format!("train.loss.weights.{term}=1.0"),
        "train.loss.weights.supervised=0.0".into(),
        "train.loss.weights.contrast_local=0.0".into(),
        "train.loss.weights.values=0.0".into(),
        "train.loss.contrast=none".into(),
        "train.loss.symbolic_only=true".into(),
        "train.batch=3".into(),
        "model.size=16".into(),
    ];
    let config = RunConfig::preset(preset).unwrap();
    let config = settings.iter().fold(config, |config, own| config.with_setting(own).unwrap());
    config.check().unwrap();
    config
}

/// The names of the tensors that some steps changed, and the terms they reported.
fn changed(config: &RunConfig) -> (Vec<String>, Vec<&'static str>) {
    let device = Device::flex().autodiff();
    let mut learner = Learner::new(fresh_model(config, &device).unwrap(), device).unwrap();
    learner.teach_only(|name| config.train.teaches(name));
    let before = learner.state.clone();
    let feed: Box<dyn Source> = match config.family() {
        Some(family) if !family.has_layouts() => {
            Box::new(Regimes::new(family, &config.train.feed, 3).unwrap())
        }
        _ => Box::new(Fresh::new(&config.train.feed, 3).unwrap()),
    };
    let mut terms = Vec::new();
    for step in 0..3 {
        let batch = batch_of(&*feed, step, config.feed_shape()).unwrap();
        let report = learner.learn(batch, &config.train).unwrap();
        assert!(report.skipped.is_none(), "{:?}", report.skipped);
        terms = report.terms.iter().map(|(term, _)| term.name()).collect();
    }
    let other = |a: &[f32], b: &[f32]| a.iter().zip(b).any(|(a, b)| a.to_bits() != b.to_bits());
    let now = &learner.state;
    let slots = learner.slots().iter().filter(|slot| {
        let range = || slot.range.clone();
        other(&before.values[range()], &now.values[range()])
            || other(&before.average[range()], &now.average[range()])
    });
    (slots.map(|slot| slot.name.clone()).collect(), terms)
}

#[test]
fn the_writer_learns_from_rules_and_values_without_a_single_pixel() {
    let config = only("writer", "z_o", 1.0);
    assert_eq!(config.feed_shape().side, 0);
    let (changed, terms) = changed(&config);
    assert_eq!(terms, ["z_o"]);
    assert!(!changed.is_empty() && changed.iter().all(|n| n.starts_with("writer")), "{changed:?}");
}

#[test]
fn the_decoder_learns_from_scenes_that_no_puzzle_has_without_encoding_a_panel() {
    let config = only("decoder", "reconstruction", 20.0);
    let config = config.with_setting("train.feed.free_scenes=true").unwrap();
    config.check().unwrap();
    let (changed, terms) = changed(&config);
    assert_eq!(terms, ["reconstruction"]);
    assert!(!changed.is_empty() && changed.iter().all(|n| n.starts_with("decoder")), "{changed:?}");
    assert!(
        changed.iter().any(|name| name.contains("running")),
        "statistics learn with their part"
    );
}

#[test]
fn the_generative_half_of_models_of_pgm_and_vad_learns_alone() {
    for preset in ["pgm-cpu-64", "vad-cpu-64"] {
        for (part, term, side) in [("writer", "z_o", 0), ("decoder", "reconstruction", 16)] {
            let config = only_of_relations(preset, part, term);
            assert_eq!(config.feed_shape().side, side);
            let (changed, terms) = changed(&config);
            assert_eq!(terms, [term]);
            assert!(!changed.is_empty(), "{preset} {part}");
            assert!(changed.iter().all(|name| name.starts_with(part)), "{changed:?}");
        }
    }
}

#[test]
fn rules_cannot_be_learned_from_scenes_that_have_none() {
    let config = RunConfig::preset("cpu-64").unwrap();
    let config = config.with_setting("train.feed.free_scenes=true").unwrap();
    let error = config.check().unwrap_err().to_string();
    assert!(error.contains("free_scenes"), "{error}");
}

#[test]
fn settings_that_would_be_ignored_are_refused() {
    let refuses = |preset: &str, settings: &[&str], says: &str| {
        let mut config = RunConfig::preset(preset).unwrap();
        for setting in settings {
            config = config.with_setting(setting).unwrap();
        }
        let error = config.check().unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    };
    refuses("paper-64", &["train.loss.blind=true"], "train.loss.symbolic_only");
    let held_out = "train.feed.held_out=[\"size=progression\"]";
    refuses("cpu-64", &["train.feed.data=somewhere", held_out], "fresh puzzles");
    refuses("cpu-64", &["train.feed.held_out=[\"size=sideways\"]"], "size=sideways");
}

#[test]
fn a_part_that_does_not_exist_is_refused() {
    let config = RunConfig::preset("cpu-64").unwrap();
    let config = config.with_setting("train.only=[\"decodr\"]").unwrap();
    let device = Device::flex().autodiff();
    let model = fresh_model(&config, &device).unwrap();
    let learner = Learner::new(model, device).unwrap();
    let unknown = config.train.unknown_parts(learner.slots());
    assert_eq!(unknown, ["decodr"]);
}

/// A model that imagines by values of its own, learning to write them and nothing else.
fn writing_own_values() -> RunConfig {
    let mut config = RunConfig::preset("raven-rules-64").unwrap();
    let others = ["reconstruction", "z_r", "supervised", "contrast_local", "layout"];
    for setting in others.map(|name| format!("train.loss.weights.{name}=0")) {
        config = config.with_setting(&setting).unwrap();
    }
    for setting in [
        "train.loss.weights.z_o=1",
        "train.loss.contrast=none",
        "train.only=[\"imagination.writer\"]",
        "train.feed.self_labelled=6",
        "train.batch=4",
    ] {
        config = config.with_setting(setting).unwrap();
    }
    config
}

#[test]
fn panels_that_a_model_labels_itself_are_read_once_and_rows_change_places() {
    let config = writing_own_values();
    config.check().unwrap();
    let (device, autodiff) = (Device::flex(), Device::flex().autodiff());
    let model = fresh_model(&config, &device).unwrap();
    let AnyModel::Genvp(model) = model else { panic!("raven-rules-64 is of the paper's kind") };
    let fresh = Fresh::new(&config.train.feed, 3).unwrap();
    let source = SelfLabelled::new(&model, &fresh, 6, &config, &device).unwrap();
    let shape = source.shape(config.feed_shape());
    assert_eq!(shape.side, 0, "no pixels");
    let first = batch_of(&source, 0, shape).unwrap();
    assert_eq!(first, batch_of(&source, 0, shape).unwrap());
    // Puzzle 0 comes again as number 6: the third of the second batch.
    let again = batch_of(&source, 1, shape).unwrap();
    let width = first.values.len() / 4;
    let rows = |values: &[f32]| {
        let row = values.len() / 16 * 3;
        let mut rows: Vec<Vec<u32>> = values[..3 * row]
            .chunks_exact(row)
            .map(|row| row.iter().map(|share| share.to_bits()).collect())
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(rows(&first.values[..width]), rows(&again.values[2 * width..3 * width]));
    assert_eq!(first.rules[..12], again.rules[2 * 96..][..12]);
    let mut learner = Learner::new(fresh_model(&config, &autodiff).unwrap(), autodiff).unwrap();
    learner.teach_only(|name| config.train.teaches(name));
    let report = learner.learn(first, &config.train).unwrap();
    let terms: Vec<&str> = report.terms.iter().map(|(term, _)| term.name()).collect();
    assert_eq!(terms, ["z_o"]);
    assert!(report.skipped.is_none());
}

#[test]
fn only_values_can_be_learned_from_labels_that_are_kept() {
    let config = writing_own_values().with_setting("train.loss.weights.reconstruction=1").unwrap();
    let error = config.check().unwrap_err().to_string();
    assert!(error.contains("self_labelled"), "{error}");
}
