//! Datasets of PGM and VAD.

use std::fs;
use std::path::Path;

use genvp_data::Images;
use genvp_data::relations::{Format, RelationFile, RelationPuzzle};
use genvp_data::table::RelationTableWriter;
use genvp_puzzle::pgm;
use genvp_puzzle::relations::Split;
use serde_json::Value;

use crate::command::{genvp, json, kill_and_resume, refuse, stderr, stdout, succeed, text, tree};

const PGM: [&str; 5] = ["dataset", "make", "pgm", "--regime", "attr.rels"];
const VAD: [&str; 5] = ["dataset", "make", "vad", "--regime", "novel.domain.transfer"];

#[test]
fn the_same_seed_gives_the_same_bytes_at_any_thread_count() {
    let folder = tempfile::tempdir().expect("a folder");
    for (family, base) in [("pgm", PGM), ("vad", VAD)] {
        let trees = ["1", "2", "5"].map(|threads| {
            let out = folder.path().join(family).join(threads);
            let more = ["-n", "12", "--seed", "7", "--threads", threads, "--out", text(&out)];
            succeed(&[&base[..], &more].concat());
            tree(&out)
        });
        assert_eq!(trees[0].len(), 3 * 12 + 2 + 1, "npz, truth and sums, and a manifest");
        assert!(trees[0] == trees[1] && trees[1] == trees[2], "{family}");
    }
}

#[test]
fn a_killed_run_leaves_only_whole_files_and_resumes_to_the_same_tree() {
    kill_and_resume(&[&PGM[..], &["-n", "300"]].concat(), [0, 60, 200]);
}

#[test]
fn shards_make_each_puzzle_once_and_join_to_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        succeed(&[&VAD[..], &["-n", "5", "--out", text(&path)], more].concat());
        tree(&path)
    };
    let whole = run("whole", &[]);
    let joined = folder.path().join("joined");
    for shard in ["1/2", "2/2"] {
        for (name, bytes) in run(&shard.replace('/', "-"), &["--shard", shard]) {
            let to = joined.join(name);
            fs::create_dir_all(to.parent().expect("a folder")).expect("made");
            fs::write(to, bytes).expect("written");
        }
    }
    assert_eq!(tree(&joined).len(), 15 + 6, "puzzles; lists, hashes and manifests of two shards");
    assert!(run("joined", &["--resume"]) == whole);
}

#[test]
fn the_manifest_names_what_is_held_out_and_a_list_replaces_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("list.txt");
    fs::write(&list, "# recovered\nshape color XOR\nline type OR\n").expect("written");
    let manifest = |out: &Path| -> Value {
        let text = fs::read_to_string(out.join("manifest.json")).expect("a manifest");
        serde_json::from_str(&text).expect("JSON")
    };
    let (own, other) = (folder.path().join("own"), folder.path().join("other"));
    succeed(&[&PGM[..], &["-n", "1", "--out", text(&own)]].concat());
    let plan = &manifest(&own)["plan"];
    assert_eq!(plan["family"], "pgm");
    assert_eq!(plan["held_out"].as_array().map(Vec::len), Some(7), "{plan}");
    succeed(
        &[&PGM[..], &["--split", "test", "--held-out", text(&list), "--out", text(&other)]]
            .concat(),
    );
    let plan = &manifest(&other)["plan"];
    assert_eq!(plan["held_out"], serde_json::json!(["shape color XOR", "line type OR"]));
    let truth = fs::read_to_string(other.join("attr.rels/truth.jsonl")).expect("truth");
    assert_eq!(truth.lines().count(), 10);
    for line in truth.lines() {
        let held = [r#"["shape","color","XOR","#, r#"["line","type","OR","#];
        assert!(held.iter().any(|triple| line.contains(triple)), "{line}");
    }
}

#[test]
fn impossible_and_mistyped_requests_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out = text(&out);
    let list = folder.path().join("list.txt");
    fs::write(&list, "\nshape taste XOR\n").expect("written");
    let all = folder.path().join("all.txt");
    fs::write(&all, "").expect("written");
    refuse(&["dataset", "make", "pgm", "--out", out], 2, "--regime <NAME,..>");
    let two = ["dataset", "make", "pgm", "--regime", "attr.rels,neutral"];
    refuse(
        &[&two[..], &["--held-out", text(&all), "--out", out]].concat(),
        1,
        "--held-out has the list of one regime",
    );
    refuse(
        &["dataset", "make", "pgm", "--regime", "sweet", "--out", out],
        2,
        "known are neutral, interpolation",
    );
    refuse(
        &["dataset", "make", "vad", "--regime", "neutral", "--out", out],
        2,
        "known are novel.domain.transfer",
    );
    let list = text(&list).to_owned();
    refuse(
        &[&PGM[..], &["--held-out", &list, "--out", out]].concat(),
        1,
        "list.txt: line 2: `shape taste` is not an attribute",
    );
    refuse(
        &[&PGM[..], &["--held-out", text(&all), "--out", out]].concat(),
        1,
        "attr.rels cannot hold this out: the list of triples is empty",
    );
    refuse(
        &["dataset", "make", "pgm", "--regime", "neutral", "--held-out", &list, "--out", out],
        1,
        "neutral has no list",
    );
    refuse(&[&PGM[..], &["--layout", "3x3", "--out", out]].concat(), 2, "--layout");
    succeed(&[&PGM[..], &["-n", "1", "--out", out]].concat());
    refuse(&[&PGM[..], &["-n", "1", "--out", out]].concat(), 1, "exists already");
    refuse(
        &[&PGM[..], &["-n", "2", "--resume", "--out", out]].concat(),
        1,
        "puzzles per split 1 then, 2 now",
    );
    refuse(
        &["dataset", "make", "iraven", "-n", "1", "--resume", "--out", out],
        1,
        "unknown field `family`",
    );
    refuse(&["dataset", "make"], 2, "Usage");
}

#[test]
fn one_dataset_can_have_many_regimes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for (family, regimes) in [("pgm", 8), ("vad", 5)] {
        let make = |regime: &str, more: &[&str], out: &Path| {
            let base =
                ["dataset", "make", family, "--regime", regime, "--split", "test", "-n", "3"];
            succeed(&[&base[..], more, &["--out", text(out)]].concat());
            tree(out)
        };
        let all = path(&format!("{family}-all"));
        let files = make("all", &[], &all);
        assert_eq!(files.len(), regimes * (3 + 2) + 1, "npz, truth and sums; a manifest");
        let report = json(&succeed(&["dataset", "check", text(&all), "--json"]));
        assert_eq!(report["sound"], 3 * regimes, "{report}");
        // Each regime has the bytes that it has alone, and its list.
        let plans =
            &json(&fs::read_to_string(all.join("manifest.json")).expect("a manifest"))["plan"];
        let plans = plans.as_array().expect("one for each regime");
        assert_eq!(plans.len(), regimes);
        for plan in plans {
            let regime = plan["regime"].as_str().expect("a name");
            let alone = path(&format!("{family}-{regime}"));
            for (name, bytes) in make(regime, &[], &alone) {
                if name == Path::new("manifest.json") {
                    let text = String::from_utf8(bytes).expect("text");
                    assert_eq!(&json(&text)["plan"], plan, "{regime}");
                } else {
                    assert!(files.get(&name) == Some(&bytes), "{}", name.display());
                }
            }
        }
        // A list of two, in two parts and joined.
        let two = match family {
            "pgm" => "attr.rels,neutral",
            _ => "interpolation,novel.domain.transfer",
        };
        let whole = make(two, &[], &path(&format!("{family}-two")));
        let joined = path(&format!("{family}-joined"));
        for shard in ["1/2", "2/2"] {
            let part = path(&format!("{family}-{}", shard.replace('/', "-")));
            for (name, bytes) in make(two, &["--shard", shard], &part) {
                let to = joined.join(name);
                fs::create_dir_all(to.parent().expect("a folder")).expect("made");
                fs::write(to, bytes).expect("written");
            }
        }
        assert!(make(two, &["--resume"], &joined) == whole, "{family}");
        let other = ["dataset", "make", family, "--regime", "all", "--split", "test", "-n", "3"];
        let says = format!("regime {} then, ", two.replace(',', ", "));
        refuse(&[&other[..], &["--resume", "--out", text(&joined)]].concat(), 1, &says);
        // Tables of each, and what is held out comes along.
        let (tables, made) = (path(&format!("{family}-tables")), path(&format!("{family}-made")));
        succeed(&["dataset", "convert", text(&all), "--to", "parquet", "--out", text(&tables)]);
        make("all", &["--format", "parquet"], &made);
        assert!(tree(&tables) == tree(&made), "{family}");
        let again = path(&format!("{family}-again"));
        for _ in 0..2 {
            let to = ["--to", "npz", "--force", "--out", text(&again)];
            succeed(&[&["dataset", "convert", text(&made)][..], &to].concat());
        }
        let report = json(&succeed(&["dataset", "check", text(&again), "--json"]));
        assert_eq!(report["sound"], 3 * regimes, "{report}");
    }
}

/// All npz files of a folder in an archive that is not packed.
fn archive(folder: &Path, to: &Path) {
    let mut out = Vec::new();
    for (path, bytes) in tree(folder) {
        let name = path.to_str().expect("a path of ours");
        if !name.ends_with(".npz") {
            continue;
        }
        let mut header = [0u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|&b| u32::from(b)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        out.extend_from_slice(&header);
        out.extend_from_slice(&bytes);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    fs::write(to, out).expect("written");
}

#[test]
fn a_made_dataset_is_sound_and_so_is_its_archive_which_has_no_truth() {
    let folder = tempfile::tempdir().expect("a folder");
    for (family, base) in [("pgm", PGM), ("vad", VAD)] {
        let out = folder.path().join(family);
        succeed(&[&base[..], &["-n", "20", "--out", text(&out)]].concat());
        let tar = folder.path().join(format!("{family}.tar"));
        archive(&out, &tar);
        for path in [&out, &tar] {
            let report = json(&succeed(&["dataset", "check", text(path), "--json"]));
            assert_eq!((&report["n"], &report["sound"]), (&60.into(), &60.into()), "{report}");
            let lines = succeed(&["solve", "--exact", text(path), "--json"]);
            assert_eq!(lines.lines().count(), 61);
            assert!(!lines.contains("-0.0"), "a choice without evidence has 0 bits");
            let summary = json(lines.lines().last().expect("a summary"));
            assert_eq!(summary["summary"]["accuracy"], 100.0, "{summary}");
        }
    }
    let out = folder.path().join("pgm/attr.rels");
    let broken = out.join("PGM_attr.rels_val_3.npz");
    let bytes = fs::read(&broken).expect("a puzzle");
    fs::write(&broken, &bytes[..bytes.len() - 1]).expect("written");
    let output = genvp(&["dataset", "check", text(&out)]);
    assert_eq!(output.status.code(), Some(1));
    let told = stdout(&output);
    assert!(told.contains("PGM_attr.rels_val_3.npz: not a whole zip archive"), "{told}");
}

#[test]
fn a_puzzle_of_another_split_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    succeed(&[&PGM[..], &["-n", "3", "--out", text(&out)]].concat());
    let inner = out.join("attr.rels");
    let truth = fs::read_to_string(inner.join("truth.jsonl")).expect("truth");
    fs::write(inner.join("truth.jsonl"), truth.replace("test_2", "train_9")).expect("written");
    let name = |split: &str| inner.join(format!("PGM_attr.rels_{split}.npz"));
    fs::rename(name("test_2"), name("train_9")).expect("renamed");
    let output = genvp(&["dataset", "check", text(&inner)]);
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("it does not belong to attr.rels: no puzzle has a held-out triple"),
        "{told}"
    );
}

#[test]
fn stats_recover_what_is_held_out_and_which_domain_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pgm, vad) = (folder.path().join("pgm"), folder.path().join("vad"));
    succeed(&[&PGM[..], &["-n", "400", "--out", text(&pgm)]].concat());
    let manifest = json(&fs::read_to_string(pgm.join("manifest.json")).expect("a manifest"));
    let tar = folder.path().join("pgm.tar");
    archive(&pgm, &tar);
    for path in [&pgm, &tar] {
        let report = json(&succeed(&["dataset", "stats", text(path), "--json"]));
        let structures = &report["structures"];
        let novel = &structures["pgm attr.rels"]["in_test_not_in_train"]["triples"];
        assert_eq!(novel, &manifest["plan"]["held_out"], "{structures}");
        let train = &structures["pgm attr.rels train"];
        assert_eq!(train["n"], 400);
        assert_eq!(train["triples"].as_object().map(serde_json::Map::len), Some(22));
        assert_eq!(train["two_relations_on_one_attribute"], 0);
        for vote in ["majority_vote", "minority_vote"] {
            let share = train[vote].as_f64().expect("a share");
            assert!((5.0..20.0).contains(&share), "{vote} {share}");
        }
    }
    let told = succeed(&["dataset", "stats", text(&pgm)]);
    assert!(told.contains("pgm attr.rels: 7 triples in the test and not in training"), "{told}");
    assert!(told.contains("guessing: 12.5 %"), "{told}");
    succeed(&[
        "dataset",
        "make",
        "vad",
        "--regime",
        "novel.target.domain.shape.color",
        "-n",
        "10",
        "--out",
        text(&vad),
    ]);
    let told = succeed(&["dataset", "stats", text(&vad)]);
    assert!(told.contains("relation_structure names the domain of the target row"), "{told}");
}

#[test]
fn tables_and_files_hold_the_same_puzzles() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for (family, base, regime) in [("pgm", PGM, "attr.rels"), ("vad", VAD, "novel.domain.transfer")]
    {
        let (files, tables, made) =
            (path(family), path(&format!("{family}-tables")), path(&format!("{family}-made")));
        succeed(&[&base[..], &["-n", "3", "--out", text(&files)]].concat());
        succeed(&["dataset", "convert", text(&files), "--to", "parquet", "--out", text(&tables)]);
        let format = ["-n", "3", "--format", "parquet", "--out", text(&made)];
        succeed(&[&base[..], &format].concat());
        assert!(tree(&tables) == tree(&made), "{family}");
        let again = path(&format!("{family}-again"));
        for split in ["train", "val", "test"] {
            let table = tables.join(regime).join(format!("{split}.parquet"));
            succeed(&["dataset", "convert", text(&table), "--to", "npz", "--out", text(&again)]);
        }
        let puzzles = |folder: &Path| {
            let mut found = tree(folder);
            found.retain(|name, _| name.extension().is_some_and(|e| e == "npz"));
            found
        };
        assert!(puzzles(&again) == puzzles(&files.join(regime)), "{family}");
        // The truth came along.
        let report = json(&succeed(&["dataset", "check", text(&again), "--json"]));
        for count in ["n", "sound", "audited"] {
            assert_eq!(report[count], 9, "{count}: {report}");
        }
        assert_eq!(tree(&again).len(), 9 + 3 + 1, "a list of truth for each split, the settings");
        let pictures = path(&format!("{family}-pictures"));
        succeed(&["dataset", "convert", text(&files), "--to", "png", "--out", text(&pictures)]);
        assert_eq!(tree(&pictures).len(), 9);
    }
}

#[test]
fn tables_are_checked_counted_shown_and_solved_as_files_are() {
    let folder = tempfile::tempdir().expect("a folder");
    for (family, base, regime) in [("pgm", PGM, "attr.rels"), ("vad", VAD, "novel.domain.transfer")]
    {
        let out = folder.path().join(family);
        let arguments = ["-n", "8", "--format", "parquet", "--out", text(&out)];
        succeed(&[&base[..], &arguments].concat());
        let table = |split: &str| out.join(regime).join(format!("{split}.parquet"));
        let [train, test] = ["train", "test"].map(table);
        let (train, test) = (text(&train), text(&test));
        let report = json(&succeed(&["dataset", "check", train, test, "--json"]));
        for count in ["n", "sound", "audited"] {
            assert_eq!(report[count], 16, "{count}: {report}");
        }
        let report = json(&succeed(&["dataset", "stats", train, test, "--json"]));
        let group = if family == "pgm" {
            "pgm attr.rels train"
        } else {
            "vad novel.domain.transfer lbc train"
        };
        assert_eq!(report["structures"][group]["n"], 8, "{report}");
        let lines = succeed(&["solve", "--exact", train, "--json"]);
        let summary = json(lines.lines().last().expect("a summary"));
        assert_eq!(summary["summary"]["accuracy"], 100.0, "{summary}");
        let picture = folder.path().join(format!("{family}.png"));
        succeed(&["dataset", "show", train, "-n", "2", "--out", text(&picture)]);
    }
}

#[test]
fn a_folder_of_tables_is_read_by_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: String| folder.path().join(name);
    for (family, base, regime) in [("pgm", PGM, "attr.rels"), ("vad", VAD, "novel.domain.transfer")]
    {
        let (out, files) = (path(family.to_owned()), path(format!("{family}-files")));
        succeed(&[&base[..], &["-n", "4", "--format", "parquet", "--out", text(&out)]].concat());
        succeed(&[&base[..], &["-n", "4", "--out", text(&files)]].concat());
        let lines = succeed(&["solve", "--exact", text(&out), "--json"]);
        let summary = &json(lines.lines().last().expect("a summary"))["summary"];
        assert_eq!((&summary["n"], &summary["accuracy"]), (&12.into(), &100.0.into()), "{summary}");
        let said =
            |command, path: &Path| json(&succeed(&["dataset", command, text(path), "--json"]));
        let (found, wanted) = (said("check", &out), said("check", &files));
        for count in ["n", "sound", "audited", "bad"] {
            assert_eq!(found[count], wanted[count], "{family} {count}");
        }
        let (found, wanted) = (said("stats", &out), said("stats", &files));
        assert_eq!(found["structures"], wanted["structures"], "{family}");
        let shown = succeed(&["dataset", "show", text(&out)]);
        for split in ["train", "val", "test"] {
            assert!(shown.contains(&format!("_{split}_")), "one of each table: {shown}");
        }
        let again = path(format!("{family}-again"));
        succeed(&["dataset", "convert", text(&out), "--to", "npz", "--out", text(&again)]);
        let puzzles = |folder: &Path| {
            let mut found = tree(folder);
            found.retain(|name, _| name.extension().is_some_and(|e| e == "npz"));
            found
        };
        assert!(puzzles(&again) == puzzles(&files), "{family}");
        // A table that is none is told, and does not hide the others.
        fs::write(out.join(regime).join("some.parquet"), "PAR1 nothing PAR1").expect("written");
        let output = genvp(&["dataset", "check", text(&out)]);
        let told = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("some.parquet: not a parquet file of puzzles"), "{told}");
        assert!(
            told.contains("all                                              13       12"),
            "{told}"
        );
    }
}

#[test]
fn what_is_held_out_comes_along_into_npz_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: String| folder.path().join(name);
    for (family, base, regime) in [("pgm", PGM, "attr.rels"), ("vad", VAD, "novel.domain.transfer")]
    {
        let (out, files) = (path(family.to_owned()), path(format!("{family}-files")));
        succeed(&[&base[..], &["-n", "8", "--format", "parquet", "--out", text(&out)]].concat());
        let test = out.join(regime).join("test.parquet");
        succeed(&["dataset", "convert", text(&test), "--to", "npz", "--out", text(&files)]);
        let plan =
            &json(&fs::read_to_string(files.join("manifest.json")).expect("settings"))["plan"];
        assert!(plan["held_out"].as_array().is_some_and(|list| list.len() >= 7), "{plan}");
        succeed(&["dataset", "check", text(&files)]);
        // Puzzles of the test that are said to be of training are found out by that list.
        let renamed = path(format!("{family}-renamed"));
        fs::create_dir(&renamed).expect("made");
        for (name, bytes) in tree(&files) {
            let name = name.to_string_lossy().replace("_test_", "_train_");
            let bytes = match name.ends_with(".jsonl") {
                true => String::from_utf8(bytes).expect("text").replace("_test_", "_train_").into(),
                false => bytes,
            };
            fs::write(renamed.join(name), bytes).expect("written");
        }
        let lying = path(format!("{family}-lying"));
        succeed(&["dataset", "convert", text(&renamed), "--to", "parquet", "--out", text(&lying)]);
        for path in [renamed, lying.join("train.parquet")] {
            let output = genvp(&["dataset", "check", text(&path)]);
            let told = stdout(&output);
            assert_eq!(output.status.code(), Some(1), "{told}");
            assert!(told.contains("it does not belong to"), "{told}");
        }
        // Two lists for one regime would be none.
        let list = path(format!("{family}.txt"));
        let line = match family {
            "pgm" => "shape color XOR",
            _ => "shape color -> line type",
        };
        fs::write(&list, line).expect("written");
        let other = path(format!("{family}-other"));
        let more = ["-n", "1", "--held-out", text(&list), "--out", text(&other)];
        succeed(&[&base[..], &more].concat());
        let train = ["dataset", "convert", text(&other), "--to", "npz", "--out", text(&files)];
        refuse(&train, 1, "held-out list");
    }
}

/// A table of three puzzles, the one in the middle with more triples than a puzzle can have.
fn table_with_a_bad_row(path: &Path) {
    let maker = pgm::Maker::new(pgm::Request::new(pgm::Regime::Neutral, Split::Train));
    let maker = maker.expect("a plain request");
    let mut writer = RelationTableWriter::create(path, false).expect("a table");
    for index in 0..3 {
        let puzzle = RelationPuzzle::Pgm(maker.puzzle(1, index).expect("a puzzle"));
        let mut file = RelationFile::of_puzzle(&puzzle);
        if index == 1 {
            file.named = file.named.map(|triples| vec![triples[0]; 5]);
        }
        writer.put(&puzzle.name(index).to_string(), &file, None).expect("written");
    }
    writer.finish().expect("written");
}

#[test]
fn json_names_every_bad_file_and_text_as_many_as_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = |number: u64| format!("PGM_neutral_train_{number}.npz");
    (0..600).for_each(|number| fs::write(folder.path().join(name(number)), "").expect("written"));
    let output = genvp(&["dataset", "check", text(folder.path()), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&stdout(&output));
    let bad = report["bad"].as_array().expect("a list");
    assert_eq!((bad.len(), &report["n"]), (600, &600.into()));
    for (number, entry) in (0..).zip(bad) {
        let file = entry["file"].as_str().expect("a name");
        assert!(file.ends_with(&name(number)) && entry["problem"].is_string(), "{entry}");
    }
    let output = genvp(&["dataset", "check", text(folder.path()), "--most", "2"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stdout(&output);
    assert!(said.contains(&name(1)) && !said.contains(&name(2)), "{said}");
    assert!(said.contains("... and 598 more"), "{said}");
}

#[test]
fn a_bad_row_of_a_table_is_reported_and_the_others_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let table = folder.path().join("train.parquet");
    table_with_a_bad_row(&table);
    let says = "train.parquet: row 1: 5 triples, wanted at most 4";
    for path in [&table, folder.path()] {
        let path = text(path);
        let output = genvp(&["dataset", "check", path, "--json"]);
        assert_eq!(output.status.code(), Some(1));
        let report = json(&stdout(&output));
        assert_eq!((&report["n"], &report["sound"]), (&3.into(), &2.into()), "{report}");
        assert!(stdout(&genvp(&["dataset", "check", path])).contains(says));
        let output = genvp(&["dataset", "stats", path, "--json"]);
        let report = json(&stdout(&output));
        assert_eq!(report["structures"]["pgm neutral train"]["n"], 2, "{report}");
        assert_eq!(report["unreadable"], 1, "{report}");
        refuse(&["solve", "--exact", path], 1, says);
        let lines = succeed(&["solve", "--exact", path, "--skip-bad", "--json"]);
        let summary = json(lines.lines().last().expect("a summary"));
        assert_eq!(summary["summary"]["n"], 2, "{summary}");
        let out = text(elsewhere.path());
        let convert = ["dataset", "convert", path, "--to", "npz", "--force", "--out", out];
        refuse(&convert, 1, says);
        let told = stderr(&genvp(&[&convert[..], &["--skip-bad"]].concat()));
        assert!(told.contains("2 puzzles converted") && told.contains("1 skipped"), "{told}");
    }
}

#[test]
fn what_contradicts_itself_is_not_left_out_of_a_copy_in_silence() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let maker = pgm::Maker::new(pgm::Request::new(pgm::Regime::Neutral, Split::Train));
    let puzzle = maker.expect("a plain request").puzzle(1, 0).expect("a puzzle");
    let mut file = RelationFile::of_puzzle(&RelationPuzzle::Pgm(puzzle));
    file.meta_target = Some(1);
    let lying = path("PGM_neutral_train_0.npz");
    fs::write(&lying, file.encode()).expect("written");
    for to in ["npz", "parquet", "png"] {
        let out = path(to);
        let output = genvp(&["dataset", "convert", text(&lying), "--to", to, "--out", text(&out)]);
        let told = stderr(&output);
        assert!(output.status.success(), "{told}");
        assert!(told.contains("left out of the copy: member `meta_target` says shape"), "{told}");
    }
}

#[test]
fn two_puzzles_of_one_name_do_not_replace_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = ["a/t.parquet", "b/t.parquet"].map(|name| folder.path().join(name));
    let images = Images::of_panels(9, 4, (0..9 * 16).map(|i| i as u8).collect());
    for table in &tables {
        let mut writer = RelationTableWriter::create(table, false).expect("a table");
        let file = RelationFile::of_images(Format::Vad, images.clone());
        writer.put("no name of ours", &file, None).expect("written");
        writer.finish().expect("written");
    }
    let [a, b] = [text(&tables[0]), text(&tables[1])];
    let out = folder.path().join("npz");
    let out = text(&out);
    for to in ["npz", "png"] {
        let convert = ["dataset", "convert", a, b, "--to", to, "--force", "--out", out];
        let name = format!("vad_t_0.{to}: two puzzles have this name");
        refuse(&convert, 1, &name);
        succeed(&["dataset", "convert", a, "--to", to, "--force", "--out", out]);
    }
}

#[test]
fn a_family_that_is_named_wins_over_what_files_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let puzzle = pgm::Maker::new(pgm::Request::new(pgm::Regime::Neutral, Split::Test))
        .and_then(|maker| maker.puzzle(5, 0))
        .expect("a puzzle");
    let target = puzzle.target;
    let path = folder.path().join("RAVEN_0_test.npz");
    fs::write(&path, RelationFile::of_puzzle(&RelationPuzzle::Pgm(puzzle)).encode())
        .expect("written");
    let solve = |more: &[&str]| {
        let told = succeed(&[&["solve", "--json", text(&path)], more].concat());
        json(told.lines().next().expect("a line"))
    };
    let taken_for_raven = solve(&["--exact"]);
    assert!(taken_for_raven["read_layout"].is_string(), "{taken_for_raven}");
    let own = solve(&["--exact", "--family", "pgm"]);
    assert_eq!(own["answer"], target, "{own}");
    let by_model = solve(&["--family", "pgm"]);
    assert!(by_model["rules"].as_str().is_some_and(|rules| rules.contains("shape.")), "{by_model}");
    let rules = json(&succeed(&["rules", "--family", "pgm", "--json", text(&path)]));
    assert_eq!(rules["answer"], by_model["answer"], "{rules}");
    let refused = |more: &[&str], code, says| {
        refuse(&[&["solve", text(&path)], more].concat(), code, says);
    };
    refused(&["--family", "vad", "--exact"], 1, "wanted 9 square panels");
    refused(&["--family", "vad"], 1, "wanted 9 square panels");
    refused(&["--family", "pgm", "--model", "raven-cpu-64"], 1, "this model is for other puzzles");
    refused(&["--family", "sudoku"], 2, "known are raven, pgm, vad");
}

#[test]
fn an_explanation_says_how_sure_the_reading_is() {
    let folder = tempfile::tempdir().expect("a folder");
    for base in [PGM, VAD] {
        let out = folder.path().join(base[2]);
        succeed(&[&base[..], &["-n", "1", "--split", "val", "--out", text(&out)]].concat());
        let told = succeed(&["solve", "--exact", "--explain", text(&out)]);
        assert!(told.contains("\n  read with 100 % confidence\n"), "{told}");
    }
}

#[test]
fn a_list_in_a_manifest_that_makes_no_sense_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    succeed(&[&PGM[..], &["-n", "1", "--out", text(&out)]].concat());
    let manifest = out.join("manifest.json");
    let old = fs::read_to_string(&manifest).expect("a manifest");
    let held = json(&old)["plan"]["held_out"][0].as_str().expect("a triple").to_owned();
    fs::write(&manifest, old.replacen(&held, "shape taste XOR", 1)).expect("written");
    refuse(
        &["dataset", "check", text(&out)],
        1,
        "held_out: line 1: `shape taste` is not an attribute",
    );
}

#[test]
fn one_damaged_file_does_not_end_the_statistics() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    succeed(&[&PGM[..], &["-n", "4", "--out", text(&out)]].concat());
    let damaged = out.join("attr.rels/PGM_attr.rels_val_3.npz");
    fs::write(&damaged, "no zip").expect("written");
    let output = genvp(&["dataset", "stats", text(&out), "--json"]);
    assert!(output.status.success());
    let report = json(&stdout(&output));
    assert_eq!(report["unreadable"], 1, "{report}");
    assert_eq!(report["structures"]["pgm attr.rels val"]["n"], 3, "{report}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("PGM_attr.rels_val_3.npz"));
}

#[test]
fn a_faithful_dataset_is_sound_and_what_no_line_shows_is_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    for (family, base) in [("pgm", PGM), ("vad", VAD)] {
        let out = folder.path().join(family);
        succeed(&[&base[..], &["-n", "100", "--faithful", "--out", text(&out)]].concat());
        let tar = folder.path().join(format!("{family}.tar"));
        archive(&out, &tar);
        for path in [&out, &tar] {
            let report = json(&succeed(&["dataset", "check", text(path), "--json"]));
            assert_eq!((&report["n"], &report["sound"]), (&300.into(), &300.into()), "{report}");
            let unshown = report["with_rules_that_no_line_shows"].as_u64();
            assert!(unshown.is_some_and(|n| n > 0), "{report}");
        }
    }
}

#[test]
fn items_of_both_families_are_told_printed_and_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let rule = ["--family", "pgm", "--rule", "shape.color=XOR:rows"];
    let told = succeed(&[&["item", "new"][..], &rule].concat());
    assert!(told.contains("Item 1 (neutral)") && told.contains("Rules: shape.color=XOR:rows"));
    assert!(told.contains(" asks for ") && told.contains("Choice 8: "), "{told}");
    let told = succeed(&["item", "new", "--family", "vad", "--regime", "interpolation"]);
    assert!(told.contains("Choice 4: ") && !told.contains("Choice 5: "), "{told}");
    for (family, ending) in [("pgm", "pdf"), ("vad", "pdf"), ("pgm", "svg"), ("vad", "png")] {
        let out = path(&format!("{family}.{ending}"));
        let arguments = ["--family", family, "-n", "2", "--no-key", "--force", "--out", text(&out)];
        succeed(&[&["item", "sheet"][..], &arguments].concat());
        assert!(fs::metadata(&out).expect("a sheet").len() > 3000);
    }
    // Choices in rows of two stand together, however few rows there are.
    let out = path("vad-rows.svg");
    succeed(&["item", "sheet", "--family", "vad", "-n", "2", "--no-key", "--out", text(&out)]);
    let drawn = fs::read_to_string(&out).expect("a sheet");
    let height = |letter: &str| -> f32 {
        let (before, _) = drawn.split_once(&format!(">{letter}</text>")).expect("a letter");
        let (_, at) = before.rsplit_once(" y=\"").expect("a place");
        at.split('"').next().and_then(|y| y.parse().ok()).expect("a number")
    };
    let apart = height("C") - height("A");
    assert!((60.0..150.0).contains(&apart), "{apart} points between rows of choices");
    for family in ["pgm", "vad"] {
        let out = path(&format!("{family}-items"));
        succeed(&["item", "export", "--family", family, "-n", "3", "--out", text(&out)]);
        assert_eq!(tree(&out).len(), 3 * 3 + 1);
    }
    // Nothing but what is in the file says whose it is.
    for items in ["pgm-items", "vad-items"] {
        for item in ["item_1.npz", "item_2.npz", "item_3.npz"] {
            let out = path(items).join(item);
            assert!(succeed(&["solve", "--exact", text(&out)]).contains("(right)"), "{items}");
        }
    }
    succeed(&["item", "new", "--family", "vad", "--choices", "normal"]);
    refuse(&["item", "new", "--family", "vad", "--choices", "raven"], 1, "kind of choices");
    refuse(&["item", "new", "--family", "pgm", "--choices", "raven"], 1, "--choices");
    refuse(&["item", "new", "--family", "pgm", "--layout", "3x3"], 1, "pgm has no layouts");
    refuse(&["item", "new", "--choices", "lbc"], 1, "`lbc` is not one of raven");
    refuse(&["item", "new", "--family", "tarot"], 2, "known are raven, pgm, vad");
    refuse(&["item", "new", "--family", "pgm", "--regime", "x"], 1, "pgm has no such regime");
    refuse(&["item", "new", "--regime", "neutral"], 1, "raven has no regimes");
    refuse(&["item", "new", "--family", "vad", "--source", "model"], 1, "come from the engine");
    refuse(&["item", "new", "--family", "pgm", "--rule", "taste=XOR"], 1, "taste");
}
