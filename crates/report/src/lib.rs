//! How good it is: one file per table and figure of the paper, with the paper's
//! figures beside ours.
//!
//! * [`paper`] holds what the paper prints, with its places and inconsistencies;
//! * a [`Question`] is a puzzle to ask, an [`Evaluator`] is the model that sits
//!   before them, [`Marks`] are what comes of it;
//! * [`tables`] and [`figure`] turn results into [`Table`]s and pictures;
//! * [`Cells`] keeps finished results, and [`page`] puts all of it together.

mod cell;
mod error;
mod evaluation;
mod mixer;
mod question;
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
pub use evaluation::{Evaluator, Marks, RuleMarks};
pub use mixer::{MixerTraining, teach_mixer};
pub use page::{Figure, Report, Section};
pub use paper::Paper;
pub use question::Question;
pub use scores::{Scores, average};
pub use table::{Entry, Table};
