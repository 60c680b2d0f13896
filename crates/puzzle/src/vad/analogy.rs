//! A relation and the two domains in which it holds.

use std::fmt;

use crate::Stream;
use crate::relations::{Attribute, Relation, Triple};

/// What a puzzle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Analogy {
    /// Any but [`Relation::Union`].
    pub relation: Relation,
    /// The attribute that follows it in the source row.
    pub source: Attribute,
    /// The attribute that follows it in the target row.
    pub target: Attribute,
}

impl Analogy {
    /// All 110 that we consider legal: a domain follows what it can follow in
    /// PGM, unions aside.
    pub fn legal() -> impl Iterator<Item = Self> {
        let targets = |source| Attribute::ALL.into_iter().map(move |target| (source, target));
        let pairs = Attribute::ALL.into_iter().flat_map(targets);
        pairs
            .flat_map(|(source, target)| {
                Relation::ALL.map(|relation| Self { relation, source, target })
            })
            .filter(|analogy| analogy.is_legal())
    }

    /// Whether it is one of the 110.
    pub fn is_legal(self) -> bool {
        self.relation != Relation::Union
            && self.source != self.target
            && self.source_triple().is_legal()
            && self.target_triple().is_legal()
    }

    /// The source row as a triple.
    pub fn source_triple(self) -> Triple {
        Triple { attribute: self.source, relation: self.relation }
    }

    /// The target row as a triple, which is what files record. (That they record
    /// the target and not the source is an assumption.)
    pub fn target_triple(self) -> Triple {
        Triple { attribute: self.target, relation: self.relation }
    }
}

impl fmt::Display for Analogy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} to {}", self.relation, self.source, self.target)
    }
}

/// How many pairs of domains are held out: a fifth of the 38 legal ones.
const HELD_OUT: usize = 8;

/// The ordered pairs (source, target) that `novel.domain.transfer` keeps for its
/// test. Drawn once from a seed of their own, so they are the same for every
/// seed and split; every domain stays a source and a target in training.
pub fn held_out_pairs() -> Vec<[Attribute; 2]> {
    let mut legal: Vec<[Attribute; 2]> = Analogy::legal().map(|a| [a.source, a.target]).collect();
    legal.dedup();
    let mut stream = Stream::new(0, "vad/held-out/domains", 0);
    loop {
        let mut order: Vec<usize> = (0..legal.len()).collect();
        stream.shuffle(&mut order);
        let (held, kept) = order.split_at(HELD_OUT);
        if keeps_every_domain(kept.iter().map(|&i| legal[i])) {
            let mut held = held.to_vec();
            held.sort_unstable();
            return held.into_iter().map(|i| legal[i]).collect();
        }
    }
}

/// Whether every domain is the source of some pair and the target of another.
pub(super) fn keeps_every_domain(pairs: impl Iterator<Item = [Attribute; 2]>) -> bool {
    let mut seen = [[false; 7]; 2];
    for pair in pairs {
        for (side, attribute) in pair.into_iter().enumerate() {
            seen[side][attribute.index()] = true;
        }
    }
    seen.into_iter().flatten().all(|domain| domain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_110_analogies_of_38_pairs_of_domains() {
        assert_eq!(Analogy::legal().count(), 110);
        let mut pairs: Vec<_> = Analogy::legal().map(|a| [a.source, a.target]).collect();
        pairs.dedup();
        assert_eq!(pairs.len(), 38);
        assert_eq!(held_out_pairs().len(), HELD_OUT);
        assert!(held_out_pairs().iter().all(|pair| pairs.contains(pair)));
    }
}
