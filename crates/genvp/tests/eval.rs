//! What `genvp eval` promises. The weights are untrained: their figures mean
//! nothing, but they are figures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use genvp_model::{DeviceChoice, Preset};
use serde_json::Value;

/// Untrained weights of a small model, made once.
static WEIGHTS: LazyLock<(tempfile::TempDir, String)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("untrained.safetensors");
    let (device, _) = DeviceChoice::Cpu.open().expect("the CPU");
    let preset = Preset::named("cpu-64").expect("a preset");
    let model = preset.model.init_seeded(1, &device).expect("a model");
    let card = serde_json::json!({
        "about": "untrained", "seed": 77, "training_seeds": [5, 77], "settings_seeds": [6],
    });
    fs::write(&path, model.to_bytes(card).expect("bytes")).expect("written");
    let path = path.to_str().expect("text").to_owned();
    (folder, path)
});

fn genvp(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_genvp"))
        .current_dir(folder)
        .args(args)
        .arg("--no-progress")
        .output()
        .expect("the command runs")
}

fn succeed(folder: &Path, args: &[&str]) -> String {
    let output = genvp(folder, args);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {told}");
    String::from_utf8(output.stdout).expect("text")
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let said = succeed(folder, &[args, &["--json"]].concat());
    serde_json::from_str(said.lines().last().expect("a line")).expect("JSON")
}

fn refuse(args: &[&str], says: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let output = genvp(folder.path(), args);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{args:?}: {told}");
    assert!(told.contains(says) && !told.contains("panicked"), "{told}");
}

fn weights() -> &'static str {
    &WEIGHTS.1
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_owned();
    (folder, path)
}

#[test]
fn solving_names_model_seed_and_count_and_gives_intervals() {
    let (_kept, at) = folder();
    let args = ["eval", "solve", "-n", "4", "--layout", "c-s,o-ig", "--model", weights()];
    let report = json(&at, &args);
    assert_eq!(report["n"], 4);
    assert_eq!(report["model"]["name"], "untrained");
    assert_eq!(report["model"]["weights_sha256"].as_str().map(str::len), Some(64));
    for set in ["raven", "iraven", "raven-fair"] {
        let own = &report[set];
        assert_eq!(own["per_layout"].as_object().map(|o| o.len()), Some(2));
        assert_eq!(own["intervals"]["center_single"]["n"], 4);
        assert!(own["majority_vote"]["average"].is_number());
    }
    assert!(report["paper"].is_null());
    assert_eq!(report, json(&at, &args), "the same command gives the same figures");
}

#[test]
fn a_majority_vote_is_measured_like_any_other_model() {
    let (_kept, at) = folder();
    let args = ["eval", "solve", "-n", "40", "--layout", "c-s,3x3", "--model", "vote"];
    let report = json(&at, &args);
    assert_eq!(report["model"]["name"], "vote");
    let average = |set: &str| report[set]["average"].as_f64().expect("a figure");
    assert!(average("raven") > 85.0 && average("iraven") < 35.0, "{report}");
    // Where votes tie the first choice is taken, and the column has the mean over all of them.
    let expected = report["raven"]["majority_vote"]["average"].as_f64().expect("a figure");
    assert!((average("raven") - expected).abs() < 10.0, "{report}");
    assert!(succeed(&at, &["model", "card", "vote"]).contains("8 choices"));
    for (family, regime) in [("pgm", "neutral"), ("vad", "interpolation")] {
        let args = ["eval", family, "-n", "40", "--regime", regime, "--model", "vote"];
        let report = json(&at, &args);
        assert_eq!(report["model"]["name"], "vote");
        let own = &report["per_regime"][regime];
        let answers = own["answers"]["percent"].as_f64().expect("a figure");
        let expected = own["vote"].as_f64().expect("a figure");
        assert!((answers - expected).abs() < 20.0, "{report}");
        assert!(own["relations"].is_null(), "it names none: {report}");
    }
}

const PUZZLE: &str = "made/center_single/RAVEN_0_train.npz";

/// What every command that takes a model does with one that has no pixels, rules or drawings:
/// its words, and what it says when it refuses.
const VOTING: [(&[&str], Option<&str>); 22] = [
    (&["solve", PUZZLE], Some("cannot solve from pictures")),
    (&["rules", PUZZLE], Some("cannot solve from pictures")),
    (&["complete", PUZZLE, "--out", "c"], Some("cannot draw panels")),
    (&["imagine", "--layout", "c-s", "--out", "i"], Some("cannot draw panels")),
    (&["item", "new", "--source", "model"], Some("cannot draw panels")),
    (&["item", "sheet", "--source", "model", "--out", "s.svg"], Some("cannot draw panels")),
    (&["item", "export", "--source", "model", "--out", "e"], Some("cannot draw panels")),
    (&["demo"], Some("cannot solve from pictures")),
    (&["eval", "solve", "-n", "1", "--layout", "c-s"], None),
    (&["eval", "ood", "-n", "1", "--layout", "c-s", "--shift", "size-i"], None),
    (&["eval", "rules", "-n", "1", "--layout", "c-s"], Some("cannot name rules")),
    (&["eval", "moe", "-n", "1", "--layout", "c-s"], Some("cannot name rules")),
    (&["eval", "moe", "-n", "1", "--layout", "c-s", "--teach", "0"], Some("cannot name rules")),
    (&["eval", "confidence", "-n", "1", "--layout", "c-s"], Some("cannot solve from pictures")),
    (&["eval", "coherence", "-n", "1", "--layout", "c-s"], Some("cannot draw panels")),
    (&["eval", "coherence", "-n", "1", "--layout", "c-s", "--missing", "9"], Some("cannot draw")),
    (&["eval", "figures", "--layout", "c-s", "--out", "f"], Some("cannot draw panels")),
    (&["eval", "report", "--quick", "--no-training", "-n", "1", "--out", "r"], None),
    (&["eval", "speed", "solve", "-n", "1"], Some("cannot solve from pictures")),
    (&["eval", "pgm", "-n", "1", "--regime", "neutral"], None),
    (&["eval", "vad", "-n", "1", "--regime", "interpolation"], None),
    (&["model", "card"], None),
];

#[test]
fn every_command_that_takes_a_model_says_what_a_vote_cannot_do() {
    let (_kept, at) = folder();
    succeed(&at, &["dataset", "make", "raven", "-n", "1", "--layout", "c-s", "--out", "made"]);
    for (words, refusal) in VOTING {
        let named = if words[0] == "model" { &["vote"][..] } else { &["--model", "vote"] };
        let output = genvp(&at, &[words, named].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(refusal.is_some().into()), "{words:?}: {told}");
        assert!(told.contains(refusal.unwrap_or_default()), "{words:?}: {told}");
        assert!(!told.contains("panicked"), "{words:?}: {told}");
    }
    // None is left out: the help of every command is kept, and says which take a model.
    let helps = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/snapshots");
    let mut found = 0;
    for help in fs::read_dir(helps).expect("help texts") {
        let path = help.expect("a file").path();
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let Some(command) = stem.strip_prefix("models__help__") else { continue };
        // It goes on until it is stopped: tests/serve.rs asks it.
        if command == "serve" {
            continue;
        }
        if fs::read_to_string(&path).expect("text").contains("--model <") {
            let is_tried = |(words, _): &(&[&str], _)| {
                let tried = words.join("-");
                tried == command || tried.starts_with(&format!("{command}-"))
            };
            assert!(VOTING.iter().any(is_tried), "{command} is not tried with a vote");
            found += 1;
        }
    }
    assert!(found >= 17, "{found}");
}

#[test]
fn every_measurement_warns_of_every_seed_that_the_card_knows() {
    let (_kept, at) = folder();
    let told = |args: &[&str], seed: &str| {
        let asked = ["eval", args[0], "--seed", seed, "--model", weights()];
        let output = genvp(&at, &[&asked[..], &args[1..]].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {told}");
        told
    };
    let few = ["-n", "1", "--layout", "c-s"];
    for command in [
        &["solve"][..],
        &["rules"],
        &["ood", "--shift", "size-i"],
        &["moe", "--teach", "0"],
        &["confidence"],
        &["coherence", "--diversity", "0"],
        &["coherence", "--missing", "9", "--samples", "1"],
    ] {
        let command = [command, &few].concat();
        for (seed, says) in [("5", "learned from"), ("77", "learned from"), ("6", "chosen by")] {
            let told = told(&command, seed);
            let wanted = format!("warning: seed {seed}:");
            assert!(told.contains(&wanted) && told.contains(says), "{command:?}: {told}");
        }
        assert!(!told(&command, "9").contains("warning"), "{command:?}");
    }
    // The learned mixture is taught on the next seed.
    assert!(told(&[&["moe", "--teach", "2"][..], &few].concat(), "4").contains("warning: seed 5:"));
    let figures = ["figures", "--layout", "c-s", "--out", "drawn", "--force"];
    assert!(told(&figures, "5").contains("warning: seed 5:"));
    // A stored dataset says by which seed it was made.
    genvp(
        &at,
        &["dataset", "make", "raven", "--layout", "c-s", "-n", "2", "--seed", "5", "--out", "d"],
    );
    let stored = ["solve", "d", "--set", "raven", "--split", "all"];
    assert!(told(&stored, "9").contains("warning: seed 5:"));
    // Weights that cannot be loaded still have a card: the report warns, and measures nothing.
    let mut bytes = fs::read(weights()).expect("read");
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(at.join("broken.safetensors"), bytes).expect("written");
    let report = ["eval", "report", "--quick", "--no-training", "--model", "broken.safetensors"];
    let output = genvp(&at, &[&report[..], &["--seed", "5", "--out", "r"]].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("warning: seed 5:"), "{told}");
}

#[test]
fn an_ablation_is_not_taught_on_the_puzzles_of_its_exam() {
    let (_kept, at) = folder();
    let output =
        genvp(&at, &["eval", "ablation", "--only", "contrast-none", "--seed", "2000000011"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the exam is made of these puzzles"));
}

#[test]
fn confidence_is_fitted_on_one_seed_and_checked_on_another() {
    let (_kept, at) = folder();
    let args = ["eval", "confidence", "-n", "6", "--layout", "c-s,2x2"];
    let report = json(&at, &args);
    assert_eq!(report["fit"]["n"], 24);
    assert_eq!(report["check"]["n"], 24);
    assert_ne!(report["fit"]["seed"], report["check"]["seed"]);
    let bins = report["check"]["bins"].as_array().expect("bins");
    let counted: u64 = bins.iter().filter_map(|bin| bin["n"].as_u64()).sum();
    assert_eq!(counted, 24);
    for kind in ["angle-i", "color-i", "size-i", "size-e", "noise"] {
        assert_eq!(report["strange"][kind]["n"], 12, "{kind}");
    }
    assert_eq!(report, json(&at, &args), "the same command gives the same figures");
    let text = succeed(&at, &args);
    assert!(text.contains("expected calibration error") && text.contains("noise"), "{text}");
    refuse(&["eval", "confidence", "--seed", "3", "--fit-seed", "3"], "must differ");
}

#[test]
fn the_papers_columns_stand_beside_ours_with_their_sources() {
    let (_kept, at) = folder();
    let text = succeed(
        &at,
        &["eval", "solve", "-n", "2", "--set", "raven", "--compare", "paper", "--model", weights()],
    );
    for word in [
        "GCA",
        "ALANS",
        "PrAE",
        "RAISE*",
        "94.7",
        "average, recomputed",
        "tab:rpm-acc",
        "majority vote",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn a_folder_of_puzzles_is_solved_by_its_pixels_at_the_asked_split() {
    let (_kept, at) = folder();
    succeed(&at, &["dataset", "make", "iraven", "-n", "10", "--layout", "c-s", "--out", "I-RAVEN"]);
    let solve = |split: &str| {
        json(
            &at,
            &[
                "eval",
                "solve",
                "I-RAVEN",
                "--set",
                "iraven",
                "--split",
                split,
                "--model",
                weights(),
            ],
        )
    };
    let (all, test) = (solve("all"), solve("test"));
    assert_eq!(all["iraven"]["intervals"]["center_single"]["n"], 10);
    assert_eq!(test["iraven"]["intervals"]["center_single"]["n"], 2);
    assert!(all["iraven"]["majority_vote"]["average"].is_number());
}

#[test]
fn rules_are_marked_by_attribute_and_drawn() {
    let (_kept, at) = folder();
    let args =
        ["eval", "rules", "-n", "4", "--layout", "2x2", "--out", "drawn", "--model", weights()];
    let report = json(&at, &args);
    assert!(report["per_rule"]["size"].is_object() && report["confusion"]["constant"].is_object());
    assert!(at.join("drawn/rules.svg").exists() && at.join("drawn/confusion.svg").exists());
    let again = genvp(&at, &args);
    assert_eq!(again.status.code(), Some(1), "pictures are not replaced without --force");
}

#[test]
fn shifted_values_are_asked_on_both_sets() {
    let (_kept, at) = folder();
    let report = json(&at, &["eval", "ood", "-n", "2", "--layout", "c-s", "--model", weights()]);
    for shift in ["angle-i", "color-i", "size-i", "size-e"] {
        for set in ["raven", "iraven"] {
            assert!(report[shift][set]["average"].is_number(), "{shift} {set}: {report}");
        }
    }
}

#[test]
fn a_model_learns_without_rules_and_goes_on_where_it_stopped() {
    let (_kept, at) = folder();
    let args =
        ["eval", "ood", "--shift", "cs-held-out", "--puzzles", "64", "-n", "12", "--runs", "runs"];
    let report = json(&at, &args);
    let own = &report["cs-held-out"];
    assert_eq!(own["puzzles"], 64);
    assert_eq!(own["sets"]["raven"]["n"], 12);
    assert!(own["unseen"]["iraven"]["n"].as_u64() < Some(12));
    assert_eq!(report["cs-held-out"]["sets"], json(&at, &args)["cs-held-out"]["sets"]);
}

#[test]
fn every_mixture_and_expert_is_marked_on_the_same_puzzles() {
    let (_kept, at) = folder();
    let args = ["eval", "moe", "-n", "4", "--teach", "4", "--layout", "c-s", "--model", weights()];
    let report = json(&at, &args);
    assert_eq!(report["mixtures"].as_object().map(|o| o.len()), Some(6));
    assert_eq!(report["experts"].as_object().map(|o| o.len()), Some(14));
    let text = succeed(&at, &[&args[..], &["--compare", "paper"]].concat());
    assert!(text.contains("argmax-prod, GenVP"), "{text}");
}

#[test]
fn a_trial_is_trained_once() {
    let (_kept, at) = folder();
    let args = [
        "eval",
        "ablation",
        "--only",
        "contrast-none",
        "--puzzles",
        "64",
        "-n",
        "4",
        "--runs",
        "runs",
    ];
    let first = json(&at, &args);
    assert_eq!(first["trials"]["contrast-none"]["puzzles"], 64);
    assert!(first["trials"]["contrast-none"]["raven"]["percent"].is_number());
    let runs = || fs::read_dir(at.join("runs")).expect("runs").count();
    let before = runs();
    assert_eq!(first, json(&at, &args));
    assert_eq!(runs(), before);
    assert!(succeed(&at, &["eval", "ablation", "--list"]).lines().count() >= 20);
}

#[test]
fn pictures_are_drawn_as_svg_and_png() {
    let (_kept, at) = folder();
    for (format, files) in [("svg", 5), ("png", 5)] {
        let args = [
            "eval",
            "figures",
            "--layout",
            "c-s,o-ic",
            "--format",
            format,
            "--out",
            format,
            "--model",
            weights(),
        ];
        let report = json(&at, &args);
        assert_eq!(report["files"].as_array().map(Vec::len), Some(files), "{report}");
        assert!(at.join(format).join(format!("imagined-c-s.{format}")).exists());
    }
}

#[test]
fn a_report_is_whole_needs_nothing_from_outside_and_measures_nothing_twice() {
    let (_kept, at) = folder();
    let args = ["eval", "report", "--quick", "--no-training", "-n", "2", "--out", "r"];
    let first = json(&at, &args);
    assert!(first["measured"].as_u64() > Some(8), "{first}");
    for file in ["index.html", "report.md", "tables.csv", "report.json", "figures/confusion.svg"] {
        assert!(at.join("r").join(file).exists(), "{file}");
    }
    let html = fs::read_to_string(at.join("r/index.html")).expect("a page");
    assert!(html.contains("too few: n = 2"), "so small a sample gives no figure");
    assert!(html.contains("no dataset: give --originals DIR"));
    assert!(html.contains("left out by --no-training"));
    for own in ["by regime, PGM", "by regime, VAD", "mixture of the experts, PGM", "1.2 million"] {
        assert!(html.contains(own), "{own}");
    }
    assert!(!html.replace("http://www.w3.org/", "").contains("http"), "no outside address");
    for link in html.split("href=\"#").skip(1) {
        let id = link.split('"').next().expect("an id");
        assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
    }
    let second = json(&at, &args);
    assert_eq!(
        second["kept"].as_u64(),
        first["measured"].as_u64().map(|n| n + first["kept"].as_u64().unwrap_or(0))
    );
    // A finished cell survives; a lost one is measured again.
    let cell = fs::read_dir(at.join("r/cells")).expect("cells").next().expect("one").expect("one");
    fs::remove_file(cell.path()).expect("removed");
    assert_eq!(json(&at, &args)["measured"], 1);
    // So is a picture.
    let picture = at.join("r/figures/imagined-c-s.svg");
    fs::remove_file(&picture).expect("removed");
    assert_eq!(json(&at, &args)["measured"], 1);
    assert!(picture.exists(), "drawn again");
}

#[test]
fn a_report_without_weights_says_so_in_its_cells() {
    let (_kept, at) = folder();
    let args = [
        "eval",
        "report",
        "--quick",
        "--no-training",
        "-n",
        "2",
        "--out",
        "r",
        "--model",
        "nothing.safetensors",
    ];
    let report = json(&at, &args);
    assert!(report["missing"].as_u64() > Some(100), "{report}");
    let html = fs::read_to_string(at.join("r/index.html")).expect("a page");
    assert!(html.contains("no weights: ") && html.contains("94.7"));
}

#[test]
fn a_report_does_not_write_into_a_folder_of_something_else() {
    let (_kept, at) = folder();
    fs::write(at.join("mine.txt"), "mine").expect("written");
    let output = genvp(&at, &["eval", "report", "--quick", "--out", "."]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("holds something else"));
}

#[test]
fn wishes_that_make_no_sense_are_refused() {
    refuse(&["eval", "solve", "--layout", "5x5", "--model", weights()], "not a layout");
    refuse(&["eval", "solve", "--set", "pgm", "--model", weights()], "not a set");
    refuse(&["eval", "solve", "--model", "none.safetensors"], "none.safetensors");
    refuse(&["eval", "ood", "--shift", "smell", "--model", weights()], "smell");
    refuse(&["eval", "ablation", "--only", "everything"], "no trial `everything`");
    refuse(&["eval", "moe", "--set", "vad", "--model", weights()], "not a set");
}

/// The examples in the help of a command.
fn examples(command: &[&str]) -> Vec<Vec<String>> {
    let (_kept, at) = folder();
    let output = genvp(&at, &[command, &["--help"]].concat());
    let help = String::from_utf8(output.stdout).expect("text");
    let lines = help.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
    lines
        .take_while(|line| line.starts_with("  "))
        .map(|line| line.split_whitespace().skip(1).map(str::to_owned).collect())
        .collect()
}

/// Every example of every measurement runs, on few puzzles and with untrained weights.
#[test]
fn every_example_in_the_help_runs() {
    let (_kept, at) = folder();
    succeed(&at, &["dataset", "make", "iraven", "-n", "2", "--layout", "c-s", "--out", "I-RAVEN"]);
    let mut seen = 0;
    for command in ["solve", "rules", "ood", "moe", "ablation", "figures", "confidence", "report"] {
        let found = examples(&["eval", command]);
        assert!(found.len() >= 2, "{command} has examples");
        for (index, mut words) in found.into_iter().enumerate() {
            let mut set = |flag: &str, value: &str| match words.iter().position(|word| word == flag)
            {
                Some(place) => words[place + 1] = value.to_owned(),
                None => words.extend([flag.to_owned(), value.to_owned()]),
            };
            if command != "figures" {
                set("-n", "2");
            }
            // What an untrained model draws takes the judge a hundred times longer to read.
            if !["ablation", "figures", "report"].contains(&command) {
                set("--model", weights());
            }
            if !["ablation", "report"].contains(&command) {
                set("--layout", "c-s");
            }
            let out = format!("{command}-{index}");
            match command {
                "figures" | "report" => set("--out", &out),
                "ablation" => {
                    set("--only", "contrast-none");
                    set("--runs", &out);
                    set("--puzzles", "32");
                }
                "moe" => set("--teach", "2"),
                _ => {}
            }
            if words.contains(&"--puzzles".to_owned()) {
                let place = words.iter().position(|word| word == "--puzzles").expect("there");
                words[place + 1] = "32".to_owned();
            }
            if command == "report" {
                // Training and timing are tried by tests of their own.
                words.retain(|word| word != "--torch" && word != "python3");
                if !words.contains(&"--no-training".to_owned()) {
                    words.push("--no-training".to_owned());
                }
            }
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            succeed(&at, &words);
            seen += 1;
        }
    }
    assert!(seen >= 20, "{seen}");
}

/// A stand-in for a PyTorch twin: a shell script that says it has so many parameters.
#[cfg(unix)]
fn twin(folder: &Path, parameters: usize, rates: &str) -> String {
    let path = folder.join("twin.sh");
    let said = format!(
        r#"{{"parameters":{parameters},"per_second":{{{rates}}},"megabytes":5,"torch":"none","optimizer":"fused AdamW"}}"#
    );
    fs::write(&path, format!("echo '{said}'")).expect("written");
    path.to_str().expect("text").to_owned()
}

/// Numbers that went through JSON are read back to within a unit in the last place.
#[cfg(unix)]
fn assert_close(left: f64, right: f64) {
    assert!((left - right).abs() <= 1e-12 * right.abs(), "{left} is not {right}");
}

#[cfg(unix)]
#[test]
fn solving_is_timed_with_and_without_noise_beside_a_twin() {
    let (_keep, root) = folder();
    let rates = r#""memory_drawings":2,"memory_noise":4,"folder_drawings":8,"folder_noise":16"#;
    let run = |parameters| {
        let script = twin(&root, parameters, rates);
        let args = ["eval", "speed", "solve", "--model", weights(), "-n", "1", "--batch", "2"];
        let more = ["--rounds", "1", "--steps", "1", "--torch", "sh", "--torch-script", &script];
        genvp(&root, &[&args[..], &more, &["--json"]].concat())
    };
    let output = run(1_080_716);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let said: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{said}"));
    for (own, folder, memory) in [(&said, 8.0, 2.0), (&said["noise"], 16.0, 4.0)] {
        assert_eq!(number(&own["torch_folder_per_second"]["compiled"]), folder);
        assert_eq!(number(&own["torch_memory_per_second"]["eager"]), memory);
        let ours = number(&own["memory_per_second"]);
        assert_close(number(&own["memory_times_torchs_memory"]), ours / memory);
        let ours = number(&own["folder_per_second"]);
        assert_close(number(&own["folder_times_torchs_folder"]), ours / folder);
    }
    let output = run(1_080_715);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("1080715 parameters and ours 1080716"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_training_step_is_timed_with_and_without_noise_beside_a_twin() {
    let (_keep, root) = folder();
    let rates = r#""drawings":2,"noise":4"#;
    let args = ["eval", "speed", "train", "--batch", "1", "--steps", "1", "--rounds", "1"];
    let script = twin(&root, 2_414_025, rates);
    let with_twin = ["--torch", "sh", "--torch-script", &script];
    let said = json(&root, &[&args[..], &with_twin].concat());
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{said}"));
    assert_eq!(said["torch_optimizer"], "fused AdamW");
    for (own, rate) in [(&said, 2.0), (&said["noise"], 4.0)] {
        assert_close(number(&own["torch"]["eager"]["step_ms"]), 1e3 / rate);
        assert_close(number(&own["times_torchs_best"]), number(&own["puzzles_per_second"]) / rate);
    }
    let script = twin(&root, 7, rates);
    let with_twin = ["--torch", "sh", "--torch-script", &script];
    let output = genvp(&root, &[&args[..], &with_twin].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("7 parameters and ours 2414025"), "{told}");
}
