//! What `genvp imagine`, `complete`, `item`, `demo` and `eval coherence` promise.
//! The model is a fresh one, so that the promises do not hang on training.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use genvp_model::{DeviceChoice, Preset};
use serde_json::Value;

/// A weights file of an untrained model.
static MODEL: LazyLock<(tempfile::TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = untrained(folder.path(), "cpu-64");
    (folder, path)
});

/// A weights file of an untrained model of a preset.
fn untrained(folder: &Path, preset: &str) -> PathBuf {
    let (device, _) = DeviceChoice::Cpu.open().expect("a processor");
    let model = Preset::named(preset).expect("in the box").model;
    let model = model.init_seeded(1, &device).expect("it can be built");
    let path = folder.join("fresh.safetensors");
    fs::write(&path, model.to_bytes(serde_json::json!({})).expect("bytes")).expect("written");
    path
}

fn genvp(folder: &Path, args: &[&str]) -> Output {
    let mut run = Command::new(env!("CARGO_BIN_EXE_genvp"));
    run.current_dir(folder).args(args).arg("--no-progress");
    run.output().expect("the command runs")
}

fn with_model<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let path = MODEL.1.to_str().expect("a path of ours");
    [args, &["--model", path]].concat()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn succeed(folder: &Path, args: &[&str]) -> String {
    let output = genvp(folder, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn refuse(folder: &Path, args: &[&str], code: i32, says: &str) {
    let output = genvp(folder, args);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    assert!(said.contains(says) && !said.contains("panicked"), "{args:?} says: {said}");
}

fn json(text: &str) -> Value {
    serde_json::from_str(text.lines().last().expect("a line")).expect("JSON")
}

#[test]
fn imagined_puzzles_come_with_rules_and_verdict_and_the_same_seed_gives_them_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = |out| {
        with_model(&[
            "imagine",
            "--layout",
            "l-r",
            "--rule",
            "left.size=constant",
            "-n",
            "2",
            "--out",
            out,
        ])
    };
    let said = succeed(folder.path(), &args("a"));
    assert_eq!(said.lines().count(), 2, "{said}");
    succeed(folder.path(), &args("b"));
    for name in ["puzzle_1.png", "puzzle_2.png", "puzzle_1.json", "contact_sheet.png"] {
        let read = |out: &str| fs::read(folder.path().join(out).join(name)).expect(name);
        assert!(read("a") == read("b"), "{name}");
    }
    let said: Value =
        serde_json::from_slice(&fs::read(folder.path().join("a/puzzle_1.json")).expect("written"))
            .expect("JSON");
    assert!(said["asked"].as_str().expect("text").contains("left.size=constant"), "{said}");
    assert_eq!(said["judge"]["rules"].as_array().expect("rules").len(), 8);
    refuse(folder.path(), &args("a"), 1, "exists already");
}

#[test]
fn impossible_wishes_are_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let wish = |layout, rule, code, says| {
        let args = ["imagine", "--layout", layout, "--rule", rule, "--out", "x"];
        refuse(folder.path(), &with_model(&args), code, says);
        assert!(!folder.path().join("x").exists());
    };
    wish("c-s", "type=arithmetic", 1, "there is no arithmetic on type");
    wish("3x3", "number=progression position=progression", 1, "share one rule");
    wish("o-ig", "in.size=progression:+2", 1, "leave the range");
    wish("c-s", "out.size=constant", 1, "no component");
    wish("c-s", "size", 1, "is not a rule");
    wish("4x4", "size=constant", 2, "not a layout");
}

#[test]
fn a_wish_that_the_judge_never_grants_says_how_near_it_came() {
    let folder = tempfile::tempdir().expect("a folder");
    let args =
        ["imagine", "--layout", "3x3", "-n", "1", "--verified", "--tries", "2", "--out", "x"];
    refuse(folder.path(), &with_model(&args), 1, "did not satisfy the judge in 2 tries");
    assert!(folder.path().join("x/puzzle_1.png").exists());
}

/// A puzzle of the engine as a file.
fn puzzle_file(folder: &Path) {
    succeed(folder, &["item", "export", "--layout", "o-ic", "--out", "made"]);
    fs::copy(folder.join("made/item_1.npz"), folder.join("puzzle.npz")).expect("copied");
}

#[test]
fn gaps_are_filled_several_times_and_both_protocols_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    puzzle_file(folder.path());
    let args =
        ["complete", "puzzle.npz", "--missing", "3,7", "--samples", "2", "--out", "x", "--json"];
    let said = json(&succeed(folder.path(), &with_model(&args)));
    assert_eq!(said["samples"].as_array().expect("samples").len(), 2);
    for protocol in ["honest", "leaking"] {
        assert!(said["protocols"][protocol]["puzzle_rules"].is_f64(), "{said}");
    }
    assert!(folder.path().join("x/contact_sheet.png").exists());
}

#[test]
fn gaps_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    puzzle_file(folder.path());
    let gap = |missing, says| {
        let args = ["complete", "puzzle.npz", "--missing", missing, "--out", "x"];
        refuse(folder.path(), &with_model(&args), 1, says);
    };
    gap("10", "1 to 9");
    gap("0", "1 to 9");
    gap("two", "1 to 9");
    gap("1,2,3,4,5,6,7,8,9", "all panels are missing");
    refuse(folder.path(), &with_model(&["complete", "no.npz", "--out", "x"]), 1, "no.npz");
}

#[test]
fn matrices_and_analogies_are_imagined_completed_and_measured() {
    for (family, preset, rules, panels, regime) in [
        ("pgm", "pgm-cpu-64", "shape.color=XOR:rows line.type=OR", 9, "neutral"),
        (
            "vad",
            "vad-cpu-64",
            "source.shape.size=AND target.line.color=AND",
            6,
            "novel.domain.transfer",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        untrained(folder, preset);
        let model = ["--model", "fresh.safetensors"];
        let wish = ["imagine", "--family", family, "--rule", rules, "-n", "1", "--out"];
        let said = succeed(folder, &[&wish[..], &["a", "--json"], &model].concat());
        let said = json(&said);
        assert_eq!((said["family"].as_str(), said["asked"].as_str()), (Some(family), Some(rules)));
        assert_eq!(said["judge"]["rules"].as_array().map(Vec::len), Some(2));
        succeed(folder, &[&wish[..], &["b"], &model].concat());
        let read = |out: &str| fs::read(folder.join(out).join("puzzle_1.png")).expect("drawn");
        assert!(read("a") == read("b"), "the same seed");

        succeed(folder, &["item", "export", "--family", family, "--out", "made"]);
        let fill = ["complete", "made/item_1.npz", "--samples", "2", "--out", "x", "--json"];
        let said = json(&succeed(folder, &[&fill[..], &model].concat()));
        assert_eq!(said["missing"], panels.to_string());
        assert_eq!(said["samples"].as_array().map(Vec::len), Some(2));
        let outside = (panels + 1).to_string();
        let fill = ["complete", "made/item_1.npz", "--out", "y", "--missing"];
        refuse(folder, &[&fill[..], &[&outside], &model].concat(), 1, "is not a panel");
        refuse(folder, &[&fill[..], &["1,2"], &model].concat(), 1, "one panel");

        let measure = ["eval", "coherence", "-n", "2", "--json"];
        let said = json(&succeed(folder, &[&measure[..], &model].concat()));
        for measure in ["own_encoder", "judge", "written"] {
            let own = said[measure]["per_stratum"][regime].as_f64();
            assert!((0.0..=100.0).contains(&own.expect("percent")), "{said}");
        }
        let frozen = [&measure[..], &["--frozen"], &model].concat();
        refuse(folder, &frozen, 1, "--frozen is for models of raven");
    }
}

#[test]
fn each_family_has_its_own_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let wish = |args: &[&str], code, says| {
        refuse(folder.path(), &[&["imagine", "--out", "x"], args].concat(), code, says);
    };
    wish(&[], 2, "--layout");
    wish(&["--family", "raven"], 1, "have a layout");
    wish(&["--family", "pgm", "--layout", "c-s"], 1, "pgm has no layouts");
    wish(&["--family", "vad", "--crisp"], 1, "--crisp is for puzzles of raven");
    wish(&["--family", "pgm", "--regime", "smell"], 1, "no regime `smell`");
    wish(&["--layout", "c-s", "--regime", "neutral"], 1, "raven has no regimes");
    wish(&["--family", "pgm", "--rule", "shape.number=XOR"], 1, "shape number");
    wish(&["--family", "vad", "--rule", "source.line.type=OR"], 1, "line.type");
    wish(&["--family", "pgm", "--model", "vad-64-cpu"], 1, "2x3");
}

#[test]
fn coherence_ends_with_both_measures_in_percent() {
    let folder = tempfile::tempdir().expect("a folder");
    let args =
        ["eval", "coherence", "--layout", "c-s,u-d", "-n", "2", "--diversity", "1", "--json"];
    let said = json(&succeed(folder.path(), &with_model(&args)));
    for measure in ["own_encoder", "judge"] {
        let of = &said[measure];
        assert!((0.0..=100.0).contains(&of["average"].as_f64().expect("percent")), "{said}");
        let layouts = of["per_layout"].as_object().expect("layouts");
        let names: Vec<&String> = layouts.keys().collect();
        assert_eq!(names, ["center_single", "up_center_single_down_center_single"]);
    }
}

#[test]
fn several_answers_are_measured_under_both_protocols() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["eval", "coherence", "--layout", "c-s,2x2", "-n", "2", "--missing", "9,3"];
    let args = [&args[..], &["--samples", "4", "--json"]].concat();
    let said = json(&succeed(folder.path(), &args));
    assert_eq!(said["missing"], serde_json::json!([3, 9]));
    for protocol in ["honest", "leaking"] {
        for measure in ["own_encoder", "judge", "other_rules", "every_rule_holds"] {
            let of = &said[protocol][measure];
            assert!((0.0..=100.0).contains(&of["average"].as_f64().expect("percent")), "{said}");
            assert_eq!(of["per_layout"].as_object().expect("layouts").len(), 2);
        }
        let distinct = said[protocol]["distinct"]["average"].as_f64().expect("a number");
        assert!((0.0..=4.0).contains(&distinct), "{said}");
        // One object in the middle: the rules say all there is to say about it.
        assert_eq!(said[protocol]["per_layout_four_distinct"]["center_single"]["allow"], 0);
    }
    let refused = |more: &[&str], says| {
        refuse(folder.path(), &[&["eval", "coherence", "--missing"], more].concat(), 2, says);
    };
    refused(&["12"], "1 to 9");
    refused(&["9", "--having", "size=constant"], "cannot be used with");
    refused(&["9", "--judge-check"], "cannot be used with");
}

#[test]
fn the_judge_makes_no_mistake_on_clean_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["eval", "coherence", "--judge-check", "--layout", "c-s,2x2", "-n", "3", "--json"];
    let said = json(&succeed(folder.path(), &args));
    let rows = said["judge_check"].as_array().expect("rows");
    assert_eq!(rows.len(), 14);
    for row in rows.iter().filter(|r| r["noise"].as_f64() < Some(0.06)) {
        assert_eq!(row["own_rules"], 100.0, "{row}");
        assert_eq!(row["wrong_panel_caught"], 100.0, "{row}");
        assert!(row["other_rules"].as_f64() < Some(90.0), "{row}");
    }
}

#[test]
fn sheets_have_a_key_and_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let said =
        genvp(folder.path(), &["item", "sheet", "-n", "1", "--title", "A test", "--out", "t.pdf"]);
    assert_eq!(said.status.code(), Some(0), "{}", text(&said.stderr));
    assert!(fs::read(folder.path().join("t.pdf")).expect("written").starts_with(b"%PDF"));
    let table = fs::read_to_string(folder.path().join("t.csv")).expect("written");
    assert_eq!(table.lines().count(), 8, "a line for each layout and one above them");
    succeed(folder.path(), &["item", "sheet", "--layout", "c-s", "--out", "u.svg"]);
    let key = fs::read_to_string(folder.path().join("u-2.svg")).expect("a page with the key");
    assert!(key.contains("Answer key") && key.contains("asks for"), "{key}");
    refuse(folder.path(), &["item", "sheet", "--out", "t.doc"], 1, ".pdf, .svg or .png");
    let args = ["item", "sheet", "--layout", "c-s", "--out", "t.pdf"];
    refuse(folder.path(), &args, 1, "exists already");
}

#[test]
fn items_are_solved_by_the_exact_solver() {
    let folder = tempfile::tempdir().expect("a folder");
    succeed(folder.path(), &["item", "export", "-n", "2", "--out", "items"]);
    let said = succeed(folder.path(), &["solve", "--exact", "items", "--json"]);
    assert_eq!(json(&said)["summary"]["accuracy"], 100.0, "{said}");
}

#[test]
fn items_are_written_for_other_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["item", "export", "--layout", "c-s", "-n", "2", "--out", "items", "--format"];
    let export = |formats: &'static str| [&args[..], &[formats]].concat();
    succeed(folder.path(), &export("jspsych,psychopy,moodle"));
    let read = |name: &str| fs::read_to_string(folder.path().join("items").join(name));
    assert!(read("genvp-items.js").expect("a script").contains("\"correct_response\""));
    assert_eq!(read("conditions.csv").expect("a table").lines().count(), 3);
    assert_eq!(read("moodle.xml").expect("questions").matches("<question ").count(), 2);
    assert!(folder.path().join("items/item_2_choice_8.png").is_file());
    refuse(folder.path(), &export("moodle"), 1, "exists already");
    assert_eq!(genvp(folder.path(), &export("qti")).status.code(), Some(2), "no such format");
}

#[test]
fn the_demonstration_is_one_page_that_asks_nothing_of_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = succeed(folder.path(), &with_model(&["demo", "--out", "show"]));
    assert!(said.contains("solved") && said.contains("imagined"), "{said}");
    let page = fs::read_to_string(folder.path().join("show/index.html")).expect("written");
    for name in ["C-S", "2×2", "3×3", "L-R", "U-D", "O-IC", "O-IG"] {
        assert!(page.contains(name), "{name}");
    }
    for regime in ["neutral", "novel.domain.transfer"] {
        assert!(page.contains(regime), "{regime}");
    }
    assert_eq!(page.matches("<svg").count(), 7 + 2 + 5 + 7);
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!outside.contains("http") && !outside.contains("<script"), "nothing from outside");
    // A second demonstration replaces the first.
    succeed(folder.path(), &with_model(&["demo", "--out", "show"]));
}

/// The pieces of an example line, quotes respected.
fn words(line: &str) -> Vec<String> {
    let pieces = line.split('"').enumerate().flat_map(|(index, piece)| {
        if index % 2 == 1 {
            vec![piece.to_owned()]
        } else {
            piece.split_whitespace().map(str::to_owned).collect()
        }
    });
    pieces.collect()
}

#[test]
fn every_example_in_the_help_works() {
    let commands: [&[&str]; 7] = [
        &["imagine"],
        &["complete"],
        &["eval", "coherence"],
        &["item", "new"],
        &["item", "sheet"],
        &["item", "export"],
        &["demo"],
    ];
    let mut tried = 0;
    for command in commands {
        let folder = tempfile::tempdir().expect("a folder");
        puzzle_file(folder.path());
        let help = succeed(folder.path(), &[command, &["--help"]].concat());
        for line in help.lines().filter_map(|line| line.trim().strip_prefix("genvp ")) {
            let args = words(line);
            succeed(folder.path(), &args.iter().map(String::as_str).collect::<Vec<_>>());
            tried += 1;
        }
    }
    assert_eq!(tried, 29);
}
