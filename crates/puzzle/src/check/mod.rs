//! Which rules hold, which choice is right, and whether it is the only one.
//!
//! Everything here works on scenes: no pixels, no randomness. [`satisfied`] and
//! [`score`] judge choices by the rules that a puzzle states; [`changes`] says
//! what a wrong choice changes; [`visibly_equal`] what an eye cannot tell apart.

mod changes;
mod hypotheses;
mod parameters;
mod solve;
mod stated;
mod visible;

pub use changes::changes;
pub use parameters::{Fit, RuleNames, infer_parameters};
pub use solve::{FoundRules, Sight, Solution, solve};
pub use stated::{Order, Stated, holds, satisfied, score};
pub use visible::{sizes_look_alike, visibly_equal};
