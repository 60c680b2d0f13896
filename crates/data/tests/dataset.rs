//! Datasets written, broken off, taken up again, shared out and proven.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use genvp_data::dataset::{DatasetWriter, Manifest, Plan, Shard, Start, verify};
use genvp_data::{DataError, StoredPuzzle, truth};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Domain, Layout, Puzzle, Set, render};

const SEED: u64 = 7;
const COUNT: u64 = 11;
const LAYOUTS: [Layout; 2] = [Layout::DistributeFour, Layout::OutInCenter];

fn puzzle(set: Set, layout: Layout, index: u64) -> Puzzle {
    Maker::new(Request::new(set, layout)).unwrap().puzzle(SEED, index).unwrap()
}

fn plan(set: Set) -> Plan {
    Plan::new(set, SEED, COUNT, &LAYOUTS)
}

fn make(root: &Path, plan: Plan, start: Start, threads: usize) -> Result<Manifest, DataError> {
    let set = plan.set().unwrap();
    let writer = DatasetWriter::open(root, plan, start)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        LAYOUTS.iter().try_for_each(|&layout| {
            writer.fill(layout, |index| Ok::<_, DataError>(puzzle(set, layout, index)))
        })
    })?;
    writer.finish()
}

/// Every file below a folder with its bytes.
fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                out.insert(name, fs::read(path).unwrap());
            }
        }
    }
    out
}

#[test]
fn the_same_plan_gives_the_same_tree_at_any_thread_count() {
    let folder = tempfile::tempdir().unwrap();
    for set in Set::ALL {
        let (one, two) = (folder.path().join("1"), folder.path().join("2"));
        make(&one, plan(set), Start::Force, 1).unwrap();
        make(&two, plan(set), Start::Force, 3).unwrap();
        let (one, two) = (tree(&one), tree(&two));
        assert_eq!(one.len(), 2 * (2 * COUNT as usize + 2) + 1);
        assert!(one == two);
    }
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for set in Set::ALL {
        let manifest = make(folder.path(), plan(set), Start::Force, 2).unwrap();
        assert_eq!(Manifest::read(&folder.path().join("manifest.json")).unwrap(), manifest);
        for layout in LAYOUTS {
            let folder = folder.path().join(layout.folder());
            let lines = truth::read(&folder.join(truth::FILE_NAME), set, layout, Domain::Standard);
            for (expected, line) in lines.unwrap().enumerate() {
                let (index, from_truth) = line.unwrap();
                assert_eq!(index, expected as u64);
                let made = puzzle(set, layout, index);
                assert_eq!(from_truth, made);
                let path = folder.join(format!("{}.npz", genvp_data::names::stem(index)));
                let stored = StoredPuzzle::read(&path, Domain::Standard).unwrap();
                let images = genvp_data::Images::new(render::SIDE, render::puzzle(&made));
                let mut expected = StoredPuzzle::of_puzzle(&made, images);
                if set != Set::IRaven {
                    expected.scene.as_mut().unwrap().changes = None;
                }
                assert_eq!(stored, expected);
            }
        }
    }
}

#[test]
fn a_run_that_broke_off_is_taken_up_and_ends_in_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    make(&whole, plan(Set::IRaven), Start::Create, 1).unwrap();

    let writer = DatasetWriter::open(&broken, plan(Set::IRaven), Start::Create).unwrap();
    for index in [0, 3, 4, 9] {
        writer.put(index, &puzzle(Set::IRaven, Layout::OutInCenter, index)).unwrap();
    }
    drop(writer);
    // As after a loss of power: a name without its bytes.
    fs::write(broken.join(Layout::OutInCenter.folder()).join("RAVEN_3_train.npz"), []).unwrap();
    fs::write(broken.join(".partial/left-over"), b"half").unwrap();
    make(&broken, plan(Set::IRaven), Start::Resume, 2).unwrap();
    assert!(tree(&whole) == tree(&broken));
    // A whole dataset is kept as it is.
    make(&broken, plan(Set::IRaven), Start::Resume, 2).unwrap();
    assert!(tree(&whole) == tree(&broken));
}

#[test]
fn a_run_that_is_taken_up_has_a_plan_at_every_moment() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("d");
    let begin = |start| DatasetWriter::open(&root, plan(Set::Raven), start).unwrap();
    begin(Start::Create).put(1, &puzzle(Set::Raven, Layout::OutInCenter, 1)).unwrap();
    let is_over = AtomicBool::new(false);
    let missed = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let plan = root.join(".partial/plan.json");
            let looks =
                std::iter::from_fn(|| (!is_over.load(Ordering::Relaxed)).then(|| plan.exists()));
            looks.filter(|there| !there).count()
        });
        (0..100).for_each(|_| drop(begin(Start::Resume)));
        is_over.store(true, Ordering::Relaxed);
        watch.join().unwrap()
    });
    assert_eq!(missed, 0, "a kill at such a moment would leave nothing to resume");
}

#[test]
fn an_unfinished_dataset_has_no_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("d");
    let writer = DatasetWriter::open(&root, plan(Set::Raven), Start::Create).unwrap();
    writer.put(1, &puzzle(Set::Raven, Layout::OutInCenter, 1)).unwrap();
    let again = writer.put(1, &puzzle(Set::Raven, Layout::OutInCenter, 1));
    assert!(again.unwrap_err().to_string().contains("put before"));
    let message = writer.finish().unwrap_err().to_string();
    assert!(message.contains("11 of 11 puzzles are missing"), "{message}");
    assert!(!root.join("manifest.json").exists());
}

#[test]
fn what_is_there_is_refused_unless_it_may_be_resumed_or_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("d");
    fs::create_dir(&root).unwrap();
    fs::write(root.join("thesis.txt"), b"ten years").unwrap();
    let open = |plan, start| DatasetWriter::open(&root, plan, start).map(drop);
    assert!(matches!(open(plan(Set::Raven), Start::Create), Err(DataError::Exists { .. })));
    assert!(matches!(
        open(plan(Set::Raven), Start::Resume),
        Err(DataError::NothingToResume { .. })
    ));
    assert_eq!(tree(&root).len(), 1, "a refusal leaves nothing behind");

    make(&root, plan(Set::RavenFair), Start::Force, 2).unwrap();
    let mut other = plan(Set::RavenFair);
    other.seed = 8;
    other.faithful = true;
    let message = open(other, Start::Resume).unwrap_err().to_string();
    assert!(message.contains("seed 7 then, 8 now; faithful false then, true now"), "{message}");

    make(&root, Plan::new(Set::Raven, SEED, COUNT, &LAYOUTS), Start::Force, 2).unwrap();
    assert_eq!(fs::read(root.join("thesis.txt")).unwrap(), b"ten years");
    fs::write(root.join("file"), []).unwrap();
    let on_file = DatasetWriter::open(&root.join("file"), plan(Set::Raven), Start::Force);
    assert!(matches!(on_file.map(drop), Err(DataError::Exists { .. })));
}

#[test]
fn two_runs_never_write_into_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let first = DatasetWriter::open(folder.path(), plan(Set::Raven), Start::Create).unwrap();
    for start in [Start::Create, Start::Resume, Start::Force] {
        let second = DatasetWriter::open(folder.path(), plan(Set::Raven), start).map(drop);
        let message = second.unwrap_err().to_string();
        assert!(message.contains(&std::process::id().to_string()), "{message}");
    }
    drop(first);
    DatasetWriter::open(folder.path(), plan(Set::Raven), Start::Resume).unwrap();
}

#[test]
fn shards_joined_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, joined) = (folder.path().join("whole"), folder.path().join("joined"));
    make(&whole, plan(Set::IRaven), Start::Create, 2).unwrap();
    for index in 1..=3 {
        let mut component = plan(Set::IRaven);
        component.shard = Shard::new(index, 3);
        let own = folder.path().join(format!("shard-{index}"));
        make(&own, component, Start::Create, 2).unwrap();
        assert!(own.join(format!("manifest-{index}-of-3.json")).exists());
        verify(&own, &|_| (), Err).unwrap();
        for (name, bytes) in tree(&own) {
            let to = joined.join(name);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, bytes).unwrap();
        }
    }
    make(&joined, plan(Set::IRaven), Start::Resume, 2).unwrap();
    assert!(tree(&whole) == tree(&joined));
}

#[test]
fn every_changed_missing_or_added_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), plan(Set::Raven), Start::Create, 2).unwrap();
    assert_eq!(verify(folder.path(), &|_| (), Err).unwrap(), 2 * (2 * COUNT + 1));

    let grid = folder.path().join(Layout::DistributeFour.folder());
    let mut bytes = fs::read(grid.join("RAVEN_2_train.npz")).unwrap();
    bytes[5000] ^= 1;
    fs::write(grid.join("RAVEN_2_train.npz"), bytes).unwrap();
    fs::remove_file(grid.join("RAVEN_3_train.xml")).unwrap();
    fs::write(grid.join("RAVEN_99_test.npz"), []).unwrap();
    let mut said = Vec::new();
    let hear = |error: DataError| {
        said.push(error.to_string());
        Ok::<_, DataError>(())
    };
    assert_eq!(verify(folder.path(), &|_| (), hear).unwrap(), 2 * (2 * COUNT + 1) - 2);
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said[0].contains("RAVEN_2_train.npz: its SHA-256 is"), "{said:?}");
    assert!(said[1].contains("RAVEN_3_train.xml: is missing"), "{said:?}");
    assert!(said[2].contains("RAVEN_99_test.npz: is there"), "{said:?}");

    fs::write(grid.join("SHA256SUMS"), []).unwrap();
    let error = verify(folder.path(), &|_| (), Err).unwrap_err();
    assert!(error.to_string().contains("SHA256SUMS"), "{error}");
}

#[test]
fn only_puzzles_of_the_plan_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let writer = DatasetWriter::open(folder.path(), plan(Set::Raven), Start::Create).unwrap();
    let refused = |index, puzzle: &Puzzle, why: &str| {
        let message = writer.put(index, puzzle).unwrap_err().to_string();
        assert!(message.contains(why), "{message}");
    };
    refused(0, &puzzle(Set::IRaven, Layout::DistributeFour, 0), "it is iraven");
    refused(0, &puzzle(Set::Raven, Layout::UpDown, 0), "no layout up_center");
    refused(COUNT, &puzzle(Set::Raven, Layout::DistributeFour, COUNT), "its index");
}

#[cfg(unix)]
#[test]
fn a_disk_that_cannot_be_written_is_named_as_such() {
    let root = Path::new("/proc/genvp-cannot-be");
    let error = DatasetWriter::open(root, plan(Set::Raven), Start::Create).map(drop).unwrap_err();
    assert!(error.is_system_failure());
    assert!(error.to_string().contains("/proc/genvp-cannot-be: cannot write: "), "{error}");
}
