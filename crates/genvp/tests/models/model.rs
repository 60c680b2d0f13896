//! `genvp model` and `genvp doctor`.

use std::fs;

use crate::command::{genvp_in, json, refuse, stdout, succeed};

#[test]
fn the_model_in_the_box_is_listed_and_described() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let text = succeed(root, &["model", "list"]);
    assert!(text.contains("raven-cpu-64") && text.contains("paper-64"), "{text}");
    let list = &json(root, &["model", "list", "--json"])[0];
    assert_eq!(list["models"][0]["model"], "raven-cpu-64");
    assert_eq!(list["models"][0]["default"], true);
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
