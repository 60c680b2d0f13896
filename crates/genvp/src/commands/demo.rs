//! `genvp demo`: the whole story in under a minute.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use genvp_infer::Model;
use genvp_infer::demo::{DemoError, Story, html};
use genvp_model::DeviceChoice;
use serde_json::{Map, Value, json};

use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Solve, complete and imagine a few puzzles, and show them on an HTML page.
#[derive(Args, Debug)]
#[command(after_help = "\
The page needs nothing from outside: open it in any browser, or send it to somebody.

Examples:
  genvp demo
  genvp demo --out somewhere --seed 7")]
pub struct Demo {
    /// Folder for the page, index.html
    #[arg(long, value_name = "DIR", default_value = "demo")]
    out: PathBuf,
    /// Seed of the puzzles
    #[arg(long, default_value_t = 2025)]
    seed: u64,
    /// Model: a built-in name (see `genvp model list`) or a weights file
    #[arg(long, value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

impl Demo {
    /// Shows what the model can do. A page of an earlier demonstration is replaced.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let model = Model::open(&self.model, &crate::device::open(device, console)?)?;
        let progress = console.progress("showing", Story::STEPS);
        let story =
            Story::tell(&model, self.seed, &|| progress.add(1)).map_err(|error| match error {
                DemoError::Puzzle(error) => Failure::from(error),
                DemoError::Family(error) => Failure::from(error),
                DemoError::Infer(error) => Failure::from(error),
                DemoError::Imagine(error) => Failure::from(error),
            })?;
        progress.finish();
        let page = self.out.join("index.html");
        genvp_data::write_file(&page, html(&story).as_bytes(), true)?;
        let mut out = stdout().lock();
        if self.json {
            let answers = &story.completed.answers;
            let good = answers.iter().filter(|(_, verdict)| verdict.agrees()).count();
            let others = story.others.iter();
            let others: Map<String, Value> = others
                .map(|own| (own.puzzle.family().id().to_owned(), own.is_right().into()))
                .collect();
            let said = json!({
                "page": page.display().to_string(), "seconds": story.seconds,
                "solved": { "right": story.right(), "n": story.solved.len() },
                "others_right": others,
                "completed": { "every_rule": good, "n": answers.len() },
                "imagined": { "every_rule": story.coherent(), "n": story.imagined.len() },
            });
            writeln!(out, "{said}")?;
        } else {
            writeln!(out, "{}\npage       {}", story.summary(), page.display())?;
        }
        Ok(Answer::Yes)
    }
}
