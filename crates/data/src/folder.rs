//! Walking datasets of any size, one folder at a time.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use genvp_puzzle::{Domain, Layout};

use crate::dataset::Manifest;
use crate::{DataError, Split, names};

/// A puzzle that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFile {
    /// Its npz.
    pub npz: PathBuf,
    /// Its xml, where there is one.
    pub xml: Option<PathBuf>,
    /// The layout, where the folder's name is one.
    pub layout: Option<Layout>,
    /// Its number, where the file's name has one.
    pub index: Option<u64>,
    /// Its split, where the file's name has one.
    pub split: Option<Split>,
    /// What the levels in its xml mean.
    pub domain: Domain,
}

/// What was met on the way, besides puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkSummary {
    /// Puzzles of RAVEN's naming.
    pub raven: u64,
    /// Puzzles of PGM's naming.
    pub pgm: u64,
    /// Other npz files.
    pub other: u64,
    /// Puzzles without an xml.
    pub without_xml: u64,
    /// Folders with nothing in them.
    pub empty: Vec<PathBuf>,
    /// Folders that could not be listed.
    pub unreadable: Vec<String>,
}

impl WalkSummary {
    /// All npz files.
    pub fn puzzles(&self) -> u64 {
        self.raven + self.pgm + self.other
    }

    /// Whether files of different families lie side by side.
    pub fn is_mixed(&self) -> bool {
        [self.raven, self.pgm, self.other].iter().filter(|&&n| n > 0).count() > 1
    }
}

/// The npz files below a folder, in the order of folder names and numbers. Only
/// the names of one folder are held at a time. Links to folders are not
/// followed, so that a walk always ends.
pub struct Walk {
    /// Folders yet to list, the next one last.
    folders: Vec<(PathBuf, Domain)>,
    ready: VecDeque<StoredFile>,
    summary: WalkSummary,
}

/// Walks a folder, or a single file.
pub fn walk(path: &Path) -> Result<Walk, DataError> {
    let mut walk =
        Walk { folders: Vec::new(), ready: VecDeque::new(), summary: WalkSummary::default() };
    if path.is_dir() {
        // The manifest may lie above the folder of a single layout.
        let above = path.parent().map_or(Domain::Standard, |p| domain_of(p, Domain::Standard));
        walk.folders.push((path.to_owned(), above));
    } else {
        std::fs::metadata(path).map_err(DataError::read(path))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let above = folder.parent().map_or(Domain::Standard, |p| domain_of(p, Domain::Standard));
        let beside = path.with_extension("xml");
        let xml = beside.is_file().then_some(beside);
        walk.meet(path.to_owned(), xml, folder, above);
    }
    Ok(walk)
}

/// The domain that a manifest of this folder states.
fn domain_of(folder: &Path, otherwise: Domain) -> Domain {
    Manifest::find(folder).map_or(otherwise, |found| domain_in(found.first(), otherwise))
}

fn domain_in(manifest: Option<&PathBuf>, otherwise: Domain) -> Domain {
    let manifest = manifest.and_then(|path| Manifest::read(path).ok());
    manifest.and_then(|m| m.plan.domain()).unwrap_or(otherwise)
}

impl Walk {
    /// What was met so far.
    pub fn summary(&self) -> &WalkSummary {
        &self.summary
    }

    fn meet(&mut self, npz: PathBuf, xml: Option<PathBuf>, folder: &Path, domain: Domain) {
        let stem = npz.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let parsed = names::parse_stem(&stem);
        if parsed.is_some() {
            self.summary.raven += 1;
        } else if stem.starts_with("PGM_") {
            self.summary.pgm += 1;
        } else {
            self.summary.other += 1;
        }
        self.summary.without_xml += u64::from(xml.is_none());
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.ready.push_back(StoredFile {
            npz,
            xml,
            layout: names::parse_folder(&name).map(|(layout, _)| layout),
            index: parsed.map(|(index, _)| index),
            split: parsed.map(|(_, split)| split),
            domain,
        });
    }

    fn list(&mut self, folder: &Path, domain: Domain) -> std::io::Result<()> {
        let (mut puzzles, mut scenes, mut below) = (Vec::new(), Vec::new(), Vec::new());
        let mut manifests = Vec::new();
        let mut any = false;
        for entry in folder.read_dir()? {
            let entry = entry?;
            any = true;
            let (name, kind) = (entry.file_name(), entry.file_type()?);
            let ending = Path::new(&name).extension().unwrap_or_default();
            if kind.is_dir() {
                below.push(name);
            } else if ending == "npz" {
                puzzles.push(name);
            } else if ending == "xml" {
                scenes.push(name);
            } else if name.to_str().is_some_and(Manifest::is_name) {
                manifests.push(folder.join(name));
            }
        }
        manifests.sort();
        let domain = domain_in(manifests.first(), domain);
        if !any {
            self.summary.empty.push(folder.to_owned());
        }
        below.sort();
        scenes.sort();
        puzzles.sort_by_cached_key(|name| {
            let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
            (names::parse_stem(&stem).map(|(index, _)| index), name.clone())
        });
        for name in puzzles {
            let beside = PathBuf::from(&name).with_extension("xml").into_os_string();
            let xml = scenes.binary_search(&beside).is_ok().then(|| folder.join(beside));
            self.meet(folder.join(name), xml, folder, domain);
        }
        for name in below.into_iter().rev() {
            // Unfinished files of a run are nobody's puzzles.
            if name != ".partial" {
                self.folders.push((folder.join(name), domain));
            }
        }
        Ok(())
    }
}

impl Iterator for Walk {
    type Item = StoredFile;

    fn next(&mut self) -> Option<StoredFile> {
        loop {
            if let Some(found) = self.ready.pop_front() {
                return Some(found);
            }
            let (folder, domain) = self.folders.pop()?;
            if let Err(source) = self.list(&folder, domain) {
                self.summary.unreadable.push(format!("{}: {source}", folder.display()));
            }
        }
    }
}
