//! What runs this command again.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says it, where the running executable is another program.
pub fn set(program: Option<PathBuf>) {
    if let Some(program) = program {
        // The first word counts: a process runs one command.
        let _ = PROGRAM.set(program);
    }
}

/// The program.
pub fn path() -> io::Result<PathBuf> {
    PROGRAM.get().map_or_else(std::env::current_exe, |program| Ok(program.clone()))
}
