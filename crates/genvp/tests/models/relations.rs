//! Models of PGM and VAD: trained, exported, and used by the same commands.

use std::path::Path;

use genvp_puzzle::Layout;

use crate::command::{json, refuse, succeed};
use crate::puzzles::{puzzle, write_npz};

/// A model that was hardly taught, in `NAME.safetensors`.
fn taught(root: &Path, preset: &str, name: &str) -> String {
    let mut args = vec!["train", "--preset", preset, "--out", name, "--puzzles", "4", "-q"];
    for setting in [
        "train.batch=2",
        "train.validation.puzzles=1",
        "model.size=16",
        "model.reader.place=[4]",
        "model.reader.lines=[4]",
        "model.experts.relation=4",
        "model.experts.line=4",
        "model.experts.hidden=4",
    ] {
        args.extend(["--set", setting]);
    }
    succeed(root, &args);
    let file = format!("{name}.safetensors");
    succeed(root, &["model", "export", name, "--out", &file, "--examine", "2"]);
    file
}

#[test]
fn a_trained_model_of_each_family_solves_and_names_rules_of_its_files_and_of_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write_npz(&root.join("RAVEN_0_test.npz"), &puzzle(Layout::CenterSingle, 0));
    for (family, preset, regime, choices) in
        [("pgm", "pgm-cpu-64", "neutral", 8), ("vad", "vad-cpu-64", "novel.domain.transfer", 4)]
    {
        let model = taught(root, preset, family);
        let make = ["dataset", "make", family, "--regime", regime, "--split", "test"];
        succeed(root, &[&make[..], &["-n", "3", "--out", &format!("{family}-set")]].concat());
        let set = format!("{family}-set");
        let lines = json(root, &["solve", &set, "--model", &model, "--json", "--explain"]);
        assert_eq!(lines.len(), 4);
        for line in &lines[..3] {
            assert_eq!(line["scores"].as_array().unwrap().len(), choices);
            assert_eq!(line["stratum"], format!("{family}/{regime}"));
            assert!(line["layout"].is_null());
            assert_eq!(line["broken"].as_array().unwrap().len(), choices);
        }
        let summary = &lines[3]["summary"];
        assert_eq!(summary["n"], 3);
        assert!(summary["per_stratum"][format!("{family}/{regime}")].is_number());
        let rules = &json(root, &["rules", &set, "--model", &model, "--json"])[0];
        assert_eq!((rules["attributes"][0].as_str(), rules["columns"][2].as_str()), {
            (Some("shape.color"), Some("XOR"))
        });
        for row in rules["mixed"].as_array().unwrap() {
            let sum: f64 = row.as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).sum();
            assert!((sum - 1.0).abs() < 1e-3, "{row}");
        }
        let text = succeed(root, &["solve", &set, "--model", &model, "--explain"]);
        assert!(text.contains("active rules seen by"), "{text}");
        let card = succeed(root, &["model", "card", &model]);
        assert!(card.contains(regime) && card.contains("the true values"), "{card}");
        let eval = &json(root, &["eval", family, "-n", "2", "--model", &model, "--json"])[0];
        assert!(eval["per_regime"][regime]["answers"]["percent"].is_number(), "{eval}");
        let told =
            refuse(root, &["solve", "RAVEN_0_test.npz", "--model", &model], 1, "puzzle of raven");
        assert!(told.contains(&format!("is for puzzles of {family}")), "{told}");
    }
    refuse(root, &["solve", "vad-set", "--model", "pgm.safetensors"], 1, "is for puzzles of pgm");
    refuse(root, &["eval", "pgm", "--model", "raven-cpu-64"], 1, "is for puzzles of raven");
    refuse(root, &["eval", "moe", "--model", "pgm.safetensors"], 1, "is for puzzles of pgm");
    refuse(root, &["eval", "vad", "--regime", "neutral"], 1, "not a regime of vad");
    refuse(
        root,
        &["complete", "RAVEN_0_test.npz", "--model", "pgm.safetensors", "--out", "x"],
        1,
        "wanted are 3x3 panels, 8 choices, 12 attributes",
    );
}
