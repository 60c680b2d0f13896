//! Triples: a relation on an attribute of an object.

use std::fmt;

use super::{Attribute, Relation, SpecError};

/// A relation and the attribute that it governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Triple {
    /// What is governed.
    pub attribute: Attribute,
    /// How.
    pub relation: Relation,
}

impl Triple {
    /// A legal triple.
    pub fn new(attribute: Attribute, relation: Relation) -> Result<Self, SpecError> {
        let triple = Self { attribute, relation };
        if triple.is_legal() { Ok(triple) } else { Err(SpecError::IllegalTriple(triple)) }
    }

    /// Whether it is one of the 29 of PGM. VAD's are the 23 of these that are
    /// not unions.
    pub fn is_legal(self) -> bool {
        use Relation::{And, Or, Progression, Union, Xor};
        match self.attribute {
            Attribute::ShapeNumber => matches!(self.relation, Progression | Union),
            Attribute::ShapePosition => matches!(self.relation, Xor | Or | And),
            Attribute::LineType => self.relation != Progression,
            _ => true,
        }
    }

    /// The 29 legal triples, by attribute, then relation.
    pub fn legal() -> impl Iterator<Item = Self> {
        Attribute::ALL
            .into_iter()
            .flat_map(|attribute| Relation::ALL.map(|relation| Self { attribute, relation }))
            .filter(|triple| triple.is_legal())
    }

    /// Its twelve bits: object, attribute and relation, one bit each. Bit 0 is
    /// the first entry of a row of `relation_structure_encoded`.
    pub fn bits(self) -> u16 {
        1 << self.attribute.object().bit() | 1 << self.attribute.bit() | 1 << self.relation.bit()
    }

    /// The legal triple with these twelve bits.
    pub fn from_bits(bits: u16) -> Option<Self> {
        Self::legal().find(|triple| triple.bits() == bits)
    }

    /// Finds a legal triple by the three names of a file.
    pub fn parse(object: &str, attribute: &str, relation: &str) -> Result<Self, SpecError> {
        Self::new(Attribute::parse(object, attribute)?, Relation::parse(relation)?)
    }

    /// Its place among the legal ones, 0 to 28.
    pub fn index(self) -> Option<usize> {
        Self::legal().position(|triple| triple == self)
    }

    /// Why two triples cannot govern the same puzzle; `None` if they can.
    ///
    /// The authors rule out number with position. Two relations on one
    /// attribute are our decision. A line type that follows a union leaves one
    /// line a panel, and one line has one grey.
    pub fn conflict(self, other: Self) -> Option<&'static str> {
        use Attribute::{LineColor, LineType, ShapeNumber, ShapePosition};
        let both = [self, other];
        let has = |attribute| both.iter().any(|t| t.attribute == attribute);
        if self.attribute == other.attribute {
            return Some("an attribute follows one relation only");
        }
        if has(ShapeNumber) && has(ShapePosition) {
            return Some("positions determine the number");
        }
        let one_line =
            both.iter().any(|t| t.attribute == LineType && t.relation == Relation::Union);
        let many_greys = both.iter().any(|t| {
            t.attribute == LineColor
                && matches!(t.relation, Relation::Xor | Relation::Or | Relation::And)
        });
        (one_line && many_greys)
            .then_some("a union of line types leaves one line a panel, which has one grey")
    }
}

impl fmt::Display for Triple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.attribute, self.relation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_29_legal_triples_and_347_pairs_that_can_share_a_puzzle() {
        let legal: Vec<Triple> = Triple::legal().collect();
        assert_eq!(legal.len(), 29);
        let pairs = |allowed: &dyn Fn(Triple, Triple) -> bool| {
            let before = |i: usize| legal[..i].iter().filter(|&&a| allowed(a, legal[i])).count();
            (0..29).map(before).sum::<usize>()
        };
        use Attribute::{ShapeNumber, ShapePosition};
        // The authors' 400 viable pairs leave out number with position only.
        let together = |a: Triple, b: Triple| {
            let mut both = [a.attribute, b.attribute];
            both.sort();
            both != [ShapeNumber, ShapePosition]
        };
        assert_eq!(pairs(&together), 400);
        assert_eq!(pairs(&|a, b| together(a, b) && a.attribute != b.attribute), 350);
        assert_eq!(pairs(&|a, b| a.conflict(b).is_none()), 347);
    }

    #[test]
    fn bits_are_those_of_the_originals_example() {
        let bits = |o, a, r| {
            let bits = Triple::parse(o, a, r).unwrap().bits();
            (0..12).map(|bit| if bits >> bit & 1 == 1 { '1' } else { '0' }).collect::<String>()
        };
        assert_eq!(bits("shape", "position", "OR"), "100010000100");
        assert_eq!(bits("line", "type", "OR"), "010000100100");
        for triple in Triple::legal() {
            assert_eq!(Triple::from_bits(triple.bits()), Some(triple));
        }
        assert!(Triple::parse("shape", "number", "XOR").is_err());
        assert!(Triple::parse("line", "size", "XOR").is_err());
    }
}
