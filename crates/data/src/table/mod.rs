//! Puzzles as parquet tables. Pictures are PNG files in a struct of `bytes` and
//! `path`, which the `datasets` library shows as images.
//!
//! `write` and `read` know tables of any columns; `raven` and `relations`
//! say which columns the puzzles of a family have.

mod raven;
mod read;
mod relations;
mod write;

pub use raven::{TableWriter, read};
pub use read::TableRows;
pub use relations::{
    RelationRow, RelationTable, RelationTableWriter, is_relations, read_relations,
};
