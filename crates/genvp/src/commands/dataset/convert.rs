//! `genvp dataset convert`: the same puzzles in another package.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use genvp_puzzle::draw::{Board, GreyImage, Notes, puzzle};

use crate::failure::{Answer, Failure};
use crate::inputs;
use crate::picture_file;
use crate::talk::Talk;

/// Re-package a dataset.
#[derive(Args, Debug)]
pub struct Convert {
    /// Dataset folders or files
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// What to make
    #[arg(long, value_enum)]
    to: Target,
    /// Folder to make
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// What a dataset can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// One picture a puzzle, choices beneath the question
    Png,
}

impl Convert {
    /// Converts.
    pub fn run(&self, talk: &Talk) -> Result<Answer, Failure> {
        let sources = inputs::gather(&self.paths)?;
        let progress = talk.progress("converting", sources.len() as u64);
        for source in &sources {
            let stored = source.read()?;
            let side = stored.images.side();
            let image = |i: usize| {
                GreyImage::new(side, side, stored.images.panel(i))
                    .map_err(|e| Failure::bad(format!("{}: {e}", source.path.display())))
            };
            let context: Vec<GreyImage> = (0..8).map(image).collect::<Result<_, _>>()?;
            let choices: Vec<GreyImage> = (8..16).map(image).collect::<Result<_, _>>()?;
            let picture = puzzle(&Board::of_images(&context, &choices), &Notes::default());
            let folder = source.path.parent().and_then(|p| p.file_name()).unwrap_or_default();
            let name = source.path.with_extension("png");
            let name = name.file_name().unwrap_or_default();
            picture_file::write(&self.out.join(folder).join(name), &picture, self.force)?;
            progress.add(1);
        }
        progress.finish();
        Ok(Answer::Yes)
    }
}
