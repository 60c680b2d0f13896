//! What a trained model can do: solve, explain, complete and imagine puzzles;
//! and the judge, which reads what was drawn without the model's eyes.
//!
//! * [`Model`] is a trained model: the one in the box, or one from a weights file;
//! * [`Solver`] answers puzzles of any family from their pixels and gives a [`Solution`] for
//!   each: answer, scores, rules with their probabilities, what every expert said, and for
//!   RAVEN's also the layout and [`Confidence`]; [`calibration`] fits and checks how sure it is;
//! * [`pipeline`] takes files of puzzles through a solver;
//! * [`imagine`] draws puzzles from rules, [`complete`] fills in missing panels,
//!   ([`completed`] judges what was filled in), [`judge`] says whether what was drawn keeps its rules, and [`coherence`] how
//!   often it does; [`relations`] has the same for PGM and VAD.

pub mod answers;
pub mod calibration;
mod card;
pub mod coherence;
pub mod complete;
pub mod completed;
pub mod confidence;
pub mod demo;
pub mod digest;
pub mod diversity;
mod error;
mod explain;
pub mod imagine;
pub mod json;
pub mod latents;
mod model;
pub mod pipeline;
pub mod relations;
mod rule_table;
mod rules;
mod self_test;
mod solver;
mod structure;
pub mod worker_pool;

pub use card::Card;
pub use confidence::Confidence;
pub use error::InferError;
pub use explain::{Expert, Experts, KINDS, kind_name};
pub use genvp_puzzle::raven::judge;
pub use model::{Model, Weights};
pub use rule_table::{LostRule, RuleTable};
pub use rules::RuleProbabilities;
pub use self_test::{SelfTest, fresh_puzzles};
pub use solver::{Solution, Solver};
pub use structure::{LayoutReading, Structure};
