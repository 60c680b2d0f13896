//! `genvp imagine`: puzzles from rules, drawn by the model.

mod relations;

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
use genvp_puzzle::family::family_named;
use genvp_puzzle::{Layout, Puzzle, RuleMatrix, Set, render};
use serde_json::{Value, json};

use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::family;
use crate::picture_file;

/// Imagine puzzles from rules.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Imagine {
    #[arg(long, value_name = "NAME", value_parser = parse_layout, required_unless_present = "family", help = layout_help())]
    layout: Option<Layout>,
    /// Family: raven, pgm or vad [default: raven]
    #[arg(long, value_name = "NAME", value_parser = parse_family)]
    family: Option<&'static str>,
    /// Regime whose rules are drawn, of pgm [default: neutral] or vad [default:
    /// novel.domain.transfer]
    #[arg(long, value_name = "NAME")]
    regime: Option<String>,
    /// Rules that must hold, e.g. "type=progression:+1 size=constant", or "shape.color=XOR:rows"
    /// of pgm (repeatable)
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
    /// Model: a built-in name (see `genvp model list`) or a weights file [default: the built-in
    /// model of the family]
    #[arg(long, value_name = "NAME|PATH")]
    model: Option<PathBuf>,
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

Rules of pgm: shape.color, shape.number, shape.position, shape.size, shape.type, line.color or
line.type, = progression, XOR, OR, AND or consistent_union, with :rows or :columns if you like.
Rules of vad: one relation in a source and a target, source.shape.color=XOR
target.line.type=XOR. Stated rules are all that such a puzzle has; without any, each puzzle has
those of one that the engine makes.

Examples:
  genvp imagine --layout c-s --out dreams
  genvp imagine --layout 3x3 --rule number=progression:+1 -n 2 --out thirds
  genvp imagine --layout o-ic --rule out.size=constant --rule in.type=progression -n 1 --out inner
  genvp imagine --family pgm -n 2 --out matrices
  genvp imagine --family pgm --rule shape.color=XOR:rows --rule line.type=OR -n 1 --out xor
  genvp imagine --family vad -n 2 --out analogies";

impl Imagine {
    /// Imagines.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let family = self.family.and_then(family_named);
        if let Some(family) = family.filter(|family| !family.has_layouts()) {
            return self.relations(family, console, device);
        }
        if self.regime.is_some() {
            return Err(Failure::bad("raven has no regimes").hint("add --family pgm or vad"));
        }
        let layout = self.layout.ok_or_else(|| {
            Failure::bad("puzzles of raven have a layout").hint("name one with --layout")
        })?;
        self.raven(layout, console, device)
    }

    /// How to sample.
    fn sampling(&self) -> SamplingConfig {
        SamplingConfig { temperature: self.temperature, ..SamplingConfig::default() }
    }

    /// Imagines puzzles of a layout.
    fn raven(
        &self,
        layout: Layout,
        console: &Console,
        device: DeviceChoice,
    ) -> Result<Answer, Failure> {
        let rules = RuleMatrix::parse(&self.rule.join(" "), layout)?;
        let sampler = RuleSampler::new(layout, rules, self.seed)?;
        let name = self.model.as_deref().unwrap_or(Path::new(Model::DEFAULT));
        let model = Model::open(name, &crate::device::open(device, console)?)?;
        let artist = Artist::new(model.genvp(), model.device())?.with_sampling(self.sampling());
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
        let heading = format!("Imagined: {}", layout.short());
        let sheet = contact_sheet(&heading, &cards, cards.len().min(4));
        self.write("contact_sheet", "png", picture_file::png(&sheet)?)?;
        Ok(self.conclude(good, drawings, console))
    }

    /// Says how many puzzles have every rule, and how many drawings that took.
    fn conclude(&self, good: u64, drawings: u64, console: &Console) -> Answer {
        let (n, out) = (self.n, self.out.display());
        let mut note = format!("{n} puzzles in {out}, {good} with every rule");
        if self.verified {
            note += &format!(", {drawings} drawings in all");
        }
        console.note(&note);
        if self.verified && good < n {
            let (missing, tries) = (n - good, self.tries);
            let message =
                format!("{missing} of {n} puzzles did not satisfy the judge in {tries} tries");
            let hint = "the files hold the nearest drawings; try more with --tries";
            console.error(&message, Some(hint));
            return Answer::No;
        }
        Answer::Yes
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
    let drawing = &imagined.drawing;
    board_of_grey(drawing.panels.len(), &|i| drawing.grey(i), imagined.verdict.words(), out)
}

/// A board of drawn panels, given as grey bytes at the judge's size.
pub(crate) fn board_of_grey(
    panels: usize,
    grey: &dyn Fn(usize) -> Vec<u8>,
    words: String,
    out: &Path,
) -> Result<Board, Failure> {
    let side = genvp_infer::judge::SIDE;
    let panel = |i: usize| {
        let image = GreyImage::new(side, side, &grey(i))
            .map_err(|error| Failure::bad(format!("{}: {error}", out.display())))?;
        Ok(Some(image_panel(&image)))
    };
    Ok(Board {
        question: (0..panels).map(panel).collect::<Result<_, Failure>>()?,
        choices: Vec::new(),
        description: format!("{panels} panels drawn by the model: {words}."),
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

fn parse_family(text: &str) -> Result<&'static str, String> {
    family::parse(text).map(|family| family.id())
}

pub(super) fn parse_layout(text: &str) -> Result<Layout, String> {
    Layout::parse(text).ok_or_else(|| {
        let known = Layout::ALL.map(Layout::short).join(", ");
        format!("`{text}` is not a layout: {known}, or a dataset's folder name")
    })
}

fn layout_help() -> String {
    let known = Layout::ALL.map(Layout::short).join(", ");
    format!("Layout of raven: {known} or a dataset's folder name")
}

fn parse_temperature(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (0.0..=10.0).contains(&value) { Ok(value) } else { Err("between 0 and 10".to_owned()) }
}
