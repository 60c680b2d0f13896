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
use crate::file::read_bounded;
use crate::puzzle_file::{self, FileFormat};
use crate::relations::{self, Conditions, Format, RelationFile, TruthLine};
use crate::table::TableRow;
use crate::{DataError, FormatError, StoredPuzzle, limits, names, npz, sheet, table};

use sources::tables_below;
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
    /// A row of a table, whose path is the table's and the name of its file, or why it cannot be
    /// read; its path is then the table's.
    pub row: Option<Arc<Result<TableRow, FormatError>>>,
    /// What the dataset's truth says about it, in families that keep it in one list.
    pub truth: Option<Arc<TruthLine>>,
    /// What the dataset's manifest says is held out.
    pub conditions: Option<Arc<Conditions>>,
    /// Its family, where a user says it: names and members are then not asked.
    pub family: Option<&'static dyn Family>,
}

impl PuzzleSource {
    /// A file of which nothing but its path is known.
    fn file(path: PathBuf, named: bool) -> Self {
        Self {
            path,
            layout: None,
            domain: Domain::Standard,
            named,
            choices: None,
            content: None,
            row: None,
            truth: None,
            conditions: None,
            family: None,
        }
    }

    /// A picture, or a folder of them.
    fn picture(path: PathBuf, choices: Option<PathBuf>, named: bool) -> Self {
        Self { layout: layout_of(&path), choices, ..Self::file(path, named) }
    }

    /// The bytes of an npz file that is nowhere on this machine, under the name that their
    /// sender gave them.
    pub fn of_bytes(name: PathBuf, bytes: Arc<Vec<u8>>) -> Self {
        Self { content: Some(bytes), ..Self::picture(name, None, true) }
    }

    fn ends_in(&self, ending: &str) -> bool {
        has_ending(&self.path, ending)
    }

    /// Whether this is a table of many puzzles.
    pub fn is_table(&self) -> bool {
        self.ends_in("parquet") && self.row.is_none()
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

    /// Reads the puzzle without the xml beside it. (A row of RAVEN's has its xml in it.)
    pub fn read_pixels(&self) -> Result<StoredPuzzle, DataError> {
        match self.row()? {
            Some(TableRow::Raven(row)) => return row.read().in_file(&self.path),
            Some(TableRow::Relations(row)) => {
                let file = row.read().in_file(&self.path)?;
                return npz::parse(&file.encode()).in_file(&self.path);
            }
            None => {}
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

    /// Reads what a file of PGM or VAD holds, whatever its name and its members say whose it is.
    pub fn read_relations(&self, format: Format) -> Result<RelationFile, DataError> {
        let parse = |bytes: &[u8]| relations::parse(bytes, format).in_file(&self.path);
        match (self.row()?, &self.content) {
            (Some(TableRow::Relations(row)), _) => {
                let file = row.read().in_file(&self.path)?;
                if file.format == format { Ok(file) } else { parse(&file.encode()) }
            }
            (Some(TableRow::Raven(row)), _) => {
                parse(&row.read().in_file(&self.path)?.encode_npz(Set::Raven))
            }
            (None, Some(bytes)) => parse(bytes),
            (None, None) if self.is_picture() => parse(&self.read_pixels()?.encode_npz(Set::Raven)),
            (None, None) => parse(&read_bounded(&self.path, "npz", limits::NPZ_BYTES)?),
        }
    }

    /// The row of a table, if it is one that can be read.
    fn row(&self) -> Result<Option<&TableRow>, DataError> {
        match self.row.as_deref() {
            Some(Ok(row)) => Ok(Some(row)),
            Some(Err(format_error)) => Err(format_error.clone()).in_file(&self.path),
            None => Ok(None),
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
        if let Some(family) = self.family {
            return Ok(puzzle_file::format_named(family.id()));
        }
        if let Some(row) = self.row()? {
            return Ok(row_format(row));
        }
        puzzle_file::format_of(&self.path, self.content.as_ref().map(|bytes| bytes.as_slice()))
    }

    /// The family that a user, its name or its row of a table says it is of, the file unread.
    pub fn named_family(&self) -> Option<&'static dyn Family> {
        if self.family.is_some() {
            return self.family;
        }
        if let Some(row) = &self.row {
            return Some(row_format(row.as_ref().as_ref().ok()?).family());
        }
        family_of_file(&self.path.file_stem().unwrap_or_default().to_string_lossy())
    }

    /// What its folder or name says it is counted under.
    pub fn stratum(&self) -> Option<Stratum> {
        self.layout.map(|layout| Raven::stratum(Set::Raven, layout))
    }

    /// The file for messages, with the id where it is a row of RAVEN's.
    fn label(&self) -> String {
        match (self.row.as_deref(), self.path.parent()) {
            (Some(Ok(TableRow::Raven(row))), Some(table)) => {
                format!("{}#{}", table.display(), row.id)
            }
            _ => self.path.display().to_string(),
        }
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
        let parent = self.path.parent();
        // Above the row of a table is the table, which may lie in a dataset's folder.
        let is_below = self.row.is_some() && !self.named;
        let folder = if is_below { parent.and_then(Path::parent) } else { parent };
        let folder = folder.and_then(Path::file_name).map(|n| n.to_string_lossy());
        let stem = self.path.file_stem().unwrap_or_default();
        match folder.filter(|name| names::is_dataset_folder(name)) {
            Some(name) => Path::new(name.as_ref()).join(stem),
            None => PathBuf::from(stem),
        }
    }
}

fn row_format(row: &TableRow) -> &'static dyn FileFormat {
    match row {
        TableRow::Raven(..) => puzzle_file::format_named(Raven.id()),
        TableRow::Relations(row) => puzzle_file::format_named(row.format.name()),
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
pub struct FoundPuzzles {
    /// All of them, in order.
    pub sources: Box<dyn Iterator<Item = Result<PuzzleSource, DataError>> + Send>,
    /// How many there are, where that is known without reading an archive to its
    /// end; a table counts as one.
    pub count: Option<u64>,
    /// The same, but nothing where there are tables, whose rows nobody has counted.
    pub files: Option<u64>,
}

impl FoundPuzzles {
    /// The same as puzzles of this family, if one is given, whatever their files say.
    pub fn as_family(self, family: Option<&'static dyn Family>) -> Self {
        let Some(family) = family else { return self };
        let of_family = |source| PuzzleSource { family: Some(family), ..source };
        Self { sources: Box::new(self.sources.map(move |source| source.map(of_family))), ..self }
    }
}

impl From<Vec<PuzzleSource>> for FoundPuzzles {
    fn from(sources: Vec<PuzzleSource>) -> Self {
        let count = Some(sources.len() as u64);
        let files = count.filter(|_| !sources.iter().any(PuzzleSource::is_table));
        Self { sources: Box::new(sources.into_iter().map(Ok)), count, files }
    }
}

/// What [`gather_all`] finds; archives and folders of PGM and VAD are not listed
/// before they are read.
pub fn stream_all(paths: &[PathBuf]) -> Result<FoundPuzzles, DataError> {
    let mut known: Vec<PuzzleSource> = Vec::new();
    let mut streamed = Vec::new();
    if let Some(pair) = pictures::pair(paths) {
        known.push(pair);
    } else {
        for path in paths {
            if sources::is_stream(path)? || sources::holds_relation_tables(path)? {
                streamed.push(path.clone());
            } else {
                known.extend(gather_all(std::slice::from_ref(path))?);
            }
        }
    }
    let known = FoundPuzzles::from(known);
    if streamed.is_empty() {
        return Ok(known);
    }
    let sources = Box::new(known.sources.chain(sources(&streamed)));
    Ok(FoundPuzzles { sources, count: None, files: None })
}

/// Tables in folders are found together with pictures; those of RAVEN stay one source each, so
/// that their puzzles are not held all at once.
fn gather_npz(path: &Path, found: &mut Vec<PuzzleSource>) -> Result<(), DataError> {
    if !tables_below(path)?.is_empty() {
        return Ok(());
    }
    if sources::is_table(path) && !table::is_relations(path)? {
        found.push(PuzzleSource::picture(path.to_owned(), None, true));
        return Ok(());
    }
    for source in sources(&[path.to_owned()]) {
        found.push(source?);
    }
    Ok(())
}
