//! The files of PGM and VAD: npz archives with the panels and the relations.
//!
//! Known from the authors' texts and the field's loaders: file names, members,
//! the wrong shape in the header of `image`, the order of the twelve bits. Which
//! number types the originals have is not published, so all are read. Ours are
//! written as the loaders expect them, and deflated.

mod audit;
mod counts;
mod dataset;
mod file;
mod format;
mod held_out;
mod name;
mod stream;
pub(crate) mod structure;
mod truth;

pub use audit::{Conditions, contradictions, is_drawn};
pub use counts::{
    Counts, Group, Novel, RecordedDomain, Stated, Structures, VoteCount, Votes, recorded_domain,
};
pub use dataset::{RelationMaker, RelationPlan, RelationPlans, keep_settings, puzzle_files};
pub use file::{RelationFile, parse, parse_named, read};
pub use format::Format;
pub use held_out::{domain_pair_lines, held_out_lines, parse_domain_pairs, parse_held_out};
pub use name::Name;
pub use stream::{Entry, Stream, stream};
pub use truth::{RelationPuzzle, TruthLine};
