//! Procedurally generated matrices: eight panels of a 3 x 3 matrix, eight
//! choices, and one to four triples, each along rows or along columns.
//!
//! A [`Request`] names regime and split; [`Maker::new`] checks once that it can
//! be had; [`Maker::puzzle`] makes puzzle number `index` of a seed. [`audit`]
//! looks at a puzzle with its truth, [`solve`] at panels alone, and
//! [`exact::Solver`] at pixels.
//!
//! The structure space and the regimes are the authors'. The held-out lists, how
//! often what is drawn, and how wrong choices are made were never published and
//! are our decisions, so figures on these puzzles are not comparable with those
//! on the original files.

mod audit;
mod choices;
pub mod exact;
mod family;
mod held_out;
mod make;
mod puzzle;
mod regime;
mod restore;
mod solve;
mod structure;

pub use audit::{Audit, audit};
pub use family::Pgm;
pub use held_out::HeldOut;
pub use make::{Maker, Request};
pub use puzzle::{Governed, Puzzle, value_matrix};
pub use regime::Regime;
pub use solve::{Reading, Solution, broken, readings, solve};
pub use structure::TRIPLE_COUNT_WEIGHTS;
