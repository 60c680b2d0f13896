//! The members of a puzzle's npz and what they mean.

use std::path::Path;

use super::array::Array;
use super::reader::Reader;
use crate::error::InFile;
use crate::file::read_bounded;
use crate::{DataError, FormatError, Images, Note, PANELS, StoredPuzzle, limits};

/// The members that RAVEN's files have; loaders of the field know the misspelt one too.
const KNOWN: [&str; 8] = [
    "image",
    "target",
    "predict",
    "meta_matrix",
    "mata_matrix",
    "meta_target",
    "meta_structure",
    "structure",
];

/// Reads an npz file.
pub fn read(path: &Path) -> Result<StoredPuzzle, DataError> {
    let bytes = read_bounded(path, "npz", limits::NPZ_BYTES)?;
    parse(&bytes).in_file(path)
}

/// Reads the bytes of an npz file. Only `image` must be there. A `target` that
/// cannot be one is an error, because every score would rest on it; what else is
/// odd or unknown becomes a note.
pub fn parse(bytes: &[u8]) -> Result<StoredPuzzle, FormatError> {
    let mut reader = Reader::open(bytes)?;

    let images = images(&mut reader)?;
    let target = reader.target(7, "a choice from 0 to 7")?;
    let predict = reader.optional("predict", |array| {
        if !(1..=8).contains(&array.count()) {
            return Err(array.bad_shape("one to eight numbers"));
        }
        array.small(7, "choices from 0 to 7")
    })?;
    let name = if reader.has("meta_matrix") { "meta_matrix" } else { "mata_matrix" };
    let meta_matrix = reader.optional(name, |array| {
        let flat: [u8; 72] = bits(&array, "(8, 9)")?;
        let mut rows = [[0; 9]; 8];
        for (row, from) in rows.iter_mut().zip(flat.chunks_exact(9)) {
            row.copy_from_slice(from);
        }
        Ok(rows)
    })?;
    let meta_target = reader.optional("meta_target", |array| bits(&array, "(9,)"))?;
    let meta_structure = reader.optional("meta_structure", |array| bits(&array, "(21,)"))?;
    let structure = reader.optional("structure", |array| {
        if array.count() > 64 {
            return Err(array.bad_shape("(8,) or (12,)"));
        }
        array.texts()
    })?;
    reader.note_unknown_members(&KNOWN);
    Ok(StoredPuzzle {
        images,
        target,
        predict,
        meta_matrix,
        meta_target,
        meta_structure,
        structure,
        scene: None,
        notes: reader.notes,
    })
}

fn bits<const N: usize>(array: &Array<'_>, wanted: &'static str) -> Result<[u8; N], FormatError> {
    if array.count() != N {
        return Err(array.bad_shape(wanted));
    }
    let bits = array.small(1, "0 or 1")?;
    Ok(bits.try_into().expect("the count was checked"))
}

/// Sixteen panels. Those whose header has PGM's shape are noted.
fn images(reader: &mut Reader<'_>) -> Result<Images, FormatError> {
    let (images, panels_last) = reader.images(PANELS, "16 square panels such as (16, 160, 160)")?;
    if panels_last {
        reader.notes.push(Note::PanelsLast { side: images.side() });
    }
    Ok(images)
}
