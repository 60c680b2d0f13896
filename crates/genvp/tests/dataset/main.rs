//! What `genvp dataset` and `genvp solve --exact` promise, for RAVEN (`raven`), for PGM and
//! VAD (`relations`), and for files of every family (`families`).

mod command;
mod families;
mod raven;
mod relations;
