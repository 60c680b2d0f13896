//! Puzzles read in blocks on all threads, in order.

use std::path::Path;

use genvp_data::table::{self, TableRows};
use genvp_data::{DataError, StoredPuzzle, names};
use genvp_puzzle::{Domain, Layout};
use rayon::prelude::*;

use super::Source;

/// A puzzle of a stream.
pub struct Entry<T> {
    /// The file, for messages; with the row where it is a table's.
    pub file: String,
    /// The layout that its folder is named after.
    pub layout: Option<Layout>,
    /// What was made of it, or what is wrong with it.
    pub made: Result<T, DataError>,
}

/// All puzzles of some sources, one after another.
pub struct Stream<'s> {
    sources: std::slice::Iter<'s, Source>,
    table: Option<(&'s Source, TableRows)>,
}

/// A puzzle that is about to be read, or was.
#[allow(clippy::large_enum_variant, reason = "a block of them lives for a moment")]
enum Next<'s> {
    File(&'s Source),
    Row(String, Option<Layout>, Result<StoredPuzzle, DataError>),
}

impl<'s> Stream<'s> {
    /// Nothing is read yet.
    pub fn new(sources: &'s [Source]) -> Self {
        Self { sources: sources.iter(), table: None }
    }

    /// The next puzzles, at most `most`, each read without its xml and turned
    /// into something on one of the threads. Empty at the end.
    pub fn block<T: Send>(
        &mut self,
        most: usize,
        make: impl Fn(StoredPuzzle, Domain) -> T + Sync,
    ) -> Vec<Entry<T>> {
        let mut next = Vec::new();
        while next.len() < most {
            let Some(one) = self.next() else { break };
            next.push(one);
        }
        let entry = |one| match one {
            Next::File(source) => Entry {
                file: source.path.display().to_string(),
                layout: source.layout,
                made: source.read_pixels().map(|stored| make(stored, source.domain)),
            },
            Next::Row(file, layout, stored) => {
                Entry { file, layout, made: stored.map(|stored| make(stored, Domain::Standard)) }
            }
        };
        next.into_par_iter().map(entry).collect()
    }

    fn next(&mut self) -> Option<Next<'s>> {
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
            let source = self.sources.next()?;
            if !source.is_table() {
                return Some(Next::File(source));
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
