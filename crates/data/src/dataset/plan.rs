//! What a dataset is made of: the settings from which every byte follows.

use std::fmt;

use genvp_puzzle::make::Request;
use genvp_puzzle::{Domain, Layout, Set};
use serde::{Deserialize, Serialize};

use super::settings::{Settings, differences};
use crate::names;

/// The settings of a dataset. Two datasets of the same plan, made by the same
/// version of the program, are the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// How the wrong choices are made: `raven`, `iraven` or `raven-fair`.
    set: String,
    /// The seed of all puzzles.
    pub seed: u64,
    /// Puzzles of each layout, over all shards.
    pub count: u64,
    /// The folders of the layouts, in order.
    layouts: Vec<String>,
    /// Which values attributes take.
    domain: String,
    /// Rules that do not occur, where some are held out.
    pub held_out: Option<String>,
    /// Rules that hold in every puzzle, where some were asked for.
    pub rules: Option<String>,
    /// Whether the originals' faults are kept.
    pub faithful: bool,
    /// Whether puzzles are left out in which other rules fit and single out
    /// another choice. Not written where it is not so, as before it was known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_rivals: bool,
    /// Which part of the dataset this is, where it is made in parts.
    pub shard: Option<Shard>,
    /// The version of the program.
    version: String,
}

impl Plan {
    /// A plan of `count` puzzles of each layout, and nothing special.
    pub fn new(set: Set, seed: u64, count: u64, layouts: &[Layout]) -> Self {
        Self {
            set: set.key().to_owned(),
            seed,
            count,
            layouts: layouts.iter().map(|&l| names::folder(l, false)).collect(),
            domain: Domain::Standard.name().to_owned(),
            held_out: None,
            rules: None,
            faithful: false,
            no_rivals: false,
            shard: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// A plan of `count` puzzles of each request. All requests must be of one
    /// set, domain and kind; their layouts are kept.
    pub fn of_requests(requests: &[Request], seed: u64, count: u64) -> Self {
        let first = requests.first();
        let text = |r: &Request| {
            (r.rules != genvp_puzzle::RuleMatrix::free()).then(|| r.rules.text(r.layout))
        };
        let rules: Vec<String> = requests.iter().filter_map(text).collect();
        Self {
            layouts: requests.iter().map(Request::folder).collect(),
            domain: first.map_or(Domain::Standard, |r| r.domain).name().to_owned(),
            held_out: first.and_then(|r| r.held_out).map(|h| h.name().to_owned()),
            rules: (!rules.is_empty()).then(|| rules.join("; ")),
            faithful: first.is_some_and(|r| r.faithful),
            no_rivals: first.is_some_and(|r| r.no_rivals),
            ..Self::new(first.map_or(Set::Raven, |r| r.set), seed, count, &[])
        }
    }

    /// How the wrong choices are made; `None` in a manifest of a later version
    /// that knows other sets.
    pub fn set(&self) -> Option<Set> {
        Set::parse(&self.set)
    }

    /// Which values attributes take.
    pub fn domain(&self) -> Option<Domain> {
        Domain::parse(&self.domain)
    }

    /// The layouts, and whether it is their uniform variant.
    pub fn layouts(&self) -> impl Iterator<Item = (Layout, bool)> {
        self.layouts.iter().filter_map(|name| names::parse_folder(name))
    }

    /// The indices of each layout that this shard makes, ascending.
    pub fn indices(&self) -> impl Iterator<Item = u64> + use<> {
        Shard::indices(self.shard, self.count)
    }

    /// How many puzzles of each layout this shard makes.
    pub fn share(&self) -> u64 {
        Shard::share(self.shard, self.count)
    }
}

impl Settings for Plan {
    fn folders(&self) -> Vec<String> {
        self.layouts.clone()
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn shard(&self) -> Option<Shard> {
        self.shard
    }

    fn differences(&self, then: &Self) -> String {
        const NAMES: [&str; 10] = [
            "set",
            "seed",
            "count",
            "layouts",
            "domain",
            "held-out rules",
            "rules",
            "faithful",
            "no rivals",
            "version",
        ];
        let values = |plan: &Self| {
            let or_none = |v: &Option<String>| v.clone().unwrap_or_else(|| "none".to_owned());
            [
                plan.set.clone(),
                plan.seed.to_string(),
                plan.count.to_string(),
                plan.layouts.join("+"),
                plan.domain.clone(),
                or_none(&plan.held_out),
                or_none(&plan.rules),
                plan.faithful.to_string(),
                plan.no_rivals.to_string(),
                plan.version.clone(),
            ]
        };
        differences(NAMES, values(then), values(self))
    }

    fn problem(&self) -> Option<&'static str> {
        self.set().is_none().then_some("its set is not known")
    }
}

/// Part `index` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// Part `index` of `of`; `None` unless `1 <= index <= of`.
    pub fn new(index: u64, of: u64) -> Option<Self> {
        (index >= 1 && index <= of).then_some(Self { index, of })
    }

    /// The indices below `count` that a shard makes, or all of them.
    pub(crate) fn indices(shard: Option<Self>, count: u64) -> impl Iterator<Item = u64> + use<> {
        let (from, step) = Self::steps(shard);
        (from..count).step_by(usize::try_from(step).unwrap_or(usize::MAX))
    }

    /// How many indices below `count` a shard makes.
    pub(crate) fn share(shard: Option<Self>, count: u64) -> u64 {
        let (from, step) = Self::steps(shard);
        count.saturating_sub(from).div_ceil(step)
    }

    /// Where an index stands among those below `count` that a shard makes.
    pub(crate) fn place(shard: Option<Self>, count: u64, index: u64) -> Option<u64> {
        let (from, step) = Self::steps(shard);
        (index < count && index % step == from).then_some(index / step)
    }

    fn steps(shard: Option<Self>) -> (u64, u64) {
        shard.map_or((0, 1), |s| (s.index - 1, s.of))
    }

    /// What a shard puts behind the names of its own files: `-1-of-4`.
    pub(crate) fn suffix(self) -> String {
        format!("-{}-of-{}", self.index, self.of)
    }

    /// Reads `I/N`.
    pub fn parse(text: &str) -> Option<Self> {
        let (index, of) = text.split_once('/')?;
        Self::new(index.parse().ok()?, of.parse().ok()?)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("`{text}` is not a shard: write I/N, such as 1/4"))
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_of_before_rivals_were_known_are_read_and_written_as_they_were() {
        let mut plan = Plan::new(Set::Raven, 1, 2, &Layout::ALL);
        let text = serde_json::to_string(&plan).expect("JSON");
        assert!(!text.contains("rivals"), "{text}");
        assert_eq!(serde_json::from_str::<Plan>(&text).expect("a plan"), plan);
        plan.no_rivals = true;
        let text = serde_json::to_string(&plan).expect("JSON");
        assert!(text.contains(r#""no_rivals":true"#), "{text}");
        assert_eq!(serde_json::from_str::<Plan>(&text).expect("a plan"), plan);
    }

    #[test]
    fn shards_share_every_index_once() {
        for count in [0, 1, 5, 100] {
            for of in 1..8 {
                let mut all = Vec::new();
                for index in 1..=of {
                    let mut plan = Plan::new(Set::Raven, 1, count, &Layout::ALL);
                    plan.shard = Shard::new(index, of);
                    let own: Vec<u64> = plan.indices().collect();
                    assert_eq!(own.len() as u64, plan.share());
                    all.extend(own);
                }
                all.sort_unstable();
                assert_eq!(all, (0..count).collect::<Vec<_>>());
            }
        }
        assert_eq!(Shard::parse("2/4").map(|s| s.to_string()).as_deref(), Some("2/4"));
        for bad in ["0/4", "5/4", "1", "1/0", "-1/2", "a/b"] {
            assert_eq!(Shard::parse(bad), None, "{bad}");
        }
    }
}
