//! What a dataset holds, counted: nobody published it of the originals.

use std::collections::{BTreeMap, BTreeSet};

use genvp_puzzle::family::Split;
use genvp_puzzle::pgm::HeldOut;
use genvp_puzzle::relations::{Attribute, Triple};
use genvp_puzzle::vad::{self, ChoiceKind};
use serde_json::{Value, json};

use super::{
    Format, Name, RelationFile, RelationPuzzle, TruthLine, domain_pair_lines, held_out_lines,
};

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

/// What a file states about its puzzle, and its truth or its pixels about the two
/// domains of an analogy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// Under what it is counted.
    pub group: Group,
    /// The triples, where they are named.
    pub triples: Option<Vec<Triple>>,
    /// The right choice.
    pub target: Option<u8>,
    /// Source and target domain of VAD, where truth or pixels tell both.
    pub domains: Option<[Attribute; 2]>,
}

impl Stated {
    /// What a file and its truth state.
    pub fn of(file: &RelationFile, name: Option<Name>, truth: Option<&TruthLine>) -> Self {
        let domains = match truth.map(|truth| &truth.puzzle) {
            Some(RelationPuzzle::Vad(p)) => Some([p.analogy.source, p.analogy.target]),
            _ => None,
        };
        Self {
            group: Group::of(name, file.format),
            triples: file.triples().map(<[Triple]>::to_vec),
            target: file.target,
            domains,
        }
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
    /// How often a source and a target domain meet, where both are known.
    pub domain_pairs: BTreeMap<[Attribute; 2], u64>,
    /// How often each choice is the right one.
    pub targets: BTreeMap<u8, u64>,
    /// Votes among the choices of puzzles, by their number of triples.
    pub votes: BTreeMap<usize, VoteCount>,
}

/// The chances that the answer is the most usual choice of a puzzle, and the least
/// usual one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Votes {
    /// That it agrees most with the other choices.
    pub most: f64,
    /// That it agrees least with them.
    pub least: f64,
}

/// Votes that were held, and how many of them found the answer; ties count in part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VoteCount {
    held: u64,
    most: f64,
    least: f64,
}

impl VoteCount {
    fn percent(self, found: f64) -> f64 {
        100.0 * found / self.held as f64
    }
}

impl Counts {
    /// Counts a puzzle, with the votes among its choices where they were held.
    pub fn add(&mut self, stated: &Stated, votes: Option<Votes>) {
        self.puzzles += 1;
        if let Some(target) = stated.target {
            *self.targets.entry(target).or_default() += 1;
        }
        if let Some(domains) = stated.domains {
            *self.domain_pairs.entry(domains).or_default() += 1;
        }
        if let Some(votes) = votes {
            let number = stated.triples.as_ref().map_or(0, Vec::len);
            let count = self.votes.entry(number).or_default();
            count.held += 1;
            count.most += votes.most;
            count.least += votes.least;
        }
        let Some(triples) = &stated.triples else {
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

    /// How often the answer is the most usual choice and how often the least usual one,
    /// in percent.
    pub fn vote_percents(&self) -> Option<Votes> {
        let mut all = VoteCount::default();
        for count in self.votes.values() {
            all.held += count.held;
            all.most += count.most;
            all.least += count.least;
        }
        (all.held > 0).then(|| Votes { most: all.percent(all.most), least: all.percent(all.least) })
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

/// The counts of all groups, and what follows from them.
#[derive(Clone, Debug, Default)]
pub struct Structures {
    groups: BTreeMap<Group, Counts>,
}

impl Structures {
    /// Counts a puzzle.
    pub fn add(&mut self, stated: &Stated, votes: Option<Votes>) {
        self.groups.entry(stated.group).or_default().add(stated, votes);
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The regimes of which training and test were counted, with what only the
    /// test has.
    fn novel(&self) -> impl Iterator<Item = (Group, Novel)> {
        let tests = self.groups.iter().filter(|(group, _)| group.split == Some(Split::Test));
        tests.filter_map(|(group, test)| {
            let train = self.groups.get(&group.in_split(Split::Train))?;
            Some((Group { split: None, ..*group }, Novel::of(train, test)))
        })
    }

    /// The counts in words, line by line.
    pub fn lines(&self) -> Vec<String> {
        let mut out = Vec::new();
        for (group, counts) in &self.groups {
            out.extend(counts.lines(*group));
        }
        for (group, novel) in self.novel() {
            for (what, list) in novel.lists(group.format) {
                out.push(format!("{group}: {} {what} in the test and not in training", list.len()));
                out.extend(list.into_iter().map(|line| format!("  {line}")));
            }
        }
        out
    }

    /// The counts for programs.
    pub fn json(&self) -> Value {
        let mut report = json!({});
        for (group, counts) in &self.groups {
            report[group.to_string()] = counts.json(*group);
        }
        for (group, novel) in self.novel() {
            let lists: BTreeMap<_, _> = novel.lists(group.format).into_iter().collect();
            report[group.to_string()] = json!({ "in_test_not_in_train": lists });
        }
        report
    }
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

impl Counts {
    fn lines(&self, group: Group) -> Vec<String> {
        let named = self.puzzles - self.unnamed;
        let mut out = vec![format!("{group}: {} puzzles", self.puzzles)];
        if self.unnamed > 0 {
            out.push(format!("  {} do not name their relations", self.unnamed));
        }
        if let Some(mean) = self.mean_triples() {
            let numbers =
                self.by_number.iter().map(|(n, count)| format!("{n} {}", percent(*count, named)));
            out.push(format!(
                "  triples: {} (mean {mean:.2})",
                numbers.collect::<Vec<_>>().join(", ")
            ));
        }
        let mut triples: Vec<_> = self.triples.iter().collect();
        triples.sort_by_key(|(triple, count)| (std::cmp::Reverse(**count), **triple));
        let triples = triples.iter().map(|(t, count)| format!("{t} {}", percent(**count, named)));
        out.push(format!("  {}", triples.collect::<Vec<_>>().join(", ")));
        if group.format == Format::Pgm {
            out.push(format!("  {} with two relations on one attribute", self.two_on_one));
        }
        if let Some(Votes { most, least }) = self.vote_percents() {
            let by_number = self.votes.iter().map(|(n, count)| {
                format!("{:.1} % of {} with {n}", count.percent(count.most), count.held)
            });
            let by_number = by_number.collect::<Vec<_>>().join(", ");
            out.push(format!(
                "  the answer is the most usual choice, question unseen: {most:.1} % ({by_number}), \
                 the least usual one: {least:.1} % (at least so much do the choices give away); \
                 guessing: {:.1} %{}",
                100.0 / group.format.choices() as f64,
                match group.format {
                    Format::Pgm => "; the authors' context-blind network: 22.4 % on the real neutral regime",
                    Format::Vad => "",
                }
            ));
        }
        if let Some(recorded) = recorded_domain(group, self) {
            out.push(format!("  {}", recorded.in_words()));
        }
        out
    }

    fn json(&self, group: Group) -> Value {
        let names = |map: &BTreeMap<Triple, u64>| -> BTreeMap<String, u64> {
            map.iter().map(|(triple, count)| (triple.to_string(), *count)).collect()
        };
        let votes: BTreeMap<usize, f64> =
            self.votes.iter().map(|(number, count)| (*number, count.percent(count.most))).collect();
        let percents = self.vote_percents();
        let mut report = json!({
            "n": self.puzzles,
            "without_relations": self.unnamed,
            "triples_per_puzzle": self.by_number,
            "triples": names(&self.triples),
            "pairs_of_triples": self.triple_pairs.len(),
            "pairs_of_attributes": self.attribute_pairs.len(),
            "two_relations_on_one_attribute": self.two_on_one,
            "targets": self.targets,
            "majority_vote": percents.map(|votes| votes.most),
            "minority_vote": percents.map(|votes| votes.least),
            "majority_vote_by_triples": votes,
        });
        if let Some(recorded) = recorded_domain(group, self) {
            report["recorded_domain"] = json!(recorded.name());
        }
        report
    }
}

impl Novel {
    /// What is not empty, with its name, as lines that `--held-out` takes.
    fn lists(&self, format: Format) -> Vec<(&'static str, Vec<String>)> {
        let mut lists = match format {
            Format::Pgm => vec![
                ("triples", held_out_lines(&HeldOut::Triples(self.triples.clone()))),
                (
                    "pairs of triples",
                    held_out_lines(&HeldOut::TriplePairs(self.triple_pairs.clone())),
                ),
                (
                    "pairs of attributes",
                    held_out_lines(&HeldOut::AttributePairs(self.attribute_pairs.clone())),
                ),
            ],
            Format::Vad => vec![
                ("triples", held_out_lines(&HeldOut::Triples(self.triples.clone()))),
                ("pairs of domains", domain_pair_lines(&self.domain_pairs)),
            ],
        };
        lists.retain(|(_, list)| !list.is_empty());
        lists
    }
}

impl RecordedDomain {
    fn name(self) -> &'static str {
        match self {
            Self::Target => "target",
            Self::Source => "source",
            Self::Both => "both",
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Target => "relation_structure names the domain of the target row",
            Self::Source => "relation_structure names the domain of the source row",
            Self::Both => "relation_structure names now the source's domain, now the target's",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(puzzles: &[&[&str]], format: Format) -> Counts {
        let mut counts = Counts::default();
        for triples in puzzles {
            let triple = |text: &&str| match text.split(' ').collect::<Vec<_>>()[..] {
                [o, a, r] => Triple::parse(o, a, r).expect("legal"),
                _ => panic!("{text}"),
            };
            let stated = Stated {
                group: Group::of(None, format),
                triples: Some(triples.iter().map(triple).collect()),
                target: Some(1),
                domains: None,
            };
            counts.add(&stated, Some(Votes { most: 0.5, least: 0.25 }));
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
        assert_eq!(train.vote_percents(), Some(Votes { most: 50.0, least: 25.0 }));
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
