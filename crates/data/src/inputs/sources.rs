//! Puzzles found one after another, so that memory does not grow with the dataset.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use genvp_puzzle::{Domain, Layout};

use super::{PuzzleSource, has_ending, layout_of};
use crate::dataset::{Manifest, read_manifest};
use crate::error::InFile;
use crate::folder::{self, Walk};
use crate::relations::{self, Conditions, Name, RelationPlans, Stream};
use crate::table::{self, RelationRow, RelationTable, TableRow};
use crate::{DataError, FormatError, names, tar_gz};

/// The npz puzzles among some paths, in the order of folders and numbers: files,
/// folders and archives, and the rows of tables, which may lie in folders
/// without npz files. Folders of more than 65,536 files of PGM or VAD come block by block in
/// the order of the file system.
pub struct Sources {
    paths: VecDeque<PathBuf>,
    /// Tables of the folder that is being read.
    tables: VecDeque<PathBuf>,
    current: Option<Current>,
}

enum Current {
    Files(Walk, bool),
    Relations(Box<Stream>, PlanConditions, bool),
    Table(OpenTable),
}

/// A table that is being read.
struct OpenTable {
    path: PathBuf,
    rows: Box<dyn Iterator<Item = Result<TableRow, DataError>> + Send>,
    /// The layout that the table or its folder is named after.
    layout: Option<Layout>,
    /// What the levels in its xml mean.
    domain: Domain,
    conditions: Option<Arc<Conditions>>,
    /// Whether the table itself was named, rather than a folder around it.
    named: bool,
}

/// What the manifests around some files say, one for each regime.
#[derive(Default)]
struct PlanConditions(Vec<Arc<Conditions>>);

impl PlanConditions {
    /// What is said about a file: by a manifest of its regime, or by the only one where its
    /// name tells no regime.
    fn of(&self, path: &Path) -> Option<Arc<Conditions>> {
        let name = Name::of_file(&path.file_name()?.to_string_lossy());
        let found = match (name, self.0.as_slice()) {
            (Some(name), all) => all.iter().find(|conditions| conditions.are_of(name)),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        found.cloned()
    }
}

/// Opens some paths; nothing is listed yet.
pub fn sources(paths: &[PathBuf]) -> Sources {
    Sources { paths: paths.iter().cloned().collect(), tables: VecDeque::new(), current: None }
}

impl Sources {
    /// Passes over what is left of the archive or table that is being read.
    pub fn leave(&mut self) {
        self.current = None;
    }

    fn open(&mut self, path: &Path) -> Result<Option<Current>, DataError> {
        let named = !path.is_dir();
        if is_table(path) {
            return Ok(Some(Current::Table(OpenTable::open(path, true)?)));
        }
        if is_stream(path)? {
            let conditions = conditions_of(path)?;
            let stream = Box::new(relations::stream(path)?);
            return Ok(Some(Current::Relations(stream, conditions, named)));
        }
        self.tables = tables_below(path)?.into();
        if !self.tables.is_empty() {
            return Ok(None);
        }
        Ok(Some(Current::Files(folder::walk(path)?, named)))
    }

    fn advance(&mut self) -> Result<Option<PuzzleSource>, DataError> {
        loop {
            if let Some(source) = self.current.as_mut().map_or(Ok(None), Current::next)? {
                return Ok(Some(source));
            }
            self.current = None;
            if let Some(path) = self.tables.pop_front() {
                match OpenTable::open(&path, false) {
                    Ok(table) => self.current = Some(Current::Table(table)),
                    // Other tables of the folder may be whole.
                    Err(DataError::Bad { format_error, .. }) => {
                        return Ok(Some(PuzzleSource {
                            row: Some(Arc::new(Err(format_error))),
                            ..PuzzleSource::file(path, false)
                        }));
                    }
                    Err(error) => return Err(error),
                }
                continue;
            }
            let Some(path) = self.paths.pop_front() else { return Ok(None) };
            self.current = self.open(&path)?;
        }
    }
}

impl Current {
    fn next(&mut self) -> Result<Option<PuzzleSource>, DataError> {
        match self {
            Self::Files(walk, named) => {
                if let Some(found) = walk.next() {
                    return Ok(Some(PuzzleSource {
                        layout: found.layout,
                        domain: found.domain,
                        ..PuzzleSource::file(found.npz, *named)
                    }));
                }
                match walk.summary().unreadable.first() {
                    Some(message) => Err(DataError::Unlisted { message: message.clone() }),
                    None => Ok(None),
                }
            }
            Self::Relations(stream, conditions, named) => {
                let Some(entry) = stream.next().transpose()? else { return Ok(None) };
                Ok(Some(PuzzleSource {
                    layout: layout_of(&entry.path),
                    content: entry.bytes.map(Arc::new),
                    truth: entry.truth.map(Arc::from),
                    conditions: conditions.of(&entry.path),
                    ..PuzzleSource::file(entry.path, *named)
                }))
            }
            Self::Table(table) => {
                let row = match table.rows.next() {
                    None => return Ok(None),
                    Some(Err(DataError::Bad { format_error, .. })) => Err(format_error),
                    Some(row) => Ok(row?),
                };
                Ok(Some(table.source(row)))
            }
        }
    }
}

impl OpenTable {
    /// Opens a table of any family.
    fn open(path: &Path, named: bool) -> Result<Self, DataError> {
        let table = |rows| Self {
            path: path.to_owned(),
            rows,
            layout: None,
            domain: Domain::Standard,
            conditions: None,
            named,
        };
        if let Some(RelationTable { rows, plan }) = table::read_relations(path)? {
            let rows = rows.map(|row| row.map(|row| TableRow::Relations(Box::new(row))));
            let conditions = plan.map(Conditions::of).transpose().in_file(path)?.map(Arc::new);
            return Ok(Self { conditions, ..table(Box::new(rows)) });
        }
        let domain = folder::walk(path)?.next().map_or(Domain::Standard, |found| found.domain);
        let rows = table::read_packed(path, domain)?;
        let rows = rows.map(|row| row.map(|row| TableRow::Raven(Box::new(row))));
        let layout = layout_of(path).or_else(|| layout_in_name(path));
        Ok(Self { layout, domain, ..table(Box::new(rows)) })
    }

    /// A row, or what is wrong with some.
    fn source(&self, row: Result<TableRow, FormatError>) -> PuzzleSource {
        let (path, truth) = match &row {
            Ok(TableRow::Raven(row)) => (self.path.join(names::stem(row.id) + ".npz"), None),
            Ok(TableRow::Relations(row)) => {
                let name = format!("{}.npz", row_name(&self.path, row));
                (self.path.join(name), row.truth.clone().map(Arc::new))
            }
            Err(_) => (self.path.clone(), None),
        };
        PuzzleSource {
            layout: self.layout,
            domain: self.domain,
            row: Some(Arc::new(row)),
            truth,
            conditions: self.conditions.clone(),
            ..PuzzleSource::file(path, self.named)
        }
    }
}

/// The layout that a table is named after.
fn layout_in_name(path: &Path) -> Option<Layout> {
    let stem = path.file_stem()?.to_string_lossy();
    names::parse_folder(&stem).map(|(layout, _)| layout)
}

/// The name of the file of a row of PGM or VAD. One that the table does not name as the originals
/// do is named after table and row: what becomes a file name must not point elsewhere.
fn row_name(table: &Path, row: &RelationRow) -> String {
    match row.name {
        Some(name) => name.to_string(),
        None => {
            let stem = table.file_stem().unwrap_or_default().to_string_lossy();
            format!("{}_{stem}_{}", row.format, row.number)
        }
    }
}

impl Iterator for Sources {
    type Item = Result<PuzzleSource, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            // What cannot be listed would fail for ever.
            *self = sources(&[]);
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

pub(super) fn is_table(path: &Path) -> bool {
    has_ending(path, "parquet") && path.is_file()
}

/// Whether the first npz that turns up below a folder is named as PGM's and
/// VAD's are.
fn holds_relations(root: &Path) -> Result<bool, DataError> {
    let is_of_relations = |name: &OsStr| Name::of_file(&name.to_string_lossy()).is_some();
    Ok(first_npz(root, &mut |_| ())?.is_some_and(|name| is_of_relations(&name)))
}

/// The parquet tables below a folder in which there are no npz files, in the order of names.
pub(super) fn tables_below(root: &Path) -> Result<Vec<PathBuf>, DataError> {
    let mut tables = Vec::new();
    if !root.is_dir() || first_npz(root, &mut |table| tables.push(table))?.is_some() {
        return Ok(Vec::new());
    }
    tables.sort();
    Ok(tables)
}

/// Whether a folder without npz files holds tables of PGM and VAD, and no others. What is no
/// table at all is said by whoever reads it.
pub(super) fn holds_relation_tables(root: &Path) -> Result<bool, DataError> {
    let tables = tables_below(root)?;
    let is_relations = |table: &PathBuf| table::is_relations(table).unwrap_or(true);
    Ok(!tables.is_empty() && tables.iter().all(is_relations))
}

/// The name of the first npz that turns up below a folder; `table` hears of the tables that
/// turn up before. Nothing is held but the names of folders.
fn first_npz(root: &Path, table: &mut dyn FnMut(PathBuf)) -> Result<Option<OsString>, DataError> {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().map_err(DataError::read(&folder))? {
            let entry = entry.map_err(DataError::read(&folder))?;
            let name = entry.file_name();
            if entry.file_type().map_err(DataError::read(&folder))?.is_dir() {
                if name != ".partial" {
                    folders.push(entry.path());
                }
            } else if has_ending(Path::new(&name), "parquet") {
                table(entry.path());
            } else if Path::new(&name).extension().is_some_and(|e| e == "npz") {
                return Ok(Some(name));
            }
        }
    }
    Ok(None)
}

/// What the manifests of a folder, or of the one around it, say is held out.
fn conditions_of(path: &Path) -> Result<PlanConditions, DataError> {
    if !path.is_dir() {
        return Ok(PlanConditions::default());
    }
    let own = conditions_in(path)?;
    let around = path.parent().filter(|around| own.0.is_empty() && around.is_dir());
    around.map_or(Ok(own), conditions_in)
}

/// What the manifests in a folder say is held out. Those of another family, as they may
/// stand around a folder, say nothing.
fn conditions_in(folder: &Path) -> Result<PlanConditions, DataError> {
    let mut all = Vec::new();
    for path in Manifest::find(folder)? {
        let any: Manifest<serde_json::Value> = read_manifest(&path)?;
        if RelationPlans::are(&any.plan) {
            let plans: RelationPlans = read_manifest(&path)?.plan;
            for plan in plans.each() {
                all.push(Arc::new(Conditions::of(plan.clone()).in_file(&path)?));
            }
        }
    }
    Ok(PlanConditions(all))
}
