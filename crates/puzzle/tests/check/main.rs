//! What the checker and solver promise: on the puzzles of the original programs
//! (where they are at hand), on puzzles of our own, and on examples by hand.

mod auditing;
mod choice_changes;
mod examples;
mod explaining;
#[path = "../originals/mod.rs"]
mod originals;
mod own_puzzles;
mod rival_rules;
mod rule_parameters;
mod solving;
mod stated_rules;
mod voting;
