//! `genvp dataset convert`: the same puzzles in another package.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use genvp_data::{StoredPuzzle, write_file};
use genvp_puzzle::Set;
use rayon::prelude::*;

use super::make::SetName;
use crate::failure::{Answer, Failure};
use crate::inputs::{self, Source};
use crate::picture_file;
use crate::talk::Talk;

/// Re-package a dataset.
#[derive(Args, Debug)]
#[command(after_help = "\
Pictures of sixteen panels (.png) can be converted too, into npz.

Examples:
  genvp dataset convert I-RAVEN --to png --out pictures
  genvp dataset convert RAVEN-F --to npz --set raven --out stored      (deflated npz -> stored npz)
  genvp dataset convert sheet.png --to npz --out puzzle")]
pub struct Convert {
    /// Dataset folders, npz files, or PNG sheets of sixteen panels
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// What to make
    #[arg(long, value_enum)]
    to: Target,
    /// Folder to make
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The npz dialect: raven and iraven are stored, raven-fair is deflated
    #[arg(long, value_enum, default_value = "raven")]
    set: SetName,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// What a puzzle can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// One picture a puzzle: the question, the choices beneath
    Png,
    /// One npz (and xml, where the scene is known) a puzzle
    Npz,
}

impl Convert {
    /// Converts everything that is named.
    pub fn run(&self, talk: &Talk) -> Result<Answer, Failure> {
        let sources = inputs::gather(&self.paths)?;
        let progress = talk.progress("converting", sources.len() as u64);
        sources.par_iter().try_for_each(|source| {
            let stored = source.read()?;
            progress.add(1);
            match self.to {
                Target::Png => self.picture(source, &stored),
                Target::Npz => self.npz(source, &stored),
            }
        })?;
        progress.finish();
        talk.note(&format!("{} puzzles converted into {}", sources.len(), self.out.display()));
        Ok(Answer::Yes)
    }

    fn picture(&self, source: &Source, stored: &StoredPuzzle) -> Result<(), Failure> {
        let board = picture_file::board(stored, &source.path)?;
        let picture = genvp_puzzle::draw::puzzle(&board, &Default::default());
        picture_file::write(
            &self.out.join(source.place()).with_extension("png"),
            &picture,
            self.force,
        )
    }

    fn npz(&self, source: &Source, stored: &StoredPuzzle) -> Result<(), Failure> {
        let set = Set::from(self.set);
        let place = self.out.join(source.place());
        write_file(&place.with_extension("npz"), &stored.encode_npz(set), self.force)?;
        if let Some(scene) = &stored.scene {
            let text = genvp_data::xml::encode(scene, set);
            write_file(&place.with_extension("xml"), text.as_bytes(), self.force)?;
        }
        Ok(())
    }
}
