//! How GenVP learns.
//!
//! [`run`] teaches a model on fresh puzzles: a [`feed`] makes them on threads of
//! its own, a [`Learner`] makes one optimisation step after the other, an
//! [`Exam`] on puzzles of a seed kept apart says how well, and a [`RunFolder`]
//! keeps checkpoints, metrics and pictures. Everything that a step depends on is
//! a function of (seed, step) or in the checkpoint, so a run that was
//! interrupted goes on bit for bit as if it had not been (with the same number
//! of threads).

mod adamw;
mod callback;
mod codebook;
mod collapse;
mod error;
mod events;
mod guard;
mod parameters;
mod pictures;
mod run_folder;
mod runs;
mod seeds;
mod step;
mod stop;
mod trainer;
mod validate;
mod whole_file;

pub mod checkpoint;
pub mod config;
pub mod export;
pub mod feed;
pub mod metrics;

pub use adamw::State;
pub use callback::{NoCallback, TrainCallback};
pub use config::{RunConfig, TrainConfig};
pub use error::TrainError;
pub use guard::{Guard, Skip};
pub use parameters::{ParameterLayout, ParameterSlot};
pub use run_folder::RunFolder;
pub use runs::Runs;
pub use seeds::Seeds;
pub use step::{Learner, StepReport, StepTimes};
pub use stop::Stop;
pub use trainer::{End, Outcome, RunOptions, fresh_model, run, run_on};
pub use validate::{Exam, LayoutResult, RegimeResult, StoredResult, Validation};
