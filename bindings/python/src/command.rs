//! The `genvp` command.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use pyo3::prelude::*;

/// Runs the command with these arguments, of which the first is its name, and returns its
/// exit status. `program` is what runs the command again.
#[pyfunction]
pub fn run_command(py: Python<'_>, args: Vec<OsString>, program: Option<PathBuf>) -> u8 {
    py.detach(|| {
        let status = genvp::run_command(args, program);
        // Python ends the process without what Rust does at its end.
        let flushed = std::io::stdout().flush();
        if flushed.is_ok() { status } else { status.max(1) }
    })
}
