//! What to learn from.

use genvp_puzzle::family::{Family, Split};
use genvp_puzzle::make::HeldOut;
use genvp_puzzle::{Combination, Set};
use serde::{Deserialize, Serialize};

use super::{AugmentConfig, LayoutWeights, WarpConfig};
use crate::error::TrainError;

/// What to learn from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FeedConfig {
    /// The folder of a dataset; empty: fresh puzzles.
    pub data: String,
    /// The regimes, in families that have them (PGM, VAD), as often each; empty: the family's first.
    pub regimes: Vec<String>,
    /// More regimes of the family: only puzzles that the training of every one of these allows, too,
    /// so that what is learned can be shared by models of all of them. Fresh puzzles only.
    pub allowed_in: Vec<String>,
    /// How wrong choices are made, in families that leave it open (VAD: `lbc`, `normal`); empty: as
    /// the family does by default.
    pub choices: String,
    /// How often square puzzles are transposed, in families whose rules run along rows or columns.
    pub transpose: f32,
    /// How often each kind of wrong choices is used.
    pub sets: SetWeights,
    /// How often each layout is used.
    pub layouts: LayoutWeights,
    /// What is done to puzzles that leaves their rules as they are.
    pub augment: AugmentConfig,
    /// How far panels are enlarged and turned. Fresh puzzles only.
    pub warp: WarpConfig,
    /// Whether panels keep only their slots and everything else is drawn anew: for
    /// teaching how to draw, as no rule holds then. Fresh puzzles only.
    pub free_scenes: bool,
    /// Whether Z_o-bar is not told: q(Z_o-bar given X) and p(X given Z) then learn from
    /// each other, by the evidence bound alone.
    #[serde(alias = "untold")]
    pub learned_irrelevant: bool,
    /// For models that imagine by values of their own, in runs that learn p(Z_o given Z_r) and
    /// nothing else: how many puzzles are labelled at the start, to be learned from again and
    /// again; 0: every puzzle is a new one.
    pub self_labelled: usize,
    /// Rules that are never seen: one by one, together in a component
    /// (`size=arithmetic+color=progression`), or those of a named set (`cs-held-out`,
    /// `o-ic-held-out`), which concerns its own layout only. Fresh puzzles only.
    pub held_out: Vec<String>,
}

/// How often each kind of wrong choices is used. RAVEN-FAIR's are kept for
/// testing and cannot be trained on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SetWeights {
    /// RAVEN's: one change each.
    pub raven: f32,
    /// I-RAVEN's: all subsets of three changes.
    pub iraven: f32,
}

impl Default for SetWeights {
    fn default() -> Self {
        Self { raven: 1.0, iraven: 1.0 }
    }
}

impl SetWeights {
    /// Every set with its weight.
    pub fn weights(&self) -> [(Set, f32); 2] {
        [(Set::Raven, self.raven), (Set::IRaven, self.iraven)]
    }
}

impl FeedConfig {
    /// Settings that puzzles of a family do not have, one sentence each.
    pub(crate) fn problems_of_family(&self, family: &'static dyn Family) -> Vec<String> {
        let mut problems = Vec::new();
        let mut refuse = |is_set: bool, name: &str| {
            if is_set {
                problems.push(format!("train.feed.{name} is not for puzzles of {}", family.id()));
            }
        };
        if family.has_layouts() {
            refuse(!self.regimes.is_empty(), "regimes");
            refuse(!self.allowed_in.is_empty(), "allowed_in");
            refuse(!self.choices.is_empty(), "choices");
            refuse(self.transpose != 0.0, "transpose");
            return problems;
        }
        let other = Self::default();
        refuse(self.sets != other.sets, "sets");
        refuse(self.layouts != other.layouts, "layouts");
        refuse(self.augment != other.augment, "augment");
        refuse(self.warp != other.warp, "warp");
        refuse(self.free_scenes, "free_scenes");
        refuse(self.learned_irrelevant, "learned_irrelevant");
        refuse(self.self_labelled != 0, "self_labelled");
        refuse(!self.held_out.is_empty(), "held_out");
        let square = family.form().rows == family.form().columns;
        refuse(!square && self.transpose != 0.0, "transpose");
        if let Err(TrainError::BadSettings(own)) = self.allowed(family) {
            problems.extend(own);
        }
        let generators = self.specs(family, Split::Train).and_then(|specs| {
            specs.iter().try_for_each(|spec| Ok(family.generator(spec).map(|_| ())?))
        });
        match generators {
            Err(TrainError::BadSettings(own)) => problems.extend(own),
            Err(error) => problems.push(format!("train.feed: {error}")),
            Ok(()) => {}
        }
        problems
    }

    /// Everything that makes no sense, one sentence each.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut weights = |what: &str, weights: &[f32]| {
            if weights.iter().any(|w| !w.is_finite() || *w < 0.0 || *w > 1000.0) {
                problems.push(format!("the weights of {what} lie between 0 and 1000"));
            } else if weights.iter().all(|w| *w < 0.001) {
                problems.push(format!("at least one of {what} needs a weight above 0"));
            }
        };
        weights("train.feed.sets", &self.sets.weights().map(|(_, w)| w));
        weights("train.feed.layouts", &self.layouts.weights().map(|(_, w)| w));
        for text in self.held_out.iter().filter(|text| HeldOut::parse(text).is_none()) {
            if let Err(error) = Combination::parse(text) {
                problems.push(format!("train.feed.held_out: {error}"));
            }
        }
        if !(0.0..=1.0).contains(&self.transpose) {
            let found = self.transpose;
            problems.push(format!("train.feed.transpose lies between 0 and 1, not {found}"));
        }
        problems.extend(self.warp.problem());
        let fresh_only = self.free_scenes
            || !self.held_out.is_empty()
            || !self.allowed_in.is_empty()
            || !self.warp.is_off();
        if !self.data.is_empty() && fresh_only {
            problems.push("train.feed.free_scenes, warp, held_out and allowed_in are for fresh puzzles, not for those of train.feed.data".into());
        }
        let a = &self.augment;
        for (name, share) in
            [("swap_rows", a.swap_rows), ("flip", a.flip), ("roll", a.roll), ("shuffle", a.shuffle)]
        {
            if !(0.0..=1.0).contains(&share) {
                problems
                    .push(format!("train.feed.augment.{name} lies between 0 and 1, not {share}"));
            }
        }
        problems
    }
}
