//! What the commands that use a model promise: `solve`, `rules`, `model`,
//! `doctor` and `--device`. Nothing here depends on how good the weights are.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod command;
mod devices;
mod help;
mod model;
mod puzzles;
mod relations;
mod rules;
mod solve;
mod solve_bad;
