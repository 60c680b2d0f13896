//! `genvp imagine`: puzzles from rules, drawn by the model.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use genvp_data::{Images, StoredPuzzle};
use genvp_draw::{
    Board, GreyImage, Notes, RuleLine, contact_sheet, image_panel, puzzle, rule_lines,
};
use genvp_infer::Model;
use genvp_infer::imagine::{Artist, Imagined, RuleSampler, crisp};
use genvp_infer::judge::Verdict;
use genvp_model::{DeviceChoice, SamplingConfig};
use genvp_puzzle::{Layout, Puzzle, RuleMatrix, Set, render};
use serde_json::{Value, json};

use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;

/// Imagine puzzles from rules.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Imagine {
    #[arg(long, value_name = "NAME", value_parser = parse_layout, help = layout_help())]
    layout: Layout,
    /// Rules that must hold, e.g. "type=progression:+1 size=constant" (repeatable)
    #[arg(long, value_name = "RULE")]
    rule: Vec<String>,
    /// Number of puzzles
    #[arg(short, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    n: u64,
    /// Seed: the same seed gives the same drawings
    #[arg(long, default_value_t = 1234)]
    seed: u64,
    /// Folder for the pictures
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Draw each puzzle until the judge confirms every rule
    #[arg(long)]
    verified: bool,
    /// Maximum drawings per puzzle, with --verified
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    tries: u32,
    /// Also write a clean drawing of what the judge read, with choices: PNG, SVG and npz
    #[arg(long)]
    crisp: bool,
    /// Sampling temperature: 1 samples the model's distribution, 0 takes its means
    #[arg(long, value_name = "T", default_value_t = 1.0, value_parser = parse_temperature)]
    temperature: f32,
    /// Model: a built-in name (see `genvp model list`) or a weights file
    #[arg(long, value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Replace existing pictures
    #[arg(long)]
    force: bool,
    /// Print one JSON object per puzzle
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
Rules: attribute=rule[:parameter], with out., in., left., right., up. or down. in front where a
layout has two components. Attributes number, position, number/position, type, size, color;
rules constant, progression:+1|+2|-1|-2, arithmetic:+|-, distribute-three[:VALUE/VALUE/VALUE]
(numbers of objects and shapes count from 1, sizes and colors from 0). What is not stated
(rules, parameters, whether the objects of a panel are alike) is drawn at random, as the engine
does. The judge checks the parameters that you state; a model is given them if it was trained
with them, as the built-in one was.

Examples:
  genvp imagine --layout c-s --out dreams
  genvp imagine --layout 3x3 --rule number=progression:+1 -n 2 --out thirds
  genvp imagine --layout o-ic --rule out.size=constant --rule in.type=progression -n 1 --out inner";

impl Imagine {
    /// Imagines.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let rules = RuleMatrix::parse(&self.rule.join(" "), self.layout)?;
        let sampler = RuleSampler::new(self.layout, rules, self.seed)?;
        let model = Model::open(&self.model, &crate::device::open(device, console)?)?;
        let freedom = SamplingConfig { temperature: self.temperature, ..SamplingConfig::default() };
        let artist = Artist::new(model.genvp(), model.device())?.with_sampling(freedom);
        let tries = if self.verified { self.tries } else { 1 };
        let progress = console.progress("imagining", self.n);
        let mut cards: Vec<(Board, Notes)> = Vec::new();
        let (mut good, mut drawings) = (0, 0);
        let mut out = stdout().lock();
        for index in 0..self.n {
            let imagined = sampler.imagine_until(&artist, index, tries)?;
            progress.add(1);
            good += u64::from(imagined.verdict.agrees());
            drawings += u64::from(imagined.tries);
            let (board, notes) = self.card(index, &imagined)?;
            let stem = format!("puzzle_{}", index + 1);
            self.write(&stem, "png", picture_file::png(&puzzle(&board, &notes))?)?;
            let mut said = genvp_infer::json::imagined(index, self.seed, &imagined);
            if self.crisp {
                said["crisp"] = self.draw_crisp(&stem, index, &imagined)?;
            }
            let bytes = serde_json::to_vec_pretty(&said).unwrap_or_default();
            self.write(&stem, "json", bytes)?;
            if self.json {
                writeln!(out, "{said}")?;
            } else {
                let took = if self.verified { took(imagined.tries) } else { String::new() };
                let (right, all) = imagined.verdict.marks();
                let words = imagined.verdict.words();
                writeln!(out, "puzzle {}: {right} of {all} rules, {words}{took}", index + 1)?;
            }
            cards.push((board, notes));
        }
        progress.finish();
        let heading = format!("Imagined: {}", self.layout.short());
        let sheet = contact_sheet(&heading, &cards, cards.len().min(4));
        self.write("contact_sheet", "png", picture_file::png(&sheet)?)?;
        let mut note =
            format!("{} puzzles in {}, {good} with every rule", self.n, self.out.display());
        if self.verified {
            note += &format!(", {drawings} drawings in all");
        }
        console.note(&note);
        if self.verified && good < self.n {
            let (missing, n) = (self.n - good, self.n);
            let message =
                format!("{missing} of {n} puzzles did not satisfy the judge in {tries} tries");
            let hint = "the files hold the nearest drawings; try more with --tries";
            console.error(&message, Some(hint));
            return Ok(Answer::No);
        }
        Ok(Answer::Yes)
    }

    /// Draws what the judge read anew; says where it is, or null where it cannot be drawn.
    fn draw_crisp(&self, stem: &str, index: u64, imagined: &Imagined) -> Result<Value, Failure> {
        let Some(clean) = crisp(&imagined.verdict, Set::IRaven, self.seed, index) else {
            return Ok(Value::Null);
        };
        let stem = format!("{stem}_crisp");
        self.write_crisp(&stem, &clean)?;
        Ok(json!({ "file": format!("{stem}.npz"), "target": clean.target }))
    }

    fn write(&self, stem: &str, ending: &str, bytes: Vec<u8>) -> Result<(), Failure> {
        let path = self.out.join(format!("{stem}.{ending}"));
        Ok(genvp_data::write_file(&path, &bytes, self.force)?)
    }

    fn write_crisp(&self, stem: &str, clean: &Puzzle) -> Result<(), Failure> {
        let notes = Notes { title: stem.replace('_', " "), ..Notes::of_puzzle(clean) };
        let picture = puzzle(&Board::of_puzzle(clean), &notes);
        self.write(stem, "png", picture_file::png(&picture)?)?;
        self.write(stem, "svg", picture.svg().into_bytes())?;
        let images = Images::new(render::SIDE, render::puzzle(clean));
        let stored = StoredPuzzle::of_puzzle(clean, images);
        self.write(stem, "npz", stored.encode_npz(clean.set))
    }

    fn card(&self, index: u64, imagined: &Imagined) -> Result<(Board, Notes), Failure> {
        let (right, all) = imagined.verdict.marks();
        let title = format!("{} · {} of {all} rules hold", index + 1, right);
        let board = drawn_board(imagined, &self.out)?;
        Ok((board, Notes { title, answer: None, rules: judged_lines(&imagined.verdict) }))
    }
}

fn took(tries: u32) -> String {
    format!(" ({tries} {})", if tries == 1 { "drawing" } else { "drawings" })
}

/// The panels as they were drawn, pixel by pixel.
fn drawn_board(imagined: &Imagined, out: &Path) -> Result<Board, Failure> {
    let side = genvp_infer::judge::SIDE;
    let panel = |i: usize| {
        let image = GreyImage::new(side, side, &imagined.drawing.grey(i))
            .map_err(|error| Failure::bad(format!("{}: {error}", out.display())))?;
        Ok(Some(image_panel(&image)))
    };
    Ok(Board {
        question: (0..imagined.drawing.panels.len()).map(panel).collect::<Result<_, Failure>>()?,
        choices: Vec::new(),
        description: format!("Nine panels drawn by the model: {}.", imagined.verdict.words()),
    })
}

/// The rules as lines, those that do not hold marked so.
pub fn judged_lines(verdict: &Verdict) -> Vec<RuleLine> {
    let mut lines = rule_lines(&verdict.rules(), verdict.layout);
    for (component, line) in lines.iter_mut().enumerate() {
        let own = verdict.rulings.iter().filter(|r| r.component == component);
        for ((_, how), ruling) in line.rules.iter_mut().zip(own) {
            if !ruling.counted {
                how.push_str(" (not counted)");
            } else if !ruling.holds {
                how.push_str(" (broken)");
            }
        }
    }
    lines
}

pub(super) fn parse_layout(text: &str) -> Result<Layout, String> {
    Layout::parse(text).ok_or_else(|| {
        let known = Layout::ALL.map(Layout::short).join(", ");
        format!("`{text}` is not a layout: {known}, or a dataset's folder name")
    })
}

fn layout_help() -> String {
    let known = Layout::ALL.map(Layout::short).join(", ");
    format!("Layout: {known} or a dataset's folder name")
}

fn parse_temperature(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (0.0..=10.0).contains(&value) { Ok(value) } else { Err("between 0 and 10".to_owned()) }
}
