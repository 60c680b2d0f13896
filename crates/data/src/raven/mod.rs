//! The files of RAVEN, I-RAVEN and RAVEN-FAIR: npz archives with the panels, xml with the
//! scene, truth, and sheets of pictures.

mod members;
mod meta;
mod restore;
mod scene;
pub mod sheet;
mod stored;
pub mod truth;
pub mod xml;

pub use members::{parse, read, read_answer};
pub use restore::Restored;
pub use scene::{Changes, Scene};
pub use stored::StoredPuzzle;

use genvp_puzzle::raven::FORM;

/// Panels in a puzzle of RAVEN: those of the question, then the choices.
pub const PANELS: usize = FORM.inputs();
