//! What goes wrong is skipped, counted and named, and never costs what was kept.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod tiny;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use burn::tensor::Device;
use genvp_train::checkpoint::{self, Progress};
use genvp_train::export::export;
use genvp_train::feed::{FeedConfig, FeedShape, Fresh, Supervision, batch_of};
use genvp_train::{
    Learner, NoCallback, RunConfig, Runs, Seeds, Skip, TrainError, fresh_model, run,
};
use tiny::{StopAfter, config, options, sha256};

fn learner(config: &RunConfig) -> Learner {
    let device = Device::flex().autodiff();
    Learner::new(fresh_model(config, &device).unwrap(), device).unwrap()
}

fn batch(step: u64) -> genvp_train::feed::Batch {
    batch_of(
        &Fresh::new(&FeedConfig::default(), 1).unwrap(),
        step,
        FeedShape::supervised(4, 16, Supervision::Rules),
    )
    .unwrap()
}

#[test]
fn a_term_that_is_no_number_is_skipped_counted_and_named_and_leaves_no_trace() {
    let config = config();
    let mut learner = learner(&config);
    learner.learn(batch(0), &config.train).unwrap();
    let mut bad = learner.state.clone();
    let decoder = learner.slots().iter().find(|p| p.name.starts_with("decoder.paint")).unwrap();
    bad.values[decoder.range.start] = f32::NAN;
    let guard = learner.guard.clone();
    let mut learner = learner.restore(bad.clone(), guard, 1);
    let report = learner.learn(batch(1), &config.train).unwrap();
    assert!(
        matches!(report.skipped, Some(Skip::Term { term: "reconstruction", .. })),
        "{:?}",
        report.skipped
    );
    assert_eq!((learner.guard.skipped, learner.guard.in_a_row, learner.step), (1, 1, 2));
    let same = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
    assert!(same(&learner.state.values, &bad.values) && same(&learner.state.average, &bad.average));
}

#[test]
fn an_exploding_gradient_is_skipped_and_the_next_step_is_as_if_it_had_not_been() {
    let config = config();
    let mut learner = learner(&config);
    learner.learn(batch(0), &config.train).unwrap();
    let (state, guard) = (learner.state.clone(), learner.guard.clone());
    learner.guard.updates = 1000;
    learner.guard.usual_norm = 1e-12;
    let report = learner.learn(batch(1), &config.train).unwrap();
    assert!(matches!(report.skipped, Some(Skip::Explosion { .. })), "{:?}", report.skipped);
    assert_eq!(learner.state, state);
    // The running statistics inside the model were put back too.
    learner.guard = guard.clone();
    learner.step = 1;
    learner.learn(batch(2), &config.train).unwrap();
    let mut other = self::learner(&config).restore(state, guard, 1);
    other.learn(batch(2), &config.train).unwrap();
    assert_eq!(learner.state, other.state);
}

#[test]
fn after_too_many_skips_in_a_row_the_run_stops_and_keeps_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let config = config();
    let poisoned = folder.path().join("poisoned.safetensors");
    let learner = learner(&config);
    let mut state = learner.state.clone();
    state.average.fill(f32::NAN);
    let progress = Progress {
        step: 0,
        guard: learner.guard.clone(),
        best: None,
        config: config.clone(),
        earlier: Seeds::default(),
        earlier_supervision: None,
        earlier_runs: Runs::default(),
    };
    checkpoint::write(&poisoned, learner.slots(), &state, &progress).unwrap();
    let out = folder.path().join("run");
    let mut options = options(&out);
    options.init_from = Some(poisoned);
    let error = run(&config, &options, &mut NoCallback).unwrap_err();
    let TrainError::Stuck { skipped, kept: Some(kept), last, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(*skipped, config.train.guard.most_skips);
    assert!(last.contains("loss term"), "{last}");
    assert!(kept.is_file());
    assert!(error.hint().is_some());
}

#[test]
fn a_checkpoint_that_was_changed_cut_or_made_for_another_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let mut first = options(&out);
    run(&config(), &first, &mut StopAfter { steps: 3, stop: first.stop.clone() }).unwrap();
    let latest =
        out.join("checkpoints").join(fs::read_to_string(out.join("latest")).unwrap().trim());
    let whole = fs::read(&latest).unwrap();
    first = options(&out);
    first.resume = true;
    let refused = |bytes: &[u8]| {
        fs::write(&latest, bytes).unwrap();
        run(&config(), &first, &mut NoCallback).unwrap_err().to_string()
    };
    let mut changed = whole.clone();
    let last = changed.len() - 5;
    changed[last] ^= 1;
    assert!(refused(&changed).contains("not those that were written"));
    for length in [0, 7, 100, whole.len() / 2, whole.len() - 1] {
        let error = refused(&whole[..length]);
        assert!(error.contains("not a usable checkpoint"), "{error}");
    }
    let other = config().with_setting("model.image.encoder.hidden=17").unwrap();
    let learner = learner(&other);
    let error = checkpoint::read_state(&latest, &whole, learner.slots()).unwrap_err().to_string();
    assert!(error.contains("encoder.hidden.weight") && error.contains("17"), "{error}");
}

#[test]
fn weights_and_checkpoints_are_taken_over_by_a_new_run_and_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = options(&folder.path().join("first"));
    let outcome =
        run(&config(), &first, &mut StopAfter { steps: 3, stop: first.stop.clone() }).unwrap();
    let weights = folder.path().join("weights.safetensors");
    let exported = export(&folder.path().join("first"), &[], &Device::flex()).unwrap();
    let card = exported.card;
    assert_eq!((card.steps, card.puzzles), (3, 12));
    let bytes = exported.model.to_bytes(serde_json::to_value(&card).unwrap()).unwrap();
    fs::write(&weights, bytes).unwrap();
    let start = |from: &Path, out: &str| {
        let mut options = options(&folder.path().join(out));
        options.init_from = Some(from.to_owned());
        options.time = Some(std::time::Duration::ZERO);
        run(&config(), &options, &mut NoCallback).map(|outcome| sha256(&outcome.latest))
    };
    let from_checkpoint = start(&outcome.latest, "a").unwrap();
    assert_eq!(from_checkpoint, start(&weights, "b").unwrap(), "both hold the running average");
    let other = config().with_setting("model.image.decoder.hidden=17").unwrap();
    let mut options = options(&folder.path().join("c"));
    options.init_from = Some(weights);
    let error = run(&other, &options, &mut NoCallback).unwrap_err().to_string();
    assert!(error.contains("decoder.hidden") && error.contains("17"), "{error}");
}

#[test]
fn weights_know_the_seeds_of_every_run_that_led_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let teach = |name: &str, seed: u64, chosen_by: u64, from: Option<&Path>| {
        let config = config().with_setting(&format!("train.seed={seed}")).unwrap();
        let config = config.with_setting(&format!("train.validation.seed={chosen_by}")).unwrap();
        let mut options = options(&at(name));
        options.init_from = from.map(Path::to_owned);
        options.time = Some(std::time::Duration::ZERO);
        run(&config, &options, &mut NoCallback).unwrap();
        // Going on forgets nothing.
        (options.resume, options.init_from) = (true, None);
        run(&config, &options, &mut NoCallback).unwrap().latest
    };
    let write = |run: &str| {
        let exported = export(&at(run), &[], &Device::flex()).unwrap();
        let path = at(&format!("{run}.safetensors"));
        let card = serde_json::to_value(&exported.card).unwrap();
        fs::write(&path, exported.model.to_bytes(card).unwrap()).unwrap();
        path
    };
    teach("first", 3, 1_000_000_007, None);
    let by_weights = teach("second", 4, 1_000_000_008, Some(&write("first")));
    teach("third", 5, 1_000_000_007, Some(&by_weights));
    teach("decoder", 9, 50, None);
    let parts = [("decoder".to_owned(), at("decoder"))];
    let card = export(&at("third"), &parts, &Device::flex()).unwrap().card;
    assert_eq!(card.training_seeds, [3, 4, 5, 9].into());
    assert_eq!(card.settings_seeds, [50, 1_000_000_007, 1_000_000_008].into());
    assert_eq!(card.exam_seed, 1_000_000_009, "the figures are those of a seed of its own");
}

#[test]
fn what_cannot_be_exported_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let refuses = |source: &Path, parts: &[(String, PathBuf)], says: &str| {
        let error = export(source, parts, &Device::flex()).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    };
    let run_at = folder.path().join("run");
    let first = options(&run_at);
    run(&config(), &first, &mut StopAfter { steps: 2, stop: first.stop.clone() }).unwrap();
    refuses(folder.path(), &[], "not a run folder");
    refuses(&folder.path().join("none"), &[], "none");
    refuses(&run_at.join("config.toml"), &[], "config.toml: not a usable checkpoint");
    refuses(&run_at, &[("decodr".to_owned(), run_at.clone())], "no part `decodr`");
    refuses(&run_at, &[("decoder".to_owned(), folder.path().to_owned())], "not a run folder");
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let error = run(&config(), &options(&file), &mut NoCallback).unwrap_err();
    assert!(error.is_system_failure() && error.to_string().contains("file"), "{error}");
}

/// Without pictures, so that a checkpoint is the first large file.
fn plain_config() -> RunConfig {
    config().with_setting("train.keep.pictures_every=0").unwrap()
}

/// Trains under a limit on the size of files.
#[test]
#[ignore = "a helper of the test below"]
fn child() {
    let Some(out) = std::env::var_os("GENVP_TEST_RUN") else { return };
    let mut options = options(Path::new(&out));
    options.resume = true;
    let error = run(&plain_config(), &options, &mut NoCallback).unwrap_err();
    assert!(error.is_system_failure());
    fs::write(std::env::var_os("GENVP_TEST_SAYS").unwrap(), error.to_string()).unwrap();
}

#[cfg(unix)]
#[test]
fn a_disk_that_takes_no_more_leaves_the_previous_checkpoint_intact() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let first = options(&out);
    let outcome =
        run(&plain_config(), &first, &mut StopAfter { steps: 3, stop: first.stop.clone() })
            .unwrap();
    let before = sha256(&outcome.latest);
    let says = folder.path().join("says");
    // Files of at most 32 KiB, which is less than a checkpoint; the signal that would end the process is ignored, so writing fails.
    let status = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" --ignored --exact child"])
        .arg(std::env::current_exe().unwrap())
        .env("GENVP_TEST_RUN", &out)
        .env("GENVP_TEST_SAYS", &says)
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    let says = fs::read_to_string(says).unwrap();
    assert!(says.contains("cannot write") && says.contains("checkpoints"), "{says}");
    assert_eq!(sha256(&outcome.latest), before);
    let latest =
        out.join("checkpoints").join(fs::read_to_string(out.join("latest")).unwrap().trim());
    assert_eq!(latest, outcome.latest);
    let leftovers = fs::read_dir(out.join("checkpoints")).unwrap().filter_map(Result::ok);
    assert!(leftovers.into_iter().all(|e| !e.file_name().to_string_lossy().ends_with(".tmp")));
}
