//! `genvp eval report`: the paper's tables and figures on one page.
//!
//! The report measures nothing itself: it runs the other commands, keeps what
//! each of them says, and puts it together. So every figure is what its command
//! prints, and a report that was interrupted goes on where it stopped.

mod measure;
mod scale;
mod sections;

use std::path::{Path, PathBuf};

use clap::Args;
use genvp_infer::{Model, Weights};
use genvp_model::DeviceChoice;
use genvp_report::Report as Page;
use serde_json::json;

use super::common_args::{SEED, print_json, warn_of_seed};
use crate::console::Console;
use crate::failure::{Answer, Failure};
use measure::Bench;
use scale::Scale;

/// Measure everything and write a report: HTML, Markdown, CSV, JSON and SVG.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Report {
    /// Folder for the report; measurements already in it are reused
    #[arg(long, value_name = "DIR", default_value = "report")]
    out: PathBuf,
    /// Model: a built-in name (see `genvp model list`) or a weights file
    #[arg(long, value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Use small samples and short trainings: 15 minutes on two cores
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Train the paper's ablations in full: days on a CPU
    #[arg(long)]
    full: bool,
    /// Puzzles per layout and set [default: 500, 100 with --quick]
    #[arg(short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    n: Option<u64>,
    /// Seed of fresh puzzles
    #[arg(long, value_name = "S", default_value_t = SEED)]
    seed: u64,
    /// Training minutes of each model with held-out rules; 0: leave them out [default: 10, 2 with
    /// --quick]
    #[arg(long, value_name = "M")]
    minutes: Option<f64>,
    /// Leave out everything that trains or times models
    #[arg(long)]
    no_training: bool,
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
        let weights = Weights::find(&self.model);
        let digest = weights.and_then(|weights| weights.digests().map(|digests| digests.found));
        let digest = digest.map_err(|error| error.to_string());
        if let Err(error) = &digest {
            console.warn(&format!("no weights: {error}"));
        }
        let card = Weights::find(&self.model).and_then(|weights| weights.card()).ok();
        if let Some(card) = &card {
            warn_of_seed(card, self.seed, console);
        }
        let scale = Scale::new(self);
        let mut bench = Bench::new(&self.out, &self.model, digest.clone(), scale, console, device)?;
        bench.taught_with = card.map(|card| card.taught_with());
        let title = "GenVP: the tables and figures of the paper".to_owned();
        let mut page = Page { title, ..Page::default() };
        page.facts = self.facts(&digest, &bench);
        let measured = sections::all(&bench)?;
        page.sections = measured;
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

    fn facts(&self, digest: &Result<String, String>, bench: &Bench<'_>) -> Vec<(String, String)> {
        let fact = |name: &str, words: String| (name.to_owned(), words);
        let weights = match digest {
            Ok(digest) => format!("{}, sha256 {digest}", self.model.display()),
            Err(why) => format!("none: {why}"),
        };
        let mut facts = vec![
            fact("model", weights),
            fact(
                "puzzles",
                format!("fresh, {} of each layout and set, seed {}", bench.scale.n, self.seed),
            ),
            fact("version", env!("CARGO_PKG_VERSION").to_owned()),
            fact("threads", rayon::current_num_threads().to_string()),
        ];
        if let Some(taught_with) = &bench.taught_with {
            facts.push(fact("taught with", taught_with.clone()));
        }
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
