//! The files that a command is pointed at.

mod pictures;
mod sources;
mod stream;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use genvp_puzzle::family::{Family, Stratum, family_of_file};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Domain, Layout, Set};

use crate::error::{InFile, Wanted};
use crate::puzzle_file::{self, FileFormat};
use crate::relations::{self, Conditions, RelationFile, Truth};
use crate::{DataError, StoredPuzzle, names, npz, sheet};

pub use sources::{Sources, sources};
pub use stream::{Block, Entry, PuzzleStream};

/// One puzzle's file, or a table of puzzles.
#[derive(Clone, Debug)]
pub struct PuzzleSource {
    /// The file, or the folder of a puzzle that comes as single pictures.
    pub path: PathBuf,
    /// The layout that its folder is named after.
    pub layout: Option<Layout>,
    /// What the levels in its xml mean, as the dataset's manifest says.
    pub domain: Domain,
    /// Whether the file itself was named, rather than a folder around it.
    pub named: bool,
    /// The choices' sheet of a puzzle that comes as two sheets.
    pub choices: Option<PathBuf>,
    /// The bytes of a member of an archive, whose path is the archive's and its own.
    pub content: Option<Arc<Vec<u8>>>,
    /// What a row of a table holds, whose path is the table's and the name of its file.
    pub row: Option<Arc<RelationFile>>,
    /// What the dataset's truth says about it, in families that keep it in one list.
    pub truth: Option<Arc<Truth>>,
    /// What the dataset's manifest says is held out.
    pub conditions: Option<Arc<Conditions>>,
}

impl PuzzleSource {
    /// A picture, or a folder of them.
    fn picture(path: PathBuf, choices: Option<PathBuf>, named: bool) -> Self {
        let layout = layout_of(&path);
        Self {
            path,
            layout,
            domain: Domain::Standard,
            named,
            choices,
            content: None,
            row: None,
            truth: None,
            conditions: None,
        }
    }

    fn ends_in(&self, ending: &str) -> bool {
        has_ending(&self.path, ending)
    }

    /// Whether this is a table of many puzzles.
    pub fn is_table(&self) -> bool {
        self.ends_in("parquet")
    }

    fn is_picture(&self) -> bool {
        self.ends_in("png") || self.path.is_dir()
    }

    /// Reads the puzzle and the xml beside it.
    pub fn read(&self) -> Result<StoredPuzzle, DataError> {
        if self.is_picture() || self.is_member() {
            return self.read_pixels();
        }
        StoredPuzzle::read(&self.path, self.domain)
    }

    /// Reads the puzzle without the xml beside it.
    pub fn read_pixels(&self) -> Result<StoredPuzzle, DataError> {
        if let Some(file) = &self.row {
            return npz::parse(&file.encode()).in_file(&self.path);
        }
        if let Some(content) = &self.content {
            return npz::parse(content).in_file(&self.path);
        }
        match &self.choices {
            Some(choices) => sheet::read_pair(&self.path, choices),
            None if self.is_picture() => sheet::read(&self.path),
            None => npz::read(&self.path),
        }
    }

    /// Reads what a file of PGM or VAD holds.
    pub fn read_relations(&self) -> Result<RelationFile, DataError> {
        match (&self.row, &self.content) {
            (Some(file), _) => Ok(RelationFile::clone(file)),
            (None, Some(bytes)) => relations::parse_named(bytes, &self.path),
            (None, None) => relations::read(&self.path),
        }
    }

    /// Whether it is a member of an archive or a row of a table.
    pub fn is_member(&self) -> bool {
        self.content.is_some() || self.row.is_some()
    }

    /// How the file is read.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn format(&self) -> Result<&'static dyn FileFormat, DataError> {
        if let Some(file) = &self.row {
            return Ok(puzzle_file::format_named(file.format.name()));
        }
        puzzle_file::format_of(&self.path, self.content.as_ref().map(|bytes| bytes.as_slice()))
    }

    /// The family that its name or its row of a table says it is of, the file unread.
    pub fn named_family(&self) -> Option<&'static dyn Family> {
        if let Some(file) = &self.row {
            return Some(puzzle_file::format_named(file.format.name()).family());
        }
        family_of_file(&self.path.file_stem().unwrap_or_default().to_string_lossy())
    }

    /// What its folder or name says it is counted under.
    pub fn stratum(&self) -> Option<Stratum> {
        self.layout.map(|layout| Raven::stratum(Set::Raven, layout))
    }

    /// Layout and file name, for people.
    pub fn title(&self) -> String {
        let file = self.path.file_stem().unwrap_or_default().to_string_lossy();
        match self.layout {
            Some(layout) => format!("{} · {file}", layout.short()),
            None => file.into_owned(),
        }
    }

    /// Where this puzzle belongs in a converted dataset: folder and stem.
    pub fn place(&self) -> PathBuf {
        let folder = self.path.parent().and_then(Path::file_name).map(|n| n.to_string_lossy());
        let stem = self.path.file_stem().unwrap_or_default();
        match folder.filter(|name| names::is_dataset_folder(name)) {
            Some(name) => Path::new(name.as_ref()).join(stem),
            None => PathBuf::from(stem),
        }
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending))
}

/// The layout that the folder of a file is named after.
fn layout_of(path: &Path) -> Option<Layout> {
    let folder = path.parent()?.file_name()?.to_string_lossy();
    names::parse_folder(&folder).map(|(layout, _)| layout)
}

/// All npz puzzles among the named paths, in the order of folders and numbers.
pub fn gather(paths: &[PathBuf]) -> Result<Vec<PuzzleSource>, DataError> {
    let mut sources = Vec::new();
    for path in paths {
        let before = sources.len();
        gather_npz(path, &mut sources)?;
        if sources.len() == before {
            let path = path.clone();
            return Err(DataError::NoPuzzles { path, wanted: Wanted::Npz });
        }
    }
    Ok(sources)
}

/// All puzzles among the named paths, whatever they come as: npz files, then
/// pictures, then tables of each path.
pub fn gather_all(paths: &[PathBuf]) -> Result<Vec<PuzzleSource>, DataError> {
    if let Some(pair) = pictures::pair(paths) {
        return Ok(vec![pair]);
    }
    let mut sources = Vec::new();
    for path in paths {
        let before = sources.len();
        gather_npz(path, &mut sources)?;
        if path.is_dir() {
            sources.extend(pictures::below(path)?);
        }
        if sources.len() == before {
            let path = path.clone();
            return Err(DataError::NoPuzzles { path, wanted: Wanted::Anything });
        }
    }
    Ok(sources)
}

/// Puzzles that are found as they are needed.
pub struct Found {
    /// All of them, in order.
    pub sources: Box<dyn Iterator<Item = Result<PuzzleSource, DataError>> + Send>,
    /// How many there are, where that is known without reading an archive to its
    /// end.
    pub count: Option<u64>,
}

/// What [`gather_all`] finds; archives and folders of PGM and VAD are not listed
/// before they are read.
pub fn stream_all(paths: &[PathBuf]) -> Result<Found, DataError> {
    let mut known: Vec<PuzzleSource> = Vec::new();
    let mut streamed = Vec::new();
    if let Some(pair) = pictures::pair(paths) {
        known.push(pair);
    } else {
        for path in paths {
            if sources::is_stream(path)? {
                streamed.push(path.clone());
            } else {
                known.extend(gather_all(std::slice::from_ref(path))?);
            }
        }
    }
    let count = streamed.is_empty().then_some(known.len() as u64);
    let streamed = sources(&streamed);
    Ok(Found { sources: Box::new(known.into_iter().map(Ok).chain(streamed)), count })
}

fn gather_npz(path: &Path, found: &mut Vec<PuzzleSource>) -> Result<(), DataError> {
    for source in sources(&[path.to_owned()]) {
        found.push(source?);
    }
    Ok(())
}
