//! Puzzles as parquet tables. Pictures are PNG files in a struct of `bytes` and
//! `path`, which the `datasets` library shows as images.
//!
//! `write` and `read` know tables of any columns; `raven` and `relations`
//! say which columns the puzzles of a family have.

mod promises;
mod raven;
mod read;
mod relations;
mod thrift;
mod write;

pub use raven::{RavenRow, TableWriter, read, read_packed};
pub use read::TableRows;
pub use relations::{
    RelationRow, RelationTable, RelationTableWriter, is_relations, parse_relations, read_relations,
};

/// A puzzle of a table of any family, its pictures still packed.
#[derive(Clone, Debug)]
pub enum TableRow {
    /// RAVEN's.
    Raven(Box<RavenRow>),
    /// PGM's or VAD's.
    Relations(Box<RelationRow>),
}
