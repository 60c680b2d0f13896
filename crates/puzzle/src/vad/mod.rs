//! Visual analogies: a source row of three panels shows a relation in one
//! domain, a target row of two panels asks for the same relation in another.
//!
//! A [`Request`] names regime, split and kind of choices; [`Maker::new`] checks
//! once that it can be had; [`Maker::puzzle`] makes puzzle number `index` of a
//! seed. [`audit`] looks at a puzzle with its truth, [`solve`] at panels alone,
//! and [`exact::Solver`] at pixels.
//!
//! That source and target share a relation in different domains, the seven
//! domains, the four relations and the names of the regimes are the authors'.
//! Which values fill the domains, which relations a domain can follow, how wrong
//! choices are made and what is held out are our decisions.

mod analogy;
mod audit;
mod choices;
pub mod exact;
mod family;
mod make;
mod puzzle;
mod regime;
mod restore;
mod solve;

pub use analogy::{Analogy, held_out_pairs};
pub use audit::{Audit, audit};
pub use choices::ChoiceKind;
pub use family::Vad;
pub use make::{Maker, Request, check_held_out};
pub use puzzle::Puzzle;
pub use regime::Regime;
pub use solve::{Solution, broken, readings, solve};
