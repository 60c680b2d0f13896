//! `genvp eval figures`: the paper's pictures, drawn by a model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use genvp_draw::Picture;
use genvp_infer::Model;
use genvp_infer::imagine::Artist;
use genvp_model::DeviceChoice;
use genvp_puzzle::Layout;
use genvp_report::figure::{self, SAMPLED};
use genvp_report::paper::LAYOUTS;
use serde_json::json;

use super::common_args::{CommonArgs, print_json};
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;

/// Draw the paper's figures: puzzles imagined from the rules of others, three samples of the same
/// rules, several answers to one question.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Figures {
    /// Model: a built-in name (see `genvp model list`) or a weights file
    #[arg(long, value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Only these layouts
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "all")]
    layout: Vec<String>,
    /// Seed of rules and samples; samples are not hand-picked
    #[arg(long, value_name = "S", default_value_t = super::common_args::SEED)]
    seed: u64,
    /// Folder for the pictures
    #[arg(long, value_name = "DIR", default_value = "figures")]
    out: PathBuf,
    /// File format
    #[arg(long, value_enum, default_value = "svg")]
    format: Format,
    /// Replace existing pictures
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A picture format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Vector graphics
    Svg,
    /// Raster graphics
    Png,
}

const MORE: &str = "\
Examples:
  genvp eval figures --out figures
  genvp eval figures --layout c-s,3x3 --format png --out pictures --json";

impl Figures {
    /// Draws and says what was drawn.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let args = CommonArgs {
            model: self.model.clone(),
            layout: self.layout.clone(),
            n: 1,
            seed: self.seed,
            compare: None,
            json: self.json,
        };
        let wanted = args.layouts()?;
        let wanted = |layout: &Layout| wanted.contains(layout);
        let subject = args.subject(console, device)?;
        let artist = Artist::new(subject.model.genvp(), subject.model.device())
            .map_err(genvp_report::ReportError::from)?;
        super::make_folder(&self.out)?;
        let mut files = Vec::new();
        for layout in LAYOUTS.into_iter().filter(|layout| wanted(layout)) {
            let caption =
                format!("{}: a puzzle, one imagined from its rules, and the rules", layout.short());
            let picture = figure::imagined(&artist, layout, self.seed)?;
            files.push(self.write(&format!("imagined-{}", layout.short()), &caption, &picture)?);
        }
        for layout in SAMPLED.into_iter().filter(|layout| wanted(layout)) {
            let caption = format!("{}: three puzzles imagined from the same rules", layout.short());
            let picture = figure::samples(&artist, layout, self.seed)?;
            files.push(self.write(&format!("samples-{}", layout.short()), &caption, &picture)?);
        }
        for layout in LAYOUTS.into_iter().filter(|layout| wanted(layout)) {
            let caption = format!(
                "{}: a question, the dataset's answer, seven of the model's",
                layout.short()
            );
            let picture = figure::answers(&artist, layout, self.seed)?;
            files.push(self.write(&format!("answers-{}", layout.short()), &caption, &picture)?);
        }
        if self.json {
            return print_json(
                &json!({ "model": subject.json(), "seed": self.seed, "files": files }),
            );
        }
        console.note(&format!("{} pictures in {}", files.len(), self.out.display()));
        Ok(Answer::Yes)
    }

    fn write(
        &self,
        name: &str,
        caption: &str,
        picture: &Picture,
    ) -> Result<serde_json::Value, Failure> {
        let ending = match self.format {
            Format::Svg => "svg",
            Format::Png => "png",
        };
        let path = self.out.join(format!("{name}.{ending}"));
        picture_file::write(&path, picture, self.force)?;
        Ok(json!({ "name": name, "file": path.display().to_string(), "caption": caption }))
    }
}
