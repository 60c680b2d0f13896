//! What a dataset holds, counted: nobody published it of the originals.

use std::collections::{BTreeMap, BTreeSet};

use genvp_puzzle::relations::{Attribute, Split, Triple, majority_vote};
use genvp_puzzle::vad::{self, ChoiceKind};

use super::{Format, Name, RelationFile, RelationPuzzle, Truth};

/// Puzzles that are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    /// Whose puzzles they are.
    pub format: Format,
    /// The regime, where the file's name says it.
    pub regime: Option<&'static str>,
    /// How wrong choices are made, in VAD.
    pub kind: Option<ChoiceKind>,
    /// The split, where the file's name says it.
    pub split: Option<Split>,
}

impl Group {
    /// The group of a file.
    pub fn of(name: Option<Name>, format: Format) -> Self {
        Self {
            format,
            regime: name.map(Name::regime),
            kind: name.and_then(Name::kind),
            split: name.map(Name::split),
        }
    }

    /// The same regime and kind in another split.
    pub fn in_split(self, split: Split) -> Self {
        Self { split: Some(split), ..self }
    }
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.format, self.regime.unwrap_or("of an unknown regime"))?;
        if let Some(kind) = self.kind {
            write!(f, " {}", kind.name())?;
        }
        self.split.map_or(Ok(()), |split| write!(f, " {split}"))
    }
}

/// The counts of one group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// All puzzles.
    pub puzzles: u64,
    /// Puzzles whose file does not name its relations.
    pub unnamed: u64,
    /// Puzzles by their number of triples.
    pub by_number: BTreeMap<usize, u64>,
    /// How many puzzles have a triple.
    pub triples: BTreeMap<Triple, u64>,
    /// How many puzzles have two triples, the smaller one first.
    pub triple_pairs: BTreeMap<[Triple; 2], u64>,
    /// How many puzzles govern two attributes, the smaller one first.
    pub attribute_pairs: BTreeMap<[Attribute; 2], u64>,
    /// Puzzles in which an attribute follows two relations.
    pub two_on_one: u64,
    /// How often a source and a target domain meet, where the truth of VAD is known.
    pub domain_pairs: BTreeMap<[Attribute; 2], u64>,
    /// How often each choice is the right one.
    pub targets: BTreeMap<u8, u64>,
    /// Puzzles in which a vote among the choices was held.
    pub voted: u64,
    /// In how many of them it found the answer; ties count in part.
    pub votes: f64,
}

impl Counts {
    /// Counts a puzzle. `vote` is the chance that a vote among its choices finds
    /// the answer, where one was held.
    pub fn add(&mut self, file: &RelationFile, truth: Option<&Truth>, vote: Option<f64>) {
        self.puzzles += 1;
        if let Some(target) = file.target {
            *self.targets.entry(target).or_default() += 1;
        }
        if let Some(vote) = vote {
            self.voted += 1;
            self.votes += vote;
        }
        if let Some(Truth { puzzle: RelationPuzzle::Vad(puzzle), .. }) = truth {
            let vad::Analogy { source, target, .. } = puzzle.analogy;
            *self.domain_pairs.entry([source, target]).or_default() += 1;
        }
        let Some(triples) = file.triples() else {
            self.unnamed += 1;
            return;
        };
        *self.by_number.entry(triples.len()).or_default() += 1;
        let triples: BTreeSet<Triple> = triples.iter().copied().collect();
        let attributes: BTreeSet<Attribute> = triples.iter().map(|t| t.attribute).collect();
        self.two_on_one += u64::from(attributes.len() < triples.len());
        count_pairs(&triples, &mut self.triple_pairs);
        count_pairs(&attributes, &mut self.attribute_pairs);
        for triple in triples {
            *self.triples.entry(triple).or_default() += 1;
        }
    }

    /// How often a vote among the choices finds the answer, in percent.
    pub fn vote_percent(&self) -> Option<f64> {
        (self.voted > 0).then(|| 100.0 * self.votes / self.voted as f64)
    }

    /// The mean number of triples.
    pub fn mean_triples(&self) -> Option<f64> {
        let puzzles: u64 = self.by_number.values().sum();
        let triples: u64 = self.by_number.iter().map(|(&number, n)| number as u64 * n).sum();
        (puzzles > 0).then(|| triples as f64 / puzzles as f64)
    }
}

fn count_pairs<T: Copy + Ord>(items: &BTreeSet<T>, counts: &mut BTreeMap<[T; 2], u64>) {
    for (i, &first) in items.iter().enumerate() {
        for &second in items.iter().skip(i + 1) {
            *counts.entry([first, second]).or_default() += 1;
        }
    }
}

/// What the test has and training has not: the lists that were never published.
/// Right when all of both splits was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Novel {
    /// Triples.
    pub triples: Vec<Triple>,
    /// Pairs of triples both of which training has.
    pub triple_pairs: Vec<[Triple; 2]>,
    /// Pairs of attributes both of which training has.
    pub attribute_pairs: Vec<[Attribute; 2]>,
    /// Source and target domains.
    pub domain_pairs: Vec<[Attribute; 2]>,
}

impl Novel {
    /// Compares a test with its training.
    pub fn of(train: &Counts, test: &Counts) -> Self {
        fn missing<T: Copy + Ord>(test: &BTreeMap<T, u64>, train: &BTreeMap<T, u64>) -> Vec<T> {
            test.keys().filter(|key| !train.contains_key(key)).copied().collect()
        }
        let trained: BTreeSet<Attribute> = train.triples.keys().map(|t| t.attribute).collect();
        let mut triple_pairs = missing(&test.triple_pairs, &train.triple_pairs);
        triple_pairs.retain(|pair| pair.iter().all(|t| train.triples.contains_key(t)));
        let mut attribute_pairs = missing(&test.attribute_pairs, &train.attribute_pairs);
        attribute_pairs.retain(|pair| pair.iter().all(|a| trained.contains(a)));
        Self {
            triples: missing(&test.triples, &train.triples),
            triple_pairs,
            attribute_pairs,
            domain_pairs: missing(&test.domain_pairs, &train.domain_pairs),
        }
    }
}

/// Which of VAD's two domains files record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedDomain {
    /// That of the target row.
    Target,
    /// That of the source row.
    Source,
    /// Sometimes one, sometimes the other.
    Both,
}

/// Finds out from a test of `novel.target.domain.*`, whose target domain is
/// always the same; `None` where another group is given or nothing was counted.
pub fn recorded_domain(group: Group, counts: &Counts) -> Option<RecordedDomain> {
    let target = match vad::Regime::parse(group.regime?)? {
        vad::Regime::TargetLineType => Attribute::LineType,
        vad::Regime::TargetShapeColor => Attribute::ShapeColor,
        _ => return None,
    };
    if (group.format, group.split) != (Format::Vad, Some(Split::Test)) {
        return None;
    }
    let all: u64 = counts.triples.values().sum();
    let of_target = counts.triples.iter().filter(|(triple, _)| triple.attribute == target);
    let of_target: u64 = of_target.map(|(_, n)| n).sum();
    match of_target {
        _ if all == 0 => None,
        0 => Some(RecordedDomain::Source),
        n if n == all => Some(RecordedDomain::Target),
        _ => Some(RecordedDomain::Both),
    }
}

/// The chance that a vote among the choices of a puzzle finds the answer.
pub fn vote_chance(puzzle: &RelationPuzzle) -> f64 {
    let vote = majority_vote(puzzle.choices());
    if vote.contains(&usize::from(puzzle.target())) { 1.0 / vote.len() as f64 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Images;

    fn counts(puzzles: &[&[&str]], format: Format) -> Counts {
        let mut counts = Counts::default();
        for triples in puzzles {
            let triple = |text: &&str| match text.split(' ').collect::<Vec<_>>()[..] {
                [o, a, r] => Triple::parse(o, a, r).expect("legal"),
                _ => panic!("{text}"),
            };
            let images = Images::of_panels(format.panels(), 1, vec![0; format.panels()]);
            let file = RelationFile::of_images(format, images);
            let file = file.with_truth(1, triples.iter().map(triple).collect());
            counts.add(&file, None, Some(0.5));
        }
        counts
    }

    #[test]
    fn what_only_the_test_has_is_found() {
        let (a, b, c) = ("shape color XOR", "line type OR", "shape size AND");
        let train = counts(&[&[a], &[b], &[a, c], &[c]], Format::Pgm);
        let test = counts(&[&[a, b], &[b, "shape number progression"]], Format::Pgm);
        let novel = Novel::of(&train, &test);
        let words = |list: &[Triple]| list.iter().map(Triple::to_string).collect::<Vec<_>>();
        assert_eq!(words(&novel.triples), ["shape number progression"]);
        assert_eq!(novel.triple_pairs.len(), 1, "pairs of triples that training has");
        assert_eq!(novel.attribute_pairs, [[Attribute::ShapeColor, Attribute::LineType]]);
        assert_eq!(test.mean_triples(), Some(2.0));
        assert_eq!(train.vote_percent(), Some(50.0));
        assert_eq!(counts(&[&[a, "shape color OR"]], Format::Pgm).two_on_one, 1);
    }

    #[test]
    fn the_recorded_domain_is_told_by_the_test_alone() {
        let name = Name::parse("analogy_novel.target.domain.shape.color_test_lbc_0");
        let group = Group::of(name, Format::Vad);
        let (color, size) = (&["shape color XOR"][..], &["shape size XOR"][..]);
        let found = |puzzles: &[&[&str]]| recorded_domain(group, &counts(puzzles, Format::Vad));
        assert_eq!(found(&[color, color]), Some(RecordedDomain::Target));
        assert_eq!(found(&[size]), Some(RecordedDomain::Source));
        assert_eq!(found(&[size, color]), Some(RecordedDomain::Both));
        assert_eq!(found(&[]), None);
        let train = group.in_split(Split::Train);
        assert_eq!(recorded_domain(train, &counts(&[size], Format::Vad)), None);
    }
}
