//! The members of a puzzle's npz and what they mean.

use std::borrow::Cow;
use std::path::Path;

use super::archive::Archive;
use super::array::Array;
use crate::error::InFile;
use crate::file::read_bounded;
use crate::{DataError, Images, Lie, Note, StoredPuzzle, limits};

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
pub fn parse(bytes: &[u8]) -> Result<StoredPuzzle, Lie> {
    let archive = Archive::open(bytes)?;
    let mut reader = Reader { archive, notes: Vec::new() };

    let images = reader.images()?;
    let target = reader.target()?;
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
    reader.note_unknown_members();
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

fn bits<const N: usize>(array: &Array<'_>, wanted: &'static str) -> Result<[u8; N], Lie> {
    if array.count() != N {
        return Err(array.bad_shape(wanted));
    }
    let bits = array.small(1, "0 or 1")?;
    Ok(bits.try_into().expect("the count was checked"))
}

struct Reader<'a> {
    archive: Archive<'a>,
    notes: Vec<Note>,
}

impl<'a> Reader<'a> {
    fn member(&self, name: &str) -> Result<Option<Cow<'a, [u8]>>, Lie> {
        let member = self.archive.find(&format!("{name}.npy")).or_else(|| self.archive.find(name));
        member.map(|m| self.archive.unpack(m)).transpose()
    }

    fn has(&self, name: &str) -> bool {
        self.archive.find(&format!("{name}.npy")).is_some() || self.archive.find(name).is_some()
    }

    /// The right choice. Pickled objects count as missing.
    fn target(&mut self) -> Result<Option<u8>, Lie> {
        let Some(bytes) = self.member("target")? else { return Ok(None) };
        match Array::parse("target", &bytes) {
            Ok(array) => match array.small(7, "a choice from 0 to 7")?.as_slice() {
                &[target] => Ok(Some(target)),
                _ => Err(array.bad_shape("a single number")),
            },
            Err(lie @ Lie::Pickled { .. }) => {
                self.notes.push(Note::Skipped(lie));
                Ok(None)
            }
            Err(lie) => Err(lie),
        }
    }

    /// A member that may be missing; one that holds something else counts as
    /// missing. One whose packed bytes are damaged is an error: then the archive
    /// is.
    fn optional<T>(
        &mut self,
        name: &str,
        take: impl FnOnce(Array<'_>) -> Result<T, Lie>,
    ) -> Result<Option<T>, Lie> {
        let Some(bytes) = self.member(name)? else { return Ok(None) };
        match Array::parse(name, &bytes).and_then(take) {
            Ok(taken) => Ok(Some(taken)),
            Err(lie) => {
                self.notes.push(Note::Skipped(lie));
                Ok(None)
            }
        }
    }

    fn note_unknown_members(&mut self) {
        let names = self.archive.members.iter().map(|m| &m.name);
        let unknown = names.filter(|n| !KNOWN.contains(&n.strip_suffix(".npy").unwrap_or(n)));
        self.notes.extend(unknown.map(|name| Note::Unknown(name.clone())));
    }

    fn images(&mut self) -> Result<Images, Lie> {
        const WANTED: &str = "16 square panels such as (16, 160, 160)";
        let bytes = self.member("image")?.ok_or_else(|| Lie::MissingMember {
            member: "image",
            found: match self.archive.members.as_slice() {
                [] => "none".to_owned(),
                members => members.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(", "),
            },
        })?;
        let array = Array::parse("image", &bytes)?;
        let side = panel_side(array.shape()).ok_or_else(|| array.bad_shape(WANTED))?;
        if let [h, w, 16] = array.shape()
            && h == w
            && *h != 16
        {
            self.notes.push(Note::PanelsLast { side: *h });
        }
        Ok(Images::new(side, array.grey()?))
    }
}

/// The side of the sixteen panels, for every shape that holds sixteen: leading
/// dimensions that multiply to 16, a flat list, or PGM's mislabelled
/// (160, 160, 16).
fn panel_side(shape: &[usize]) -> Option<usize> {
    let trimmed = match shape {
        // A single colour channel behind the pixels.
        [rest @ .., side, 1] if rest.last() == Some(side) => &shape[..shape.len() - 1],
        _ => shape,
    };
    match trimmed {
        &[count] => {
            let side = (count / 16).isqrt();
            (side > 0 && side * side * 16 == count).then_some(side)
        }
        &[h, w, 16] if h == w && h > 0 => Some(h),
        [panels @ .., h, w] if h == w && *h > 0 => {
            (panels.iter().try_fold(1usize, |all, &n| all.checked_mul(n)) == Some(16)).then_some(*h)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_panels_are_found_in_every_known_shape() {
        for shape in [
            &[16, 160, 160][..],
            &[409_600],
            &[1, 16, 160, 160],
            &[16, 160, 160, 1],
            &[16, 1, 160, 160],
            &[4, 4, 160, 160],
            &[160, 160, 16],
        ] {
            assert_eq!(panel_side(shape), Some(160), "{shape:?}");
        }
        assert_eq!(panel_side(&[16, 80, 80]), Some(80));
        assert_eq!(panel_side(&[16, 16, 16]), Some(16));
        for shape in
            [&[15, 160, 160][..], &[17, 160, 160], &[4, 80, 80], &[16, 160, 80], &[], &[16, 0, 0]]
        {
            assert_eq!(panel_side(shape), None, "{shape:?}");
        }
    }
}
