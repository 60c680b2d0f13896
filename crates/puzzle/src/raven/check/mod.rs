//! Which rules hold, which choice is right, and whether it is the only one.
//!
//! Everything here works on scenes: no pixels, no randomness.
//!
//! * By the rules that a puzzle states: [`satisfied`] and [`score`] judge its
//!   choices, [`infer_parameters`] completes rules that a file merely names,
//!   [`Audit`] says whether the puzzle is sound, [`rivals`] whether other rules
//!   point to another choice.
//! * Without being told any rule: [`solve`] answers, [`rules_of`] lists the rules
//!   that hold, [`majority_vote`] answers without looking at the question.
//! * About marks: [`bearing`] and [`counted`] say which rules are worth asking for.
//! * About choices: [`changes`] says what a wrong one changes, [`broken_rules`]
//!   which rules it breaks and why, [`visibly_equal`] whether two look alike.

mod audit;
mod changes;
mod counting;
mod hypotheses;
mod parameters;
mod solve;
mod stated;
mod visible;
mod vote;

pub use audit::{Audit, Rival, rivals};
pub use changes::changes;
pub use counting::{bearing, counted, same_rule};
pub use parameters::{Fit, RuleNames, infer_parameters};
pub use solve::{Broken, FoundRules, Holding, Sight, Solution, broken_rules, rules_of, solve};
pub use stated::{Order, Stated, holds, satisfied, score};
pub use visible::{sizes_look_alike, visibly_equal};
pub use vote::{majority_vote, minority_vote};
