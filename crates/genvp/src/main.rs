//! The `genvp` command.

mod cli;
mod commands;
mod console;
mod device;
mod failure;
mod percent;
mod picture_file;
mod strata;
mod verdict_json;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::console::Console;

/// The system allocator returns large blocks to the kernel and faults them in
/// again for every batch of panels; mimalloc keeps them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let console = Console::new(&cli.global);
    if let Err(error) =
        rayon::ThreadPoolBuilder::new().num_threads(cli.global.threads.unwrap_or(0)).build_global()
    {
        console.warn(&format!("cannot set the number of threads: {error}"));
    }
    match commands::run(cli.command, &console, cli.global.device) {
        Ok(answer) => answer.into(),
        Err(failure) => failure.report(&console),
    }
}
