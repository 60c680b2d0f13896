//! The terms of training objectives.
//!
//! Every term is a mean over the puzzles of a batch. The paper maximises; here
//! all signs are turned, so that smaller is better for every term. Which terms a model has, and
//! from what it computes them, is its own: `genvp/objective.rs`, `scene/objective.rs`,
//! `relations/objective.rs`.

mod contrast;
mod elbo;
mod latents;
mod rule_free;
mod rule_terms;
mod supervised;
mod terms;
mod values;

pub use contrast::{contrast_ce, contrast_global, contrast_local, masked_distance};
pub use elbo::{kl_rows, kl_sum, squared_error};
pub(crate) use latents::{reconstruction, row_divergence};
pub use rule_free::{ranking, rule_prior};
pub(crate) use rule_terms::PredictedRules;
pub use supervised::supervised;
pub use terms::{Contrast, LossConfig, LossTerms, LossWeights, Term};
pub use values::value_error;
