//! Raven-style visual puzzles: make, read, check, draw and solve them.
//!
//! This crate is the command `genvp` and a facade over the crates that do the
//! work, for programs that want all of them by one name:
//!
//! ```
//! use genvp::puzzle::{Layout, Set, make::{Maker, Request}};
//!
//! let maker = Maker::new(Request::new(Set::IRaven, Layout::OutInGrid))?;
//! let puzzle = maker.puzzle(7, 0)?;
//! assert!(puzzle.target < 8);
//! # Ok::<(), genvp::puzzle::PuzzleError>(())
//! ```
//!
//! [`run_command`] is the whole command, for packages that carry it without a
//! binary of its own.

mod cli;
mod commands;
mod console;
mod device;
mod failure;
mod family;
mod percent;
mod picture_file;
mod program;
mod strata;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;

use crate::cli::Cli;
use crate::console::Console;

pub use genvp_data as data;
pub use genvp_draw as draw;
pub use genvp_infer as infer;
pub use genvp_puzzle as puzzle;

/// Runs the command with these arguments, of which the first is its name, and
/// returns its exit status. It takes over rayon's global pool, so it is called
/// once in a process. `program` is what runs the command again, for commands that
/// do so; the running executable if it is not said.
pub fn run_command(args: impl IntoIterator<Item = OsString>, program: Option<PathBuf>) -> u8 {
    program::set(program);
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Nobody is left to tell when standard output and error are gone.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let console = Console::new(&cli.global);
    if let Err(error) =
        rayon::ThreadPoolBuilder::new().num_threads(cli.global.threads.unwrap_or(0)).build_global()
    {
        console.warn(&format!("cannot set the number of threads: {error}"));
    }
    match commands::run(cli.command, &console, cli.global.device) {
        Ok(answer) => answer.code(),
        Err(failure) => failure.report(&console),
    }
}
