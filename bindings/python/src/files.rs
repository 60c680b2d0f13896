//! Reading puzzles from files.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use genvp_data::audit::{DatasetAudit, Tally, compare_with_manifest};
use genvp_data::inputs::{self, PuzzleSource};
use genvp_data::table::{self, TableRows};
use genvp_data::{DataError, Note, PuzzleFile, names, tar_gz};
use genvp_puzzle::family::{AnyPuzzle, Family, Sheet};
use genvp_puzzle::raven::{Domain, Layout, Raven, Set};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::arrays::array;
use crate::puzzle::KnownPuzzle;
use crate::{error, threads};

/// A puzzle from a file, or what is wrong with the file.
#[pyclass(frozen, get_all, module = "genvp._core")]
pub struct StoredPuzzle {
    /// The file, with the row where it is a table's.
    name: String,
    /// Whose puzzle it is.
    family: Option<&'static str>,
    /// Its layout or regime, where that is known.
    stratum: Option<&'static str>,
    /// The panels `[panels, side, side]`, uint8.
    panels: Option<Py<PyAny>>,
    /// Which choice is right, where the file says so.
    target: Option<usize>,
    /// The rules, where the file says them.
    rules: Option<String>,
    /// The shifted values that its levels stand for, where its folder or xml says so.
    ood: Option<&'static str>,
    /// The whole puzzle, where the file says enough.
    known: Option<Py<KnownPuzzle>>,
    /// What was left out or reinterpreted.
    notes: Vec<String>,
    /// What is wrong with the file.
    problem: Option<String>,
}

/// What a file says, read on any thread.
struct Whole {
    name: String,
    family: &'static dyn Family,
    sheet: Sheet,
    rules: Option<String>,
    puzzle: Option<Box<dyn AnyPuzzle>>,
    notes: Vec<Note>,
}

/// A puzzle that is to be read.
#[allow(clippy::large_enum_variant, reason = "a block of them lives for a moment")]
enum Next {
    /// One file.
    File(PuzzleSource),
    /// A row of a table of RAVEN puzzles, with what the table is named after.
    Row(String, Folder, Result<genvp_data::StoredPuzzle, DataError>),
    /// What could not be found.
    Missing(DataError),
}

/// The layout and the values of levels that a folder or table is named after.
type Folder = (Option<Layout>, Domain);

/// A puzzle, or the name of its file and what is wrong with it.
type Outcome = Result<Whole, (String, String)>;

impl Next {
    fn read(self) -> Outcome {
        match self {
            Self::File(source) => {
                let name = source.path.display().to_string();
                whole_file(&source).map_err(|error| (name, error.to_string()))
            }
            Self::Row(name, folder, Ok(stored)) => Ok(whole_row(name, folder, stored)),
            Self::Row(name, _, Err(error)) => Err((name, error.to_string())),
            Self::Missing(error) => Err((String::new(), error.to_string())),
        }
    }
}

fn whole_file(source: &PuzzleSource) -> Result<Whole, DataError> {
    let format = source.format()?;
    let PuzzleFile { sheet, puzzle, rules, notes, .. } = format.whole(source)?;
    let name = source.path.display().to_string();
    Ok(Whole { name, family: format.family(), sheet, rules, puzzle, notes })
}

/// A row of a table, whose scenes are in it.
fn whole_row(name: String, folder: Folder, stored: genvp_data::StoredPuzzle) -> Whole {
    let (layout, domain) = folder;
    let layout = stored.scene.as_ref().map(|scene| scene.layout).or(layout);
    let domain = stored.scene.as_ref().map_or(domain, |scene| scene.domain);
    let named = stored.rules();
    let restored = stored.scene.as_ref().zip(stored.target);
    let restored = restored.and_then(|(scene, target)| scene.restore(Set::Raven, target));
    let puzzle = restored.map(|restored| Box::new(restored.puzzle) as Box<dyn AnyPuzzle>);
    let stated = || layout.and_then(|layout| Some(named?.text(layout)));
    let rules = puzzle.as_ref().map(|puzzle| puzzle.rules_text()).or_else(stated);
    let side = stored.images.side();
    let sheet = Sheet {
        target: stored.target.map(usize::from),
        stratum: layout.map(|layout| Raven::stratum(Set::Raven, layout)),
        domain: (domain != Domain::Standard).then(|| domain.name()),
        ..Sheet::new(Raven.form(), side, stored.images.into_pixels())
    };
    Whole { name, family: &Raven, sheet, rules, puzzle, notes: stored.notes }
}

impl StoredPuzzle {
    fn of(py: Python<'_>, outcome: Outcome) -> PyResult<Self> {
        let nothing = |name| Self {
            name,
            family: None,
            stratum: None,
            panels: None,
            target: None,
            rules: None,
            ood: None,
            known: None,
            notes: Vec::new(),
            problem: None,
        };
        let whole = match outcome {
            Ok(whole) => whole,
            Err((name, problem)) => {
                return Ok(Self { problem: Some(problem), ..nothing(name) });
            }
        };
        let (panels, side) = (whole.sheet.form.inputs(), whole.sheet.side);
        let known = whole.puzzle.map(|puzzle| Py::new(py, KnownPuzzle(Arc::from(puzzle))));
        Ok(Self {
            family: Some(whole.family.id()),
            stratum: whole.sheet.stratum.map(|stratum| stratum.name),
            panels: Some(array(py, whole.sheet.pixels, [panels, side, side])?.unbind()),
            target: whole.sheet.target,
            rules: whole.rules,
            ood: whole.sheet.domain,
            known: known.transpose()?,
            notes: whole.notes.iter().map(ToString::to_string).collect(),
            ..nothing(whole.name)
        })
    }
}

fn read(py: Python<'_>, block: Vec<Next>) -> PyResult<Vec<StoredPuzzle>> {
    let read = || block.into_par_iter().map(Next::read).collect::<Vec<Outcome>>();
    threads::work(py, read)?.into_iter().map(|outcome| StoredPuzzle::of(py, outcome)).collect()
}

/// Puzzles that are found as they are needed, tables row by row.
struct Finder {
    sources: Box<dyn Iterator<Item = Result<PuzzleSource, DataError>> + Send>,
    table: Option<(PuzzleSource, TableRows<(u64, genvp_data::StoredPuzzle)>)>,
}

impl Iterator for Finder {
    type Item = Next;

    fn next(&mut self) -> Option<Next> {
        loop {
            if let Some((source, rows)) = &mut self.table {
                let stem = source.path.file_stem().unwrap_or_default().to_string_lossy();
                let named = || names::parse_folder(&stem).map(|(layout, _)| layout);
                let folder = (source.layout.or_else(named), source.domain);
                let file = source.path.display();
                match rows.next() {
                    Some(Ok((id, stored))) => {
                        return Some(Next::Row(format!("{file}#{id}"), folder, Ok(stored)));
                    }
                    Some(Err(error)) => {
                        return Some(Next::Row(file.to_string(), folder, Err(error)));
                    }
                    None => self.table = None,
                }
            }
            let source = match self.sources.next()? {
                Ok(source) => source,
                Err(error) => return Some(Next::Missing(error)),
            };
            if !source.is_table() {
                return Some(Next::File(source));
            }
            match table::read(&source.path, source.domain) {
                Ok(rows) => self.table = Some((source, rows)),
                Err(error) => return Some(Next::Missing(error)),
            }
        }
    }
}

/// The puzzles of some paths, one block after another.
#[pyclass(frozen, module = "genvp._core")]
pub struct FileStream(Mutex<Finder>);

#[pymethods]
impl FileStream {
    #[new]
    fn new(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Self> {
        let found = py.detach(|| inputs::stream_all(&paths)).map_err(error::data)?;
        Ok(Self(Mutex::new(Finder { sources: found.sources, table: None })))
    }

    /// The next puzzles, at most so many; none at the end.
    fn block(&self, py: Python<'_>, most: usize) -> PyResult<Vec<StoredPuzzle>> {
        let next = || -> Vec<Next> {
            let mut finder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            finder.by_ref().take(most).collect()
        };
        let puzzles = read(py, py.detach(next))?;
        py.check_signals()?;
        Ok(puzzles)
    }
}

/// The puzzles of some paths by their number.
#[pyclass(frozen, module = "genvp._core")]
pub struct FileList(Vec<PuzzleSource>);

#[pymethods]
impl FileList {
    #[new]
    fn new(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Self> {
        if let Some(path) = paths.iter().find(|path| tar_gz::is_archive(path)) {
            return Err(error::data(format!("{}: {IN_ORDER}", path.display())));
        }
        let sources = py.detach(|| inputs::gather_all(&paths)).map_err(error::data)?;
        if let Some(source) = sources.iter().find(|s| s.is_table() || s.is_member()) {
            return Err(error::data(format!("{}: {IN_ORDER}", source.path.display())));
        }
        Ok(Self(sources))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The files.
    fn names(&self) -> Vec<String> {
        self.0.iter().map(|source| source.path.display().to_string()).collect()
    }

    /// Reads the puzzles of these numbers.
    fn puzzles(&self, py: Python<'_>, indices: Vec<usize>) -> PyResult<Vec<StoredPuzzle>> {
        let source = |index: usize| {
            let wrong = || error::data(format!("there is no puzzle {index} of {}", self.0.len()));
            self.0.get(index).cloned().map(Next::File).ok_or_else(wrong)
        };
        read(py, indices.into_iter().map(source).collect::<PyResult<_>>()?)
    }
}

const IN_ORDER: &str = "archives and tables are read in order: iterate, or unpack them";

/// Whether the puzzles of a path are sound, as JSON.
#[pyfunction]
pub fn check_path(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let audit = threads::interruptible(py, |stop: &AtomicBool| {
        let found = inputs::stream_all(std::slice::from_ref(&path))?;
        let stopped = || stop.load(Ordering::Relaxed);
        let (mut unsound, mut changed) = (Vec::new(), Vec::new());
        let audit =
            DatasetAudit::of(found.sources.take_while(|_| !stopped()), &|| (), |file, problem| {
                unsound.push(json!([file.display().to_string(), problem]));
                Ok::<_, DataError>(())
            })?;
        let wrong = |problem: &str| {
            changed.push(problem.to_owned());
            Ok::<_, DataError>(())
        };
        let good = if stopped() { None } else { compare_with_manifest(&path, wrong)? };
        Ok((audit, unsound, good, changed))
    })?;
    let (audit, unsound, good, changed) = audit.map_err(|error: DataError| error::data(error))?;
    let strata = audit.strata.iter().map(|(stratum, tally)| {
        let name = stratum.map_or("unknown", |stratum| stratum.name);
        (name.to_owned(), tally_json(tally))
    });
    let mut report = tally_json(&audit.all);
    report["strata"] = strata.collect::<serde_json::Map<_, _>>().into();
    report["bad"] = unsound.into();
    report["files_as_in_manifest"] = json!(good);
    report["files_not_as_in_manifest"] = json!(changed);
    Ok(report.to_string())
}

fn tally_json(tally: &Tally) -> Value {
    json!({
        "n": tally.n,
        "sound": tally.sound,
        "not_examined": tally.not_examined,
        "with_rivals": tally.with_rivals,
        "with_unneeded": tally.with_unneeded,
        "with_unshown": tally.with_unshown,
        "vote_percent": tally.vote_percent(),
    })
}
