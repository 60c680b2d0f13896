//! A digest inside a weights file, so that a changed file is noticed.
//!
//! The file's metadata gets an entry `sha256` beside `genvp`: the SHA-256 of
//! everything else in the file, which is the table of tensors and the metadata
//! as JSON with sorted keys, then all bytes of the tensors. Order and white
//! space of the table do not count, single bits of anything else do.

use std::collections::BTreeMap;

use genvp_model::StoreError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The metadata entry that holds the digest.
const ENTRY: &str = "sha256";
/// Where the file keeps its metadata among the tensors.
const METADATA: &str = "__metadata__";
/// The length of the table comes first, as eight bytes.
const LENGTH: usize = 8;

/// One line of the table.
#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Line {
    Tensor(Tensor),
    Metadata(BTreeMap<String, String>),
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Tensor {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

type Table = BTreeMap<String, Line>;

/// What is said about the digest of a weights file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    /// The digest that is written in the file, where there is one.
    pub written: Option<String>,
    /// The digest of what is there.
    pub found: String,
}

impl Digests {
    /// Whether the file is what was written. A file without a digest cannot tell.
    pub fn holds(&self) -> Option<bool> {
        self.written.as_ref().map(|written| *written == self.found)
    }
}

/// The digest of a weights file, and the one that is written in it.
///
/// # Errors
/// When the bytes are no safetensors file.
pub fn read(bytes: &[u8]) -> Result<Digests, StoreError> {
    let (mut table, data) = open(bytes)?;
    let written = match table.get_mut(METADATA) {
        Some(Line::Metadata(entries)) => entries.remove(ENTRY),
        _ => None,
    };
    Ok(Digests { written, found: digest(&table, data)? })
}

/// The same weights with their digest written in. The same weights give the same bytes.
///
/// # Errors
/// When the bytes are no safetensors file.
pub fn with_digest(bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    let (mut table, data) = open(bytes)?;
    if let Some(Line::Metadata(entries)) = table.get_mut(METADATA) {
        entries.remove(ENTRY);
    } else {
        table.insert(METADATA.to_owned(), Line::Metadata(BTreeMap::new()));
    }
    let found = digest(&table, data)?;
    if let Some(Line::Metadata(entries)) = table.get_mut(METADATA) {
        entries.insert(ENTRY.to_owned(), found);
    }
    let mut text = text(&table)?;
    // Tensors begin at a multiple of eight bytes, so that they can be mapped.
    text.extend(std::iter::repeat_n(b' ', text.len().next_multiple_of(LENGTH) - text.len()));
    let mut sealed = (text.len() as u64).to_le_bytes().to_vec();
    sealed.extend_from_slice(&text);
    sealed.extend_from_slice(data);
    Ok(sealed)
}

fn open(bytes: &[u8]) -> Result<(Table, &[u8]), StoreError> {
    let broken = |what: &str| StoreError::Format(what.to_owned());
    let (length, rest) =
        bytes.split_first_chunk::<LENGTH>().ok_or_else(|| broken("it breaks off"))?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok();
    let (table, data) = length
        .and_then(|length| rest.split_at_checked(length))
        .ok_or_else(|| broken("its table of tensors breaks off"))?;
    let table = serde_json::from_slice(table).map_err(|e| StoreError::Format(e.to_string()))?;
    Ok((table, data))
}

fn text(table: &Table) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(table).map_err(|e| StoreError::Format(e.to_string()))
}

fn digest(table: &Table, data: &[u8]) -> Result<String, StoreError> {
    let mut digest = Sha256::new();
    digest.update(text(table)?);
    digest.update(data);
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
