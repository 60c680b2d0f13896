//! What three of the regimes hold out.
//!
//! The authors never published their lists. Ours are drawn once, from a seed of
//! their own, so they are the same for every seed and split; a list that was
//! recovered from real files can take their place.

use super::Regime;
use crate::Stream;
use crate::relations::{Attribute, SpecError, Triple};

/// What never occurs in training and always in the test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeldOut {
    /// Nothing that would need a list.
    Nothing,
    /// Triples.
    Triples(Vec<Triple>),
    /// Pairs of triples.
    TriplePairs(Vec<[Triple; 2]>),
    /// Pairs of governed attributes.
    AttributePairs(Vec<[Attribute; 2]>),
}

/// The seed of the lists. Another one would be another dataset.
const SEED: u64 = 0;

impl HeldOut {
    /// The list of a regime: 7 triples, one for each attribute; 40 pairs of
    /// triples; or 4 pairs of attributes, as many as the authors held out.
    pub fn of(regime: Regime) -> Self {
        let stream = |purpose| Stream::new(SEED, purpose, 0);
        match regime {
            Regime::HeldOutTriples => {
                let mut stream = stream("pgm/held-out/triples");
                let one = |attribute| {
                    let own = Triple::legal().filter(|t| t.attribute == attribute);
                    *stream.pick(&own.collect::<Vec<_>>())
                };
                Self::Triples(Attribute::ALL.map(one).to_vec())
            }
            Regime::HeldOutTriplePairs => {
                let triples: Vec<Triple> = Triple::legal().collect();
                let mut pairs = pairs(&triples);
                pairs.retain(|[a, b]| a.conflict(*b).is_none());
                Self::TriplePairs(sample(pairs, 40, stream("pgm/held-out/t-pairs")))
            }
            Regime::HeldOutAttributePairs => {
                let mut pairs = pairs(&Attribute::ALL);
                pairs.retain(|pair| pair_is_viable(*pair));
                Self::AttributePairs(sample(pairs, 4, stream("pgm/held-out/a-pairs")))
            }
            _ => Self::Nothing,
        }
    }

    /// Whether a structure has something of it.
    pub fn concerns(&self, triples: &[Triple]) -> bool {
        let governs = |attribute| triples.iter().any(|t| t.attribute == attribute);
        match self {
            Self::Nothing => false,
            Self::Triples(held) => held.iter().any(|t| triples.contains(t)),
            Self::TriplePairs(held) => held.iter().any(|p| p.iter().all(|t| triples.contains(t))),
            Self::AttributePairs(held) => held.iter().any(|p| p.iter().all(|&a| governs(a))),
        }
    }

    /// The pairs of triples that no puzzle of ours has: two relations on one attribute,
    /// or a set of greys on a single line. The originals may have them.
    pub fn never_made(&self) -> Vec<[Triple; 2]> {
        match self {
            Self::TriplePairs(held) => {
                held.iter().filter(|[a, b]| a.conflict(*b).is_some()).copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Checks that a list is of the kind that a regime needs, that what it names
    /// can occur, and that training and test are left with something.
    pub fn check(&self, regime: Regime) -> Result<(), SpecError> {
        let error = |reason: String| Err(SpecError::HeldOut { regime: regime.name(), reason });
        let (kind, names) = match (regime, self) {
            (Regime::HeldOutTriples, Self::Triples(held)) => {
                if let Some(triple) = held.iter().find(|t| !t.is_legal()) {
                    return Err(SpecError::IllegalTriple(*triple));
                }
                ("triples", held.iter().map(ToString::to_string).collect::<Vec<_>>())
            }
            (Regime::HeldOutTriplePairs, Self::TriplePairs(held)) => {
                for &[first, second] in held {
                    if let Some(triple) = [first, second].into_iter().find(|t| !t.is_legal()) {
                        return Err(SpecError::IllegalTriple(triple));
                    }
                    let attributes = [first.attribute, second.attribute];
                    if first == second || never_together(attributes) {
                        let name = pair_name([first, second]);
                        return error(format!("{name} never govern one puzzle"));
                    }
                }
                if !held.is_empty() && self.never_made().len() == held.len() {
                    return error("no puzzle of ours has any of its pairs".to_owned());
                }
                ("pairs of triples", held.iter().map(|p| pair_name(*p)).collect())
            }
            (Regime::HeldOutAttributePairs, Self::AttributePairs(held)) => {
                if let Some(pair) = held.iter().find(|pair| !pair_is_viable(**pair)) {
                    return error(format!("{} are never governed together", pair_name(*pair)));
                }
                ("pairs of attributes", held.iter().map(|p| pair_name(*p)).collect())
            }
            (
                Regime::HeldOutTriples | Regime::HeldOutTriplePairs | Regime::HeldOutAttributePairs,
                _,
            ) => return error("the list is of another kind".to_owned()),
            (_, Self::Nothing) => return Ok(()),
            _ => return error("it has no list of what is held out".to_owned()),
        };
        if names.is_empty() {
            return error(format!("the list of {kind} is empty"));
        }
        let repeated = (1..names.len()).find(|&i| names[..i].contains(&names[i]));
        if let Some(i) = repeated {
            return error(format!("{} is listed twice", names[i]));
        }
        if self.leaves_nothing(regime) {
            return error("nothing would be left for training".to_owned());
        }
        Ok(())
    }

    /// Whether every structure of the fewest triples is held out.
    fn leaves_nothing(&self, regime: Regime) -> bool {
        let triples: Vec<Triple> = Triple::legal().collect();
        match regime.least_triples() {
            1 => triples.iter().all(|&t| self.concerns(&[t])),
            _ => pairs(&triples)
                .iter()
                .filter(|[a, b]| a.conflict(*b).is_none())
                .all(|pair| self.concerns(pair)),
        }
    }
}

/// Names of a pair, the smaller first, so that order makes no difference.
fn pair_name<T: ToString + Ord + Copy>(mut pair: [T; 2]) -> String {
    pair.sort();
    format!("{} with {}", pair[0].to_string(), pair[1].to_string())
}

fn pair_is_viable(pair: [Attribute; 2]) -> bool {
    pair[0] != pair[1] && !never_together(pair)
}

/// The two that the authors never let govern one puzzle.
fn never_together(mut pair: [Attribute; 2]) -> bool {
    pair.sort();
    pair == [Attribute::ShapeNumber, Attribute::ShapePosition]
}

fn pairs<T: Copy>(items: &[T]) -> Vec<[T; 2]> {
    let with_later = |i: usize| items[i + 1..].iter().map(move |&b| [items[i], b]);
    (0..items.len()).flat_map(with_later).collect()
}

/// A random sample in the order of the items.
fn sample<T: Copy>(items: Vec<T>, n: usize, mut stream: Stream) -> Vec<T> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    stream.shuffle_front(&mut order, n);
    order.truncate(n);
    order.sort_unstable();
    order.into_iter().map(|i| items[i]).collect()
}
