//! Reading the members of an npz by name.

use std::borrow::Cow;

use super::archive::Archive;
use super::array::Array;
use crate::{FormatError, Images, Note};

/// An open npz, and what was odd in it so far.
pub(crate) struct Reader<'a> {
    archive: Archive<'a>,
    pub(crate) notes: Vec<Note>,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, FormatError> {
        Ok(Self { archive: Archive::open(bytes)?, notes: Vec::new() })
    }

    fn member(&self, name: &str) -> Result<Option<Cow<'a, [u8]>>, FormatError> {
        let member = self.archive.find(&format!("{name}.npy")).or_else(|| self.archive.find(name));
        member.map(|m| self.archive.unpack(m)).transpose()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.archive.find(&format!("{name}.npy")).is_some() || self.archive.find(name).is_some()
    }

    /// The right choice. Pickled objects count as missing.
    pub(crate) fn target(
        &mut self,
        most: u8,
        wanted: &'static str,
    ) -> Result<Option<u8>, FormatError> {
        let Some(bytes) = self.member("target")? else { return Ok(None) };
        match Array::parse("target", &bytes) {
            Ok(array) => match array.small(most, wanted)?.as_slice() {
                &[target] => Ok(Some(target)),
                _ => Err(array.bad_shape("a single number")),
            },
            Err(format_error @ FormatError::Pickled { .. }) => {
                self.notes.push(Note::Skipped(format_error));
                Ok(None)
            }
            Err(format_error) => Err(format_error),
        }
    }

    /// A member that may be missing; one that holds something else counts as
    /// missing. One whose packed bytes are damaged is an error: then the archive
    /// is.
    pub(crate) fn optional<T>(
        &mut self,
        name: &str,
        take: impl FnOnce(Array<'_>) -> Result<T, FormatError>,
    ) -> Result<Option<T>, FormatError> {
        let Some(bytes) = self.member(name)? else { return Ok(None) };
        match Array::parse(name, &bytes).and_then(take) {
            Ok(taken) => Ok(Some(taken)),
            Err(format_error) => {
                self.notes.push(Note::Skipped(format_error));
                Ok(None)
            }
        }
    }

    pub(crate) fn note_unknown_members(&mut self, known: &[&str]) {
        let names = self.archive.members.iter().map(|m| &m.name);
        let unknown = names.filter(|n| !known.contains(&n.strip_suffix(".npy").unwrap_or(n)));
        self.notes.extend(unknown.map(|name| Note::Unknown(name.clone())));
    }

    /// The panels, and whether the header has the shape of PGM's, which tells the
    /// panels last though the bytes are one panel after another.
    pub(crate) fn images(
        &self,
        panels: usize,
        wanted: &'static str,
    ) -> Result<(Images, bool), FormatError> {
        let bytes = self.member("image")?.ok_or_else(|| FormatError::MissingMember {
            member: "image",
            found: match self.archive.members.as_slice() {
                [] => "none".to_owned(),
                members => members.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(", "),
            },
        })?;
        let array = Array::parse("image", &bytes)?;
        let side = panel_side(array.shape(), panels).ok_or_else(|| array.bad_shape(wanted))?;
        let last = matches!(array.shape(), &[h, w, n] if h == w && n == panels && h != panels);
        Ok((Images::of_panels(panels, side, array.grey()?), last))
    }

    /// The shape of `image`, where there is one.
    pub(crate) fn image_shape(&self) -> Result<Option<Vec<usize>>, FormatError> {
        let Some(bytes) = self.member("image")? else { return Ok(None) };
        Ok(Some(Array::parse("image", &bytes)?.shape().to_vec()))
    }
}

/// The side of the panels, for every shape that holds as many: leading dimensions
/// that multiply to their number, a flat list, or PGM's mislabelled
/// (160, 160, 16).
pub(crate) fn panel_side(shape: &[usize], panels: usize) -> Option<usize> {
    let trimmed = match shape {
        // A single colour channel behind the pixels.
        [rest @ .., side, 1] if rest.last() == Some(side) => &shape[..shape.len() - 1],
        _ => shape,
    };
    match trimmed {
        &[count] => {
            let side = (count / panels).isqrt();
            (side > 0 && side * side * panels == count).then_some(side)
        }
        &[h, w, n] if h == w && n == panels && h > 0 => Some(h),
        [leading @ .., h, w] if h == w && *h > 0 => {
            let count = leading.iter().try_fold(1usize, |all, &n| all.checked_mul(n));
            (count == Some(panels)).then_some(*h)
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
            assert_eq!(panel_side(shape, 16), Some(160), "{shape:?}");
        }
        assert_eq!(panel_side(&[16, 80, 80], 16), Some(80));
        assert_eq!(panel_side(&[16, 16, 16], 16), Some(16));
        for shape in
            [&[15, 160, 160][..], &[17, 160, 160], &[4, 80, 80], &[16, 160, 80], &[], &[16, 0, 0]]
        {
            assert_eq!(panel_side(shape, 16), None, "{shape:?}");
        }
    }
}
