//! Datasets of PGM and VAD.

pub mod make;
