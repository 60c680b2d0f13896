//! `genvp completions`: scripts for shells.

use std::io::{Write, stdout};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::{Answer, Failure};

/// Print a completion script.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  genvp completions bash > ~/.local/share/bash-completion/completions/genvp"
)]
pub struct Completions {
    /// Which shell
    shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub fn run(&self) -> Result<Answer, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "genvp", &mut script);
        stdout().write_all(&script)?;
        Ok(Answer::Yes)
    }
}
