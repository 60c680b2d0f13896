//! Files that lie: each is refused by name, without a panic and in little memory.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::alloc::{GlobalAlloc, Layout as MemoryLayout, System};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use genvp_data::relations::Format;
use genvp_data::{DataError, Note, StoredPuzzle, inputs, npz, relations, sheet, tar_gz, xml};
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

/// The lines of `expected.tsv`, field by field.
fn expected(folder: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder.join("expected.tsv")).unwrap();
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// The message of an error, once it is proved that little memory was taken.
fn refused(path: &Path, read: impl FnOnce(&Path) -> Result<(), DataError>) -> String {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = read(path);
    let took = PEAK.load(Ordering::Relaxed).saturating_sub(before);
    assert!(took < 24 << 20, "{} took {took} bytes", path.display());
    let Err(error) = result else { panic!("{} was taken for good", path.display()) };
    assert!(!error.is_system_failure(), "{error}");
    let message = error.to_string();
    assert!(message.starts_with(&path.display().to_string()), "{message}");
    assert!(message.lines().count() == 1 && message.len() < 700, "{message}");
    message
}

/// Whose file it is, by the beginning of its name.
fn relation_file(path: &Path) -> Result<relations::RelationFile, DataError> {
    let name = path.file_name().unwrap().to_string_lossy();
    let format = relations::Format::parse(name.split_once('-').unwrap().0).unwrap();
    relations::parse(&fs::read(path).unwrap(), format)
        .map_err(|format_error| DataError::Bad { path: path.to_owned(), format_error })
}

// One test, because the counts of memory are those of the whole process.
#[test]
fn every_lie_is_refused_by_name_and_in_little_memory() {
    let mut count = 0;
    for line in expected(&folder()) {
        let message = refused(&folder().join(&line[0]), read);
        assert!(message.contains(&line[1]), "{}: {message}", line[0]);
        count += 1;
    }
    assert!(count >= 70, "{count}");

    let relations = folder().join("relations");
    let mut count = 0;
    for line in expected(&relations) {
        let path = relations.join(&line[0]);
        let message = match line[1].as_str() {
            "error" => refused(&path, |path| relation_file(path).map(drop)),
            "contradiction" => {
                let file = relation_file(&path).unwrap();
                assert!(file.notes.is_empty(), "{}: {:?}", line[0], file.notes);
                relations::contradictions(&file, None, None, &Default::default()).join("; ")
            }
            _ => {
                let file = relation_file(&path).unwrap();
                assert_eq!(file.notes.len(), 1, "{}: {:?}", line[0], file.notes);
                file.notes.iter().map(Note::to_string).collect()
            }
        };
        assert!(message.contains(&line[2]), "{}: {message}", line[0]);
        count += 1;
    }
    assert!(count >= 52, "{count}");

    let archives = folder().join("archives");
    let mut count = 0;
    for line in expected(&archives) {
        let all = |path: &Path| tar_gz::open(path)?.try_for_each(|member| member.map(drop));
        let message = refused(&archives.join(&line[0]), all);
        assert!(message.contains(&line[1]), "{}: {message}", line[0]);
        count += 1;
    }
    assert!(count >= 35, "{count}");

    let tables = folder().join("tables");
    let mut count = 0;
    for line in expected(&tables) {
        let all = |path: &Path| {
            let mut rows = inputs::sources(&[path.to_owned()]);
            rows.try_for_each(|row| {
                let row = row?;
                let format = row.format()?.relations().unwrap_or(Format::Pgm);
                row.read_relations(format).map(drop)
            })
        };
        let message = refused(&tables.join(&line[0]), all);
        assert!(message.contains(&line[1]), "{}: {message}", line[0]);
        count += 1;
    }
    assert!(count >= 54, "{count}");
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
