//! The members of RAVEN's npz and what they mean.

use std::path::Path;

use genvp_puzzle::Set;

use crate::error::InFile;
use crate::file::read_bounded;
use crate::npz::{Array, Reader, Zip};
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

/// Reads the panels of an npz file and which choice is right, where it says so. No other member is
/// looked at.
pub fn read_answer(path: &Path) -> Result<(Images, Option<u8>), DataError> {
    let bytes = read_bounded(path, "npz", limits::NPZ_BYTES)?;
    let parse = || {
        let mut reader = Reader::open(&bytes)?;
        Ok((images(&mut reader)?, target(&mut reader)?))
    };
    parse().in_file(path)
}

/// Reads the bytes of an npz file. Only `image` must be there. A `target` that
/// cannot be one is an error, because every score would rest on it; what else is
/// odd or unknown becomes a note.
pub fn parse(bytes: &[u8]) -> Result<StoredPuzzle, FormatError> {
    let mut reader = Reader::open(bytes)?;

    let images = images(&mut reader)?;
    let target = target(&mut reader)?;
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

fn target(reader: &mut Reader<'_>) -> Result<Option<u8>, FormatError> {
    reader.target(7, "a choice from 0 to 7")
}

/// Sixteen panels. Those whose header has PGM's shape are noted.
fn images(reader: &mut Reader<'_>) -> Result<Images, FormatError> {
    let (images, panels_last) = reader.images(PANELS, "16 square panels such as (16, 160, 160)")?;
    if panels_last {
        reader.notes.push(Note::PanelsLast { side: images.side() });
    }
    Ok(images)
}

/// The whole file in one buffer, with the members in the originals' order.
/// RAVEN-FAIR is deflated and keeps `predict` as a list; the others are stored
/// as they are and keep it as one number.
pub(super) fn encode(puzzle: &StoredPuzzle, set: Set) -> Vec<u8> {
    let fair = set == Set::RavenFair;
    let (side, pixels) = (puzzle.images.side(), puzzle.images.pixels());
    let mut zip = Zip::new(fair, pixels.len() + 4096);
    if let Some(target) = puzzle.target {
        zip.add("target", "<i8", "()", &i64::from(target).to_le_bytes());
    }
    if let Some(predict) = &puzzle.predict {
        let numbers: Vec<u8> = predict.iter().flat_map(|&p| i64::from(p).to_le_bytes()).collect();
        if fair {
            zip.add("predict", "<i8", &format!("({},)", predict.len()), &numbers);
        } else if let Some(first) = numbers.get(..8) {
            zip.add("predict", "<i8", "()", first);
        }
    }
    zip.add("image", "|u1", &format!("({PANELS}, {side}, {side})"), pixels);
    if let Some(matrix) = &puzzle.meta_matrix {
        zip.add("meta_matrix", "|u1", "(8, 9)", matrix.as_flattened());
    }
    if let Some(bits) = &puzzle.meta_structure {
        zip.add("meta_structure", "|u1", "(21,)", bits);
    }
    if let Some(bits) = &puzzle.meta_target {
        zip.add("meta_target", "|u1", "(9,)", bits);
    }
    if let Some(words) = &puzzle.structure {
        zip.add_words("structure", &format!("({},)", words.len()), words);
    }
    zip.finish()
}
