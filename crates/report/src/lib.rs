//! How good it is: one file per table and figure of the paper, with the paper's
//! figures beside ours.
//!
//! * [`paper`] holds what the paper prints, with its places and inconsistencies;
//! * [`tables`] and [`figure`] turn results into [`Table`]s and pictures;
//! * [`Cells`] keeps finished results, and [`page`] puts all of it together.

mod cell;
mod error;
mod mixer;
mod scores;

pub mod ablation;
pub mod figure;
pub mod page;
pub mod paper;
pub mod table;
pub mod tables;
pub mod train_run;
pub mod withheld;

pub use cell::{Cell, Cells, Key};
pub use error::ReportError;
pub use mixer::{MixerTraining, teach_mixer};
pub use page::{Figure, Report, Section};
pub use paper::Paper;
pub use scores::Scores;
pub use table::{Entry, Table};
