//! `genvp item`: print-ready puzzles.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use genvp_data::DataError;
use genvp_draw::item::{self, File, Item, ItemSheet, ItemSource, PaperSize, csv, sheet};
use genvp_draw::{DrawError, Picture, pdf};
use genvp_infer::Model;
use genvp_infer::imagine::{Artist, RuleSampler, crisp};
use genvp_model::DeviceChoice;
use genvp_puzzle::family::{PuzzleSpec, family_of_set};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, RuleMatrix, Set};

use crate::commands::dataset::{Layouts, layouts_help};
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::family;
use crate::picture_file;

/// What to print.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show one new item in words, with its key
    #[command(after_help = "\
Examples:
  genvp item new
  genvp item new --layout 3x3 --rule number=progression --seed 3
  genvp item new --family pgm --rule shape.color=XOR:rows")]
    New(New),
    /// Print items on pages, with the key at the end, and a table of them
    #[command(after_help = "\
Examples:
  genvp item sheet --out test.pdf
  genvp item sheet --layout c-s,2x2 -n 3 --per-page 4 --title \"Class 7b\" --out class.pdf
  genvp item sheet -n 1 --layout l-r --out page.svg
  genvp item sheet --family vad --regime interpolation -n 4 --out analogies.pdf")]
    Sheet(SheetOf),
    /// Write items as files: drawings, arrays, and formats of other programs
    #[command(after_help = "\
Formats: svg, png and npz write each item; csv is the key with rules and what wrong choices break;
pdf and sheet are pages to print, as one file and as a drawing of each page; jspsych is a timeline
for jsPsych 8, psychopy a table of conditions with pictures, moodle a file of questions for its
question bank.

Examples:
  genvp item export --layout o-ic -n 2 --out items
  genvp item export --layout 3x3 -n 12 --format pdf,csv --per-page 4 --title \"Class 7b\" --out class
  genvp item export --layout 2x2 -n 10 --format moodle --out quiz
  genvp item export --family pgm -n 5 --format jspsych,csv --out experiment")]
    Export(Export),
}

/// Items to make.
#[derive(Args, Debug)]
pub struct Wanted {
    #[arg(long, value_name = "NAME,..", help = layouts_help("Layouts of raven (default: all)"))]
    layout: Option<Layouts>,
    /// Family: raven, pgm or vad
    #[arg(long, default_value = "raven", value_parser = parse_family)]
    family: &'static str,
    /// Regime of pgm (default: neutral) or vad (default: novel.domain.transfer)
    #[arg(long, value_name = "NAME")]
    regime: Option<String>,
    /// Rules that must hold, e.g. size=progression:+1, or shape.color=XOR:rows of pgm (repeatable)
    #[arg(long, value_name = "RULE")]
    rule: Vec<String>,
    /// Seed: the same seed gives the same items
    #[arg(long, default_value_t = 1234)]
    seed: u64,
    /// Number of the first item of each layout: those of one seed are numbered from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// Leave out items in which other rules single out another choice
    #[arg(long)]
    no_rivals: bool,
    /// Kind of wrong choices: iraven (balanced; default), raven (one change each) or raven-fair; of
    /// vad: lbc (default) or normal
    #[arg(long, value_name = "NAME")]
    choices: Option<String>,
    /// Source: the engine, or the model with the judge's approval
    #[arg(long, value_enum, default_value = "engine")]
    source: SourceName,
    /// Model: a built-in name (see `genvp model list`) or a weights file, for --source model
    #[arg(long, value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Maximum drawings per item, for --source model
    #[arg(long, value_name = "N", default_value_t = 64)]
    tries: u32,
}

/// Who makes items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SourceName {
    /// The symbolic engine
    Engine,
    /// The model imagines, the judge approves, the engine draws cleanly
    Model,
}

/// Show one new item.
#[derive(Args, Debug)]
pub struct New {
    #[command(flatten)]
    wanted: Wanted,
}

/// Items on pages.
#[derive(Args, Debug)]
pub struct SheetOf {
    #[command(flatten)]
    wanted: Wanted,
    /// Items per layout
    #[arg(short, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    n: u64,
    /// Output file: .pdf, or .svg or .png with one file per page
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    style: PageStyle,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// How pages look.
#[derive(Args, Debug)]
pub struct PageStyle {
    /// Paper
    #[arg(long, value_enum, default_value = "a4")]
    paper: PaperName,
    /// Items on a page: 1, 2, 4 or 6
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6))]
    per_page: u8,
    /// Heading of the pages
    #[arg(long, default_value = "")]
    title: String,
    /// Leave out the answer key
    #[arg(long)]
    no_key: bool,
}

impl PageStyle {
    /// The pages of some items.
    fn pages(&self, items: &[Item]) -> Vec<Picture> {
        let paper = match self.paper {
            PaperName::A4 => PaperSize::A4,
            PaperName::Letter => PaperSize::Letter,
        };
        let (title, per_page) = (self.title.clone(), usize::from(self.per_page));
        sheet(items, &ItemSheet { title, paper, per_page, key: !self.no_key })
    }

    /// The pages as one file.
    fn pdf(&self, pages: &[Picture]) -> Result<Vec<u8>, Failure> {
        let title = if self.title.is_empty() { "Items" } else { self.title.as_str() };
        pdf(title, pages).map_err(|error| Failure::system(error.to_string()))
    }
}

/// Papers by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PaperName {
    /// 210 x 297 mm
    A4,
    /// 8.5 x 11 inches
    Letter,
}

/// Items as single files.
#[derive(Args, Debug)]
pub struct Export {
    #[command(flatten)]
    wanted: Wanted,
    /// Items per layout
    #[arg(short, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    n: u64,
    /// What to write, one or more: svg, png, npz, csv, pdf, sheet, jspsych, psychopy, moodle
    #[arg(
        long,
        value_name = "NAME,..",
        value_delimiter = ',',
        default_value = "svg,png,npz,csv",
        value_enum,
        hide_possible_values = true
    )]
    format: Vec<FormatName>,
    /// Folder for the files
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    style: PageStyle,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// Formats by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// Vector drawings
    Svg,
    /// Pictures
    Png,
    /// The arrays of the datasets
    Npz,
    /// The key
    Csv,
    /// Pages to print, with the key
    Pdf,
    /// The same pages as vector drawings
    Sheet,
    /// A timeline of jsPsych 8
    #[value(name = "jspsych")]
    JsPsych,
    /// Conditions for PsychoPy
    #[value(name = "psychopy")]
    PsychoPy,
    /// Questions for Moodle
    Moodle,
}

impl FormatName {
    /// The files of some items.
    fn files(self, items: &[Item], style: &PageStyle) -> Result<Vec<File>, Failure> {
        let failed = |error: DrawError| Failure::system(error.to_string());
        Ok(match self {
            Self::Svg => item::svg(items),
            Self::Png => item::png(items).map_err(failed)?,
            Self::Npz => {
                let arrays = |(index, item): (usize, &Item)| {
                    let bytes = genvp_data::encode_npz(item.puzzle.as_ref())?;
                    Some(File::new(format!("item_{}.npz", index + 1), bytes))
                };
                items.iter().enumerate().filter_map(arrays).collect()
            }
            Self::Csv => vec![File::new("items.csv", csv(items))],
            Self::Pdf => vec![File::new("items.pdf", style.pdf(&style.pages(items))?)],
            Self::Sheet => {
                let page = |(page, picture): (usize, &Picture)| {
                    File::new(format!("page_{}.svg", page + 1), picture.svg())
                };
                style.pages(items).iter().enumerate().map(page).collect()
            }
            Self::JsPsych => item::jspsych(items),
            Self::PsychoPy => item::psychopy(items).map_err(failed)?,
            Self::Moodle => vec![item::moodle(items).map_err(failed)?],
        })
    }
}

/// Runs a command.
pub fn run(command: Command, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
    match command {
        Command::New(new) => new.run(console, device),
        Command::Sheet(sheet) => sheet.run(console, device),
        Command::Export(export) => export.run(console, device),
    }
}

impl Wanted {
    /// The items, `n` of each layout.
    fn items(&self, n: u64, console: &Console, device: DeviceChoice) -> Result<Vec<Item>, Failure> {
        if self.family != RAVEN {
            return self.relations(n);
        }
        if self.regime.is_some() {
            return Err(Failure::bad("raven has no regimes").hint("add --family pgm or vad"));
        }
        if self.no_rivals && self.source == SourceName::Model {
            return Err(Failure::bad("--no-rivals is for items of the engine"));
        }
        let set = self.choices.as_deref().map_or(Ok(Set::IRaven), parse_set);
        let set = set.map_err(|known| Failure::bad(format!("--choices: {known}")))?;
        let all = Layouts(Layout::ALL.to_vec());
        let mut items = Vec::new();
        let model = match self.source {
            SourceName::Engine => None,
            SourceName::Model => {
                Some(Model::open(&self.model, &crate::device::open(device, console)?)?)
            }
        };
        for &layout in &self.layout.as_ref().unwrap_or(&all).0 {
            let rules = RuleMatrix::parse(&self.rule.join(" "), layout)?;
            for index in self.numbers(n) {
                let (puzzle, source) = match &model {
                    None => {
                        let no_rivals = self.no_rivals;
                        let request = Request { rules, no_rivals, ..Request::new(set, layout) };
                        (Maker::new(request)?.puzzle(self.seed, index)?, ItemSource::Engine)
                    }
                    Some(model) => {
                        (self.imagined(model, (set, layout), rules, index)?, ItemSource::Model)
                    }
                };
                let name = format!("Item {}", items.len() + 1);
                items.extend(Item::new(name, Arc::new(puzzle), source, (self.seed, index)));
            }
        }
        Ok(items)
    }

    /// The numbers of `n` items.
    fn numbers(&self, n: u64) -> std::ops::Range<u64> {
        self.first..self.first.saturating_add(n)
    }

    /// Items of PGM or VAD.
    fn relations(&self, n: u64) -> Result<Vec<Item>, Failure> {
        if self.source == SourceName::Model {
            return Err(Failure::bad(format!("items of {} come from the engine", self.family)));
        }
        if self.layout.is_some() {
            return Err(Failure::bad(format!("{} has no layouts", self.family))
                .hint("its puzzles are told apart by --regime"));
        }
        let family = family_of_set(self.family)
            .ok_or_else(|| Failure::bad(format!("there is no family {}", self.family)))?;
        let strata = family.strata();
        let wanted = self.regime.as_deref();
        let stratum = strata.iter().find(|s| wanted.is_none_or(|name| s.name == name));
        let stratum = *stratum.ok_or_else(|| {
            let known: Vec<&str> = strata.iter().map(|s| s.name).collect();
            Failure::bad(format!("{} has no such regime", self.family))
                .hint(format!("known are {}", known.join(", ")))
        })?;
        let (rules, choices) = (self.rule.join(" "), self.choices.clone());
        let no_rivals = self.no_rivals;
        let spec = PuzzleSpec { rules, choices, no_rivals, ..PuzzleSpec::new(stratum) };
        let generator = family.generator(&spec)?;
        let mut items = Vec::new();
        for index in self.numbers(n) {
            let puzzle = Arc::from(generator.puzzle(self.seed, index)?);
            let name = format!("Item {}", items.len() + 1);
            items.extend(Item::new(name, puzzle, ItemSource::Engine, (self.seed, index)));
        }
        Ok(items)
    }

    fn imagined(
        &self,
        model: &Model,
        (set, layout): (Set, Layout),
        rules: RuleMatrix,
        index: u64,
    ) -> Result<genvp_puzzle::Puzzle, Failure> {
        let artist = Artist::new(model.genvp(), model.device())?;
        let sampler = RuleSampler::new(layout, rules, self.seed)?;
        let imagined = sampler.imagine_until(&artist, index, self.tries)?;
        crisp(&imagined.verdict, set, self.seed, index).ok_or_else(|| {
            let words = imagined.verdict.words();
            Failure::bad(format!(
                "{}: no item in {} drawings; the nearest: {words}",
                layout.short(),
                imagined.tries
            ))
            .hint("try more with --tries, another --seed, or --source engine")
        })
    }
}

impl New {
    fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let items = self.wanted.items(1, console, device)?;
        let mut out = stdout().lock();
        for item in &items {
            writeln!(out, "{} ({})", item.name, item.kind())?;
            writeln!(out, "{}", item.alt_text())?;
            writeln!(out, "Answer: {} (choice {})", item.key(), item.puzzle.target() + 1)?;
            writeln!(out, "Rules: {}", item.rules())?;
            for (choice, why) in item.broken().iter().enumerate() {
                if !why.is_empty() {
                    writeln!(out, "  {} {}", Item::letter(choice), why.join("; "))?;
                }
            }
            writeln!(out)?;
        }
        Ok(Answer::Yes)
    }
}

impl SheetOf {
    fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let ending = self.out.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let ending = ending.unwrap_or_default();
        if !["pdf", "svg", "png"].contains(&ending.as_str()) {
            let message = format!("{}: not a format of sheets", self.out.display());
            return Err(Failure::bad(message).hint("end the name in .pdf, .svg or .png"));
        }
        let items = self.wanted.items(self.n, console, device)?;
        let pages = self.style.pages(&items);
        let table = self.out.with_extension("csv");
        let count = if ending == "pdf" { 1 } else { pages.len() };
        // All or nothing: no page is written when another file is in the way.
        let mut files =
            (0..count).map(|page| numbered(&self.out, page, count)).chain([table.clone()]);
        if let Some(path) = files.find(|path| !self.force && path.exists()) {
            return Err(DataError::Exists { path }.into());
        }
        if ending == "pdf" {
            genvp_data::write_file(&self.out, &self.style.pdf(&pages)?, self.force)?;
        } else {
            for (index, page) in pages.iter().enumerate() {
                let path = numbered(&self.out, index, pages.len());
                picture_file::write(&path, page, self.force)?;
            }
        }
        genvp_data::write_file(&table, csv(&items).as_bytes(), self.force)?;
        console.note(&format!(
            "{} items on {} pages in {}, described in {}",
            items.len(),
            pages.len(),
            self.out.display(),
            table.display()
        ));
        Ok(Answer::Yes)
    }
}

/// `name.svg`, or `name-2.svg` where there are several pages.
fn numbered(path: &Path, index: usize, count: usize) -> PathBuf {
    if count == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{}.{ending}", index + 1))
}

impl Export {
    fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let items = self.wanted.items(self.n, console, device)?;
        let mut files: Vec<File> = Vec::new();
        for format in &self.format {
            for file in format.files(&items, &self.style)? {
                // Pictures of items are the same file in whatever format asked for them.
                if files.iter().all(|other| other.name != file.name) {
                    files.push(file);
                }
            }
        }
        // All or nothing: no file is written when another is in the way.
        let path = |file: &File| self.out.join(&file.name);
        if let Some(path) = files.iter().map(path).find(|path| !self.force && path.exists()) {
            return Err(DataError::Exists { path }.into());
        }
        for file in &files {
            genvp_data::write_file(&path(file), &file.bytes, self.force)?;
        }
        let (count, out) = (files.len(), self.out.display());
        console.note(&format!("{} items in {count} files in {out}", items.len()));
        Ok(Answer::Yes)
    }
}

/// The family that the other options are about if none is named.
const RAVEN: &str = "raven";

fn parse_family(text: &str) -> Result<&'static str, String> {
    family::parse(text).map(|family| family.id())
}

fn parse_set(text: &str) -> Result<Set, String> {
    Set::parse(text).ok_or_else(|| format!("`{text}` is not one of raven, iraven, raven-fair"))
}
