//! Examinations: how well a model does on puzzles whose answers are known.
//!
//! A [`TestSet`] holds the [`Question`]s of one stratum, fresh or from files. An
//! [`Evaluator`] takes a model through them and counts [`Marks`]; a [`Share`] is a
//! count in percent with its 95 % interval. Nothing here knows one family of puzzles
//! from another but the reader of stored questions, which reads RAVEN's folders.

mod error;
mod evaluator;
mod marks;
mod question;
mod share;
mod test_set;

pub use error::ExamError;
pub use evaluator::Evaluator;
pub use marks::{Marks, RuleMarks};
pub use question::{Opened, Question};
pub use share::Share;
pub use test_set::TestSet;
