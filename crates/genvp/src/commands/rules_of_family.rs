//! `genvp rules` for puzzles of PGM and VAD.

use std::io::{Write, stdout};

use genvp_data::inputs::{FoundPuzzles, PuzzleStream};
use genvp_draw::{HeatMap, Picture, heat_map};
use genvp_infer::{FamilyFile, FamilySolution, FamilySolver, Model, RuleTable};

use super::rules::{Rules, arrange};
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;

impl Rules {
    /// Looks at all sources with a model of their family.
    pub(super) fn of_family(
        &self,
        found: FoundPuzzles,
        model: &Model,
        console: &Console,
    ) -> Result<Answer, Failure> {
        let solver = FamilySolver::new(model)?.with_experts(true);
        let progress = console.progress("looking", found.count.unwrap_or(0));
        let (mut out, mut bad, mut seen) = (stdout().lock(), 0u64, 0u64);
        let mut stream = PuzzleStream::of(found.sources);
        solver.solve_all(&mut stream, FamilySolver::BATCH, |outcome| {
            progress.add(1);
            match outcome {
                Ok((file, solution)) => {
                    seen += 1;
                    if self.out.is_some() && seen > 1 {
                        return Err(Failure::bad("--out draws one puzzle, and here are several")
                            .hint("name a single file"));
                    }
                    self.show_of_family(&mut out, &file, &solution)
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

    fn show_of_family(
        &self,
        out: &mut impl Write,
        file: &FamilyFile,
        solution: &FamilySolution,
    ) -> Result<(), Failure> {
        if let Some(path) = &self.out {
            picture_file::write(path, &picture(file, solution), self.force)?;
        }
        if self.json {
            return Ok(writeln!(out, "{}", genvp_infer::json::family_rules(file, solution))?);
        }
        let rules = solution.rules().text();
        writeln!(out, "{}: with choice {}: {rules}", file.file, solution.answer + 1)?;
        for (name, table) in tables(solution) {
            write!(out, "  {name:<24}")?;
            for rule in table.space().rules {
                write!(out, " {rule:>16}")?;
            }
            writeln!(out)?;
            for (attribute, row) in table.rows() {
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

/// The matrix of all experts together, then of each kind, with the answer.
fn tables(solution: &FamilySolution) -> Vec<(&'static str, &RuleTable)> {
    let kinds = solution.kinds.iter().map(|(name, own)| (*name, &own[solution.answer]));
    std::iter::once(("all", solution.rules())).chain(kinds).collect()
}

/// The mixed matrix above those of the four kinds.
fn picture(file: &FamilyFile, solution: &FamilySolution) -> Picture {
    let map = |(name, table): &(&str, &RuleTable)| {
        heat_map(&HeatMap {
            title: match *name {
                "all" => format!("All experts, with choice {}", solution.answer + 1),
                name => format!("Expert: {name}"),
            },
            rows: table.rows().map(|(attribute, _)| attribute.to_owned()).collect(),
            columns: table.space().rules.iter().map(|&rule| rule.to_owned()).collect(),
            values: table.rows().map(|(_, row)| row.to_vec()).collect(),
            range: (0.0, 1.0),
            marked: Vec::new(),
        })
    };
    let maps: Vec<Picture> = tables(solution).iter().map(map).collect();
    arrange(&maps, &file.file)
}
