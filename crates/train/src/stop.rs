//! How a run is asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A wish to stop that any thread or signal handler may make. The run then
/// finishes the step it is in, writes a checkpoint and ends.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Not stopped.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to stop; says whether that had been asked before.
    pub fn ask(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether somebody asked.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
