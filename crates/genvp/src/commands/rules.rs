//! `genvp rules`: which rules puzzles follow, as the model sees it.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use genvp_draw::{HeatMap, Picture, Rgb, heat_map};
use genvp_infer::json::{self, RULES};
use genvp_infer::{KINDS, RuleProbabilities, Solution, Solver};
use genvp_model::DeviceChoice;
use genvp_puzzle::{Attribute, Layout, RuleMatrix};

use crate::commands::solve::learned::warn_of_other_families;
use crate::commands::solve::model_for;
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;
use genvp_data::inputs;
use genvp_infer::pipeline::{self, SolvedFile};

/// Name the rules that puzzles follow.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Rules {
    /// Puzzle files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Model: a built-in name (see `genvp model list`) or a weights file [default: the built-in
    /// model of the puzzles' family]
    #[arg(long, value_name = "NAME|PATH")]
    model: Option<PathBuf>,
    /// Draw the rule matrices of one puzzle as heat maps (.png or .svg)
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Replace an existing picture
    #[arg(long)]
    pub(super) force: bool,
    /// Skip unreadable files and report their number
    #[arg(long)]
    pub(super) skip_bad: bool,
    /// Print one JSON object per puzzle
    #[arg(long)]
    pub(super) json: bool,
}

const MORE: &str = "\
The rules are those of the puzzle completed by the model's answer: for every attribute the
probability of each rule, by each kind of expert (full: all panels; context: one panel missing;
rows: one row missing; row-latents) and by their mixture. In pictures, rules that the file
states are outlined.

Examples:
  genvp rules I-RAVEN/center_single/RAVEN_8_test.npz
  genvp rules I-RAVEN/center_single/RAVEN_8_test.npz --out rules.png
  genvp rules I-RAVEN --json";

impl Rules {
    /// Looks at everything that is named.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let (model, family) = model_for(self.model.as_deref(), &self.paths, console, device)?;
        if !family.has_layouts() {
            return self.of_family(inputs::stream_all(&self.paths)?, &model, console);
        }
        let sources = inputs::gather_all(&self.paths)?;
        if self.out.is_some() && sources.len() != 1 {
            let found = format!("--out draws one puzzle, and here are {}", sources.len());
            return Err(Failure::bad(found).hint("name a single file"));
        }
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
            return Ok(writeln!(out, "{}", json::rules(puzzle, solution, layout))?);
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
            for column in RULES {
                write!(out, " {column:>16}")?;
            }
            writeln!(out)?;
            for (component, attribute) in rows(layout) {
                write!(out, "    {:<22}", label(layout, component, attribute))?;
                for probability in rules.of(component, attribute) {
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
    let components = 0..layout.components().len();
    components
        .flat_map(|component| Attribute::ALL.map(|attribute| (component, attribute)))
        .collect()
}

fn label(layout: Layout, component: usize, attribute: Attribute) -> String {
    match layout.components()[component].prefix() {
        Some(prefix) => format!("{prefix}.{attribute}"),
        None => attribute.to_string(),
    }
}

/// The mixed matrix above those of the four kinds.
fn picture(puzzle: &SolvedFile, solution: &Solution, layout: Layout) -> Picture {
    let rows = rows(layout);
    let map = |(name, rules): &(&str, RuleProbabilities)| {
        heat_map(&HeatMap {
            title: match *name {
                "all" => format!("All experts, with choice {}", solution.answer + 1),
                name => format!("Expert: {name}"),
            },
            rows: rows
                .iter()
                .map(|&(component, attribute)| label(layout, component, attribute))
                .collect(),
            columns: RULES.map(str::to_owned).to_vec(),
            values: rows.iter().map(|&(component, a)| rules.of(component, a).to_vec()).collect(),
            range: (0.0, 1.0),
            marked: marked(puzzle.rules.as_ref(), &rows),
        })
    };
    let maps: Vec<Picture> = matrices(solution).iter().map(map).collect();
    arrange(&maps, &puzzle.file)
}

/// The first map above the others, which stand in pairs.
pub(super) fn arrange(maps: &[Picture], file: &str) -> Picture {
    const GAP: f32 = 12.0;
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
    all.title = format!("Rules of {file}");
    all.description = maps.first().map(|map| map.description.clone()).unwrap_or_default();
    all
}

/// The cells of the rules that the file states.
fn marked(stated: Option<&RuleMatrix>, rows: &[(usize, Attribute)]) -> Vec<(usize, usize)> {
    let Some(stated) = stated else { return Vec::new() };
    let columns = stated.columns();
    let cell = |(row, &(component, attribute)): (usize, &(usize, Attribute))| {
        (row, columns[component * Attribute::ALL.len() + attribute.index()])
    };
    rows.iter().enumerate().map(cell).filter(|&(_, column)| column > 0).collect()
}
