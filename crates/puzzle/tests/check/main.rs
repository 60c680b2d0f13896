//! What the checker and solver promise, on the puzzles of the original programs
//! (where they are at hand) and on small examples.

mod choice_changes;
mod originals;
mod rule_parameters;
mod solving;
mod stated_rules;
