//! Puzzles found one after another, so that memory does not grow with the dataset.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use genvp_puzzle::Domain;

use super::{PuzzleSource, has_ending, layout_of};
use crate::dataset::{Manifest, read_manifest};
use crate::error::InFile;
use crate::folder::{self, Walk};
use crate::relations::{self, Conditions, Name, Stream};
use crate::table::{self, RelationRow, RelationTable, TableRows};
use crate::{DataError, tar_gz};

/// The npz puzzles among some paths, in the order of folders and numbers: files,
/// folders and archives, and the rows of PGM's and VAD's tables. Folders of more than 65,536 files of PGM or VAD come
/// block by block in the order of the file system.
pub struct Sources {
    paths: VecDeque<PathBuf>,
    current: Option<Current>,
}

enum Current {
    Files(Walk, bool),
    Relations(Stream, Option<Arc<Conditions>>, bool),
    Table(PathBuf, TableRows<RelationRow>, Option<Arc<Conditions>>),
}

/// Opens some paths; nothing is listed yet.
pub fn sources(paths: &[PathBuf]) -> Sources {
    Sources { paths: paths.iter().cloned().collect(), current: None }
}

impl Sources {
    fn open(path: &Path) -> Result<Current, DataError> {
        let named = !path.is_dir();
        if is_table(path)
            && let Some(RelationTable { rows, plan }) = table::read_relations(path)?
        {
            let conditions = plan.map(Conditions::of).transpose().in_file(path)?.map(Arc::new);
            return Ok(Current::Table(path.to_owned(), rows, conditions));
        }
        if is_stream(path)? {
            let conditions = conditions_of(path)?.map(Arc::new);
            return Ok(Current::Relations(relations::stream(path)?, conditions, named));
        }
        Ok(Current::Files(folder::walk(path)?, named))
    }

    fn advance(&mut self) -> Result<Option<PuzzleSource>, DataError> {
        loop {
            match &mut self.current {
                Some(Current::Files(walk, named)) => {
                    if let Some(found) = walk.next() {
                        return Ok(Some(PuzzleSource {
                            path: found.npz,
                            layout: found.layout,
                            domain: found.domain,
                            named: *named,
                            choices: None,
                            content: None,
                            row: None,
                            truth: None,
                            conditions: None,
                        }));
                    }
                    if let Some(unreadable) = walk.summary().unreadable.first() {
                        return Err(DataError::Unlisted { message: unreadable.clone() });
                    }
                }
                Some(Current::Relations(stream, conditions, named)) => {
                    if let Some(entry) = stream.next().transpose()? {
                        return Ok(Some(PuzzleSource {
                            layout: layout_of(&entry.path),
                            path: entry.path,
                            domain: Domain::Standard,
                            named: *named,
                            choices: None,
                            content: entry.bytes.map(Arc::new),
                            row: None,
                            truth: entry.truth.map(Arc::from),
                            conditions: conditions.clone(),
                        }));
                    }
                }
                Some(Current::Table(path, rows, conditions)) => {
                    if let Some(RelationRow { name, file, truth }) = rows.next().transpose()? {
                        return Ok(Some(PuzzleSource {
                            path: path.join(format!("{name}.npz")),
                            layout: None,
                            domain: Domain::Standard,
                            named: true,
                            choices: None,
                            content: None,
                            row: Some(Arc::new(file)),
                            truth: truth.map(Arc::new),
                            conditions: conditions.clone(),
                        }));
                    }
                }
                None => {}
            }
            let Some(path) = self.paths.pop_front() else { return Ok(None) };
            self.current = Some(Self::open(&path)?);
        }
    }
}

impl Iterator for Sources {
    type Item = Result<PuzzleSource, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            // What cannot be listed would fail for ever.
            (self.paths, self.current) = (VecDeque::new(), None);
        }
        next.transpose()
    }
}

/// Whether a path is an archive, or a folder or table of PGM or VAD.
pub(super) fn is_stream(path: &Path) -> Result<bool, DataError> {
    if path.is_dir() {
        holds_relations(path)
    } else if is_table(path) {
        table::is_relations(path)
    } else {
        Ok(tar_gz::is_archive(path))
    }
}

fn is_table(path: &Path) -> bool {
    has_ending(path, "parquet") && path.is_file()
}

/// Whether the first npz that turns up below a folder is named as PGM's and
/// VAD's are. Nothing is held but the names of folders.
fn holds_relations(root: &Path) -> Result<bool, DataError> {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().map_err(DataError::read(&folder))? {
            let entry = entry.map_err(DataError::read(&folder))?;
            let name = entry.file_name();
            if entry.file_type().map_err(DataError::read(&folder))?.is_dir() {
                if name != ".partial" {
                    folders.push(entry.path());
                }
            } else if Path::new(&name).extension().is_some_and(|e| e == "npz") {
                return Ok(Name::of_file(&name.to_string_lossy()).is_some());
            }
        }
    }
    Ok(false)
}

/// What the manifest of a folder, or of the one around it, says is held out.
fn conditions_of(path: &Path) -> Result<Option<Conditions>, DataError> {
    if !path.is_dir() {
        return Ok(None);
    }
    match (conditions_in(path)?, path.parent()) {
        (None, Some(around)) if around.is_dir() => conditions_in(around),
        (found, _) => Ok(found),
    }
}

/// What the manifest in a folder says is held out. One of another family, as it may
/// stand around a folder, says nothing.
fn conditions_in(folder: &Path) -> Result<Option<Conditions>, DataError> {
    let found = Manifest::find(folder)?;
    let Some(path) = found.first() else { return Ok(None) };
    let any: Manifest<serde_json::Value> = read_manifest(path)?;
    if any.plan.get("family").is_none() {
        return Ok(None);
    }
    let manifest = read_manifest(path)?;
    Conditions::of(manifest.plan).map(Some).in_file(path)
}
