//! What to learn from.

use genvp_puzzle::make::HeldOut;
use genvp_puzzle::{Combination, Set};
use serde::{Deserialize, Serialize};

use super::{AugmentConfig, LayoutWeights, WarpConfig};

/// What to learn from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FeedConfig {
    /// The folder of a dataset; empty: fresh puzzles.
    pub data: String,
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
        problems.extend(self.warp.problem());
        let fresh_only = self.free_scenes || !self.held_out.is_empty() || !self.warp.is_off();
        if !self.data.is_empty() && fresh_only {
            problems.push("train.feed.free_scenes, warp and held_out are for fresh puzzles, not for those of train.feed.data".into());
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
