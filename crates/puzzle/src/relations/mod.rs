//! What PGM and VAD have in common: panels of filled shapes over lines, sets of
//! attribute values, and relations between the sets of three panels in a line.
//!
//! Known from the authors' texts: objects, attributes, their value lists, the
//! five relations and the 29 legal triples. Measured on real panels: the ten
//! greys of shapes, the proportions of lines and of a shape of middle size, and
//! that shapes lie above lines. Everything else here (the sizes, the outline,
//! the additional types of VAD, what counts as an accident) is our decision and
//! is documented where it is made.

mod attribute;
mod broken;
pub mod codes;
mod error;
mod family;
mod fill;
pub mod judge;
mod line;
mod palette;
mod puzzle;
pub mod read;
mod relation;
pub mod render;
mod scene;
mod sets;
mod triple;
mod values;
mod vocabulary;
mod vote;

pub use attribute::{Attribute, Object};
pub use broken::{Broken, values_in_words};
pub use error::SpecError;
pub use family::SIDES;
pub use line::{ValueLine, completes, counts, holds, holds_on_all, tells};
pub use palette::{BLACK, GREYS, grey};
pub use relation::Relation;
pub use scene::{Line, LineType, Panel, Shape, ShapeType, position_name};
pub use triple::Triple;
pub use values::ValueSet;
pub use vocabulary::{Limit, Vocabulary};
pub use vote::{majority_vote, minority_vote};

pub use crate::family::{Axis, Split};

pub(crate) use family::{
    Answered, BySide, RULES, check_form, key, object_counts, parse_rules, refuse_raven_options,
    unknown,
};
pub(crate) use fill::{PanelPlan, settle_ungoverned};
pub(crate) use line::{Progressions, any_completes, others_count};
pub(crate) use puzzle::{Findings, Related};
pub(crate) use sets::{Candidates, EmptyAnd, LineLimits, Pool, draw_line, draw_overlapping};
