//! What the model promises, in one program (linking burn once is enough).

mod common;
mod goldens;
mod learning;
mod parameters;
mod solving;
mod weights;
