//! `genvp model` and `genvp doctor`.

use std::fs;

use crate::command::{genvp_in, json, refuse, stderr, stdout, succeed};

#[test]
fn the_model_in_the_box_is_listed_and_described() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let text = succeed(root, &["model", "list"]);
    assert!(text.contains("raven-cpu-64") && text.contains("paper-64"), "{text}");
    let list = &json(root, &["model", "list", "--json"])[0];
    assert_eq!(list["models"][0]["model"], "raven-cpu-64");
    assert_eq!(list["models"][0]["default"], true);
    assert!(text.contains("vote             a majority vote"), "{text}");
    assert_eq!(list["models"][1]["model"], "raven-rules-64");
    assert_eq!(list["models"][1]["default"], false);
    assert_eq!(list["models"][1]["solves_by_default"], true);
    assert_eq!(list["models"][2]["model"], "pgm-64-cpu");
    assert_eq!(list["models"][2]["default"], true);
    assert!(text.contains("answers puzzles of pgm by default"), "{text}");
    assert_eq!(list["models"][3]["model"], "vad-64-cpu");
    assert_eq!(list["models"][4]["model"], "vote");
    let card = &json(root, &["model", "card", "--json"])[0];
    assert_eq!(card["name"], "raven-cpu-64");
    assert_eq!(card["config"]["puzzle"]["candidates"], 8);
    assert!(succeed(root, &["model", "card"]).contains("64x64 px"));
    refuse(root, &["model", "card", "nothing-here"], 1, "no model `nothing-here`");
}

#[test]
fn an_exported_model_verifies_and_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    succeed(root, &["model", "export", "--out", "w"]);
    let mut files: Vec<String> = fs::read_dir(root.join("w"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let names = ["card.json", "config.json", "safetensors"].map(|e| format!("raven-cpu-64.{e}"));
    assert_eq!(files, names);
    let config: serde_json::Value =
        serde_json::from_slice(&fs::read(root.join("w/raven-cpu-64.config.json")).unwrap())
            .unwrap();
    assert_eq!(config["image"]["size"], 64);
    let weights = "w/raven-cpu-64.safetensors";
    let report = &json(root, &["model", "verify", weights, "--json"])[0];
    assert_eq!((&report["sealed"], &report["sound"]), (&true.into(), &true.into()), "{report}");
    assert_eq!(report["self_test"]["asked"], 28);
    let before = fs::read(root.join(weights)).unwrap();
    refuse(root, &["model", "export", "--out", "w"], 1, "exists already");
    // One of the three is enough to refuse them all.
    fs::remove_file(root.join(weights)).unwrap();
    refuse(root, &["model", "export", "--out", "w"], 1, "exists already");
    assert!(!root.join(weights).exists(), "nothing half-written");
    succeed(root, &["model", "export", "--out", "w", "--force"]);
    assert_eq!(fs::read(root.join(weights)).unwrap(), before);
    fs::write(root.join("file"), "").unwrap();
    refuse(root, &["model", "export", "--out", "file/below"], 2, "cannot write");
}

#[test]
fn what_a_run_has_learned_becomes_weights_with_their_card() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let train = |out: &str, seed: &str| {
        let seed = format!("train.seed={seed}");
        let quick = ["--set", "train.validation.puzzles=1", "--set", "train.keep.pictures_every=0"];
        let args = ["train", "--out", out, "--puzzles", "32", "--set", &seed];
        succeed(root, &[&args[..], &quick].concat());
    };
    train("runs/mine", "5");
    train("runs/drawing", "6");
    let parts = ["--part", "decoder=runs/drawing", "--examine", "0"];
    let export = |source: &str, out: &str, more: &[&str]| {
        succeed(root, &[&["model", "export", source, "--out", out], more].concat());
        fs::read(root.join(out)).unwrap()
    };
    let own = export("runs/mine", "own.safetensors", &["--examine", "0"]);
    let mixed = export("runs/mine", "mixed.safetensors", &parts);
    assert_ne!(own, mixed, "another decoder, another card");
    let latest = fs::read_to_string(root.join("runs/mine/latest")).unwrap();
    let checkpoint = format!("runs/mine/checkpoints/{}", latest.trim());
    assert_eq!(own, export(&checkpoint, "same.safetensors", &["--examine", "0"]));
    for file in ["own", "mixed"] {
        let report = &json(root, &["model", "verify", &format!("{file}.safetensors"), "--json"])[0];
        assert_eq!((&report["sealed"], &report["sound"]), (&true.into(), &true.into()), "{report}");
    }
    let card = |file: &str| json(root, &["model", "card", file, "--json"])[0]["card"].take();
    assert_eq!(card("own.safetensors")["training_seeds"], serde_json::json!([5]));
    assert_eq!(card("mixed.safetensors")["training_seeds"], serde_json::json!([5, 6]));
    assert_eq!(card("mixed.safetensors")["settings_seeds"], serde_json::json!([1_000_000_007]));
    assert!(card("own.safetensors")["exam"].is_null(), "nothing was examined");
    // Nothing is written over, and what cannot be used is named.
    let refused = |args: &[&str], code: i32, says: &str| {
        refuse(root, &[&["model", "export"], args].concat(), code, says);
    };
    refused(&["runs/mine", "--out", "own.safetensors"], 1, "own.safetensors: exists already");
    export("runs/mine", "own.safetensors", &["--examine", "0", "--force"]);
    refused(&["runs", "--out", "x.safetensors"], 1, "runs: not a run folder");
    refused(&["runs/mine/config.toml", "--out", "x.safetensors"], 1, "runs/mine/config.toml");
    let bad = ["runs/mine", "--part", "decodr=runs/drawing", "--out", "x.safetensors"];
    refused(&bad, 1, "no part `decodr`");
    let whole = ["own.safetensors", "--part", "decoder=runs/drawing", "--out", "x.safetensors"];
    refused(&whole, 1, "--part is for runs and checkpoints");
    assert!(!root.join("x.safetensors").exists());
}

#[test]
fn seeds_that_a_file_does_not_know_of_are_added_and_its_tensors_stay() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    succeed(root, &["model", "export", "--out", "a.safetensors"]);
    let more = ["--seeds", "7,8", "--settings-seeds", "2000000011"];
    succeed(root, &[&["model", "export", "--out", "b.safetensors"][..], &more].concat());
    let data = |file: &str| {
        let bytes = fs::read(root.join(file)).unwrap();
        let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        bytes[8 + length..].to_vec()
    };
    assert_eq!(data("a.safetensors"), data("b.safetensors"));
    let card = |file: &str| json(root, &["model", "card", file, "--json"])[0]["card"].take();
    let (before, after) = (card("a.safetensors"), card("b.safetensors"));
    for (kind, more) in [("training_seeds", &[7, 8][..]), ("settings_seeds", &[2_000_000_011])] {
        let seeds = |card: &serde_json::Value| -> Vec<u64> {
            card[kind].as_array().unwrap().iter().filter_map(|s| s.as_u64()).collect()
        };
        let mut all = [&seeds(&before), more].concat();
        all.sort_unstable();
        assert_eq!(seeds(&after), all, "{kind}");
    }
    assert_eq!(after["exam"], before["exam"]);
    let args = ["eval", "solve", "--model", "b.safetensors", "-n", "1", "--layout", "c-s"];
    let warned = stderr(&genvp_in(root, &args));
    assert!(warned.contains("2000000011"), "{warned}");
}

#[test]
fn a_name_in_the_box_means_that_model_also_beside_a_folder_of_that_name() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir(root.join("raven-cpu-64")).unwrap();
    succeed(root, &["model", "export", "raven-cpu-64", "--out", "w.safetensors"]);
    let args = ["model", "export", "./raven-cpu-64", "--out", "x.safetensors"];
    refuse(root, &args, 1, "not a run folder");
}

#[test]
fn a_card_gets_figures_of_answers_drawings_and_confidence() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    succeed(root, &["model", "export", "--examine", "2", "--out", "w.safetensors"]);
    let card = json(root, &["model", "card", "w.safetensors", "--json"])[0]["card"].take();
    assert_eq!(card["exam"]["layouts"]["3x3"]["raven"]["n"], 2);
    assert_eq!(card["coherence"]["n"], 2);
    assert_eq!(card["coherence"]["layouts"]["o-ig"]["whole"]["n"], 2);
    assert_eq!(card["confidence"]["check"]["n"], 2 * 2 * 7);
    assert!(card["confidence"]["constants"]["temperature"].as_f64() > Some(0.0));
    let text = succeed(root, &["model", "card", "w.safetensors"]);
    for words in ["every rule holds %", "expected calibration error"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn the_doctor_finds_what_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let output = genvp_in(folder.path(), &["doctor", "--json"]);
    let report: serde_json::Value = serde_json::from_str(stdout(&output).trim()).unwrap();
    assert_eq!(output.status.code(), Some(0), "{report}");
    assert_eq!(report["ok"], true);
    let names: Vec<&str> =
        report["checks"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["cpu", "gpu", "weights", "originals", "current folder", "speed"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "it leaves nothing behind");
}
