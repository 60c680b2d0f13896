//! The files of folders and archives of any size, one after another.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::ReadDir;
use std::path::{Path, PathBuf};

use super::truth::TruthReader;
use super::{Name, RelationFile, TruthLine, parse_named, read};
use crate::error::InFile;
use crate::name_balance::{NameBalance, name_hash};
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
/// the order of the truth; files that it does not name are an error. Lists of parts of a
/// folder need not name all of its files: the others come after them.
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
    /// Hashes of the names in the lists of a folder, in order, while the files that none of them
    /// names are found.
    named: Option<Vec<u64>>,
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
        named: None,
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
        if let Some(named) = &self.named {
            names.retain(|name| named.binary_search(&name_hash(name)).is_err());
            below.clear();
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

    /// Looks for the files of a folder that its lists do not name, once the last one is read.
    /// Nothing but a sum is kept for that, and eight bytes of every name where there are some.
    fn after_truths(&mut self, last: &TruthReader) -> Result<(), DataError> {
        let count = self.unnamed.surplus();
        if self.unnamed.is_even() {
            return Ok(());
        }
        if last.is_whole() {
            let format_error = match count {
                0 => FormatError::OtherThanTruth,
                count => FormatError::NotInTruth { count },
            };
            return Err(format_error).in_file(&last.path);
        }
        let mut named = Vec::new();
        for list in TruthReader::find(&last.folder)? {
            for truth in TruthReader::open(&list)? {
                let name = format!("{}.npz", truth?.name);
                named.push(name_hash(OsStr::new(&name)));
            }
        }
        named.sort_unstable();
        if named.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(FormatError::OtherThanTruth).in_file(&last.path);
        }
        self.named = Some(named);
        let folder = last.folder.clone();
        let entries = folder.read_dir().map_err(DataError::read(&folder))?;
        self.open = Some((folder, entries));
        Ok(())
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
                    let path = reader.folder.join(&name);
                    // One that is not there is found when it is read.
                    if path.symlink_metadata().is_ok() {
                        self.unnamed.take(OsStr::new(&name));
                    }
                    return Ok(Some(Entry { path, bytes: None, truth: Some(Box::new(truth)) }));
                }
                if let Some(reader) = self.truth.take().filter(|_| self.truths.is_empty()) {
                    self.after_truths(&reader)?;
                    continue;
                }
            }
            if let Some(path) = self.truths.pop() {
                self.truth = Some(TruthReader::open(&path)?);
                continue;
            }
            let Some(folder) = self.folders.pop() else { return Ok(None) };
            (self.truths, self.unnamed) = (TruthReader::find(&folder)?, NameBalance::default());
            self.named = None;
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
