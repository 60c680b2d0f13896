//! `genvp eval report`: the paper's tables and figures on one page.
//!
//! The report measures nothing itself: it runs the other commands, keeps what
//! each of them says, and puts it together. So every figure is what its command
//! prints, and a report that was interrupted goes on where it stopped.

mod measure;
mod models;
mod scale;
mod sections;

use std::path::{Path, PathBuf};

use clap::Args;
use genvp_model::DeviceChoice;
use genvp_report::Report as Page;
use serde_json::json;

use super::common_args::{SEED, print_json};
use crate::console::Console;
use crate::failure::{Answer, Failure};
use measure::Bench;
use models::Models;
use scale::Scale;

/// Measure everything and write a report: HTML, Markdown, CSV, JSON and SVG.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Report {
    /// Folder for the report; measurements already in it are reused
    #[arg(long, value_name = "DIR", default_value = "report")]
    out: PathBuf,
    /// Model: a built-in name (see `genvp model list`) or a weights file [default: raven-rules-64
    /// to answer, raven-cpu-64 to draw]
    #[arg(long, value_name = "NAME|PATH")]
    model: Option<PathBuf>,
    /// Use small samples and short trainings: 15 minutes on two cores
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Train the paper's ablations in full: days on a CPU
    #[arg(long)]
    full: bool,
    /// Puzzles per layout and set [default: 500, 100 with --quick]
    #[arg(short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    n: Option<u64>,
    /// Questions per layout to which several answers are drawn, which takes longest; 0: leave them
    /// out [default: as -n, at most 100, 30 with --quick]
    #[arg(long, value_name = "N")]
    answers: Option<u64>,
    /// Seed of fresh puzzles
    #[arg(long, value_name = "S", default_value_t = SEED)]
    seed: u64,
    /// Training puzzles of each model with held-out rules; 0: leave them out [default: 30000, 3200
    /// with --quick]
    #[arg(long, value_name = "N")]
    puzzles: Option<u64>,
    /// Train and time nothing: of this, show what is in the folder already
    #[arg(long)]
    no_training: bool,
    /// Leave out the timing of training steps, which wants an idle machine
    #[arg(long, conflicts_with = "torch")]
    no_timing: bool,
    /// Folder with RAVEN, I-RAVEN and RAVEN-F from the original programs
    #[arg(long, value_name = "DIR")]
    originals: Option<PathBuf>,
    /// Python interpreter with torch, to compare the speed with
    #[arg(long, value_name = "PYTHON")]
    torch: Option<String>,
    /// Print JSON: the files written, and what is missing
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
Every finished measurement is a file in DIR/cells, so an interrupted report continues with the
same command. What cannot be measured (no weights, no dataset, too few puzzles) is marked as
missing.

Examples:
  genvp eval report --quick
  genvp eval report --out report --originals data/originals --torch python3
  genvp eval report --quick --no-training -n 50 --out small-report --json";

impl Report {
    /// Measures what is missing and writes the page.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        self.check_folder()?;
        super::make_folder(&self.out)?;
        let models = Models::find(self.model.as_deref(), self.seed, console);
        let facts = self.facts(&models);
        let bench = Bench::new(&self.out, models, Scale::new(self), console, device)?;
        let title = "GenVP: tables and figures of the paper".to_owned();
        let page = Page { title, facts, sections: sections::all(&bench)? };
        let files = write(&page, &self.out)?;
        let missing = missing(&page);
        if self.json {
            return print_json(&json!({
                "files": files,
                "sections": page.sections.len(),
                "measured": bench.measured(),
                "kept": bench.kept(),
                "missing": missing,
            }));
        }
        console.note(&format!(
            "{} ({} measured now, {} kept from before, {} entries without a figure)",
            self.out.join("index.html").display(),
            bench.measured(),
            bench.kept(),
            missing
        ));
        Ok(Answer::Yes)
    }

    /// A folder of something else is not written into.
    fn check_folder(&self) -> Result<(), Failure> {
        let ours = ["cells", "index.html"].iter().any(|name| self.out.join(name).exists());
        let empty = std::fs::read_dir(&self.out).map_or(true, |mut files| files.next().is_none());
        if ours || empty {
            return Ok(());
        }
        Err(Failure::bad(format!("{}: this folder holds something else", self.out.display()))
            .hint("name a new folder, or one that holds a report"))
    }

    fn facts(&self, models: &Models) -> Vec<(String, String)> {
        let fact = |name: &str, words: String| (name.to_owned(), words);
        let n = Scale::new(self).n;
        let mut facts = models.facts();
        facts.extend([
            fact("puzzles", format!("fresh, {n} of each layout and set, seed {}", self.seed)),
            fact("version", env!("CARGO_PKG_VERSION").to_owned()),
            fact("threads", rayon::current_num_threads().to_string()),
        ]);
        facts
    }
}

/// Entries that say why there is no figure.
fn missing(page: &Page) -> usize {
    let tables = page.sections.iter().flat_map(|section| &section.tables);
    let entries = tables.flat_map(|table| &table.rows).flat_map(|row| &row.entries);
    entries.filter(|entry| matches!(entry.value, genvp_report::table::Value::Missing(_))).count()
}

fn write(page: &Page, out: &Path) -> Result<Vec<String>, Failure> {
    let figures = out.join("figures");
    super::make_folder(&figures)?;
    let mut files = vec![
        (out.join("index.html"), page.to_html()),
        (out.join("report.md"), page.to_markdown()),
        (out.join("tables.csv"), page.to_csv()),
        (out.join("report.json"), page.to_json()),
    ];
    for figure in page.sections.iter().flat_map(|section| &section.figures) {
        files.push((figures.join(format!("{}.svg", figure.name)), figure.svg.clone()));
    }
    for (path, text) in &files {
        genvp_data::write_file(path, text.as_bytes(), true)?;
    }
    Ok(files.into_iter().map(|(path, _)| path.display().to_string()).collect())
}
