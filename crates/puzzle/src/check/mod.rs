//! Which rules hold, which choice is right, and whether it is the only one.
//!
//! Everything here works on scenes: no pixels, no randomness. [`satisfied`] and
//! [`score`] judge choices by the rules that a puzzle states.

mod stated;
mod visible;
pub use visible::{visible_size, visibly_equal};

pub use stated::{Order, Stated, holds, satisfied, score};
