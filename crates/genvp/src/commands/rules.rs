//! `genvp rules`: which rules puzzles follow, as the model sees it.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use genvp_draw::{HeatMap, Picture, Rgb, heat_map};
use genvp_infer::{KINDS, Model, RuleProbabilities, Solution, Solver};
use genvp_model::DeviceChoice;
use genvp_puzzle::{Attribute, Layout, RuleMatrix};
use serde_json::{Value, json};

use crate::commands::solve::learned::{rounded, warn_of_other_families};
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;
use genvp_data::inputs;
use genvp_infer::pipeline::{self, SolvedFile};

/// Say which rules puzzles follow.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Rules {
    /// Puzzle files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Which model: one in the box, or a weights file
    #[arg(long, value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Draw the rule matrices of one puzzle as heat maps (.png or .svg)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace an existing picture
    #[arg(long)]
    force: bool,
    /// Leave out files that cannot be read, and say how many
    #[arg(long)]
    skip_bad: bool,
    /// Print one JSON object a puzzle
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
The rules are those of the puzzle as completed by the choice that the model takes for right: for
every attribute the probability of each rule, from each kind of expert (full: all panels;
context: one panel missing; rows: one row missing; row-latents) and from all together. In
pictures, rules that the file states are outlined.

Examples:
  genvp rules I-RAVEN/center_single/RAVEN_8_test.npz
  genvp rules I-RAVEN/center_single/RAVEN_8_test.npz --out rules.png
  genvp rules I-RAVEN --json";

/// The rules of a row, "none" first.
const COLUMNS: [&str; RuleMatrix::RULES] =
    ["none", "constant", "progression", "arithmetic", "distribute-three"];

impl Rules {
    /// Looks at everything that is named.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let sources = inputs::gather_all(&self.paths)?;
        if self.out.is_some() && sources.len() != 1 {
            let found = format!("--out draws one puzzle, and here are {}", sources.len());
            return Err(Failure::bad(found).hint("name a single file"));
        }
        let model = Model::open(&self.model, &crate::device::open(device, console)?)?;
        let solver = Solver::new(&model)?.with_experts(true);
        warn_of_other_families(&sources, model.card().name(), console);
        let progress = console.progress("looking", sources.len() as u64);
        let (mut out, mut bad, mut seen) = (stdout().lock(), 0u64, 0u64);
        pipeline::solve_all(&sources, &solver, Solver::BATCH, |outcome| {
            progress.add(1);
            match outcome {
                Ok((puzzle, solution)) => {
                    seen += 1;
                    self.show(&mut out, &puzzle, &solution)
                }
                Err(error) if self.skip_bad => {
                    bad += 1;
                    console.warn(&format!("skipped: {error}"));
                    Ok(())
                }
                Err(error) => Err(error.into()),
            }
        })?;
        progress.finish();
        if bad > 0 {
            console.note(&format!("{bad} files could not be read and were left out"));
        }
        Ok(if seen == 0 { Answer::No } else { Answer::Yes })
    }

    fn show(
        &self,
        out: &mut impl Write,
        puzzle: &SolvedFile,
        solution: &Solution,
    ) -> Result<(), Failure> {
        let layout = solution.naming();
        if let Some(path) = &self.out {
            let picture = picture(puzzle, solution, layout);
            picture_file::write(path, &picture, self.force)?;
        }
        if self.json {
            return Ok(writeln!(out, "{}", as_json(puzzle, solution, layout))?);
        }
        let sure = solution.confidence.map_or(0.0, |c| 100.0 * c.value);
        writeln!(
            out,
            "{}: with choice {}, {sure:.0} % sure: {}",
            puzzle.file,
            solution.answer + 1,
            solution.rules().matrix().text(layout)
        )?;
        for (name, rules) in matrices(solution) {
            write!(out, "  {name:<24}")?;
            for column in COLUMNS {
                write!(out, " {column:>16}")?;
            }
            writeln!(out)?;
            for (part, attribute) in rows(layout) {
                write!(out, "    {:<22}", label(layout, part, attribute))?;
                for probability in rules.of(part, attribute) {
                    write!(out, " {probability:>16.3}")?;
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }
}

/// The matrix of all experts together, then of each kind, with the answer.
fn matrices(solution: &Solution) -> Vec<(&'static str, RuleProbabilities)> {
    let mut matrices = vec![("all", *solution.rules())];
    if let Some(experts) = &solution.experts {
        matrices.extend(KINDS.map(|kind| (kind, experts.mean(kind, solution.answer))));
    }
    matrices
}

/// The rows of the components that a layout has.
fn rows(layout: Layout) -> Vec<(usize, Attribute)> {
    let parts = 0..layout.components().len();
    parts.flat_map(|part| Attribute::ALL.map(|attribute| (part, attribute))).collect()
}

fn label(layout: Layout, part: usize, attribute: Attribute) -> String {
    match layout.components()[part].prefix() {
        Some(prefix) => format!("{prefix}.{attribute}"),
        None => attribute.to_string(),
    }
}

fn cells(rules: &RuleProbabilities) -> Value {
    json!(rules.rows().map(|row| row.map(rounded)))
}

fn as_json(puzzle: &SolvedFile, solution: &Solution, layout: Layout) -> Value {
    let attributes: Vec<String> = (0..2)
        .flat_map(|part| Attribute::ALL.map(|attribute| (part, attribute)))
        .map(|(part, attribute)| match layout.components().get(part) {
            Some(_) => label(layout, part, attribute),
            None => format!("second.{attribute}"),
        })
        .collect();
    let experts: serde_json::Map<String, Value> = solution
        .experts
        .iter()
        .flat_map(|experts| experts.all())
        .map(|expert| (expert.name.clone(), cells(&expert.candidates[solution.answer])))
        .collect();
    json!({
        "file": puzzle.file,
        "layout": puzzle.layout.map(Layout::folder),
        "read_layout": solution.layout.map(Layout::folder),
        "answer": solution.answer,
        "confidence": solution.confidence.map(|c| rounded(c.value)),
        "rules": solution.rules().matrix().text(layout),
        "attributes": attributes,
        "columns": COLUMNS,
        "mixed": cells(solution.rules()),
        "experts": experts,
    })
}

/// The mixed matrix above those of the four kinds.
fn picture(puzzle: &SolvedFile, solution: &Solution, layout: Layout) -> Picture {
    const GAP: f32 = 12.0;
    let rows = rows(layout);
    let map = |(name, rules): &(&str, RuleProbabilities)| {
        heat_map(&HeatMap {
            title: match *name {
                "all" => format!("All experts, with choice {}", solution.answer + 1),
                name => format!("Expert: {name}"),
            },
            rows: rows.iter().map(|&(part, attribute)| label(layout, part, attribute)).collect(),
            columns: COLUMNS.map(str::to_owned).to_vec(),
            values: rows.iter().map(|&(part, a)| rules.of(part, a).to_vec()).collect(),
            range: (0.0, 1.0),
            marked: marked(puzzle.rules.as_ref(), &rows),
        })
    };
    let maps: Vec<Picture> = matrices(solution).iter().map(map).collect();
    let (width, height) =
        maps.iter().fold((0f32, 0f32), |(w, h), map| (w.max(map.width), h.max(map.height)));
    let lines = 1 + (maps.len() - 1).div_ceil(2);
    let mut all = Picture::new(2.0 * width + GAP, lines as f32 * height + (lines - 1) as f32 * GAP);
    for (index, map) in maps.iter().enumerate() {
        let (column, line) =
            if index == 0 { (0.5, 0) } else { (((index - 1) % 2) as f32, index.div_ceil(2)) };
        all.place(map, column * (width + GAP), line as f32 * (height + GAP), 1.0);
    }
    all.background(Rgb(255, 255, 255));
    all.title = format!("Rules of {}", puzzle.file);
    all.description = maps.first().map(|map| map.description.clone()).unwrap_or_default();
    all
}

/// The cells of the rules that the file states.
fn marked(stated: Option<&RuleMatrix>, rows: &[(usize, Attribute)]) -> Vec<(usize, usize)> {
    let Some(stated) = stated else { return Vec::new() };
    let columns = stated.columns();
    let cell = |(row, &(part, attribute)): (usize, &(usize, Attribute))| {
        (row, columns[part * Attribute::ALL.len() + attribute.index()])
    };
    rows.iter().enumerate().map(cell).filter(|&(_, column)| column > 0).collect()
}
