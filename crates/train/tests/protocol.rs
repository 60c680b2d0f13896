//! The paper's protocol in small: stored puzzles to learn from, a stored split that chooses the
//! checkpoint, RAISE's resize, and the learned mixture as a stage of its own.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod tiny;

use std::collections::BTreeMap;
use std::path::Path;

use burn::tensor::Device;
use genvp_data::{Images, StoredPuzzle, names, xml};
use genvp_model::{AnyModel, ModelConfig, Preset, Resize};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, Puzzle, Set, render};
use genvp_train::config::ValidationSource;
use genvp_train::feed::{
    AugmentConfig, Batch, ChoiceOrder, FeedShape, Fresh, LayoutWeights, Source, Stored,
    Supervision, write,
};
use genvp_train::metrics::{self, Line};
use genvp_train::{Learner, NoCallback, ParameterSlot, RunConfig, Validation, export, run};

const SEED: u64 = 8;

fn puzzle(index: u64) -> Puzzle {
    let maker = Maker::new(Request::new(Set::Raven, Layout::CenterSingle)).unwrap();
    maker.puzzle(SEED, index).unwrap()
}

/// Twenty puzzles of C-S with RAVEN's choices: twelve to learn from, four of each other split.
fn dataset(folder: &Path) {
    let folder = folder.join(Layout::CenterSingle.folder());
    std::fs::create_dir_all(&folder).unwrap();
    for index in 0..20 {
        let puzzle = puzzle(index);
        let images = Images::new(render::SIDE, render::puzzle(&puzzle));
        let stored = StoredPuzzle::of_puzzle(&puzzle, images);
        let stem = names::stem(index);
        std::fs::write(folder.join(format!("{stem}.npz")), stored.encode_npz(Set::Raven)).unwrap();
        let xml = xml::encode(stored.scene.as_ref().unwrap(), Set::Raven);
        std::fs::write(folder.join(format!("{stem}.xml")), xml).unwrap();
    }
}

/// The tiny model on the dataset.
fn config(data: &Path, settings: &[&str]) -> RunConfig {
    let mut config = tiny::config();
    config.train.feed.data = data.display().to_string();
    config.train.feed.layouts = LayoutWeights::only(&[Layout::CenterSingle]);
    for setting in settings {
        config = config.with_setting(setting).unwrap();
    }
    config
}

fn exams(out: &Path) -> Vec<(u64, Validation)> {
    let lines = metrics::read(&out.join("metrics.jsonl")).unwrap();
    let exam = |line| match line {
        Line::Validation { step, result, .. } => Some((step, result)),
        Line::Steps(_) => None,
    };
    lines.into_iter().filter_map(exam).collect()
}

#[test]
fn the_validation_split_of_a_dataset_chooses_the_best_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let (data, out) = (folder.path().join("data"), folder.path().join("run"));
    dataset(&data);
    let settings = ["train.validation.puzzles=100", "train.feed.augment.flip=0.5"];
    let outcome = run(&config(&data, &settings), &tiny::options(&out), &mut NoCallback).unwrap();
    let exams = exams(&out);
    assert!(exams.len() >= 2, "{exams:?}");
    for (_, result) in &exams {
        assert!(result.layouts.is_empty() && result.regimes.is_empty());
        assert_eq!(result.stored.len(), 1);
        let own = &result.stored["c-s"];
        assert_eq!(own.answers.n, 4, "the four of the split");
        assert!(own.majority > 50.0 && own.rules.n > 0 && own.squared_error > 0.0, "{own:?}");
        assert_eq!(result.score(), own.answers.percent);
    }
    let most = exams.iter().map(|(_, result)| result.score()).fold(0.0, f64::max);
    let first = exams.iter().find(|(_, result)| result.score() == most).unwrap().0;
    let best = outcome.best.unwrap();
    assert_eq!((best.step, best.score), (first, most));
    assert!(out.join("pictures").is_dir(), "scenes of stored puzzles are drawn again");

    let out = folder.path().join("few");
    let few = config(&data, &["train.validation.puzzles=3"]);
    run(&few, &tiny::options(&out), &mut NoCallback).unwrap();
    assert_eq!(self::exams(&out)[0].1.stored["c-s"].answers.n, 3);
}

#[test]
fn fresh_puzzles_examine_where_they_are_asked_for_or_learned_from() {
    let folder = tempfile::tempdir().unwrap();
    let (data, out) = (folder.path().join("data"), folder.path().join("run"));
    dataset(&data);
    let fresh = config(&data, &["train.validation.source=fresh"]);
    assert_eq!(fresh.stored_validation(), None);
    run(&fresh, &tiny::options(&out), &mut NoCallback).unwrap();
    let (_, result) = &exams(&out)[0];
    assert!(result.stored.is_empty() && result.layouts.contains_key("c-s"));
    assert_eq!(tiny::config().stored_validation(), None);
    assert_eq!(config(&data, &[]).stored_validation(), Some(data.as_path()));

    let mut nowhere = tiny::config();
    nowhere.train.validation.source = ValidationSource::Stored;
    let error = nowhere.check().unwrap_err().to_string();
    assert!(error.contains("train.validation.source"), "{error}");

    for file in std::fs::read_dir(data.join(Layout::CenterSingle.folder())).unwrap() {
        let path = file.unwrap().path();
        if path.display().to_string().contains("_val") {
            std::fs::remove_file(path).unwrap();
        }
    }
    let out = folder.path().join("none");
    let error = run(&config(&data, &[]), &tiny::options(&out), &mut NoCallback).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("train.validation.source"), "{error}");
}

/// One example of a source at 64 px.
fn pixels(source: &dyn Source, resize: Resize) -> Batch {
    let mut batch =
        Batch::new(FeedShape { resize, ..FeedShape::supervised(1, 64, Supervision::Rules) });
    source.fill(0, &mut batch.examples().next().unwrap()).unwrap();
    batch
}

#[test]
fn stored_drawn_and_changed_puzzles_are_all_resized_as_the_model_says() {
    let folder = tempfile::tempdir().unwrap();
    dataset(folder.path());
    let open = |augment: AugmentConfig| {
        let layouts = [Layout::CenterSingle];
        Stored::open(folder.path(), &layouts, &augment, Supervision::Rules, 1).unwrap()
    };
    let plain = open(AugmentConfig::default());
    // C-S has nothing to roll: the puzzle is drawn anew and is otherwise alike.
    let drawn = open(AugmentConfig { roll: 1.0, ..AugmentConfig::default() });
    let stem = plain.file(0).file_stem().unwrap().to_string_lossy().into_owned();
    let own = puzzle(names::parse_stem(&stem).unwrap().0);
    let mut grey = [255; render::SIDE * render::SIDE];
    render::panel_into(&own.context[0], own.layout, own.domain, &mut grey);
    for resize in [Resize::Area, Resize::RaiseBilinear] {
        let mut wanted = vec![0.0; 64 * 64];
        resize.ink_into(&grey, render::SIDE, 64, &mut wanted);
        let (plain, drawn) = (pixels(&plain, resize), pixels(&drawn, resize));
        assert_eq!(plain.pixels[..64 * 64], wanted);
        assert_eq!(plain.pixels, drawn.pixels, "{resize:?}");
        assert_eq!(plain.rules, drawn.rules);
        let mut made =
            Batch::new(FeedShape { resize, ..FeedShape::supervised(1, 64, Supervision::Rules) });
        write(&own, ChoiceOrder::AnswerFirst, &mut made.examples().next().unwrap());
        assert_eq!(made.pixels, plain.pixels);
        assert_eq!(made.rules, plain.rules, "R and R⁻ of RAVEN's choices");
    }
    let fresh = Fresh::new(&tiny::config().train.feed, 3).unwrap();
    let [area, raise] = [Resize::Area, Resize::RaiseBilinear].map(|r| pixels(&fresh, r).pixels);
    assert_ne!(area, raise);
}

#[test]
fn the_resize_is_the_models_and_older_models_average() {
    for name in genvp_model::preset::names() {
        let config = RunConfig::preset(name).unwrap();
        let paper = name.starts_with("paper-");
        let wanted = if paper { Resize::RaiseBilinear } else { Resize::Area };
        assert_eq!(config.model.batch_shape().resize, wanted, "{name}");
        assert_eq!(config.feed_shape().resize, wanted, "{name}");
        let train = &config.train;
        assert_eq!(train.warm_up.puzzles > 0 && !train.feed.augment.is_off(), paper, "{name}");
        if paper {
            let contrast = train.phase(train.warm_up.puzzles / 100).1;
            let mut warm_up = train.phase(0).1.clone();
            assert_ne!(&warm_up, contrast);
            warm_up.contrast = contrast.contrast;
            assert_eq!(&warm_up, contrast, "{name}: the phases differ in contrast alone");
        }
    }
    let model = Preset::named("cpu-64").unwrap().model;
    let mut older = serde_json::to_value(&model).unwrap();
    assert!(older["image"].as_object_mut().unwrap().remove("resize").is_some());
    assert_eq!(serde_json::from_value::<ModelConfig>(older).unwrap(), model);
    let set = tiny::config().with_setting("model.image.resize=raise-bilinear").unwrap();
    assert_eq!(set.model.batch_shape().resize, Resize::RaiseBilinear);
}

#[test]
fn the_learned_mixture_is_a_stage_of_its_own_and_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let [data, base, stage] = ["data", "base", "stage"].map(|name| folder.path().join(name));
    dataset(&data);
    let before = run(&config(&data, &[]), &tiny::options(&base), &mut NoCallback).unwrap();
    let mut settings = vec![
        "model.mixture=nn".to_owned(),
        "train.only=[\"mixture\"]".to_owned(),
        "train.fresh=[\"mixture\"]".to_owned(),
        "train.warm_up.puzzles=0".to_owned(),
        "train.loss.contrast=none".to_owned(),
        "train.loss.weights.mixture=1".to_owned(),
    ];
    let others = ["reconstruction", "z_irrelevant", "z_o", "z_r", "supervised"];
    settings.extend(others.map(|name| format!("train.loss.weights.{name}=0")));
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let mut options = tiny::options(&stage);
    options.init_from = Some(before.latest.clone());
    run(&config(&data, &settings), &options, &mut NoCallback).unwrap();
    let lines = metrics::read(&stage.join("metrics.jsonl")).unwrap();
    let Some(Line::Steps(steps)) = lines.first() else { panic!("{lines:?}") };
    assert_eq!(steps.loss.keys().collect::<Vec<_>>(), ["mixture"]);

    let device = &options.device;
    let old = export::model_of(&before.latest, device).unwrap().0;
    let new = export::export(&stage, &[], device).unwrap().model;
    assert!(old.learned_mixture().is_none() && new.learned_mixture().is_some());
    let saved = new.to_bytes(serde_json::json!({})).unwrap();
    let fresh = new.config().init_seeded(1, device).unwrap();
    let [old, new, read, fresh] =
        [old, new, fresh.clone().load_bytes(&saved).unwrap(), fresh].map(tensors);
    assert_eq!(new, read, "weights keep the mixture");
    for (name, values) in &new {
        match old.get(name) {
            Some(before) => assert_eq!(values, before, "{name} stays as it was"),
            None => assert!(name.starts_with("mixture") && values != &fresh[name], "{name}"),
        }
    }
}

/// Every tensor of a model by its name.
fn tensors(model: AnyModel) -> BTreeMap<String, Vec<f32>> {
    let learner = Learner::new(model, Device::flex()).unwrap();
    let values = &learner.state.values;
    let tensor = |slot: &ParameterSlot| (slot.name.clone(), values[slot.range.clone()].to_vec());
    learner.slots().iter().map(tensor).collect()
}
