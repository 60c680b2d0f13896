//! The files that a command is pointed at.

use std::path::{Path, PathBuf};

use genvp_data::{DataError, StoredPuzzle, names};
use genvp_puzzle::{Domain, Layout};

use crate::failure::Failure;

/// Where the puzzles of a command come from, in a stable order.
#[derive(Debug)]
pub struct Inputs {
    /// The files.
    pub files: Vec<PathBuf>,
    /// What the levels in their xml files mean.
    pub domain: Domain,
}
