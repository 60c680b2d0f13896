//! Puzzles found one after another, so that memory does not grow with the dataset.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use genvp_puzzle::Domain;

use super::{PuzzleSource, layout_of};
use crate::dataset::{Manifest, read_manifest};
use crate::folder::{self, Walk};
use crate::relations::{self, Conditions, Name, Stream};
use crate::{DataError, tar_gz};

/// The npz puzzles among some paths, in the order of folders and numbers: files,
/// folders and archives. Folders of more than 65,536 files of PGM or VAD come
/// block by block in the order of the file system.
pub struct Sources {
    paths: VecDeque<PathBuf>,
    current: Option<Current>,
}

enum Current {
    Files(Walk, bool),
    Relations(Stream, Option<Arc<Conditions>>, bool),
}

/// Opens some paths; nothing is listed yet.
pub fn sources(paths: &[PathBuf]) -> Sources {
    Sources { paths: paths.iter().cloned().collect(), current: None }
}

impl Sources {
    fn open(path: &Path) -> Result<Current, DataError> {
        let named = !path.is_dir();
        if is_stream(path)? {
            let conditions = conditions_of(path).map(Arc::new);
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
                            truth: entry.truth.map(Arc::from),
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

/// Whether a path is an archive, or a folder of PGM or VAD.
pub(super) fn is_stream(path: &Path) -> Result<bool, DataError> {
    if path.is_dir() { holds_relations(path) } else { Ok(tar_gz::is_archive(path)) }
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
fn conditions_of(path: &Path) -> Option<Conditions> {
    let of_folder = |folder: &Path| {
        let found = Manifest::find(folder).ok()?;
        let manifest = read_manifest(found.first()?).ok()?;
        Some(Conditions::of(&manifest.plan))
    };
    path.is_dir().then(|| of_folder(path).or_else(|| of_folder(path.parent()?)))?
}
