//! The `genvp` command.
fn main() {}
