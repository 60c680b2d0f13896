//! What weights files may be, and how they are refused.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use burn::tensor::Device;
use genvp_infer::{InferError, Model, Weights, digest};
use genvp_model::{DeviceChoice, Preset};

fn cpu() -> Device {
    DeviceChoice::Cpu.open().unwrap().0
}

/// A sealed weights file of an untrained small model.
fn written(folder: &Path) -> (PathBuf, Vec<u8>) {
    let mut text = include_str!("../../../presets/cpu-64.toml").to_owned();
    for (usual, small) in [
        ("channels = [56, 96, 128]", "channels = [8, 8, 8]"),
        ("large = [64, 64, 48]", "large = [8, 8, 8]"),
        ("small = [80, 64]", "small = [8, 8]"),
    ] {
        assert_eq!(text.matches(usual).count(), 1, "the preset has `{usual}`");
        text = text.replace(usual, small);
    }
    let model = Preset::parse(&text).unwrap().model.init_seeded(4, &cpu()).unwrap();
    let bytes = model.to_bytes(serde_json::json!({ "preset": "small" })).unwrap();
    let bytes = digest::with_digest(&bytes).unwrap();
    let path = folder.join("small.safetensors");
    fs::write(&path, &bytes).unwrap();
    (path, bytes)
}

#[test]
fn the_model_in_the_box_is_whole() {
    let weights = Weights::find(Model::DEFAULT).unwrap();
    assert_ne!(weights.digests().unwrap().holds(), Some(false));
    let model = Model::shipped().unwrap();
    let test = model.self_test(1).unwrap();
    assert!(test.finite && test.steady && test.asked == 7, "{test:?}");
    assert!(model.card().to_string().starts_with("raven-cpu-64\n"));
}

#[test]
fn the_model_that_was_taught_by_rules_is_whole_and_says_so() {
    let model = Model::open("raven-rules-64", &cpu()).unwrap();
    let test = model.self_test(1).unwrap();
    assert!(test.finite && test.steady && test.asked == 7, "{test:?}");
    assert_eq!(model.card().said()["supervision"], "rules");
    assert!(model.config().values().is_none(), "no block of Z_o is told a value");
}

#[test]
fn every_model_in_the_box_is_sealed_whole_and_of_the_family_that_it_stands_for() {
    for name in Model::names().into_iter().filter(|name| *name != "vote") {
        let weights = Weights::find(name).unwrap();
        assert_eq!(weights.digests().unwrap().holds(), Some(true), "{name}");
        let model = weights.load(&cpu()).unwrap();
        let family = model.family().unwrap();
        assert!(Model::default_for(name).is_none_or(|id| id == family.id()), "{name}");
        let test = model.self_test(1).unwrap();
        let strata = family.strata().len();
        assert!(test.finite && test.steady && test.asked <= strata, "{name}: {test:?}");
        assert!(test.asked >= 5 && test.right > 0, "{name}: {test:?}");
    }
}

/// The card in the file and the page beside it tell the same history.
#[test]
fn the_model_in_the_box_knows_every_seed_that_led_to_it() {
    let card = Weights::find(Model::DEFAULT).unwrap().card().unwrap();
    let page = include_str!("../../../weights/raven-cpu-64.md");
    let numbers = |text: &str| -> BTreeSet<u64> {
        text.split(',').map(|number| number.trim().parse().unwrap()).collect()
    };
    // The seeds of the runs, in the fourth column of the first table.
    let rows = page.lines().skip_while(|line| !line.starts_with("| run |")).skip(2);
    let runs: Vec<&str> = rows.take_while(|line| line.starts_with('|')).collect();
    assert!(runs.len() >= 10, "{runs:?}");
    let column = |row: &&str| numbers(row.split('|').nth(4).unwrap());
    let trained: BTreeSet<u64> = runs.iter().flat_map(column).collect();
    assert!(trained.is_superset(&[1, 2, 11, 12, 13, 14, 16, 17, 21, 22].into()), "{trained:?}");
    let (_, listed) =
        page.split_once("The card inside the weights file names all these seeds (").unwrap();
    let (training, settings) = listed.split_once(')').unwrap().0.split_once(';').unwrap();
    let said =
        |key: &str| -> BTreeSet<u64> { serde_json::from_value(card.said()[key].clone()).unwrap() };
    assert_eq!(said("training_seeds"), trained);
    assert_eq!(said("training_seeds"), numbers(training));
    assert_eq!(said("settings_seeds"), numbers(settings));
    for seed in trained.iter().chain(&numbers(settings)) {
        assert!(card.used_seed(*seed).is_some(), "{seed}");
    }
}

#[test]
fn a_file_opens_by_its_path_and_keeps_its_card() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes) = written(folder.path());
    let model = Model::open(&path, &cpu()).unwrap();
    assert_eq!((model.card().name(), &model.card().said()["preset"]), ("small", &"small".into()));
    assert_eq!(digest::with_digest(&bytes).unwrap(), bytes, "sealing again changes nothing");
}

#[test]
fn a_single_changed_bit_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes) = written(folder.path());
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let data = 8 + length;
    for at in [data, data + 2, (data + bytes.len()) / 2, bytes.len() - 4, bytes.len() - 1] {
        let mut changed = bytes.clone();
        // The lowest bit of a number: finite before, finite after.
        changed[at - (at - data) % 4] ^= 1;
        fs::write(&path, &changed).unwrap();
        let error = Model::open(&path, &cpu()).unwrap_err();
        assert!(matches!(error, InferError::Changed { .. }), "{at}: {error}");
        assert!(error.to_string().contains("small.safetensors"), "{error}");
    }
}

#[test]
fn a_file_that_breaks_off_anywhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes) = written(folder.path());
    let lengths = (0..40).map(|i| i * bytes.len() / 40).chain([1, 7, 8, 9, bytes.len() - 1]);
    for length in lengths {
        fs::write(&path, &bytes[..length]).unwrap();
        Model::open(&path, &cpu()).unwrap_err();
        Weights::find(&path).unwrap().card().unwrap_err();
    }
}

#[test]
fn weights_of_another_model_are_refused_with_every_mismatch() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes) = written(folder.path());
    // The file says another width of the encoder's hidden layer than its tensors have.
    let text = String::from_utf8_lossy(&bytes[..4096]);
    let after = |from: usize, key: &str| text[from..].find(key).expect(key) + from + key.len();
    let hidden = after(after(0, "\\\"encoder\\\":"), "\\\"hidden\\\":");
    let mut other = bytes.clone();
    other[hidden] = if other[hidden] == b'1' { b'2' } else { b'1' };
    fs::write(&path, digest::with_digest(&other).unwrap()).unwrap();
    let error = Model::open(&path, &cpu()).unwrap_err();
    let InferError::Weights { .. } = &error else { panic!("{error}") };
    let text = error.to_string();
    assert!(text.contains("do not fit the model") && text.lines().count() > 2, "{text}");
    assert!(text.contains("encoder.hidden") && text.contains("shape"), "{text}");
}

#[test]
fn numbers_that_are_not_finite_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mut bytes) = written(folder.path());
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(&path, digest::with_digest(&bytes).unwrap()).unwrap();
    let text = Model::open(&path, &cpu()).unwrap_err().to_string();
    assert!(text.contains("not finite"), "{text}");
}

#[test]
fn what_is_no_model_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let text = |name: &Path| Model::open(name, &cpu()).unwrap_err().to_string();
    assert!(text(Path::new("raven-gpu-9")).contains("no model `raven-gpu-9`"));
    assert!(text(folder.path()).contains("cannot read"));
    let path = folder.path().join("words.safetensors");
    for bytes in [&b""[..], b"hello, this is no model at all", &[0xff; 100]] {
        fs::write(&path, bytes).unwrap();
        assert!(text(&path).contains("words.safetensors"), "{}", text(&path));
    }
}

#[test]
fn a_file_without_a_digest_opens_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let model = Preset::named("cpu-64").unwrap().model.init_seeded(1, &cpu()).unwrap();
    let path = folder.path().join("plain.safetensors");
    fs::write(&path, model.to_bytes(serde_json::Value::Null).unwrap()).unwrap();
    let weights = Weights::find(&path).unwrap();
    assert_eq!(weights.digests().unwrap().holds(), None);
    weights.load(&cpu()).unwrap();
}
