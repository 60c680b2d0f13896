//! PGM and VAD imagined and completed: the model draws, and their judge says whether it drew what was
//! asked.

mod artist;
pub mod coherence;
mod complete;
mod sampler;

pub use artist::{RelationArtist, RelationDrawing};
pub use complete::{RelationAnswer, RelationAnswers, RelationTask};
pub use sampler::{RelationImagined, RelationSampler};
