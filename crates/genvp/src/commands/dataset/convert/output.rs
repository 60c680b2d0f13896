//! What `convert` writes beside single files, and what it leaves out.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use genvp_data::relations::TruthLine;
use genvp_data::{DataError, Note};

use crate::console::Console;

/// The truth of puzzles of PGM and VAD that become npz files: a list for each folder
/// and split, named as those of shards are.
pub struct Truths {
    root: PathBuf,
    replace: bool,
    open: BTreeMap<PathBuf, BufWriter<File>>,
}

impl Truths {
    /// Lists below `root`.
    pub fn new(root: &Path, replace: bool) -> Self {
        Self { root: root.to_owned(), replace, open: BTreeMap::new() }
    }

    /// Adds a line to the list of a folder and split.
    pub fn put(&mut self, folder: &Path, truth: &TruthLine) -> Result<(), DataError> {
        let name = format!("truth-{}.jsonl", truth.name.split());
        let path = self.root.join(folder).join(name);
        let failed = |source| DataError::Write { path: path.clone(), source };
        let list = match self.open.entry(path.clone()) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(_) if path.exists() && !self.replace => {
                return Err(DataError::Exists { path });
            }
            Entry::Vacant(new) => new.insert(BufWriter::new(File::create(&path).map_err(failed)?)),
        };
        writeln!(list, "{}", truth.encode()).map_err(failed)
    }

    /// Completes all lists.
    pub fn finish(self) -> Result<(), DataError> {
        self.open.into_iter().try_for_each(|(path, mut list)| {
            list.flush().map_err(|source| DataError::Write { path, source })
        })
    }
}

/// The files of this run, where `--force` replaces those of earlier ones: none may be written
/// twice. Eight bytes are kept of each.
pub struct Written {
    force: bool,
    hashes: HashSet<u64>,
}

impl Written {
    /// Nothing was written yet.
    pub fn new(force: bool) -> Self {
        Self { force, hashes: HashSet::new() }
    }

    /// Takes a name for a puzzle.
    ///
    /// # Errors
    /// When another puzzle of this run has it.
    pub fn claim(&mut self, path: &Path) -> Result<(), DataError> {
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        match !self.force || self.hashes.insert(hasher.finish()) {
            true => Ok(()),
            false => Err(DataError::SameName { path: path.to_owned() }),
        }
    }
}

/// What is not in the copy: files that cannot be read, and members that contradict others.
pub struct Lost<'a> {
    console: &'a Console,
    skip_bad: bool,
    unreadable: u64,
    contradicting: u64,
}

/// Contradicting files that are named.
const NAMED_MOST: u64 = 5;

impl<'a> Lost<'a> {
    /// Nothing is lost yet; files that cannot be read end the run unless `skip_bad` is set.
    pub fn new(console: &'a Console, skip_bad: bool) -> Self {
        Self { console, skip_bad, unreadable: 0, contradicting: 0 }
    }

    /// A puzzle, if it can be read; if not, the error ends the run or is passed over.
    pub fn readable<T>(&mut self, read: Result<T, DataError>) -> Result<Option<T>, DataError> {
        match read {
            Ok(puzzle) => Ok(Some(puzzle)),
            Err(error) if self.skip_bad => {
                self.unreadable += 1;
                self.console.warn(&format!("skipped: {error}"));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Warns of what a file states and its copy does not.
    pub fn tell(&mut self, file: &Path, notes: &[Note]) {
        self.console.file_notes(&file.display().to_string(), notes);
        let Some(fault) = notes.iter().find_map(Note::fault) else { return };
        if self.contradicting < NAMED_MOST {
            self.console.warn(&format!("{}: left out of the copy: {fault}", file.display()));
        }
        self.contradicting += 1;
    }

    /// Says how many puzzles lost something, where not all were named; how many could not be
    /// read.
    pub fn finish(&self) -> u64 {
        if self.contradicting > NAMED_MOST {
            let count = self.contradicting;
            self.console.warn(&format!("{count} puzzles lost something that contradicts itself"));
        }
        self.unreadable
    }
}
