//! Datasets of PGM and VAD: one flat folder a regime, as the archives unpack.

use std::path::Path;

use genvp_puzzle::relations::{SpecError, Split};
use genvp_puzzle::{pgm, vad};
use serde::{Deserialize, Serialize};

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

/// Writes a manifest with the settings of the dataset that some puzzles in a folder were taken
/// from, and no hashes: so what is held out stays known. A folder that knows it already is left
/// as it is.
///
/// # Errors
/// When the folder says otherwise and nothing may be replaced, or the disk fails.
pub fn keep_settings(folder: &Path, plan: &RelationPlan, replace: bool) -> Result<(), DataError> {
    let text = Manifest::of_settings(plan.clone()).encode();
    for found in Manifest::find(folder)? {
        let any: Manifest<serde_json::Value> = read_manifest(&found)?;
        let Ok(then) = serde_json::from_value::<RelationPlan>(any.plan) else { continue };
        if (&then.family, &then.regime) != (&plan.family, &plan.regime) {
            continue;
        }
        if then.held_out == plan.held_out {
            return Ok(());
        }
        if replace {
            return write_file(&found, text.as_bytes(), true);
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
    write_file(&path, text.as_bytes(), false)
}

/// The files of puzzle number `id` of its split.
pub fn puzzle_files(puzzle: RelationPuzzle, id: u64) -> PuzzleFiles {
    let name = puzzle.name(id);
    let npz = RelationFile::of_puzzle(&puzzle).encode();
    let truth = TruthLine { name, puzzle }.encode();
    PuzzleFiles { files: vec![(format!("{name}.npz"), npz)], truth }
}
