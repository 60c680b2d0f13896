//! Hashes of files, in the form that `sha256sum -c` reads.

use std::fmt::Write;
use std::io::{BufReader, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::{DataError, file};

/// The file in each layout's folder that lists the hash of every other file.
pub(super) const FILE_NAME: &str = "SHA256SUMS";

pub(super) fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

pub(super) fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(super) fn of_file(path: &Path) -> Result<String, DataError> {
    let file = file::open(path)?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut hasher = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        let count = reader.read(&mut block).map_err(DataError::read(path))?;
        if count == 0 {
            return Ok(hex(&hasher.finalize()));
        }
        hasher.update(&block[..count]);
    }
}

/// One line of the list.
pub(super) fn line(hash: &str, name: &str) -> String {
    format!("{hash}  {name}\n")
}

/// Hash and name of a line; names never leave the folder.
pub(super) fn parse_line(line: &str) -> Option<(&str, &str)> {
    let (hash, name) = line.split_once("  ")?;
    let whole = hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit());
    let inside = !name.is_empty() && !name.contains(['/', '\\']) && name != "..";
    (whole && inside).then_some((hash, name))
}
