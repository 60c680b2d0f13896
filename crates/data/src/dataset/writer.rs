//! Writing a dataset from many threads.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use genvp_puzzle::{Layout, Puzzle, render};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::lock::{self, Lock};
use super::manifest::{FORMAT, LayoutRecord, Manifest, read_manifest};
use super::plan::Plan;
use super::settings::Settings;
use super::{clear, sums};
use crate::file::{sync_folder, sync_tree, write_whole};
use crate::{DataError, Images, StoredPuzzle, names, truth, xml};

/// Where unfinished files live, so that the layouts' folders only ever hold
/// whole ones.
pub(super) const PARTIAL: &str = ".partial";
const PLAN: &str = "plan.json";
/// Puzzles that are made at once before their truth is written out.
const BLOCK: usize = 512;

/// What to do about what is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Refuse a folder that holds anything.
    Create,
    /// Go on with a dataset of the same plan; files that have the right bytes
    /// already are kept. An empty folder is begun.
    Resume,
    /// Remove the dataset that is there, and nothing else.
    Force,
}

/// A dataset that is being written. Every puzzle may be put from any thread, in
/// any order; the bytes on disk do not depend on it.
///
/// Memory holds the truth of puzzles that are put out of order until those
/// before them are there, so put them in blocks, as [`DatasetWriter::fill`] does.
///
/// # Shards
/// A shard writes the puzzles of its own indices, and `manifest-I-of-N.json`,
/// `truth-I-of-N.jsonl` and `SHA256SUMS-I-of-N` beside them. To join shards, put
/// their folders together into one and resume it without a shard: every file is
/// compared with what it must be, and the files of the whole dataset replace
/// those of the shards.
pub struct DatasetWriter<S = Plan> {
    root: PathBuf,
    plan: S,
    start: Start,
    folders: Vec<FolderWriter>,
    _lock: Lock,
}

/// The files of one puzzle, and its line in the list of truths.
pub struct PuzzleFiles {
    /// Names, without folders, and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// The line, without a line break.
    pub truth: String,
}

struct FolderWriter {
    folder: PathBuf,
    lists: Mutex<Lists>,
}

/// The truth and the hashes of one folder, in the order of indices.
struct Lists {
    /// How many indices are written, all before them included.
    done: u64,
    /// Truth and hash lines of puzzles whose predecessors are not there yet.
    waiting: BTreeMap<u64, Record>,
    truth: BufWriter<File>,
    truth_path: PathBuf,
    truth_hash: Sha256,
    sums: BufWriter<File>,
    sums_path: PathBuf,
    sums_hash: Sha256,
    bytes: u64,
}

struct Record {
    truth: String,
    sums: String,
    bytes: u64,
}

impl<S: Settings> DatasetWriter<S> {
    /// Opens a folder for writing; nothing else may write there until this is
    /// finished or dropped.
    pub fn open(root: &Path, plan: S, start: Start) -> Result<Self, DataError> {
        if let Some(reason) = plan.problem() {
            return Err(DataError::WrongPuzzle { index: 0, reason: reason.to_owned() });
        }
        if root.is_file() {
            return Err(DataError::Exists { path: root.to_owned() });
        }
        fs::create_dir_all(root).map_err(DataError::write(root))?;
        let lock = Lock::take(root)?;
        match start {
            Start::Create if !is_empty(root)? => {
                return Err(DataError::Exists { path: root.to_owned() });
            }
            Start::Create => {}
            Start::Resume => check_begun(root, &plan)?,
            Start::Force => clear::dataset(root)?,
        }
        // A run may be killed here, too: without a plan the next one could not take it up.
        let partial = root.join(PARTIAL);
        clear::all_but(&partial, PLAN)?;
        fs::create_dir_all(&partial).map_err(DataError::write(&partial))?;
        let text = serde_json::to_string_pretty(&plan).expect("a plan always makes JSON");
        write_whole(&partial.join(PLAN), &partial.join("plan"), text.as_bytes(), true)?;

        let folders = plan.folders();
        let folders =
            folders.iter().map(|name| FolderWriter::open(root, name)).collect::<Result<_, _>>()?;
        Ok(Self { root: root.to_owned(), plan, start, folders, _lock: lock })
    }

    /// The settings.
    pub fn plan(&self) -> &S {
        &self.plan
    }

    /// Makes and writes all puzzles of folder number `folder` on rayon's threads,
    /// in blocks so that memory stays small however many there are.
    pub fn fill_folder<E>(
        &self,
        folder: usize,
        make: impl Fn(u64) -> Result<PuzzleFiles, E> + Sync,
    ) -> Result<(), E>
    where
        E: From<DataError> + Send,
        S: Sync,
    {
        let mut indices = self.plan.own_indices();
        loop {
            let block: Vec<u64> = indices.by_ref().take(BLOCK).collect();
            if block.is_empty() {
                return Ok(());
            }
            block.par_iter().try_for_each(|&index| {
                self.put_files(folder, index, make(index)?).map_err(E::from)
            })?;
        }
    }

    /// Writes puzzle number `index` of folder number `folder`.
    pub fn put_files(
        &self,
        folder: usize,
        index: u64,
        puzzle: PuzzleFiles,
    ) -> Result<(), DataError> {
        let wrong = |reason: &str| DataError::WrongPuzzle { index, reason: reason.to_owned() };
        let writer = self.folders.get(folder).ok_or_else(|| wrong("there is no such folder"))?;
        let Some(place) = self.plan.place(index) else {
            return Err(wrong("its index is not among those of the dataset or shard"));
        };
        let mut sums = String::with_capacity(200);
        let mut size = 0;
        for (name, bytes) in &puzzle.files {
            self.put_file(&writer.folder, name, bytes)?;
            sums.push_str(&sums::line(&sums::of_bytes(bytes), name));
            size += bytes.len() as u64;
        }
        let mut truth = puzzle.truth;
        truth.push('\n');
        let mut lists = writer.lists.lock().expect("no thread panics while it holds the lists");
        lists.put(place, index, Record { truth, sums, bytes: size })
    }

    fn put_file(&self, folder: &Path, name: &str, bytes: &[u8]) -> Result<(), DataError> {
        let path = folder.join(name);
        if self.start == Start::Resume && has_bytes(&path, bytes) {
            return Ok(());
        }
        let layout = folder.file_name().unwrap_or_default().to_string_lossy();
        // The name of a partial file must not look like a puzzle to any loader.
        let partial = format!("{layout}-{}", name.replace('.', "-"));
        write_whole(&path, &self.root.join(PARTIAL).join(partial), bytes, false)
    }

    /// Completes the dataset: all puzzles must have been put. The manifest is
    /// written when everything else is on the disk.
    pub fn finish(self) -> Result<Manifest<S>, DataError> {
        let share = self.plan.own_count();
        let suffix = self.plan.suffix();
        let mut records = BTreeMap::new();
        for writer in self.folders {
            let lists =
                writer.lists.into_inner().expect("no thread panics while it holds the lists");
            if lists.done != share {
                let missing = share - lists.done;
                return Err(DataError::Unfinished { path: writer.folder, missing, wanted: share });
            }
            let record = lists.finish(&writer.folder, share, &suffix)?;
            let name = writer.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            records.insert(name, record);
        }
        let partial = self.root.join(PARTIAL);
        if self.plan.shard().is_none() {
            clear::shard_files(&self.root)?;
        }
        sync_tree(&self.root)?;
        let manifest = Manifest { format: FORMAT.to_owned(), plan: self.plan, layouts: records };
        let path = self.root.join(Manifest::file_name(&manifest.plan));
        write_whole(&path, &partial.join("manifest"), manifest.encode().as_bytes(), true)?;
        clear::tree(&partial)?;
        sync_folder(&self.root)?;
        Ok(manifest)
    }
}

impl DatasetWriter {
    /// Makes and writes all puzzles of a layout.
    pub fn fill<E>(
        &self,
        layout: Layout,
        make: impl Fn(u64) -> Result<Puzzle, E> + Sync,
    ) -> Result<(), E>
    where
        E: From<DataError> + Send,
    {
        let folder = self.folder_of(layout, 0)?;
        self.fill_folder(folder, |index| {
            let puzzle = make(index)?;
            if puzzle.layout != layout {
                let reason = format!("its layout is {}, not {layout}", puzzle.layout);
                return Err(E::from(DataError::WrongPuzzle { index, reason }));
            }
            Ok(self.files_of(index, &puzzle)?)
        })
    }

    /// Writes puzzle number `index` of its layout.
    pub fn put(&self, index: u64, puzzle: &Puzzle) -> Result<(), DataError> {
        let folder = self.folder_of(puzzle.layout, index)?;
        self.put_files(folder, index, self.files_of(index, puzzle)?)
    }

    fn folder_of(&self, layout: Layout, index: u64) -> Result<usize, DataError> {
        self.plan.layouts().position(|(own, _)| own == layout).ok_or_else(|| {
            let reason = format!("the dataset has no layout {layout}");
            DataError::WrongPuzzle { index, reason }
        })
    }

    fn files_of(&self, index: u64, puzzle: &Puzzle) -> Result<PuzzleFiles, DataError> {
        let set = puzzle.set;
        if Some(set) != self.plan.set() || Some(puzzle.domain) != self.plan.domain() {
            let reason = format!("it is {} of {}", set.key(), puzzle.domain.name());
            return Err(DataError::WrongPuzzle { index, reason });
        }
        let images = Images::new(render::SIDE, render::puzzle(puzzle));
        let stored = StoredPuzzle::of_puzzle(puzzle, images);
        let scene = stored.scene.as_ref().expect("a made puzzle has a scene");
        let stem = names::stem(index);
        Ok(PuzzleFiles {
            files: vec![
                (format!("{stem}.npz"), stored.encode_npz(set)),
                (format!("{stem}.xml"), xml::encode(scene, set).into_bytes()),
            ],
            truth: truth::encode(index, puzzle),
        })
    }
}

impl FolderWriter {
    fn open(root: &Path, name: &str) -> Result<Self, DataError> {
        let folder = root.join(name);
        fs::create_dir_all(&folder).map_err(DataError::write(&folder))?;
        let partial = root.join(PARTIAL);
        let create = |path: &Path| {
            File::create(path)
                .map(|file| BufWriter::with_capacity(1 << 16, file))
                .map_err(DataError::write(path))
        };
        let truth_path = partial.join(format!("{name}-truth"));
        let sums_path = partial.join(format!("{name}-sums"));
        let lists = Lists {
            done: 0,
            waiting: BTreeMap::new(),
            truth: create(&truth_path)?,
            truth_path,
            truth_hash: Sha256::new(),
            sums: create(&sums_path)?,
            sums_path,
            sums_hash: Sha256::new(),
            bytes: 0,
        };
        Ok(Self { folder, lists: Mutex::new(lists) })
    }
}

impl Lists {
    /// Takes the record at `place` of this shard's order, and writes out all
    /// records whose turn has come.
    fn put(&mut self, place: u64, index: u64, record: Record) -> Result<(), DataError> {
        if place < self.done || self.waiting.insert(place, record).is_some() {
            let reason = "it was put before".to_owned();
            return Err(DataError::WrongPuzzle { index, reason });
        }
        while let Some(record) = self.waiting.remove(&self.done) {
            self.truth
                .write_all(record.truth.as_bytes())
                .map_err(DataError::write(&self.truth_path))?;
            self.truth_hash.update(record.truth.as_bytes());
            self.put_sums(&record.sums)?;
            self.bytes += record.bytes;
            self.done += 1;
        }
        Ok(())
    }

    fn put_sums(&mut self, lines: &str) -> Result<(), DataError> {
        self.sums_hash.update(lines.as_bytes());
        self.sums.write_all(lines.as_bytes()).map_err(DataError::write(&self.sums_path))
    }

    fn finish(
        mut self,
        folder: &Path,
        puzzles: u64,
        suffix: &str,
    ) -> Result<LayoutRecord, DataError> {
        let (stem, ending) = truth::FILE_NAME.split_once('.').expect("the name has an ending");
        let truth_name = format!("{stem}{suffix}.{ending}");
        let hash = sums::hex(&self.truth_hash.finalize_reset());
        self.put_sums(&sums::line(&hash, &truth_name))?;
        let sums_name = format!("{}{suffix}", sums::FILE_NAME);
        self.truth.flush().map_err(DataError::write(&self.truth_path))?;
        self.sums.flush().map_err(DataError::write(&self.sums_path))?;
        for (from, name) in [(&self.truth_path, truth_name), (&self.sums_path, sums_name)] {
            let to = folder.join(name);
            fs::rename(from, &to).map_err(DataError::write(&to))?;
        }
        Ok(LayoutRecord {
            puzzles,
            bytes: self.bytes,
            sha256: sums::hex(&self.sums_hash.finalize()),
        })
    }
}

fn has_bytes(path: &Path, bytes: &[u8]) -> bool {
    fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() == bytes.len() as u64)
        && fs::read(path).is_ok_and(|found| found == bytes)
}

/// Whether a folder holds nothing but our lock.
fn is_empty(root: &Path) -> Result<bool, DataError> {
    for entry in root.read_dir().map_err(DataError::read(root))? {
        if entry.map_err(DataError::read(root))?.file_name() != lock::FILE_NAME {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the dataset in a folder, whole or not, has the same plan.
fn check_begun<S: Settings>(root: &Path, plan: &S) -> Result<(), DataError> {
    let mut plans: Vec<S> = Vec::new();
    for path in Manifest::find(root)? {
        plans.push(read_manifest(&path)?.plan);
    }
    if let Ok(text) = fs::read_to_string(root.join(PARTIAL).join(PLAN)) {
        // A plan is written whole, so one that makes no sense is of another family.
        plans.push(serde_json::from_str(&text).map_err(|error| DataError::OtherSettings {
            path: root.to_owned(),
            differences: error.to_string(),
        })?);
    }
    // A run that was stopped before its plan was written has written nothing else.
    let begun = |name: &std::ffi::OsStr| name == lock::FILE_NAME || name == PARTIAL;
    let others = root.read_dir().map_err(DataError::read(root))?.flatten();
    if plans.is_empty() && others.into_iter().any(|e| !begun(&e.file_name())) {
        return Err(DataError::NothingToResume { path: root.to_owned() });
    }
    match plans.iter().map(|then| plan.differences(then)).find(|d| !d.is_empty()) {
        Some(differences) => Err(DataError::OtherSettings { path: root.to_owned(), differences }),
        None => Ok(()),
    }
}
