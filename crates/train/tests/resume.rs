//! A run that is interrupted ends where an uninterrupted one would.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod tiny;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use genvp_train::metrics::{self, Line};
use genvp_train::{End, NoCallback, RunFolder, TrainError, run};
use safetensors::SafeTensors;
use tiny::{StopAfter, config, options, sha256};

fn whole(out: &Path) -> String {
    let outcome = run(&config(), &options(out), &mut NoCallback).unwrap();
    assert_eq!((outcome.end, outcome.step, outcome.skipped), (End::Finished, 20, 0));
    sha256(&outcome.latest)
}

#[test]
fn ten_steps_a_restart_and_ten_more_are_twenty_steps_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let expected = whole(&folder.path().join("whole"));
    for steps in [1, 10, 13] {
        let out = folder.path().join(format!("cut-{steps}"));
        let mut first = options(&out);
        let mut watch = StopAfter { steps, stop: first.stop.clone() };
        let outcome = run(&config(), &first, &mut watch).unwrap();
        assert_eq!((outcome.end, outcome.step), (End::Asked, steps));
        first = options(&out);
        first.resume = true;
        let outcome = run(&config(), &first, &mut NoCallback).unwrap();
        assert_eq!(outcome.end, End::Finished);
        assert_eq!(sha256(&outcome.latest), expected, "cut after {steps} steps");
    }
}

#[test]
fn time_only_stops_a_run_and_resuming_it_ends_where_an_uninterrupted_one_would() {
    let folder = tempfile::tempdir().unwrap();
    let expected = whole(&folder.path().join("whole"));
    let out = folder.path().join("cut");
    let mut hasty = options(&out);
    hasty.time = Some(Duration::ZERO);
    assert_eq!(run(&config(), &hasty, &mut NoCallback).unwrap().end, End::OutOfTime);
    hasty.resume = true;
    hasty.time = Some(Duration::from_millis(60));
    let ends: Vec<End> =
        (0..40).map(|_| run(&config(), &hasty, &mut NoCallback).unwrap().end).collect();
    hasty.time = None;
    let outcome = run(&config(), &hasty, &mut NoCallback).unwrap();
    assert_eq!(sha256(&outcome.latest), expected, "{ends:?}");
}

#[test]
fn the_metrics_of_a_resumed_run_are_those_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let first = options(&out);
    run(&config(), &first, &mut StopAfter { steps: 12, stop: first.stop.clone() }).unwrap();
    let mut second = options(&out);
    second.resume = true;
    run(&config(), &second, &mut NoCallback).unwrap();
    let lines = metrics::read(&out.join("metrics.jsonl")).unwrap();
    let steps: Vec<u64> = lines
        .iter()
        .filter_map(|l| if let Line::Steps(s) = l { Some(s.step) } else { None })
        .collect();
    assert_eq!(steps, [5, 10, 15, 20]);
    let exams: Vec<u64> = lines
        .iter()
        .filter_map(|l| if let Line::Validation { step, .. } = l { Some(*step) } else { None })
        .collect();
    assert_eq!(exams, [10, 20]);
    for line in lines {
        match line {
            Line::Steps(steps) => {
                assert!(
                    steps.loss.contains_key("reconstruction")
                        && steps.loss.contains_key("supervised")
                );
                let warm = steps.puzzles <= 16;
                assert_eq!(steps.phase == "warm-up", warm);
                assert!(steps.total.is_finite() && steps.puzzles_per_second > 0.0);
            }
            Line::Validation { result, .. } => {
                assert_eq!(result.layouts.len(), 7);
                assert!(result.layouts.values().all(|own| own.raven.n == 2 && own.iraven.n == 2));
            }
        }
    }
    assert_eq!(std::fs::read_dir(out.join("pictures")).unwrap().count(), 4);
    let events = |entry: &std::fs::DirEntry| {
        entry.file_name().to_string_lossy().starts_with("events.out.tfevents")
    };
    assert!(std::fs::read_dir(&out).unwrap().filter_map(Result::ok).any(|e| events(&e)));
}

#[test]
fn other_settings_are_refused_with_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let first = options(&out);
    run(&config(), &first, &mut StopAfter { steps: 2, stop: first.stop.clone() }).unwrap();
    let mut second = options(&out);
    second.resume = true;
    let other = config().with_setting("train.learning_rate=1e-4").unwrap();
    let error = run(&other, &second, &mut NoCallback).unwrap_err().to_string();
    assert!(error.contains("train.learning_rate: 0.002 there, 0.0001 now"), "{error}");
}

#[test]
fn a_folder_without_a_run_cannot_be_resumed_and_one_with_a_run_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let mut options = options(&out);
    options.resume = true;
    assert!(matches!(
        run(&config(), &options, &mut NoCallback),
        Err(TrainError::NothingToResume { .. })
    ));
    options.resume = false;
    options.time = Some(Duration::ZERO);
    run(&config(), &options, &mut NoCallback).unwrap();
    let before = sha256(&out.join("config.toml"));
    assert!(matches!(run(&config(), &options, &mut NoCallback), Err(TrainError::Exists { .. })));
    assert_eq!(before, sha256(&out.join("config.toml")));
}

#[test]
fn a_run_that_failed_before_its_first_checkpoint_is_begun_again_and_not_resumed_from_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let mut first = options(&out);
    first.init_from = Some(folder.path().join("missing.safetensors"));
    run(&config(), &first, &mut NoCallback).unwrap_err();
    assert!(out.join("config.toml").exists() && !RunFolder::holds_run(&out));
    let mut resumed = options(&out);
    resumed.resume = true;
    let error = run(&config(), &resumed, &mut NoCallback).unwrap_err();
    assert!(matches!(error, TrainError::NothingToResume { .. }), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains("leave out --resume")));
    // The same command with weights that are there.
    whole(&folder.path().join("other"));
    let (other, weights) = (folder.path().join("other"), folder.path().join("missing.safetensors"));
    let latest = std::fs::read_to_string(other.join("latest")).unwrap();
    std::fs::copy(other.join("checkpoints").join(latest.trim()), weights).unwrap();
    first.time = Some(Duration::ZERO);
    run(&config(), &first, &mut NoCallback).unwrap();
    assert!(RunFolder::holds_run(&out));
}

#[test]
fn a_second_run_on_the_same_folder_is_refused_and_told_the_first_ones_process() {
    let folder = tempfile::tempdir().unwrap();
    let _held = RunFolder::create(folder.path(), &config()).unwrap();
    let mut second = options(folder.path());
    second.resume = true;
    let error = run(&config(), &second, &mut NoCallback).unwrap_err().to_string();
    assert!(error.contains(&std::process::id().to_string()), "{error}");
}

/// The file as it was written before configurations named an architecture, and with the names
/// that two settings had then.
fn aged(checkpoint: &Path) -> Vec<u8> {
    let bytes = std::fs::read(checkpoint).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let (_, metadata) = SafeTensors::read_metadata(&bytes).unwrap();
    let mut entries = metadata.metadata().clone().unwrap();
    let entry = entries.get_mut("genvp-checkpoint").unwrap();
    let mut header: serde_json::Value = serde_json::from_str(entry).unwrap();
    let settings = &mut header["progress"]["config"];
    assert!(settings["model"].as_object_mut().unwrap().remove("architecture").is_some());
    let text = header.to_string().replace("symbolic_only", "blind");
    *entry = text.replace("learned_irrelevant", "untold");
    safetensors::serialize(file.iter(), Some(entries)).unwrap()
}

#[test]
fn a_run_of_before_there_were_several_architectures_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let expected = whole(&folder.path().join("whole"));
    let out = folder.path().join("old");
    let first = options(&out);
    let mut watch = StopAfter { steps: 10, stop: first.stop.clone() };
    let outcome = run(&config(), &first, &mut watch).unwrap();
    std::fs::write(&outcome.latest, aged(&outcome.latest)).unwrap();
    let path = out.join("config.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let old = text.lines().filter(|line| !line.starts_with("architecture"));
    let old = old.collect::<Vec<_>>().join("\n");
    assert!(old.len() < text.len());
    let old = old.replace("symbolic_only", "blind").replace("learned_irrelevant", "untold");
    std::fs::write(&path, old).unwrap();
    let mut second = options(&out);
    second.resume = true;
    let outcome = run(&RunFolder::config(&out).unwrap(), &second, &mut NoCallback).unwrap();
    assert_eq!(sha256(&outcome.latest), expected);
}

/// Trains in a process of its own, for others to kill.
#[test]
#[ignore = "a helper of the test below"]
fn child() {
    let Some(out) = std::env::var_os("GENVP_TEST_RUN") else { return };
    let mut options = options(Path::new(&out));
    options.resume = RunFolder::holds_run(Path::new(&out));
    let mut config = config();
    config.train.keep.checkpoint_minutes = 1e-6;
    run(&config, &options, &mut NoCallback).unwrap();
}

#[test]
fn a_run_killed_at_any_moment_goes_on_from_a_whole_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    // In processes of their own, as runs are: other tests of this one share its threads.
    let start = |out: &Path| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "child"])
            .env("GENVP_TEST_RUN", out)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let to_the_end = |out: &Path| {
        assert!(start(out).wait().unwrap().success());
        let latest = std::fs::read_to_string(out.join("latest")).unwrap();
        sha256(&out.join("checkpoints").join(latest.trim()))
    };
    let expected = to_the_end(&folder.path().join("whole"));
    let out = folder.path().join("killed");
    for wait in [30, 80, 150, 60, 110] {
        let mut child = start(&out);
        let begun = Instant::now();
        // Some killings fall before the first checkpoint, some between and some into the writing of one.
        while !out.join("latest").exists() && begun.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(to_the_end(&out), expected);
    let kept = std::fs::read_dir(out.join("checkpoints")).unwrap().count();
    assert!(kept <= 3, "the last two and the best, not {kept}");
}
