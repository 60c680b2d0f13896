//! `genvp complete`: several answers for missing panels.

mod relations;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use genvp_draw::{Board, GreyImage, Notes, contact_sheet, image_panel, puzzle, rule_lines};
use genvp_infer::Model;
use genvp_infer::complete::Gap;
use genvp_infer::completed::{Completed, CompletionTask, Sample, Shares};
use genvp_infer::imagine::{Artist, Drawing};
use genvp_infer::judge;
use genvp_model::DeviceChoice;
use serde_json::Value;

use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;
use genvp_data::inputs;

/// Draw several answers for missing panels.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Complete {
    /// A puzzle: npz, or a PNG sheet of sixteen panels
    file: PathBuf,
    /// Missing panels, counted from 1 row by row, e.g. 9 or 3,7; of pgm and vad one panel
    /// [default: the last]
    #[arg(long, value_name = "LIST")]
    missing: Option<String>,
    /// Number of answers to draw
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    samples: u64,
    /// Seed: the same seed gives the same drawings
    #[arg(long, default_value_t = 1234)]
    seed: u64,
    /// Folder for the pictures
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Model: a built-in name (see `genvp model list`) or a weights file [default: the built-in
    /// model of the puzzle's family]
    #[arg(long, value_name = "NAME|PATH")]
    model: Option<PathBuf>,
    /// Replace existing pictures
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
The last panel is the choice that the file marks as right; without a mark, the one that the
exact solver finds. Two protocols: the honest one, whose pictures are written, infers the rules
from the given panels; the leaking one infers them from the complete puzzle, as the paper may
have done, and is only reported. The judge checks every answer against the rules of the complete
puzzle (stated by the file, or found by the exact solver) and, of raven, against those that the
model followed. Files of pgm and vad are told by their members or names.

Examples:
  genvp complete puzzle.npz --out answers
  genvp complete puzzle.npz --missing 3,7 --samples 2 --out gaps --json";

impl Complete {
    /// Completes.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let sources = inputs::gather_all(std::slice::from_ref(&self.file))?;
        let [source] = sources.as_slice() else {
            let found = format!("{}: {} puzzles", self.file.display(), sources.len());
            return Err(Failure::bad(found).hint("name a single file"));
        };
        let family = source.format()?.family();
        if !family.has_layouts() {
            return self.relations(source, family, console, device);
        }
        let missing = Gap::parse(self.missing())?;
        let question = CompletionTask::new(&source.read()?, source.domain, missing)?;
        let name = self.model.as_deref().unwrap_or(Path::new(Model::DEFAULT));
        let model = Model::open(name, &crate::device::open(device, console)?)?;
        let artist = Artist::new(model.genvp(), model.device())?;
        let progress = console.progress("completing", 2 * self.samples);
        let done = Completed::new(&artist, question, self.seed, self.samples, &|| progress.add(1))?;
        progress.finish();
        let said = done.json(&self.file.display().to_string(), self.missing());
        self.write(&done.question, &done.honest, &said)?;
        self.report(&done, &said)?;
        let note = format!("{} answers in {}", done.honest.len(), self.out.display());
        console.note(&note);
        Ok(Answer::Yes)
    }

    /// The missing panels of a puzzle of raven.
    fn missing(&self) -> &str {
        self.missing.as_deref().unwrap_or("9")
    }

    fn write(
        &self,
        question: &CompletionTask,
        samples: &[Sample],
        said: &Value,
    ) -> Result<(), Failure> {
        let mut cards = Vec::new();
        for (index, sample) in samples.iter().enumerate() {
            let (right, all) = sample.by_whole.marks();
            let title = format!("{} · {right} of {all} rules hold", index + 1);
            let notes = Notes { title, ..Notes::default() };
            let board = Board {
                question: pictures(&sample.drawing, &self.out)?,
                choices: Vec::new(),
                description: format!("Completed: {}.", sample.by_whole.words()),
            };
            let bytes = picture_file::png(&puzzle(&board, &notes))?;
            let path = self.out.join(format!("answer_{}.png", index + 1));
            genvp_data::write_file(&path, &bytes, self.force)?;
            cards.push((board, notes));
        }
        let heading = format!(
            "Panel {} missing: {}",
            self.missing(),
            rule_lines(&question.rules, question.layout)
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; ")
        );
        let sheet = contact_sheet(&heading, &cards, 4);
        let path = self.out.join("contact_sheet.png");
        genvp_data::write_file(&path, &picture_file::png(&sheet)?, self.force)?;
        let bytes = serde_json::to_vec_pretty(said).unwrap_or_default();
        Ok(genvp_data::write_file(&self.out.join("answers.json"), &bytes, self.force)?)
    }

    fn report(&self, done: &Completed, said: &Value) -> Result<(), Failure> {
        let Completed { question, honest, leaking } = done;
        let mut out = stdout().lock();
        if self.json {
            writeln!(out, "{said}")?;
            return Ok(());
        }
        writeln!(out, "rules: {}", question.rules.text(question.layout))?;
        for (index, sample) in honest.iter().enumerate() {
            let (right, all) = sample.by_whole.marks();
            let same = if sample.same { ", as in the file" } else { "" };
            let words = sample.by_whole.words();
            writeln!(out, "answer {}: {right} of {all} rules{same}; {words}", index + 1)?;
        }
        for (name, samples) in [("honest", honest), ("leaking", leaking)] {
            let shares = Shares::of(samples);
            writeln!(
                out,
                "{name:<8} {:.1} % of the puzzle's rules hold, {:.1} % of those followed; {} of {} as in the file",
                shares.whole,
                shares.followed,
                shares.same,
                samples.len()
            )?;
        }
        Ok(())
    }
}

fn pictures(
    drawing: &Drawing,
    out: &std::path::Path,
) -> Result<Vec<Option<genvp_draw::Picture>>, Failure> {
    let panel = |i: usize| {
        let image = GreyImage::new(judge::SIDE, judge::SIDE, &drawing.grey(i))
            .map_err(|error| Failure::bad(format!("{}: {error}", out.display())))?;
        Ok(Some(image_panel(&image)))
    };
    (0..drawing.panels.len()).map(panel).collect()
}
