//! `genvp model card`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use genvp_infer::{Model, Weights};

use crate::failure::{Answer, Failure};

/// Show a model's card.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  genvp model card
  genvp model card raven-cpu-64 --json")]
pub struct ShowCard {
    /// Model: a built-in name (see `genvp model list`) or a weights file
    #[arg(value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Print {"name":..., "card":{...}, "config":{...}}
    #[arg(long)]
    json: bool,
}

impl ShowCard {
    pub(super) fn run(&self) -> Result<Answer, Failure> {
        let card = Weights::find(&self.model)?.card()?;
        let mut out = stdout().lock();
        if self.json {
            writeln!(out, "{}", card.to_json())?;
        } else {
            write!(out, "{card}")?;
        }
        Ok(Answer::Yes)
    }
}
