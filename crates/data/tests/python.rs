//! Python opens what we write: the field's loaders accept all three sets, PGM and
//! VAD. Skipped with a message where there is no Python with numpy.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::{Write, stderr};
use std::path::Path;
use std::process::Command;

use genvp_data::dataset::{DatasetWriter, Plan, Start};
use genvp_data::relations::{RelationFile, RelationPuzzle};
use genvp_data::{DataError, StoredPuzzle, folder};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::relations::Split;
use genvp_puzzle::vad::ChoiceKind;
use genvp_puzzle::{Layout, Set, pgm, vad};

fn has_numpy() -> bool {
    let probe = Command::new("python3").args(["-c", "import numpy"]).output();
    probe.is_ok_and(|out| out.status.success())
}

fn make(root: &Path, set: Set) {
    let plan = Plan::new(set, 3, 10, &Layout::ALL);
    let writer = DatasetWriter::open(root, plan, Start::Create).unwrap();
    for layout in Layout::ALL {
        let maker = Maker::new(Request::new(set, layout)).unwrap();
        writer.fill(layout, |index| Ok::<_, DataError>(maker.puzzle(3, index).unwrap())).unwrap();
    }
    writer.finish().unwrap();
}

/// Past the capture of `cargo test`, which shows nothing of a test that passes.
fn skipped() {
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    let _ = writeln!(stderr(), "skipped: {name}: there is no python3 with numpy");
}

#[test]
fn the_fields_loaders_accept_all_three_sets() {
    if !has_numpy() {
        skipped();
        return;
    }
    let root = tempfile::tempdir().unwrap();
    for set in Set::ALL {
        make(&root.path().join(set.key()), set);
    }
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/loaders/check_loaders.py");
    let out = Command::new("python3").arg(script).arg(root.path()).output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{said}{}", String::from_utf8_lossy(&out.stderr));
    let wanted = "210 puzzles accepted, 0 refused; sets: I-RAVEN, RAVEN, RAVEN-FAIR";
    assert!(said.contains(wanted), "{said}");
}

#[test]
fn the_fields_loaders_accept_pgm_and_vad() {
    if !has_numpy() {
        skipped();
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let write = |puzzle: RelationPuzzle, index: u64| {
        let path = root.path().join(format!("{}.npz", puzzle.name(index)));
        std::fs::write(path, RelationFile::of_puzzle(&puzzle).encode()).unwrap();
    };
    for (split, index) in Split::ALL.into_iter().flat_map(|s| [(s, 0), (s, 1)]) {
        for regime in pgm::Regime::ALL {
            let maker = pgm::Maker::new(pgm::Request::new(regime, split)).unwrap();
            write(RelationPuzzle::Pgm(maker.puzzle(3, index).unwrap()), index);
        }
        for (regime, kind) in
            vad::Regime::ALL.into_iter().flat_map(|r| ChoiceKind::ALL.map(|kind| (r, kind)))
        {
            let maker = vad::Maker::new(vad::Request::new(regime, split, kind)).unwrap();
            write(RelationPuzzle::Vad(maker.puzzle(3, index).unwrap()), index);
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/loaders/check_relation_loaders.py");
    let out = Command::new("python3").arg(script).arg(root.path()).output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{said}{}", String::from_utf8_lossy(&out.stderr));
    assert!(said.contains("108 puzzles accepted, 0 refused: PGM test 16, "), "{said}");
}

/// Makes `$GENVP_SAMPLE/table.parquet` for a look with other programs.
#[cfg(feature = "parquet")]
#[test]
#[ignore = "needs GENVP_SAMPLE, a folder to write to"]
fn a_sample_table_to_look_at() {
    let root = std::path::PathBuf::from(std::env::var_os("GENVP_SAMPLE").unwrap());
    make(&root.join("files"), Set::IRaven);
    let mut table =
        genvp_data::table::TableWriter::create(&root.join("table.parquet"), true).unwrap();
    for found in folder::walk(&root.join("files")).unwrap() {
        let puzzle = StoredPuzzle::read(&found.npz, found.domain).unwrap();
        table.put(found.index.unwrap(), &puzzle, Set::IRaven).unwrap();
    }
    table.finish().unwrap();
}
