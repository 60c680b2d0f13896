//! The `genvp` command.

use std::process::ExitCode;

/// The system allocator returns large blocks to the kernel and faults them in
/// again for every batch of panels; mimalloc keeps them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    genvp::run_command(std::env::args_os(), None).into()
}
