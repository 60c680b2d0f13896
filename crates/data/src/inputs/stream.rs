//! Puzzles read in blocks, in order.

use std::path::PathBuf;

use genvp_puzzle::Layout;
use genvp_puzzle::family::{Family, FamilyError};
use rayon::prelude::*;

use super::{PuzzleSource, Sources, sources};
use crate::puzzle_file::{self, FileFormat};
use crate::{DataError, Note, PuzzleFile};

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
    /// The rows of the table that is being read, and the family that a user says they are of.
    rows: Option<(Sources, Option<&'static dyn Family>)>,
}

/// A puzzle that is about to be read, or what could not be found.
enum Next {
    Found(PuzzleSource),
    Lost(DataError),
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

    /// Reads them on this thread for a model of a family, and turns each into something; those
    /// of another family, which its model does not take, are told by that family.
    pub fn read_for<T>(
        self,
        family: &dyn Family,
        mut make: impl FnMut(PuzzleFile) -> T,
    ) -> Vec<Entry<Result<T, &'static dyn Family>>> {
        let format = puzzle_file::format_named(family.id());
        self.0.into_iter().map(|one| one.model_entry(format, &mut make)).collect()
    }
}

impl Next {
    fn model_entry<T>(
        self,
        format: &dyn FileFormat,
        make: impl FnOnce(PuzzleFile) -> T,
    ) -> Entry<Result<T, &'static dyn Family>> {
        self.read(
            |source| format.for_model(source),
            |read| match read {
                Ok(mut file) => (std::mem::take(&mut file.notes), Ok(Ok(make(file)))),
                Err(other) => (Vec::new(), Ok(Err(other))),
            },
        )
    }

    fn file_entry<T>(
        self,
        make: impl FnOnce(&'static dyn Family, PuzzleFile) -> Result<T, FamilyError>,
    ) -> Entry<T> {
        let read = |source: &PuzzleSource| {
            let format = source.format()?;
            Ok((format.family(), format.pixels(source)?))
        };
        self.read(read, |(family, mut file)| {
            let notes = std::mem::take(&mut file.notes);
            (notes, make(family, file))
        })
    }

    /// Reads the file, and makes something of what it holds besides notes.
    fn read<F, T>(
        self,
        read: impl FnOnce(&PuzzleSource) -> Result<F, DataError>,
        make: impl FnOnce(F) -> (Vec<Note>, Result<T, FamilyError>),
    ) -> Entry<T> {
        let source = match self {
            Self::Found(source) => source,
            Self::Lost(error) => {
                let file = error.place();
                return Entry { file, layout: None, notes: Vec::new(), made: Err(error) };
            }
        };
        let (file, layout) = (source.label(), source.layout);
        match read(&source).map(make) {
            Ok((notes, made)) => {
                let path = PathBuf::from(&file);
                let made = made.map_err(|source| DataError::Family { path, source });
                Entry { file, layout, notes, made }
            }
            Err(error) => Entry { file, layout, notes: Vec::new(), made: Err(error) },
        }
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
        Self { sources: Box::new(sources), rows: None }
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
            if let Some((rows, family)) = &mut self.rows
                && let Some(row) = rows.next()
            {
                let of_family = |row| Next::Found(PuzzleSource { family: *family, ..row });
                return Some(row.map_or_else(Next::Lost, of_family));
            }
            self.rows = None;
            match self.sources.next()? {
                Ok(source) if source.is_table() => {
                    self.rows = Some((sources(&[source.path]), source.family));
                }
                Ok(source) => return Some(Next::Found(source)),
                Err(error) => return Some(Next::Lost(error)),
            }
        }
    }
}
