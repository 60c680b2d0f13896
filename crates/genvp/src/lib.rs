//! Raven-style visual puzzles: make, read, check, draw and solve them.
//!
//! This crate is the command `genvp` and a facade over the crates that do the
//! work, for programs that want all of them by one name:
//!
//! ```
//! use genvp::puzzle::{Layout, Set, make::{Maker, Request}};
//!
//! let maker = Maker::new(Request::new(Set::IRaven, Layout::OutInGrid))?;
//! let puzzle = maker.puzzle(7, 0)?;
//! assert!(puzzle.target < 8);
//! # Ok::<(), genvp::puzzle::PuzzleError>(())
//! ```

pub use genvp_data as data;
pub use genvp_draw as draw;
pub use genvp_infer as infer;
pub use genvp_puzzle as puzzle;
