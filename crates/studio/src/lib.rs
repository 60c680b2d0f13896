//! The toolbox in a browser.
//!
//! * [`engine`] answers questions about puzzles in JSON: make one, which rules are possible, mark
//!   a built answer, print items. It knows no model, no file and no clock, so it runs on the
//!   server and, compiled to WebAssembly, in a page without a server.
//! * `server` puts the engine, the models of `genvp-infer` and the page behind HTTP on one's own
//!   machine.

pub mod engine;
#[cfg(feature = "server")]
pub mod server;
#[cfg(target_arch = "wasm32")]
mod wasm;
