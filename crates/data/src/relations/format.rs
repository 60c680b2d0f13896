//! The two formats and in what they differ.

use std::fmt;

use genvp_puzzle::family::{Family, Form};
use genvp_puzzle::pgm::Pgm;
use genvp_puzzle::relations::{SIDES, Vocabulary};
use genvp_puzzle::vad::Vad;

use crate::FormatError;
use crate::npz::{Reader, panel_side};

/// Whose files they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Eight panels of a 3 x 3 matrix and eight choices; one to four triples.
    Pgm,
    /// A source row, two panels of a target row and four choices; one triple.
    Vad,
}

impl Format {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Pgm, Self::Vad];

    /// The name on the command line and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pgm => "pgm",
            Self::Vad => "vad",
        }
    }

    /// Finds a format by its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == text)
    }

    /// The family whose puzzles are kept in it.
    pub fn family(self) -> &'static dyn Family {
        match self {
            Self::Pgm => &Pgm,
            Self::Vad => &Vad,
        }
    }

    /// How many panels a puzzle has.
    fn form(self) -> Form {
        self.family().form()
    }

    /// Panels of the question.
    pub fn context(self) -> usize {
        self.form().context()
    }

    /// Possible answers.
    pub fn choices(self) -> usize {
        self.form().choices
    }

    /// All pictures of a puzzle.
    pub fn panels(self) -> usize {
        self.form().inputs()
    }

    /// Which shapes and lines there are.
    pub fn vocabulary(self) -> Vocabulary {
        match self {
            Self::Pgm => Vocabulary::Pgm,
            Self::Vad => Vocabulary::Vad,
        }
    }

    /// Rows of `relation_structure_encoded`, of which unused ones are zero.
    pub(crate) fn rows(self) -> usize {
        match self {
            Self::Pgm => 4,
            Self::Vad => 1,
        }
    }

    /// The members of a file. VAD's have no `meta_target`.
    pub(super) fn members(self) -> &'static [&'static str] {
        const ALL: [&str; 5] =
            ["image", "target", "relation_structure", "relation_structure_encoded", "meta_target"];
        match self {
            Self::Pgm => &ALL,
            Self::Vad => &ALL[..4],
        }
    }

    /// The format of an npz whose name does not tell, by its members and the
    /// shape of `image`; `None` where it is neither or cannot be told from
    /// RAVEN's.
    pub fn of_npz(bytes: &[u8]) -> Result<Option<Self>, FormatError> {
        let reader = Reader::open(bytes)?;
        let Some(shape) = reader.image_shape()? else { return Ok(None) };
        let has_relations = has_relations(&reader);
        Ok(if panel_side(&shape, Self::Vad.panels()).is_some() {
            Some(Self::Vad)
        } else if panel_side(&shape, Self::Pgm.panels()).is_some()
            && (has_relations || panels_last(&shape))
        {
            Some(Self::Pgm)
        } else {
            None
        })
    }

    /// The format of an npz that cannot be RAVEN's: it has as many panels as VAD's, or its
    /// panels are large enough to be read as PGM's and it states relations or has their number
    /// last in the shape of `image`. (Small ones are RAVEN's with members of another family.)
    pub fn certain_of_npz(bytes: &[u8]) -> Result<Option<Self>, FormatError> {
        let reader = Reader::open(bytes)?;
        let Some(shape) = reader.image_shape()? else { return Ok(None) };
        if panel_side(&shape, Self::Vad.panels()).is_some() {
            return Ok(Some(Self::Vad));
        }
        let is_readable =
            panel_side(&shape, Self::Pgm.panels()).is_some_and(|s| SIDES.contains(&s));
        let is_pgm = has_relations(&reader) || panels_last(&shape);
        Ok((is_readable && is_pgm).then_some(Self::Pgm))
    }
}

/// Whether a shape is the originals' wrong one, with the number of panels at its end.
fn panels_last(shape: &[usize]) -> bool {
    matches!(shape, [h, w, 16] if h == w && *h != 16)
}

fn has_relations(reader: &Reader<'_>) -> bool {
    reader.has("relation_structure") || reader.has("relation_structure_encoded")
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
