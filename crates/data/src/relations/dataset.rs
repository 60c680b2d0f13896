//! Datasets of PGM and VAD: one flat folder a regime, as the archives unpack.

use std::path::Path;

use genvp_puzzle::relations::{SpecError, Split};
use genvp_puzzle::{pgm, vad};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{
    Format, Name, RelationFile, RelationPuzzle, TruthLine, domain_pair_lines, held_out_lines,
};
use crate::dataset::{Manifest, PuzzleFiles, Settings, Shard, differences, read_manifest};
use crate::{DataError, write_file};

/// Makes the puzzles of one regime and split.
#[derive(Clone, Debug)]
pub enum RelationMaker {
    /// Matrices.
    Pgm(pgm::Maker),
    /// Analogies.
    Vad(vad::Maker),
}

impl RelationMaker {
    /// Puzzle number `index` of `seed`.
    pub fn puzzle(&self, seed: u64, index: u64) -> Result<RelationPuzzle, SpecError> {
        Ok(match self {
            Self::Pgm(maker) => RelationPuzzle::Pgm(maker.puzzle(seed, index)?),
            Self::Vad(maker) => RelationPuzzle::Vad(maker.puzzle(seed, index)?),
        })
    }

    /// The split that it makes.
    pub fn split(&self) -> Split {
        match self {
            Self::Pgm(maker) => maker.request().split,
            Self::Vad(maker) => maker.request().split,
        }
    }

    /// Whose puzzles it makes.
    pub fn format(&self) -> Format {
        match self {
            Self::Pgm(_) => Format::Pgm,
            Self::Vad(_) => Format::Vad,
        }
    }

    fn regime(&self) -> &'static str {
        match self {
            Self::Pgm(maker) => maker.request().regime.name(),
            Self::Vad(maker) => maker.request().regime.name(),
        }
    }

    fn kind(&self) -> Option<&'static str> {
        match self {
            Self::Pgm(_) => None,
            Self::Vad(maker) => Some(maker.request().kind.name()),
        }
    }

    fn held_out(&self) -> Vec<String> {
        match self {
            Self::Pgm(maker) => held_out_lines(maker.held_out()),
            Self::Vad(maker) => domain_pair_lines(maker.held_out()),
        }
    }

    fn is_faithful(&self) -> bool {
        match self {
            Self::Pgm(maker) => maker.request().faithful,
            Self::Vad(maker) => maker.request().faithful,
        }
    }
}

/// The settings of a dataset of one regime. Two datasets of the same plan, made
/// by the same version of the program, are the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationPlan {
    /// `pgm` or `vad`.
    family: String,
    regime: String,
    /// The splits, in the order in which they are listed.
    splits: Vec<String>,
    /// Puzzles of each split, over all shards.
    pub per_split: u64,
    /// The seed of all puzzles.
    pub seed: u64,
    /// How VAD's wrong choices are made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    choices: Option<String>,
    /// What the regime holds out of training by a list.
    pub held_out: Vec<String>,
    /// Whether accidents are kept.
    faithful: bool,
    /// Which part of the dataset this is, where it is made in parts.
    pub shard: Option<Shard>,
    /// The version of the program.
    version: String,
}

impl RelationPlan {
    /// A plan of `per_split` puzzles of each maker. All must be of one regime and
    /// kind, each of another split.
    pub fn new(makers: &[RelationMaker], seed: u64, per_split: u64) -> Self {
        let first = makers.first();
        Self {
            family: first.map_or(Format::Pgm, RelationMaker::format).name().to_owned(),
            regime: first.map_or("", RelationMaker::regime).to_owned(),
            splits: makers.iter().map(|maker| maker.split().name().to_owned()).collect(),
            per_split,
            seed,
            choices: first.and_then(RelationMaker::kind).map(str::to_owned),
            held_out: first.map(RelationMaker::held_out).unwrap_or_default(),
            faithful: first.is_some_and(RelationMaker::is_faithful),
            shard: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Whether a file of this name is of its regime.
    pub(super) fn is_of(&self, name: Name) -> bool {
        (self.family.as_str(), self.regime.as_str()) == (name.format().name(), name.regime())
    }

    /// The regime, if it is one of PGM's.
    pub(super) fn pgm_regime(&self) -> Option<pgm::Regime> {
        pgm::Regime::parse(&self.regime).filter(|_| self.family == Format::Pgm.name())
    }

    /// The regime, if it is one of VAD's.
    pub(super) fn vad_regime(&self) -> Option<vad::Regime> {
        vad::Regime::parse(&self.regime).filter(|_| self.family == Format::Vad.name())
    }

    /// The maker and the number of the puzzle at some index of the folder: splits
    /// come one after another, each with numbers from 0.
    pub fn number(&self, index: u64) -> (usize, u64) {
        let split = index / self.per_split.max(1);
        (usize::try_from(split).unwrap_or(usize::MAX), index % self.per_split.max(1))
    }
}

impl Settings for RelationPlan {
    fn folders(&self) -> Vec<String> {
        vec![self.regime.clone()]
    }

    fn count(&self) -> u64 {
        self.per_split * self.splits.len() as u64
    }

    fn shard(&self) -> Option<Shard> {
        self.shard
    }

    fn differences(&self, then: &Self) -> String {
        const NAMES: [&str; 9] = [
            "family",
            "regime",
            "splits",
            "puzzles per split",
            "seed",
            "choices",
            "held-out list",
            "faithful",
            "version",
        ];
        let values = |plan: &Self| {
            [
                plan.family.clone(),
                plan.regime.clone(),
                plan.splits.join("+"),
                plan.per_split.to_string(),
                plan.seed.to_string(),
                plan.choices.clone().unwrap_or_else(|| "none".to_owned()),
                plan.held_out.join(", "),
                plan.faithful.to_string(),
                plan.version.clone(),
            ]
        };
        differences(NAMES, values(then), values(self))
    }

    fn problem(&self) -> Option<&'static str> {
        // What does not fit is not made anyway; this keeps the count from overflowing.
        (self.per_split > u64::MAX / 4).then_some("that many puzzles have no numbers")
    }
}

/// The settings of a dataset of one regime or more, a folder each. Those of one stand in the
/// manifest as they are, those of more as a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationPlans(Vec<RelationPlan>);

impl RelationPlans {
    /// The settings of some regimes of one family. They differ in nothing but the regime and
    /// what it holds out.
    pub fn new(plans: Vec<RelationPlan>) -> Self {
        Self(plans)
    }

    /// Those of each regime, in the order of folders.
    pub fn each(&self) -> &[RelationPlan] {
        &self.0
    }

    /// Whether the settings of a manifest are of PGM or VAD.
    pub(crate) fn are(settings: &Value) -> bool {
        let first = settings.as_array().map_or(Some(settings), |all| all.first());
        first.is_some_and(|plan| plan.get("family").is_some())
    }
}

impl Serialize for RelationPlans {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            all => all.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for RelationPlans {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let settings = Value::deserialize(deserializer)?;
        let plans = match settings {
            Value::Array(all) => all.into_iter().map(serde_json::from_value).collect(),
            one => serde_json::from_value(one).map(|plan| vec![plan]),
        };
        plans.map(Self).map_err(serde::de::Error::custom)
    }
}

impl Settings for RelationPlans {
    fn folders(&self) -> Vec<String> {
        self.0.iter().map(|plan| plan.regime.clone()).collect()
    }

    fn count(&self) -> u64 {
        self.0.first().map_or(0, Settings::count)
    }

    fn shard(&self) -> Option<Shard> {
        self.0.first().and_then(|plan| plan.shard)
    }

    fn differences(&self, then: &Self) -> String {
        let regimes = |plans: &Self| [plans.folders().join(", ")];
        if self.0.len() != then.0.len() {
            return differences(["regime"], regimes(then), regimes(self));
        }
        // What all have in common would be said once for each.
        let both = self.0.iter().zip(&then.0);
        let mut each = both.map(|(plan, then)| plan.differences(then));
        each.find(|differences| !differences.is_empty()).unwrap_or_default()
    }

    fn problem(&self) -> Option<&'static str> {
        self.0.iter().find_map(Settings::problem)
    }
}

/// Writes a manifest with the settings of the dataset that some puzzles in a folder were taken
/// from, and no hashes: so what is held out stays known. A folder that knows it already is left
/// as it is.
///
/// # Errors
/// When the folder says otherwise and nothing may be replaced, or the disk fails.
pub fn keep_settings(folder: &Path, plan: &RelationPlan, replace: bool) -> Result<(), DataError> {
    for found in Manifest::find(folder)? {
        let any: Manifest<Value> = read_manifest(&found)?;
        let Ok(mut all) = serde_json::from_value::<RelationPlans>(any.plan) else { continue };
        let same =
            |then: &&mut RelationPlan| (&then.family, &then.regime) == (&plan.family, &plan.regime);
        let Some(then) = all.0.iter_mut().find(same) else { continue };
        if then.held_out == plan.held_out {
            return Ok(());
        }
        if replace {
            *then = plan.clone();
            return write_file(&found, Manifest::of_settings(all).encode().as_bytes(), true);
        }
        let lists = [&then.held_out, &plan.held_out].map(|list| [list.join(", ")]);
        let [then, now] = lists;
        let differences = differences(["held-out list"], then, now);
        return Err(DataError::OtherSettings { path: folder.to_owned(), differences });
    }
    let mut path = folder.join("manifest.json");
    if path.exists() {
        path = folder.join(format!("manifest-{}-{}.json", plan.family, plan.regime));
    }
    write_file(&path, Manifest::of_settings(plan.clone()).encode().as_bytes(), false)
}

/// The files of puzzle number `id` of its split.
pub fn puzzle_files(puzzle: RelationPuzzle, id: u64) -> PuzzleFiles {
    let name = puzzle.name(id);
    let npz = RelationFile::of_puzzle(&puzzle).encode();
    let truth = TruthLine { name, puzzle }.encode();
    PuzzleFiles { files: vec![(format!("{name}.npz"), npz)], truth }
}
