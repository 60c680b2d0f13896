//! The files that a command is pointed at.

use std::path::{Path, PathBuf};

use genvp_data::{DataError, StoredPuzzle, folder, names, npz, sheet};
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
    fn is_picture(&self) -> bool {
        self.path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"))
    }

    /// Reads the puzzle and the xml beside it.
    pub fn read(&self) -> Result<StoredPuzzle, DataError> {
        if self.is_picture() {
            return sheet::read(&self.path);
        }
        StoredPuzzle::read(&self.path, self.domain)
    }

    /// Reads the puzzle without the xml beside it.
    pub fn read_pixels(&self) -> Result<StoredPuzzle, DataError> {
        if self.is_picture() { sheet::read(&self.path) } else { npz::read(&self.path) }
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
        match folder.filter(|name| names::parse_folder(name).is_some()) {
            Some(name) => Path::new(name.as_ref()).join(stem),
            None => PathBuf::from(stem),
        }
    }
}

/// All puzzles among the named paths, in the order of folders and numbers.
pub fn gather(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for path in paths {
        let named = !path.is_dir();
        let before = sources.len();
        let mut walk = folder::walk(path)?;
        for found in &mut walk {
            sources.push(Source {
                path: found.npz,
                layout: found.layout,
                domain: found.domain,
                named,
            });
        }
        if let Some(unreadable) = walk.met().unreadable.first() {
            return Err(Failure::bad(unreadable.clone()));
        }
        if sources.len() == before {
            return Err(Failure::bad(format!("{}: no puzzles in this folder", path.display()))
                .hint("puzzles are .npz files, in this folder or those below it"));
        }
    }
    Ok(sources)
}
