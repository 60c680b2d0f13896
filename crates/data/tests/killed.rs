//! A run that is killed leaves whole files only, and can be taken up again.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use genvp_data::dataset::{DatasetWriter, Plan, Start, verify};
use genvp_data::{DataError, StoredPuzzle, folder};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, Set};

const LAYOUTS: [Layout; 2] = [Layout::DistributeNine, Layout::UpDown];
const FOLDER: &str = "GENVP_TEST_KILLED_FOLDER";

fn make(root: &Path, start: Start) -> Result<(), DataError> {
    let plan = Plan::new(Set::RavenFair, 11, 60, &LAYOUTS);
    let writer = DatasetWriter::open(root, plan, start)?;
    for layout in LAYOUTS {
        let maker = Maker::new(Request::new(Set::RavenFair, layout)).unwrap();
        writer.fill(layout, |index| {
            if std::env::var_os(FOLDER).is_some() {
                std::thread::sleep(Duration::from_millis(10));
            }
            Ok::<_, DataError>(maker.puzzle(11, index).unwrap())
        })?;
    }
    writer.finish().map(drop)
}

/// Not a test of its own: the process that is killed.
#[test]
#[ignore = "run by the test below"]
fn child() {
    if let Some(root) = std::env::var_os(FOLDER) {
        make(&PathBuf::from(root), Start::Resume).unwrap();
    }
}

#[test]
fn killed_at_any_time_and_resumed_the_dataset_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    make(&whole, Start::Create).unwrap();
    for pause in [0, 40, 120, 250] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child", "--ignored"])
            .env(FOLDER, &killed)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        while !killed.join(".partial/plan.json").exists() && begin.elapsed().as_secs() < 20 {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        for found in folder::walk(&killed).unwrap() {
            StoredPuzzle::read(&found.npz, found.domain).unwrap();
        }
    }
    make(&killed, Start::Resume).unwrap();
    verify(&killed, &|_| (), Err).unwrap();
    let manifest = |root: &Path| std::fs::read(root.join("manifest.json")).unwrap();
    assert_eq!(manifest(&whole), manifest(&killed));
    assert!(!killed.join(".partial").exists() && !killed.join(".genvp.lock").exists());
}
