//! Families of puzzles as the command line names them.

use genvp_puzzle::family::{Family, families, family_named};

/// Finds a family by its name.
///
/// # Errors
/// When there is none; the text lists those that there are.
pub fn parse(text: &str) -> Result<&'static dyn Family, String> {
    let known = || families().iter().map(|family| family.id()).collect::<Vec<_>>().join(", ");
    family_named(text).ok_or_else(|| format!("known are {}", known()))
}
