//! The files that a command is pointed at.

use std::path::{Path, PathBuf};

use genvp_data::dataset::Manifest;
use genvp_data::{DataError, StoredPuzzle, names};
use genvp_puzzle::{Domain, Layout};

use crate::failure::Failure;

/// One puzzle's file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// The layout that its folder is named after.
    pub layout: Option<Layout>,
    /// What the levels in its xml mean, as the dataset's manifest says.
    pub domain: Domain,
    /// Whether the file itself was named, rather than a folder around it.
    pub named: bool,
}

impl Source {
    fn new(path: PathBuf, domain: Domain, named: bool) -> Self {
        let folder = path.parent().and_then(Path::file_name).map(|n| n.to_string_lossy());
        let layout = folder.and_then(|name| Some(names::parse_folder(&name)?.0));
        Self { path, layout, domain, named }
    }

    /// Reads the puzzle.
    pub fn read(&self) -> Result<StoredPuzzle, DataError> {
        StoredPuzzle::read(&self.path, self.domain)
    }

    /// Reads the puzzle without the xml beside it.
    pub fn read_pixels(&self) -> Result<StoredPuzzle, DataError> {
        genvp_data::npz::read(&self.path)
    }

    /// Layout and file name, for people.
    pub fn title(&self) -> String {
        let file = self.path.file_stem().unwrap_or_default().to_string_lossy();
        match self.layout {
            Some(layout) => format!("{} · {file}", layout.short()),
            None => file.into_owned(),
        }
    }
}

/// All npz files among the named paths, in the order of their names and indices.
pub fn gather(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for path in paths {
        if path.is_dir() {
            let domain = domain_of(path)?;
            let before = sources.len();
            let mut files = Vec::new();
            walk(path, &mut files)?;
            sources.extend(files.into_iter().map(|file| Source::new(file, domain, false)));
            if sources.len() == before {
                return Err(Failure::bad(format!("{}: no puzzles in this folder", path.display()))
                    .hint("puzzles are .npz files, in this folder or those below it"));
            }
        } else {
            let domain =
                path.parent().and_then(Path::parent).map_or(Ok(Domain::Standard), domain_of)?;
            sources.push(Source::new(path.clone(), domain, true));
        }
    }
    Ok(sources)
}

/// The domain of a dataset: its manifest is in the folder or the one above.
fn domain_of(folder: &Path) -> Result<Domain, Failure> {
    for root in folder.ancestors().take(2) {
        if let Some(path) = Manifest::find(root)?.first() {
            return Ok(Manifest::read(path)?.plan.domain().unwrap_or_default());
        }
    }
    Ok(Domain::Standard)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed =
        |e: std::io::Error| Failure::bad(format!("{}: cannot read: {e}", folder.display()));
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| Ok(entry.map_err(failed)?.path()))
        .collect::<Result<_, Failure>>()?;
    entries.sort_by_cached_key(|path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (names::parse_stem(&stem).map(|(index, _)| index), stem)
    });
    for path in entries {
        if path.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "npz") {
            files.push(path);
        }
    }
    Ok(())
}
