//! What an npz of PGM or VAD holds.

use std::path::Path;

use genvp_puzzle::relations::Triple;
use genvp_puzzle::relations::render::{self, SIDE};

use super::structure::{self, BITS};
use super::{Format, Name, RelationPuzzle};
use crate::error::InFile;
use crate::file::read_bounded;
use crate::npz::{Reader, Zip};
use crate::{DataError, FormatError, Images, Note, limits};

/// A puzzle as it is kept. Only the panels must be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationFile {
    /// Whose file it is.
    pub format: Format,
    /// The panels: the question, then the choices.
    pub images: Images,
    /// Which choice is right, counted from 0.
    pub target: Option<u8>,
    /// The triples of `relation_structure`, legal ones or not.
    pub named: Option<Vec<Triple>>,
    /// The triples of `relation_structure_encoded`, legal ones or not.
    pub encoded: Option<Vec<Triple>>,
    /// The bits of `meta_target`, which VAD does not have.
    pub meta_target: Option<u16>,
    /// What was left out.
    pub notes: Vec<Note>,
}

impl RelationFile {
    /// A puzzle of which nothing is known but its panels.
    pub fn of_images(format: Format, images: Images) -> Self {
        Self {
            format,
            images,
            target: None,
            named: None,
            encoded: None,
            meta_target: None,
            notes: Vec::new(),
        }
    }

    /// A made puzzle, drawn at the originals' size.
    pub fn of_puzzle(puzzle: &RelationPuzzle) -> Self {
        let format = puzzle.format();
        let images = Images::of_panels(format.panels(), SIDE, render::panels(puzzle.panels()));
        Self::of_images(format, images).with_truth(puzzle.target(), puzzle.recorded())
    }

    /// The same panels with a right choice and triples.
    pub fn with_truth(self, target: u8, triples: Vec<Triple>) -> Self {
        let meta_target = (self.format == Format::Pgm).then(|| structure::joined(&triples));
        let encoded = Some(triples.clone());
        Self { target: Some(target), named: Some(triples), encoded, meta_target, ..self }
    }

    /// The triples: those that are named, or else those that are encoded.
    pub fn triples(&self) -> Option<&[Triple]> {
        self.named.as_deref().or(self.encoded.as_deref())
    }

    /// Leaves out what contradicts the words, or else the bits, with a note.
    pub(crate) fn reconciled(mut self) -> Self {
        if let (Some(words), Some(bits)) = (&self.named, &self.encoded)
            && !same(words, bits)
        {
            self.notes.push(Note::Skipped(FormatError::MembersDisagree {
                member: "relation_structure_encoded",
                other: "relation_structure",
                found: structure::triples_in_words(bits),
                wanted: structure::triples_in_words(words),
            }));
            self.encoded = None;
        }
        if let (Some(triples), Some(bits)) = (self.triples(), self.meta_target)
            && structure::joined(triples) != bits
        {
            let other = match &self.named {
                Some(_) => "relation_structure",
                None => "relation_structure_encoded",
            };
            let wanted = structure::bits_in_words(structure::joined(triples));
            let found = structure::bits_in_words(bits);
            let member = "meta_target";
            self.notes.push(Note::Skipped(FormatError::MembersDisagree {
                member,
                other,
                found,
                wanted,
            }));
            self.meta_target = None;
        }
        self
    }

    /// The bytes of the npz, with the shape in the header of `image` that the
    /// originals have. Members that are not known are left out.
    pub fn encode(&self) -> Vec<u8> {
        let (format, images) = (self.format, &self.images);
        let mut zip = Zip::new(true, 0);
        let shape = format!("({0}, {0}, {1})", images.side(), images.panels());
        zip.add("image", "|u1", &shape, images.pixels());
        if let Some(target) = self.target {
            zip.add("target", "<i8", "()", &i64::from(target).to_le_bytes());
        }
        if let Some(named) = &self.named {
            let words: Vec<&str> = named.iter().flat_map(|&t| structure::words(t)).collect();
            zip.add_words("relation_structure", &format!("({}, 3)", named.len()), &words);
        }
        let rows = format.rows();
        if let Some(encoded) = &self.encoded {
            let bits = encoded.iter().map(|triple| triple.bits());
            let numbers = numbers(bits.chain(std::iter::repeat(0)).take(rows));
            zip.add("relation_structure_encoded", "<i8", &format!("({rows}, {BITS})"), &numbers);
        }
        if let Some(bits) = self.meta_target {
            zip.add("meta_target", "<i8", &format!("({BITS},)"), &numbers([bits].into_iter()));
        }
        zip.finish()
    }
}

/// Twelve 64-bit numbers of every row of bits.
fn numbers(rows: impl Iterator<Item = u16>) -> Vec<u8> {
    let number = |row: u16| (0..BITS).map(move |bit| i64::from(row >> bit & 1));
    rows.flat_map(number).flat_map(i64::to_le_bytes).collect()
}

/// Reads an npz file. Where neither the name nor the members say whose it is,
/// the number of panels decides.
pub fn read(path: &Path) -> Result<RelationFile, DataError> {
    parse_named(&read_bounded(path, "npz", limits::NPZ_BYTES)?, path)
}

/// Reads the bytes of an npz file that has a name.
pub fn parse_named(bytes: &[u8], path: &Path) -> Result<RelationFile, DataError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let format = match Name::of_file(&name) {
        Some(name) => name.format(),
        None => Format::of_npz(bytes).in_file(path)?.unwrap_or(Format::Pgm),
    };
    parse(bytes, format).in_file(path)
}

/// Reads the bytes of an npz file. Only `image` must be there. A `target` that
/// cannot be one is an error, because every score would rest on it; what else is
/// odd or unknown becomes a note.
pub fn parse(bytes: &[u8], format: Format) -> Result<RelationFile, FormatError> {
    let mut reader = Reader::open(bytes)?;
    let (images, _) = reader.images(
        format.panels(),
        match format {
            Format::Pgm => "16 square panels such as (160, 160, 16)",
            Format::Vad => "9 square panels such as (160, 160, 9)",
        },
    )?;
    let target = match format {
        Format::Pgm => reader.target(7, "a choice from 0 to 7"),
        Format::Vad => reader.target(3, "a choice from 0 to 3"),
    }?;
    let named = reader.optional("relation_structure", |a| structure::of_words(&a, format))?;
    let encoded =
        reader.optional("relation_structure_encoded", |a| structure::of_bits(&a, format))?;
    let mut meta_target = None;
    if format == Format::Pgm {
        meta_target = reader.optional("meta_target", |array| {
            if array.count() != BITS {
                return Err(array.bad_shape("(12,)"));
            }
            let bits = array.small(1, "0 or 1")?;
            Ok(bits.iter().rev().fold(0, |all, &bit| all << 1 | u16::from(bit)))
        })?;
    }
    reader.note_unknown_members(format.members());
    let notes = reader.notes;
    Ok(RelationFile { format, images, target, named, encoded, meta_target, notes }.reconciled())
}

/// Whether two lists hold the same triples, in whatever order.
fn same(a: &[Triple], b: &[Triple]) -> bool {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    a.sort();
    b.sort();
    a == b
}
