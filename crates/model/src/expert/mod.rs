//! The rule experts and the latents between panels and rules:
//! q(R|·) in four kinds, q(Z_r|Z_o), p(Z_r|R) and p(Z_o|Z_r).
//!
//! A puzzle completed by one candidate gets [`PuzzleConfig::predictions`] rule
//! matrices, in this order: from all panels; with panel 1, 2, … MN missing;
//! with row 1, … M missing; from Z_r. [`Predictions`] knows that order.

mod block_layout;
mod block_priors;
mod blocks;
mod compare;
mod dense;
mod differences;
mod gather_plans;
mod join;
mod predictions;
mod rows;
mod slots;

pub use blocks::BlockExperts;
pub use compare::Compare;
pub use dense::{DenseConfig, DenseExperts};
pub use differences::Differences;
pub(crate) use gather_plans::ExpertGatherPlans;
pub use join::Join;
pub(crate) use predictions::per_prediction;
pub use predictions::{ExpertKind, Predictions};
pub use rows::RowsConfig;
pub use slots::SlotsConfig;

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use serde::{Deserialize, Serialize};

use crate::config::{LatentConfig, NetworkConfig, PuzzleConfig};
use crate::latent::Gaussian;
use crate::noise::Noise;

/// Which family of networks finds the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ExpertConfig {
    /// One network per kind over all panels' latents: the paper's.
    Dense(DenseConfig),
    /// One row encoder shared by all rows.
    Rows(RowsConfig),
    /// One relation network shared by rows, components and attribute groups.
    Slots(SlotsConfig),
}

impl ExpertConfig {
    /// What keeps this from being built.
    pub(crate) fn problems(&self, puzzle: &PuzzleConfig, latent: &LatentConfig) -> Vec<String> {
        match self {
            Self::Dense(c) => c.problems(latent),
            Self::Rows(c) => c.blocks(puzzle, latent).problems(puzzle, latent),
            Self::Slots(c) => c.blocks().problems(puzzle, latent),
        }
    }

    /// Components of a panel, as far as the experts tell them apart.
    pub fn components(&self) -> usize {
        match self {
            Self::Slots(slots) => slots.components,
            Self::Dense(_) | Self::Rows(_) => 1,
        }
    }

    /// Whether rows and columns of R may follow those that puzzles use: groups of attributes
    /// have rows of R of their own.
    pub fn allows_unused_rules(&self) -> bool {
        !matches!(self, Self::Slots(_))
    }

    /// The rows of R that each attribute group stands for, group by group and
    /// component by component; none for experts without groups.
    pub(crate) fn rule_rows(&self) -> Vec<Vec<Vec<usize>>> {
        let Self::Slots(slots) = self else { return Vec::new() };
        let per_component: usize = slots.rule_rows.iter().sum();
        let group = |g: usize| {
            let from: usize = slots.rule_rows[..g].iter().sum();
            let own =
                |c: usize| (0..slots.rule_rows[g]).map(|r| c * per_component + from + r).collect();
            (0..slots.components).map(own).collect()
        };
        (0..slots.rule_rows.len()).map(group).collect()
    }
}

/// What the experts make of puzzles, each completed by every candidate.
#[derive(Clone, Debug)]
pub struct Inference {
    /// Unnormalised log-probabilities of the rules `[E, b, C, K_R, N_R]`.
    pub logits: Tensor<5>,
    /// q(Z_r|Z_o) `[b, C, K_Zr]`.
    pub z_r: Gaussian<3>,
    /// The sample of it that the fourth expert saw `[b, C, K_Zr]`.
    pub z_r_sample: Tensor<3>,
}

/// The experts of one family, with the inference and generative path of Z_r.
#[derive(Module, Debug)]
#[allow(clippy::large_enum_variant, reason = "a model has one, and moves it rarely")]
pub enum Experts {
    /// See [`ExpertConfig::Dense`].
    Dense(DenseExperts),
    /// See [`ExpertConfig::Rows`].
    Rows(BlockExperts),
    /// See [`ExpertConfig::Slots`].
    Slots(BlockExperts),
}

impl Experts {
    /// Fresh experts for a checked configuration.
    pub(crate) fn new(config: &NetworkConfig<'_>, device: &Device) -> Self {
        match config.experts {
            ExpertConfig::Dense(c) => Self::Dense(DenseExperts::new(c, config, device)),
            ExpertConfig::Rows(c) => {
                let blocks = c.blocks(config.puzzle, config.latent);
                Self::Rows(BlockExperts::new(blocks, config, device))
            }
            ExpertConfig::Slots(c) => Self::Slots(BlockExperts::new(c.blocks(), config, device)),
        }
    }

    /// Block experts without p(Z_o|Z_r), for a model that has one of its own.
    pub(crate) fn without_z_o_prior(self) -> Self {
        match self {
            Self::Dense(e) => Self::Dense(e),
            Self::Rows(e) => Self::Rows(e.without_z_o_prior()),
            Self::Slots(e) => Self::Slots(e.without_z_o_prior()),
        }
    }

    /// q(Z_r|Z_o) and q(R|·) of every puzzle completed by each of its candidates
    /// (eq. 1-4). What does not depend on the candidate is computed once.
    ///
    /// # Shapes
    /// `z_o`: `[b, MN - 1 + C, K_Zo]`, context panels, then candidates
    pub fn infer(&self, z_o: Tensor<3>, noise: &mut Noise) -> Inference {
        match self {
            Self::Dense(e) => e.infer(z_o, noise),
            Self::Rows(e) | Self::Slots(e) => e.infer(z_o, noise),
        }
    }

    /// p(Z_r|R), of the rule-relevant part of Z_r.
    ///
    /// # Shapes
    /// * `rules`: `[b, K_R, N_R]`, one-hot or probabilities
    /// * `layout`: `[b, L]`, one-hot; for models that are told the layout
    /// * output: `[b, M K_Zo]`
    pub fn prior_z_r(&self, rules: Tensor<3>, layout: Option<Tensor<2>>) -> Gaussian<2> {
        match self {
            Self::Dense(e) => e.prior_z_r(rules, layout),
            Self::Rows(e) | Self::Slots(e) => e.prior_z_r(rules, layout),
        }
    }

    /// p(Z_o|Z_r).
    ///
    /// # Shapes
    /// `[b, K_Zr]`, layout `[b, L]` -> `[b, MN, K_Zo]`
    pub fn prior_z_o(&self, z_r: Tensor<2>, layout: Option<Tensor<2>>) -> Gaussian<3> {
        match self {
            Self::Dense(e) => e.prior_z_o(z_r, layout),
            Self::Rows(e) | Self::Slots(e) => e.prior_z_o(z_r, layout),
        }
    }
}

/// A constant tensor of zeros and ones.
///
/// # Shapes
/// `[rows, columns]`
pub(crate) fn zero_one(
    rows: usize,
    columns: usize,
    device: &Device,
    holds: impl Fn(usize, usize) -> bool,
) -> Tensor<2> {
    let cells = (0..rows * columns).map(|i| f32::from(u8::from(holds(i / columns, i % columns))));
    let data = burn::tensor::TensorData::new(cells.collect::<Vec<_>>(), [rows, columns]);
    Tensor::from_data(data, device)
}
