//! The triples of a file, as words and as bits.

use genvp_puzzle::relations::{Attribute, Object, Relation, SpecError, Triple};

use super::Format;
use crate::FormatError;
use crate::npz::Array;

/// Bits of a row: two objects, five attributes, five relations.
pub(super) const BITS: usize = 12;

const WORDS: &str = "relation_structure";
const ENCODED: &str = "relation_structure_encoded";

/// The triples of `relation_structure`: rows of object, attribute and relation.
pub(super) fn of_words(array: &Array<'_>, format: Format) -> Result<Vec<Triple>, FormatError> {
    let rows = array.count() / 3;
    if !array.count().is_multiple_of(3) || !(1..=format.rows()).contains(&rows) {
        return Err(array.bad_shape(match format {
            Format::Pgm => "(1, 3) to (4, 3)",
            Format::Vad => "(1, 3)",
        }));
    }
    let words = array.texts()?;
    words
        .chunks_exact(3)
        .enumerate()
        .map(|(row, words)| {
            named(&words[0], &words[1], &words[2]).map_err(|error| FormatError::NotTriple {
                member: WORDS,
                row,
                found: words.join(" ").chars().take(60).collect(),
                reason: error.to_string(),
            })
        })
        .collect()
}

/// The triples of `relation_structure_encoded`: rows of twelve bits, unused ones
/// at the end and zero.
pub(super) fn of_bits(array: &Array<'_>, format: Format) -> Result<Vec<Triple>, FormatError> {
    if array.count() != BITS * format.rows() {
        return Err(array.bad_shape(match format {
            Format::Pgm => "(4, 12)",
            Format::Vad => "(1, 12)",
        }));
    }
    let bits = array.small(1, "0 or 1")?;
    let rows = bits.chunks_exact(BITS);
    let used = rows.clone().rposition(|row| row.contains(&1)).map_or(0, |last| last + 1);
    rows.take(used)
        .enumerate()
        .map(|(row, bits)| {
            triple_of(bits).map_err(|reason| FormatError::NotTriple {
                member: ENCODED,
                row,
                found: bits.iter().map(u8::to_string).collect(),
                reason: reason.to_owned(),
            })
        })
        .collect()
}

/// The triple of three words, legal or not.
pub(crate) fn named(object: &str, attribute: &str, relation: &str) -> Result<Triple, SpecError> {
    let attribute = Attribute::parse(object, attribute)?;
    Ok(Triple { attribute, relation: Relation::parse(relation)? })
}

/// The triple of twelve bits in a number, legal or not.
pub(crate) fn of_mask(bits: u16) -> Result<Triple, &'static str> {
    triple_of(&std::array::from_fn::<u8, BITS, _>(|bit| (bits >> bit & 1) as u8))
}

fn triple_of(bits: &[u8]) -> Result<Triple, &'static str> {
    let only = |range: std::ops::Range<usize>| {
        let mut set = range.filter(|&bit| bits[bit] == 1);
        set.next().filter(|_| set.next().is_none())
    };
    let object = only(0..2).ok_or("bits 0 and 1 do not name one object")?;
    let attribute = only(2..7).ok_or("bits 2 to 6 do not name one attribute")?;
    let relation = only(7..12).ok_or("bits 7 to 11 do not name one relation")?;
    let attribute = Attribute::ALL
        .into_iter()
        .find(|a| a.object().bit() == object && a.bit() == attribute)
        .ok_or("lines have a color and a type only")?;
    let relation = Relation::ALL.into_iter().find(|r| r.bit() == relation);
    Ok(Triple { attribute, relation: relation.ok_or("no relation has this bit")? })
}

/// The three words of a triple, in the order of the files.
pub(crate) fn words(triple: Triple) -> [&'static str; 3] {
    [triple.attribute.object().name(), triple.attribute.name(), triple.relation.name()]
}

/// All bits of some triples, as `meta_target` has them.
pub(super) fn joined(triples: &[Triple]) -> u16 {
    triples.iter().fold(0, |bits, triple| bits | triple.bits())
}

/// Bits by the names of what they stand for, for messages.
pub(super) fn bits_in_words(bits: u16) -> String {
    const ATTRIBUTES: [&str; 5] = ["color", "number", "position", "size", "type"];
    let objects = Object::ALL.map(Object::name);
    let relations = Relation::ALL.map(Relation::name);
    let names: Vec<&str> = objects.into_iter().chain(ATTRIBUTES).chain(relations).collect();
    let set = names.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
    let set: Vec<&str> = set.map(|(_, name)| *name).collect();
    if set.is_empty() { "nothing".to_owned() } else { set.join(" ") }
}

/// Triples by their names, for messages.
pub(super) fn triples_in_words(triples: &[Triple]) -> String {
    match triples {
        [] => "nothing".to_owned(),
        _ => triples.iter().map(Triple::to_string).collect::<Vec<_>>().join(", "),
    }
}
