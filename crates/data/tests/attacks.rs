//! Files that lie: each is refused by name, without a panic and in little memory.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::alloc::{GlobalAlloc, Layout as MemoryLayout, System};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use genvp_data::{DataError, StoredPuzzle, npz, sheet, xml};
use genvp_puzzle::Domain;

/// Counts what is held, to prove that lies are refused before memory is taken.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code, reason = "the only way to see every allocation")]
// SAFETY: all work is the system allocator's; only numbers are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: MemoryLayout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: MemoryLayout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `dealloc`.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/attacks")
}

fn read(path: &Path) -> Result<(), DataError> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("xml") => xml::read(path, Domain::Standard).map(drop),
        Some("png") => sheet::read(path).map(drop),
        _ => StoredPuzzle::read(path, Domain::Standard).map(drop),
    }
}

#[test]
fn every_lie_is_refused_by_name_and_in_little_memory() {
    let mut count = 0;
    for line in fs::read_to_string(folder().join("expected.tsv")).unwrap().lines() {
        let (name, words) = line.split_once('\t').unwrap();
        let path = folder().join(name);
        PEAK.store(HELD.load(Ordering::Relaxed), Ordering::Relaxed);
        let before = HELD.load(Ordering::Relaxed);
        let message = match read(&path) {
            Ok(()) => panic!("{name} was taken for good"),
            Err(error) => {
                assert!(!error.is_system_failure(), "{name}");
                error.to_string()
            }
        };
        let took = PEAK.load(Ordering::Relaxed) - before;
        assert!(message.contains(words), "{name}: {message}");
        assert!(message.starts_with(&path.display().to_string()), "{message}");
        assert!(message.lines().count() == 1 && message.len() < 700, "{message}");
        assert!(took < 24 << 20, "{name} took {took} bytes");
        count += 1;
    }
    println!("{count} lies refused");
    assert!(count >= 70);
}

#[test]
fn a_file_that_is_missing_or_a_folder_is_named() {
    for path in ["no/such.npz", env!("CARGO_MANIFEST_DIR")] {
        let message = npz::read(Path::new(path)).unwrap_err().to_string();
        assert!(message.starts_with(&format!("{path}: cannot read: ")), "{message}");
    }
}

#[test]
fn a_file_above_the_limit_is_refused_unread() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.npz");
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let message = npz::read(&path).unwrap_err().to_string();
    assert!(
        message.contains("1099511627776 bytes, more than the 25165824 that a npz"),
        "{message}"
    );
}
