//! The xml files of the RAVEN family: what is drawn, object by object, and the
//! names of the rules.

mod entity_text;
mod guard;
mod read;
mod write;

pub use read::{parse, read};
pub use write::encode;
