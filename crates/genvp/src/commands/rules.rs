//! `genvp rules`: which rules puzzles follow, as the model sees it.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use genvp_draw::{HeatMap, Picture, Rgb, heat_map};
use genvp_infer::pipeline::{self, SolvedFile};
use genvp_infer::{KINDS, RuleTable, Solution, Solver, json};
use genvp_model::DeviceChoice;
use genvp_puzzle::family::{Family, RuleLabels};

use crate::commands::solve::learned::puzzles_for;
use crate::commands::solve::model_for;
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::family;
use crate::picture_file;

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
    /// Family of the puzzles: raven, pgm or vad, whatever their files say [default: what names,
    /// members and shapes say]
    #[arg(long, value_parser = family::parse)]
    family: Option<&'static dyn Family>,
    /// Draw the rule matrices of one puzzle as heat maps (.png or .svg)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace an existing picture
    #[arg(long)]
    force: bool,
    /// Skip unreadable files and report their number
    #[arg(long)]
    skip_bad: bool,
    /// Print one JSON object per puzzle
    #[arg(long)]
    json: bool,
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
        let model = model_for(self.model.as_deref(), self.family, &self.paths, console, device)?;
        let solver = match self.family {
            Some(family) => Solver::of_family(&model, family)?,
            None => Solver::new(&model)?,
        };
        let solver = solver.with_experts(true);
        let found = puzzles_for(&solver, self.family, &self.paths, console)?;
        if let Some(count) = found.count.filter(|&count| self.out.is_some() && count != 1) {
            return Err(several(&count.to_string()));
        }
        let progress = console.progress("looking", found.count.unwrap_or(0));
        let (mut out, mut bad, mut seen) = (stdout().lock(), 0u64, 0u64);
        pipeline::solve_all(found, &solver, Solver::BATCH, |outcome| {
            progress.add(1);
            match outcome {
                Ok((file, solution)) => {
                    seen += 1;
                    if self.out.is_some() && seen > 1 {
                        return Err(several("several"));
                    }
                    self.show(&mut out, &file, &solution)
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
        file: &SolvedFile,
        solution: &Solution,
    ) -> Result<(), Failure> {
        if let Some(path) = &self.out {
            picture_file::write(path, &picture(file, solution), self.force)?;
        }
        if self.json {
            return Ok(writeln!(out, "{}", json::rules(file, solution))?);
        }
        let sure = solution.confidence.map(|c| format!(", {:.0} % sure", 100.0 * c.value));
        writeln!(
            out,
            "{}: with choice {}{}: {}",
            file.file,
            solution.answer + 1,
            sure.unwrap_or_default(),
            solution.rules_text()
        )?;
        for (name, table) in tables(solution) {
            write!(out, "  {name:<24}")?;
            for rule in table.space().rules {
                write!(out, " {rule:>16}")?;
            }
            writeln!(out)?;
            for (attribute, row) in rows(solution, &table) {
                write!(out, "    {attribute:<22}")?;
                for probability in row {
                    write!(out, " {probability:>16.3}")?;
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }
}

fn several(count: &str) -> Failure {
    Failure::bad(format!("--out draws one puzzle, and here are {count}")).hint("name a single file")
}

/// The matrix of all experts together, then of each kind, with the answer.
fn tables(solution: &Solution) -> Vec<(&'static str, RuleTable)> {
    let mut tables = vec![("all", solution.rules().clone())];
    if let Some(experts) = &solution.experts {
        tables.extend(KINDS.map(|kind| (kind, experts.mean(kind, solution.answer))));
    }
    tables
}

/// The rows of a matrix that speak of something the puzzle has, with their names.
fn rows<'t>(
    solution: &Solution,
    table: &'t RuleTable,
) -> impl Iterator<Item = (String, &'t [f32])> {
    let rows = table.rows().take(solution.rows()).enumerate();
    rows.map(|(row, (_, probabilities))| (solution.row_name(row), probabilities))
}

/// The mixed matrix above those of the four kinds.
fn picture(file: &SolvedFile, solution: &Solution) -> Picture {
    let map = |(name, table): &(&str, RuleTable)| {
        let (names, values): (Vec<String>, Vec<Vec<f32>>) =
            rows(solution, table).map(|(name, row)| (name, row.to_vec())).unzip();
        heat_map(&HeatMap {
            title: match *name {
                "all" => format!("All experts, with choice {}", solution.answer + 1),
                name => format!("Expert: {name}"),
            },
            rows: names,
            columns: table.space().rules.iter().map(|&rule| rule.to_owned()).collect(),
            values,
            range: (0.0, 1.0),
            marked: marked(file.rules.as_ref(), solution.rows()),
        })
    };
    let maps: Vec<Picture> = tables(solution).iter().map(map).collect();
    arrange(&maps, &file.file)
}

/// The first map above the others, which stand in pairs.
fn arrange(maps: &[Picture], file: &str) -> Picture {
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

/// The cells of the rules that the file states, in the first `rows` rows.
fn marked(stated: Option<&RuleLabels>, rows: usize) -> Vec<(usize, usize)> {
    let stated = stated.map_or(&[][..], RuleLabels::as_slice).iter().take(rows);
    let cells = stated.map(|&rule| usize::from(rule)).enumerate();
    cells.filter(|&(_, rule)| rule > 0).collect()
}
