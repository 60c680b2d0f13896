//! Puzzles read in blocks, in order.

use std::path::Path;

use genvp_puzzle::family::{Family, FamilyError};
use genvp_puzzle::{Domain, Layout};
use rayon::prelude::*;

use super::{PuzzleSource, Sources, sources};
use crate::table::{self, TableRows};
use crate::{DataError, Note, PuzzleFile, StoredPuzzle, formats, names};

/// A puzzle of a stream.
pub struct Entry<T> {
    /// The file, for messages; with the row where it is a table's.
    pub file: String,
    /// The layout that its folder is named after.
    pub layout: Option<Layout>,
    /// What was left out or reinterpreted in the file.
    pub notes: Vec<Note>,
    /// What was made of it, or what is wrong with it.
    pub made: Result<T, DataError>,
}

/// All puzzles of some sources, one after another.
pub struct PuzzleStream<'s> {
    sources: Box<dyn Iterator<Item = Result<PuzzleSource, DataError>> + Send + 's>,
    table: Option<(PuzzleSource, TableRows<(u64, StoredPuzzle)>)>,
    /// The rows of a table of PGM or VAD.
    rows: Option<Sources>,
}

/// A puzzle that is about to be read, or was.
#[allow(clippy::large_enum_variant, reason = "a block of them lives for a moment")]
enum Next {
    File(PuzzleSource),
    Row(String, Option<Layout>, Result<StoredPuzzle, DataError>),
}

/// Some puzzles of a stream.
pub struct Block(Vec<Next>);

impl Block {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Reads them on all threads, each as its family's files are read, and turns
    /// each into something.
    pub fn read_files<T: Send>(
        self,
        make: impl Fn(&'static dyn Family, PuzzleFile) -> Result<T, FamilyError> + Sync,
    ) -> Vec<Entry<T>> {
        self.0.into_par_iter().map(|one| one.file_entry(&make)).collect()
    }

    /// Reads them on this thread, without their xml, and turns each into something.
    pub fn read_here<T>(self, mut make: impl FnMut(StoredPuzzle) -> T) -> Vec<Entry<T>> {
        self.0.into_iter().map(|one| one.entry(&mut make)).collect()
    }
}

impl Next {
    fn entry<T>(self, make: impl FnOnce(StoredPuzzle) -> T) -> Entry<T> {
        let (file, layout, stored) = match self {
            Next::File(source) => {
                let file = source.path.display().to_string();
                (file, source.layout, source.read_pixels())
            }
            Next::Row(file, layout, stored) => (file, layout, stored),
        };
        let mut notes = Vec::new();
        let made = stored.map(|mut stored| {
            notes = std::mem::take(&mut stored.notes);
            make(stored)
        });
        Entry { file, layout, notes, made }
    }
}

impl Next {
    fn file_entry<T>(
        self,
        make: impl FnOnce(&'static dyn Family, PuzzleFile) -> Result<T, FamilyError>,
    ) -> Entry<T> {
        let (path, name, layout, read) = match self {
            Next::File(source) => {
                let read = || {
                    let format = source.format()?;
                    Ok((format.family(), format.pixels(&source)?))
                };
                (source.path.clone(), source.path.display().to_string(), source.layout, read())
            }
            Next::Row(name, layout, stored) => {
                let file =
                    stored.map(|stored| PuzzleFile::of_raven(stored, layout, Domain::Standard));
                (name.clone().into(), name, layout, file.map(|file| (formats()[0].family(), file)))
            }
        };
        let mut notes = Vec::new();
        let made = read.and_then(|(family, mut file)| {
            notes = std::mem::take(&mut file.notes);
            make(family, file).map_err(|source| DataError::Family { path, source })
        });
        Entry { file: name, layout, notes, made }
    }
}

impl<'s> PuzzleStream<'s> {
    /// Nothing is read yet.
    pub fn new(sources: &'s [PuzzleSource]) -> Self {
        Self::of(sources.iter().cloned().map(Ok))
    }

    /// Sources that are found as they are needed. One that cannot be found is a
    /// puzzle that cannot be read.
    pub fn of(sources: impl Iterator<Item = Result<PuzzleSource, DataError>> + Send + 's) -> Self {
        Self { sources: Box::new(sources), table: None, rows: None }
    }

    /// The next puzzles, at most `most`; nothing at the end.
    pub fn block(&mut self, most: usize) -> Option<Block> {
        let mut next = Vec::new();
        while next.len() < most {
            let Some(one) = self.next() else { break };
            next.push(one);
        }
        (!next.is_empty()).then_some(Block(next))
    }

    fn next(&mut self) -> Option<Next> {
        loop {
            if let Some((source, rows)) = &mut self.table {
                let file = source.path.display();
                let layout = source.layout.or_else(|| layout_in_name(&source.path));
                match rows.next() {
                    Some(Ok((id, stored))) => {
                        return Some(Next::Row(format!("{file}#{id}"), layout, Ok(stored)));
                    }
                    Some(Err(error)) => {
                        return Some(Next::Row(file.to_string(), layout, Err(error)));
                    }
                    None => self.table = None,
                }
            }
            if let Some(rows) = &mut self.rows {
                match rows.next() {
                    Some(Ok(row)) => return Some(Next::File(row)),
                    Some(Err(error)) => return Some(Next::Row(error.place(), None, Err(error))),
                    None => self.rows = None,
                }
            }
            let source = match self.sources.next()? {
                Ok(source) => source,
                Err(error) => return Some(Next::Row(error.place(), None, Err(error))),
            };
            if !source.is_table() {
                return Some(Next::File(source));
            }
            // What is no table at all is said by the reading below.
            if table::is_relations(&source.path).unwrap_or(false) {
                self.rows = Some(sources(&[source.path]));
                continue;
            }
            match table::read(&source.path, source.domain) {
                Ok(rows) => self.table = Some((source, rows)),
                Err(error) => {
                    let file = source.path.display().to_string();
                    return Some(Next::Row(file, source.layout, Err(error)));
                }
            }
        }
    }
}

/// The layout that a table is named after.
fn layout_in_name(path: &Path) -> Option<Layout> {
    let stem = path.file_stem()?.to_string_lossy();
    names::parse_folder(&stem).map(|(layout, _)| layout)
}
