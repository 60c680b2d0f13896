//! Datasets of RAVEN, I-RAVEN and RAVEN-FAIR.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::command::{genvp, json, kill_and_resume, refuse, stderr, stdout, succeed, text, tree};

#[test]
fn a_made_dataset_is_sound_and_solved_from_pixels_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    for set in ["raven", "iraven", "raven-fair"] {
        let out = folder.path().join(set);
        let made = succeed(&["dataset", "make", set, "-n", "10", "--out", text(&out), "--json"]);
        let made: Value = serde_json::from_str(made.trim()).expect("JSON");
        assert_eq!(made["made"], 70);
        let report = succeed(&["dataset", "check", text(&out), "--json"]);
        let report: Value = serde_json::from_str(report.trim()).expect("JSON");
        assert_eq!(report["sound"], 70, "{report}");
        let lines = succeed(&["solve", "--exact", text(&out), "--json"]);
        let summary: Value =
            serde_json::from_str(lines.lines().last().expect("a summary")).expect("JSON");
        assert_eq!(lines.lines().count(), 71);
        assert_eq!(summary["summary"]["n"], 70);
        assert!(summary["summary"]["accuracy"].as_f64() >= Some(98.0), "{summary}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_at_any_thread_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let trees = ["1", "2", "5"].map(|threads| {
        let out = folder.path().join(threads);
        succeed(&[
            "dataset",
            "make",
            "iraven",
            "-n",
            "12",
            "--seed",
            "7",
            "--threads",
            threads,
            "--out",
            text(&out),
        ]);
        tree(&out)
    });
    assert_eq!(trees[0].len(), 7 * (12 * 2 + 2) + 1, "npz, xml, truth and sums, and a manifest");
    assert!(trees[0] == trees[1] && trees[1] == trees[2]);
}

#[test]
fn a_killed_run_leaves_only_whole_files_and_resumes_to_the_same_tree() {
    let make = ["dataset", "make", "iraven", "-n", "20", "--seed", "7"];
    kill_and_resume(&make, [0, 60, 200]);
}

#[test]
#[ignore = "long: 7,000 puzzles, several times"]
fn a_large_killed_run_resumes_to_the_same_tree() {
    let make = ["dataset", "make", "iraven", "-n", "1000", "--seed", "7"];
    kill_and_resume(&make, [300, 1500, 4000]);
}

#[test]
fn shards_make_each_puzzle_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = |name: &str| folder.path().join(name);
    let base = ["dataset", "make", "raven", "--layout", "2x2", "-n", "9", "--out"];
    let run = |name: &str, more: &[&str]| {
        let path = out(name);
        let mut args = base.to_vec();
        args.push(text(&path));
        args.extend(more);
        succeed(&args);
        tree(&path)
    };
    let whole = run("whole", &[]);
    let is_puzzle = |name: &PathBuf| name.extension().is_some_and(|e| e == "npz" || e == "xml");
    let mut joined = run("first", &["--shard", "1/2"]);
    joined.extend(run("second", &["--shard", "2/2"]));
    joined.retain(|name, _| is_puzzle(name));
    let puzzles: BTreeMap<_, _> = whole.into_iter().filter(|(name, _)| is_puzzle(name)).collect();
    assert!(joined == puzzles);
}

#[test]
fn impossible_and_mistyped_requests_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("x");
    let make = |more: &[&str], code, says| {
        let mut args = vec!["dataset", "make", "iraven", "-n", "1", "--out", text(&out)];
        args.extend(more);
        refuse(&args, code, says);
        assert!(!out.exists(), "nothing is left behind by {more:?}");
    };
    make(&["--layout", "c-s", "--rule", "type=arithmetic"], 1, "there is no arithmetic on type");
    let both = "number=progression position=progression";
    make(&["--layout", "3x3", "--rule", both], 1, "share one rule");
    make(&["--layout", "o-ig", "--rule", "in.size=progression:+2"], 1, "leave the range");
    make(&["--layout", "c-s", "--uniform"], 1, "layouts with a grid");
    make(&["--layout", "u-d", "--ood", "cs-held-out"], 1, "c-s only");
    make(&["--layout", "4x4"], 2, "not a layout");
    make(&["--ood", "size-x"], 2, "angle-i");
    make(&["--shard", "3/2"], 2, "I/N");
}

#[test]
fn an_existing_output_is_refused_and_a_failing_disk_is_exit_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("d");
    let make = ["dataset", "make", "raven", "--layout", "c-s", "-n", "2", "--out", text(&out)];
    succeed(&make);
    let before = tree(&out);
    refuse(&make, 1, "exists already");
    let mut other = make.to_vec();
    other.extend(["--seed", "2", "--resume"]);
    refuse(&other, 1, "seed 1234 then, 2 now");
    assert!(tree(&out) == before);
    let mut again = make.to_vec();
    again.push("--force");
    succeed(&again);
    assert!(tree(&out) == before);
    refuse(&["dataset", "make", "raven", "-n", "1", "--out", "/proc/genvp"], 2, "cannot write");
}

#[test]
fn bad_files_are_named_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.npz");
    fs::write(&bad, b"PK not really").expect("written");
    refuse(&["solve", "--exact", text(&bad)], 1, "bad.npz");
    refuse(&["solve", "--exact", "no-such-file.npz"], 1, "no-such-file.npz");
    refuse(&["solve", "--exact", text(folder.path())], 1, "bad.npz");
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("made");
    refuse(&["solve", "--exact", text(&empty)], 1, "no puzzles in this folder");
    let output = genvp(&["dataset", "check", text(&bad)]);
    assert_eq!(output.status.code(), Some(1));
    let output = genvp(&["solve", "--exact", text(folder.path()), "--skip-bad"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 files could not be read"), "{}", stdout(&output));
}

#[test]
fn a_changed_file_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("d");
    succeed(&["dataset", "make", "iraven", "--layout", "l-r", "-n", "3", "--out", text(&out)]);
    let file = out.join("left_center_single_right_center_single/RAVEN_1_train.npz");
    let mut bytes = fs::read(&file).expect("readable");
    // A black pixel in the middle of the white corner of some panel.
    let middle = bytes.len() / 2;
    let white = bytes[middle..].iter().position(|&b| b == 255).expect("paper") + middle;
    bytes[white] = 0;
    fs::write(&file, &bytes).expect("written");
    let output = genvp(&["dataset", "check", text(&out)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("RAVEN_1_train.npz"), "{}", stdout(&output));
}

#[test]
fn pictures_are_drawn_by_the_ending_of_their_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("d");
    succeed(&["dataset", "make", "raven-fair", "-n", "1", "--out", text(&out)]);
    let png = folder.path().join("sheet.png");
    succeed(&["dataset", "show", text(&out), "--out", text(&png)]);
    assert!(fs::read(&png).expect("drawn").starts_with(b"\x89PNG"));
    refuse(&["dataset", "show", text(&out), "--out", text(&png)], 1, "exists already");
    let svg = folder.path().join("sheet.svg");
    succeed(&["dataset", "show", text(&out), "--style", "clean", "--out", text(&svg)]);
    assert!(fs::read_to_string(&svg).expect("drawn").starts_with("<svg"));
    refuse(&["dataset", "show", text(&out), "--out", "sheet.gif"], 1, ".png or .svg");
    let drawn = succeed(&["dataset", "show", text(&out)]);
    assert!(drawn.contains('✓') && drawn.contains("number/position constant"), "{drawn}");
}

#[test]
fn stats_count_every_puzzle() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("d");
    succeed(&["dataset", "make", "iraven", "-n", "5", "--out", text(&out)]);
    let report: Value =
        serde_json::from_str(succeed(&["dataset", "stats", text(&out), "--json"]).trim())
            .expect("JSON");
    let layouts = report["per_layout"].as_object().expect("by layout");
    assert_eq!(layouts.len(), 7);
    assert!(layouts.values().all(|l| l["n"] == 5));
    assert!(succeed(&["dataset", "stats", text(&out)]).contains("wrong choices change"));
}

/// Steps of two look like sums where two rows begin alike: one puzzle in twenty has rivals.
const OFTEN: &str = "size=progression:+2";

#[test]
fn rivals_are_counted_alike_by_check_and_stats() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("d");
    let make =
        ["dataset", "make", "raven", "-n", "60", "--layout", "c-s", "--rule", OFTEN, "--out"];
    succeed(&[&make[..], &[text(&out)]].concat());
    let field = "with_other_rules_that_fit";
    let check = json(&succeed(&["dataset", "check", text(&out), "--json"]));
    let stats = json(&succeed(&["dataset", "stats", text(&out), "--json"]));
    let mut sum = 0;
    for (layout, counts) in check["per_layout"].as_object().expect("by layout") {
        assert_eq!(counts[field], stats["per_layout"][layout][field], "{layout}");
        assert_eq!(counts["audited"], 60);
        sum += counts[field].as_u64().expect("a number");
    }
    assert_eq!(check[field], sum);
    assert!(sum > 0, "some have rivals");
    assert!(succeed(&["dataset", "check", text(&out)]).contains(&format!("{sum} with rivals")));
    assert!(succeed(&["dataset", "stats", text(&out)]).contains("with rivals ("));
}

#[test]
fn puzzles_with_rivals_can_be_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        let base = ["dataset", "make", "raven", "--layout", "c-s", "-n", "60", "--rule", OFTEN];
        succeed(&[&base[..], &["--no-rivals", "--out", text(&path)], more].concat());
        path
    };
    let whole = run("whole", &["--threads", "1"]);
    let check = json(&succeed(&["dataset", "check", text(&whole), "--json"]));
    assert_eq!(check["with_other_rules_that_fit"], 0, "{check}");
    let manifest = fs::read_to_string(whole.join("manifest.json")).expect("a manifest");
    assert_eq!(json(&manifest)["plan"]["no_rivals"], true);
    assert!(tree(&whole) == tree(&run("threads", &["--threads", "3"])));
    let is_puzzle = |name: &PathBuf| name.extension().is_some_and(|e| e == "npz" || e == "xml");
    let mut joined = tree(&run("first", &["--shard", "1/2"]));
    joined.extend(tree(&run("second", &["--shard", "2/2"])));
    joined.retain(|name, _| is_puzzle(name));
    let puzzles: BTreeMap<_, _> = tree(&whole).into_iter().filter(|(n, _)| is_puzzle(n)).collect();
    assert!(joined == puzzles);
    // A lost file is made again; without the wish the dataset is another one.
    let lost = whole.join("center_single/RAVEN_7_val.npz");
    let before = fs::read(&lost).expect("made");
    fs::remove_file(&lost).expect("removed");
    let resume = ["dataset", "make", "raven", "--layout", "c-s", "-n", "60", "--rule", OFTEN];
    let resume = [&resume[..], &["--resume", "--out", text(&whole)]].concat();
    refuse(&resume, 1, "no rivals true then, false now");
    run("whole", &["--resume"]);
    assert!(fs::read(&lost).expect("made again") == before);
}

#[test]
fn other_wishes_go_with_no_rivals() {
    let folder = tempfile::tempdir().expect("a folder");
    let more: [&[&str]; 4] =
        [&["--faithful"], &["--ood", "size-e"], &["--rule", OFTEN], &["--format", "parquet"]];
    for (index, more) in more.iter().enumerate() {
        let out = folder.path().join(index.to_string());
        let base = ["dataset", "make", "raven", "--layout", "c-s", "-n", "20", "--no-rivals"];
        succeed(&[&base[..], &["--out", text(&out)], more].concat());
        if !more.contains(&"parquet") {
            let check = json(&stdout(&genvp(&["dataset", "check", text(&out), "--json"])));
            assert_eq!(check["with_other_rules_that_fit"], 0, "{more:?}: {check}");
            assert_eq!(check["audited"], 20, "{more:?}: {check}");
        }
    }
}

#[test]
fn a_reader_that_hangs_up_is_no_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("d");
    succeed(&["dataset", "make", "raven", "-n", "3", "--out", text(&out)]);
    let mut run = Command::new(env!("CARGO_BIN_EXE_genvp"))
        .args(["solve", "--exact", text(&out), "--json", "--no-progress"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    drop(run.stdout.take());
    let ended = run.wait_with_output().expect("ended");
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    assert!(ended.stderr.is_empty(), "{}", stderr(&ended));
}

#[test]
fn a_table_holds_the_same_puzzles_as_the_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let make = ["dataset", "make", "raven", "--layout", "u-d", "-n", "7", "--out"];
    let (files, made) = (path("files"), path("made"));
    succeed(&[&make[..], &[text(&files)]].concat());
    succeed(&[&make[..], &[text(&made), "--format", "parquet"]].concat());
    let converted = path("converted");
    let to_tables = ["--to", "parquet", "--out", text(&converted)];
    succeed(&[&["dataset", "convert", text(&files)], &to_tables[..]].concat());
    assert!(tree(&made) == tree(&converted));
    let table = made.join("up_center_single_down_center_single/train.parquet");
    let back = path("back");
    succeed(&["dataset", "convert", text(&table), "--to", "npz", "--out", text(&back)]);
    // The tables of the field have no `predict`, so the scenes are compared.
    let name = "RAVEN_5_train.xml";
    let original = files.join("up_center_single_down_center_single").join(name);
    assert!(fs::read(back.join(name)).expect("back") == fs::read(original).expect("made"));
    succeed(&["dataset", "check", text(&back)]);
}

#[test]
fn tables_are_checked_counted_and_shown_as_files_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (files, tables) = (path("files"), path("tables"));
    succeed(&["dataset", "make", "iraven", "-n", "6", "--out", text(&files)]);
    let to_tables = ["--to", "parquet", "--set", "iraven", "--out", text(&tables)];
    succeed(&[&["dataset", "convert", text(&files)], &to_tables[..]].concat());
    for command in ["check", "stats"] {
        let of = |path: &Path| json(&succeed(&["dataset", command, text(path), "--json"]));
        let (found, wanted) = (of(&tables), of(&files));
        assert_eq!(found, wanted, "{command}");
    }
    // Two puzzles of each table, named as their files were.
    let table = tables.join("center_single/train.parquet");
    let shown = succeed(&["dataset", "show", text(&table), "-n", "2"]);
    assert!(shown.contains("c-s · RAVEN_0_train") && shown.contains("c-s · RAVEN_1_train"));
    assert!(!shown.contains("RAVEN_2_train"), "{shown}");
    let shown = succeed(&["dataset", "show", text(&tables)]);
    assert_eq!(shown.matches("RAVEN_").count(), 7, "one of each table: {shown}");
    // What is wrong in a table is found and named.
    let scrambled = path("wrong");
    fs::create_dir(&scrambled).expect("a folder");
    let swap = |name: &str| {
        let from = files.join("center_single").join(name);
        fs::copy(from, scrambled.join("RAVEN_0_train").with_extension(&name[name.len() - 3..]))
    };
    swap("RAVEN_0_train.npz").expect("copied");
    swap("RAVEN_1_train.xml").expect("copied");
    let wrong = path("wrong-tables");
    succeed(&["dataset", "convert", text(&scrambled), "--to", "parquet", "--out", text(&wrong)]);
    let output = genvp(&["dataset", "check", text(&wrong)]);
    assert_eq!(output.status.code(), Some(1));
    let told = stdout(&output);
    let said = "train.parquet/RAVEN_0_train.npz: panel 1 is not the picture of its scene";
    assert!(told.contains(said), "{told}");
}

#[test]
fn a_member_that_is_odd_for_raven_is_a_fault_of_a_dataset() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/variants");
    let output = genvp(&["dataset", "check", text(&fixtures.join("odd-meta-target.npz"))]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("shape (12,), wanted (9,)"), "{}", stdout(&output));
}
