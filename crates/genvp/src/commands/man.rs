//! `genvp man`: manual pages.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::cli::Cli;
use crate::failure::{Answer, Failure};

/// Print the manual page, or write all of them to a folder.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  genvp man | man -l -\n  genvp man --out ~/.local/share/man/man1"
)]
pub struct Man {
    /// Write one page per command to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    /// Prints or writes the pages.
    pub fn run(&self) -> Result<Answer, Failure> {
        match &self.out {
            None => {
                let mut page = Vec::new();
                clap_mangen::Man::new(Cli::command()).render(&mut page)?;
                stdout().write_all(&page)?;
            }
            Some(folder) => {
                let failed = |error: std::io::Error| {
                    Failure::system(format!("{}: cannot write: {error}", folder.display()))
                };
                std::fs::create_dir_all(folder).map_err(failed)?;
                clap_mangen::generate_to(Cli::command(), folder).map_err(failed)?;
            }
        }
        Ok(Answer::Yes)
    }
}
