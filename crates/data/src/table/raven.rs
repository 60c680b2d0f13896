//! Puzzles as a parquet table, with the columns of the public HuggingFace
//! copies of RAVEN: `panels`, `choices`, `structure`, `meta_matrix`,
//! `meta_target`, `meta_structure`, `target`, `id` and `metadata` (the xml).
//! Pictures are PNG files in a struct of `bytes` and `path`, which the
//! `datasets` library shows as images.

mod read;
mod relations;
mod write;

pub use read::{TableRows, read};
pub use relations::{RelationTableRows, RelationTableWriter, read_relations};
pub use write::TableWriter;

/// The columns. Lists have three levels, as every current writer makes them.
const SCHEMA: &str = "
message schema {
  optional group panels (LIST) {
    repeated group list {
      optional group element { optional binary bytes; optional binary path (UTF8); }
    }
  }
  optional group choices (LIST) {
    repeated group list {
      optional group element { optional binary bytes; optional binary path (UTF8); }
    }
  }
  optional group structure (LIST) { repeated group list { optional binary element (UTF8); } }
  optional group meta_matrix (LIST) {
    repeated group list {
      optional group element (LIST) {
        repeated group list { optional int32 element (INTEGER(8,false)); }
      }
    }
  }
  optional group meta_target (LIST) {
    repeated group list { optional int32 element (INTEGER(8,false)); }
  }
  optional group meta_structure (LIST) {
    repeated group list { optional int32 element (INTEGER(8,false)); }
  }
  optional int32 target (INTEGER(8,false));
  optional int32 id;
  optional binary metadata (UTF8);
}";

/// What the `datasets` library needs to know to show pictures.
const FEATURES: &str = concat!(
    r#"{"info": {"features": {"#,
    r#""panels": {"feature": {"_type": "Image"}, "_type": "Sequence"}, "#,
    r#""choices": {"feature": {"_type": "Image"}, "_type": "Sequence"}, "#,
    r#""structure": {"feature": {"dtype": "string", "_type": "Value"}, "_type": "Sequence"}, "#,
    r#""meta_matrix": {"feature": {"feature": {"dtype": "uint8", "_type": "Value"}, "#,
    r#""_type": "Sequence"}, "_type": "Sequence"}, "#,
    r#""meta_target": {"feature": {"dtype": "uint8", "_type": "Value"}, "_type": "Sequence"}, "#,
    r#""meta_structure": {"feature": {"dtype": "uint8", "_type": "Value"}, "_type": "Sequence"}, "#,
    r#""target": {"dtype": "uint8", "_type": "Value"}, "#,
    r#""id": {"dtype": "int32", "_type": "Value"}, "#,
    r#""metadata": {"dtype": "string", "_type": "Value"}}}}"#
);
