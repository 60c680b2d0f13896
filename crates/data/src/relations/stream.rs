//! The files of folders and archives of any size, one after another.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::ReadDir;
use std::path::{Path, PathBuf};

use super::truth::TruthReader;
use super::{Name, RelationFile, TruthLine, parse_named, read};
use crate::error::InFile;
use crate::name_balance::NameBalance;
use crate::tar_gz::{self, TarStream};
use crate::{DataError, FormatError};

/// Names of one folder that are held and sorted at a time.
const NAMES: usize = 1 << 16;

/// A puzzle's file that is yet to be read.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it is, for messages; in an archive, the archive's path and the
    /// member's name.
    pub path: PathBuf,
    /// The bytes of a member of an archive.
    pub bytes: Option<Vec<u8>>,
    /// What `truth.jsonl` says about it.
    pub truth: Option<Box<TruthLine>>,
}

impl Entry {
    /// What its name says.
    pub fn name(&self) -> Option<Name> {
        Name::of_file(&self.path.file_name()?.to_string_lossy())
    }

    /// Reads it.
    pub fn read(&self) -> Result<RelationFile, DataError> {
        match &self.bytes {
            Some(bytes) => parse_named(bytes, &self.path),
            None => read(&self.path),
        }
    }
}

/// All npz files of a file, a folder or an archive. Links to folders are not
/// followed, so that a walk always ends. The files of a folder with truth come in
/// the order of the truth; files that it does not name are an error.
///
/// A folder of up to 65,536 files comes in the order of its numbers; a larger one
/// comes in blocks of as many, each in that order, so that memory does not grow
/// with the folder.
pub struct Stream {
    folders: Vec<PathBuf>,
    open: Option<(PathBuf, ReadDir)>,
    ready: VecDeque<PathBuf>,
    archive: Option<(PathBuf, TarStream)>,
    truths: Vec<PathBuf>,
    truth: Option<TruthReader>,
    /// Files of the folder that its truth has not named so far.
    unnamed: NameBalance,
}

/// What is wrong at the end of a truth that leaves these files of its folder unnamed. Files
/// that it names and that are not there are found when they are read.
fn problem(unnamed: NameBalance) -> Option<FormatError> {
    match unnamed.surplus() {
        0 if unnamed.is_as_many() && !unnamed.is_even() => Some(FormatError::OtherThanTruth),
        0 => None,
        count => Some(FormatError::NotInTruth { count }),
    }
}

/// Opens a file, a folder or an archive.
pub fn stream(path: &Path) -> Result<Stream, DataError> {
    let mut stream = Stream {
        folders: Vec::new(),
        open: None,
        ready: VecDeque::new(),
        archive: None,
        truths: Vec::new(),
        truth: None,
        unnamed: NameBalance::default(),
    };
    if path.is_dir() {
        stream.folders.push(path.to_owned());
    } else if tar_gz::is_archive(path) {
        stream.archive = Some((path.to_owned(), tar_gz::open(path)?));
    } else {
        std::fs::metadata(path).map_err(DataError::read(path))?;
        stream.ready.push_back(path.to_owned());
    }
    Ok(stream)
}

impl Stream {
    /// Lists the next names of the open folder; `false` when it is at its end.
    fn list(&mut self) -> Result<bool, DataError> {
        let Some((folder, entries)) = &mut self.open else { return Ok(false) };
        let (mut names, mut below) = (Vec::new(), Vec::new());
        let mut more = false;
        for entry in entries {
            let entry = entry.map_err(DataError::read(folder))?;
            let kind = entry.file_type().map_err(DataError::read(folder))?;
            let name = entry.file_name();
            if kind.is_dir() {
                // Unfinished files of a run are nobody's puzzles.
                if name != ".partial" {
                    below.push(folder.join(name));
                }
            } else if Path::new(&name).extension().is_some_and(|e| e == "npz") {
                names.push(name);
                more = names.len() == NAMES;
                if more {
                    break;
                }
            }
        }
        if !self.truths.is_empty() {
            names.iter().for_each(|name| self.unnamed.add(name));
            names.clear();
        }
        names.sort_by_cached_key(|name| {
            let known = Name::of_file(&name.to_string_lossy());
            (known.is_none(), known, name.clone())
        });
        self.ready.extend(names.into_iter().map(|name| folder.join(name)));
        below.sort();
        self.folders.extend(below.into_iter().rev());
        if !more {
            self.open = None;
        }
        Ok(true)
    }

    fn advance(&mut self) -> Result<Option<Entry>, DataError> {
        loop {
            if let Some(path) = self.ready.pop_front() {
                return Ok(Some(Entry { path, bytes: None, truth: None }));
            }
            if let Some((path, members)) = &mut self.archive {
                let Some(member) = members.next().transpose()? else { return Ok(None) };
                let path = path.join(&member.name);
                return Ok(Some(Entry { path, bytes: Some(member.bytes), truth: None }));
            }
            if self.list()? {
                continue;
            }
            if let Some(reader) = &mut self.truth {
                if let Some(truth) = reader.next().transpose()? {
                    let name = format!("{}.npz", truth.name);
                    self.unnamed.take(OsStr::new(&name));
                    let path = reader.folder.join(name);
                    return Ok(Some(Entry { path, bytes: None, truth: Some(Box::new(truth)) }));
                }
                // A shard's folder may hold the puzzles of other shards.
                let whole = reader.is_whole();
                if let Some(format_error) = problem(self.unnamed).filter(|_| whole) {
                    return Err(format_error).in_file(&reader.path);
                }
                self.truth = None;
            }
            if let Some(path) = self.truths.pop() {
                self.truth = Some(TruthReader::open(&path)?);
                continue;
            }
            let Some(folder) = self.folders.pop() else { return Ok(None) };
            (self.truths, self.unnamed) = (TruthReader::find(&folder)?, NameBalance::default());
            let entries = folder.read_dir().map_err(DataError::read(&folder))?;
            self.open = Some((folder, entries));
        }
    }
}

impl Iterator for Stream {
    type Item = Result<Entry, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            // What cannot be listed would fail for ever.
            (self.folders, self.truths) = (Vec::new(), Vec::new());
            (self.open, self.archive, self.truth) = (None, None, None);
            self.ready.clear();
        }
        next.transpose()
    }
}
