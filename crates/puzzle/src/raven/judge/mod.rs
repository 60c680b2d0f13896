//! The judge: whether drawn panels keep the rules that were asked for.
//!
//! It looks at pixels through the engine's reader and at rules through the
//! engine's checker. No part of it is learned. It shares the engine's idea of a scene
//! with the data that models learn from, so it can miss what the engine cannot draw.
//!
//! * A rule holds when it holds in all three rows with one parameter, or with
//!   one set of three values, as the checker defines it.
//! * A panel that cannot be read, or a puzzle of another layout, makes every
//!   rule wrong.
//! * Rules [count](crate::raven::check::counted) where more than one could hold;
//!   number and position are one; a constant that is noise does not count.
//! * What cannot vary in a layout must be as the engine draws it: an outer object is white.

mod outer;
mod reading;
mod ruling;
mod sizes;
pub mod stress;
mod verdict;

pub use reading::{GridReading, UnclearSize, read_grid};
pub use verdict::{RuleSpec, Ruling, Verdict};

use crate::raven::{Domain, Panel};

/// Side of the pictures that are judged.
pub const SIDE: usize = 64;

/// Judges nine pictures, row by row, of `SIDE * SIDE` values each: ink = 1,
/// paper = 0.
pub fn judge(panels: &[&[f32]; 9], asked: &RuleSpec) -> Verdict {
    Verdict::of(read_grid(panels, Domain::Standard), asked)
}

/// Judges nine scenes: what [`judge`] does once it has read them.
pub fn judge_scene(panels: [Panel; 9], asked: &RuleSpec) -> Verdict {
    Verdict::of(GridReading::of_scene(asked.layout, panels), asked)
}

#[cfg(test)]
mod tests;
