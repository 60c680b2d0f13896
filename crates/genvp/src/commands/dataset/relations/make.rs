//! `genvp dataset make pgm|vad`.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use genvp_data::dataset::{DatasetWriter, Settings, Shard, Start};
use genvp_data::relations::{
    RelationFile, RelationMaker, RelationPlan, RelationPlans, TruthLine, parse_domain_pairs,
    parse_held_out, puzzle_files,
};
use genvp_data::{DataError, FormatError};
use genvp_puzzle::relations::Split;
use genvp_puzzle::vad::ChoiceKind;
use genvp_puzzle::{Set, pgm, vad};
use rayon::prelude::*;
use serde_json::json;

use super::super::tables::Tables;
use crate::console::{Console, Progress};
use crate::failure::{Answer, Failure};

/// Puzzles that are encoded at once, so that memory stays small.
const BLOCK: usize = 256;

/// Matrices of DeepMind's PGM, in any of its eight regimes.
#[derive(Args, Debug)]
#[command(after_help = PGM_MORE)]
pub struct MakePgm {
    /// Regimes: all, or a list of neutral, interpolation, extrapolation, attr.rel.pairs, attr.rels,
    /// attrs.pairs, attrs.shape.color, attrs.line.type
    #[arg(long, value_name = "NAME,..", value_parser = pgm_regimes)]
    regime: Regimes<pgm::Regime>,
    #[command(flatten)]
    common: Common,
}

/// Analogies of DeepMind's VAD, in any of its five regimes.
#[derive(Args, Debug)]
#[command(after_help = VAD_MORE)]
pub struct MakeVad {
    /// Regimes: all, or a list of novel.domain.transfer, novel.target.domain.line.type,
    /// novel.target.domain.shape.color, interpolation, extrapolation
    #[arg(long, value_name = "NAME,..", value_parser = vad_regimes)]
    regime: Regimes<vad::Regime>,
    /// Kind of wrong choices
    #[arg(long, value_enum, default_value = "lbc")]
    choices: Choices,
    #[command(flatten)]
    common: Common,
}

/// What both take.
#[derive(Args, Debug)]
struct Common {
    /// Split to make; only test contains the held-out combinations
    #[arg(long, value_enum, default_value = "all")]
    split: SplitName,
    /// Puzzles per regime and split
    #[arg(short, default_value_t = 10)]
    n: u64,
    /// Seed: the same seed gives the same bytes on any machine and at any thread count
    #[arg(long, default_value_t = 1234)]
    seed: u64,
    /// Output folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// File format
    #[arg(long, value_enum, default_value = "npz")]
    format: Format,
    /// File with the combinations to hold out, instead of the built-in list (see below)
    #[arg(long, value_name = "FILE")]
    held_out: Option<PathBuf>,
    /// Keep puzzles with unintended relations, or in which OR and XOR cannot be told apart
    #[arg(long)]
    faithful: bool,
    /// Resume an interrupted run
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// Make only shard I of N (counted from 1), to share the work among machines
    #[arg(long, value_name = "I/N", value_parser = super::super::make::parse_shard)]
    shard: Option<Shard>,
    /// Print {"made":N, "seconds":s, "per_second":r} at the end
    #[arg(long)]
    json: bool,
}

const PGM_MORE: &str = "\
The structure space and the regimes are the authors'. What they did not publish is our choice:
the frequencies, the wrong choices, and which 7 triples (attr.rels), 40 pairs of triples
(attr.rel.pairs) and 4 pairs of attributes (attrs.pairs) are held out. Accuracies on these
puzzles are therefore not comparable with published ones. Our lists are the same for every seed
and split, and are in the manifest; --held-out takes another list: one entry per line, such as
`shape color XOR`, or with ` + ` between the two of a pair. `genvp dataset stats` recovers the
lists of real archives; pairs that our puzzles cannot have (two relations on one attribute) are
left out with a warning.

One flat folder per regime, like the unpacked archives: PGM_<regime>_<split>_<id>.npz with the
originals' members (and the wrong shape in the header of `image`, which every loader expects),
truth.jsonl with rows or columns and what each wrong choice breaks, and hashes of everything.

Examples:
  genvp dataset make pgm --regime neutral -n 1000 --out neutral
  genvp dataset make pgm --regime attr.rels --split test -n 500 --out triples
  genvp dataset make pgm --regime all -n 100 --out regimes";

const VAD_MORE: &str = "\
The domains, relations and regimes are the authors'; which values fill the domains, which
relations a domain can follow, how wrong choices are made and which pairs of domains
novel.domain.transfer holds out are our choices. Accuracies on these puzzles are therefore not
comparable with published ones. --held-out takes another list of pairs: one per line, such as
`shape color -> line type`.

One flat folder per regime, like the unpacked archives:
analogy_<regime>_<split>_<choices>_<id>.npz, and truth.jsonl with both domains and what each
choice completes.

Examples:
  genvp dataset make vad --regime novel.domain.transfer -n 1000 --out VAD
  genvp dataset make vad --regime interpolation --choices normal --split test -n 100 --out normal";

/// How VAD's wrong choices are made.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Choices {
    /// Two complete the target row under other relations, so that three are plausible without the
    /// source row
    Lbc,
    /// Random values of the target domain; the target row alone often gives the answer away
    Normal,
}

/// One split or all.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SplitName {
    /// Training, validation and test, -n puzzles of each
    All,
    /// Training
    Train,
    /// Validation
    Val,
    /// Test
    Test,
}

impl SplitName {
    fn splits(self) -> &'static [Split] {
        match self {
            Self::All => &Split::ALL,
            Self::Train => &[Split::Train],
            Self::Val => &[Split::Val],
            Self::Test => &[Split::Test],
        }
    }
}

/// File formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One npz per puzzle, as in the original archives, and the truth of all in truth.jsonl
    Npz,
    /// One table per regime and split, with the pictures as PNG and the truth beside them
    Parquet,
}

/// A list of regimes.
#[derive(Clone, Debug)]
struct Regimes<R>(Vec<R>);

fn pgm_regimes(text: &str) -> Result<Regimes<pgm::Regime>, String> {
    regimes(text, &pgm::Regime::ALL, pgm::Regime::name)
}

fn vad_regimes(text: &str) -> Result<Regimes<vad::Regime>, String> {
    regimes(text, &vad::Regime::ALL, vad::Regime::name)
}

fn regimes<R: Copy + PartialEq>(
    text: &str,
    all: &[R],
    name: fn(R) -> &'static str,
) -> Result<Regimes<R>, String> {
    if text.eq_ignore_ascii_case("all") {
        return Ok(Regimes(all.to_vec()));
    }
    let mut found = Vec::new();
    for part in text.split(',') {
        let regime = all.iter().copied().find(|&regime| name(regime) == part).ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(|&regime| name(regime)).collect();
            format!("known are {}, and all for all of them", known.join(", "))
        })?;
        if !found.contains(&regime) {
            found.push(regime);
        }
    }
    Ok(Regimes(found))
}

impl MakePgm {
    /// Makes the dataset.
    pub fn run(&self, console: &Console) -> Result<Answer, Failure> {
        let regimes = &self.regime.0;
        let held_out = match self.common.held_out_of(regimes)? {
            Some((path, regime)) => Some(list(path, |text| parse_held_out(text, regime))?),
            None => None,
        };
        let never = held_out.as_ref().map(pgm::HeldOut::never_made).unwrap_or_default();
        for [first, second] in &never {
            console.warn(&format!("no puzzle of ours has {first} with {second}"));
        }
        let makers = self.common.makers(regimes, |regime, split| {
            let mut request = pgm::Request::new(regime, split);
            request.held_out = held_out.clone();
            request.faithful = self.common.faithful;
            Ok(RelationMaker::Pgm(pgm::Maker::new(request)?))
        })?;
        self.common.write(&makers, console)
    }
}

impl MakeVad {
    /// Makes the dataset.
    pub fn run(&self, console: &Console) -> Result<Answer, Failure> {
        let regimes = &self.regime.0;
        let held_out = match self.common.held_out_of(regimes)? {
            Some((path, _)) => Some(list(path, parse_domain_pairs)?),
            None => None,
        };
        let kind = match self.choices {
            Choices::Lbc => ChoiceKind::Lbc,
            Choices::Normal => ChoiceKind::Normal,
        };
        let makers = self.common.makers(regimes, |regime, split| {
            let mut request = vad::Request::new(regime, split, kind);
            request.held_out = held_out.clone();
            request.faithful = self.common.faithful;
            Ok(RelationMaker::Vad(vad::Maker::new(request)?))
        })?;
        self.common.write(&makers, console)
    }
}

/// Reads a list of what is held out.
fn list<T>(path: &Path, parse: impl FnOnce(&str) -> Result<T, FormatError>) -> Result<T, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| DataError::Read { path: path.to_owned(), source })?;
    Ok(parse(&text)
        .map_err(|format_error| DataError::Bad { path: path.to_owned(), format_error })?)
}

/// The makers of a regime, one for each split, and its settings.
struct Regime {
    makers: Vec<RelationMaker>,
    plan: RelationPlan,
}

impl Common {
    /// The file of what is held out, and the only regime that it can be of.
    fn held_out_of<R: Copy>(&self, regimes: &[R]) -> Result<Option<(&Path, R)>, Failure> {
        match (self.held_out.as_deref(), regimes) {
            (None, _) => Ok(None),
            (Some(path), &[regime]) => Ok(Some((path, regime))),
            (Some(_), _) => Err(Failure::bad("--held-out has the list of one regime")
                .hint("name that regime alone with --regime")),
        }
    }

    /// What makes the puzzles of each regime and split.
    fn makers<R: Copy>(
        &self,
        regimes: &[R],
        maker: impl Fn(R, Split) -> Result<RelationMaker, Failure>,
    ) -> Result<Vec<Regime>, Failure> {
        let regime = |&regime: &R| {
            let splits = self.split.splits().iter();
            let makers: Vec<_> =
                splits.map(|&split| maker(regime, split)).collect::<Result<_, _>>()?;
            let mut plan = RelationPlan::new(&makers, self.seed, self.n);
            plan.shard = self.shard;
            Ok::<_, Failure>(Regime { makers, plan })
        };
        regimes.iter().map(regime).collect()
    }

    fn write(&self, regimes: &[Regime], console: &Console) -> Result<Answer, Failure> {
        let total: u64 = regimes.iter().map(|regime| regime.plan.own_count()).sum();
        let start = match (self.resume, self.force) {
            (true, _) => Start::Resume,
            (_, true) => Start::Force,
            _ => Start::Create,
        };
        let begun = Instant::now();
        let progress = console.progress("making", total);
        if self.format == Format::Parquet {
            if self.resume || self.shard.is_some() {
                return Err(Failure::bad(
                    "tables are written in one go, without --resume and --shard",
                )
                .hint("make npz files, then `genvp dataset convert --to parquet`"));
            }
            self.write_tables(regimes, &progress)?;
            progress.finish();
            return self.report(total, begun, console);
        }
        let plans = regimes.iter().map(|regime| regime.plan.clone()).collect();
        let writer = DatasetWriter::open(&self.out, RelationPlans::new(plans), start)?;
        for (folder, Regime { makers, plan }) in regimes.iter().enumerate() {
            writer.fill_folder(folder, |index| {
                let (split, id) = plan.number(index);
                let puzzle = makers[split].puzzle(self.seed, id)?;
                progress.add(1);
                Ok::<_, Failure>(puzzle_files(puzzle, id))
            })?;
        }
        let manifest = writer.finish()?;
        progress.finish();
        for (folder, record) in &manifest.layouts {
            console
                .detail(&format!("{folder}: {} puzzles, sha256 {}", record.puzzles, record.sha256));
        }
        self.report(total, begun, console)
    }

    /// One table for each regime and split, in the folder of the regime.
    fn write_tables(&self, regimes: &[Regime], progress: &Progress) -> Result<(), Failure> {
        let mut tables = Tables::new(&self.out, Set::Raven, self.force);
        let makers = regimes.iter().flat_map(|r| r.makers.iter().map(|maker| (maker, &r.plan)));
        for (maker, plan) in makers {
            for first in (0..self.n).step_by(BLOCK) {
                let made: Vec<(RelationFile, TruthLine)> = (first
                    ..self.n.min(first + BLOCK as u64))
                    .into_par_iter()
                    .map(|id| {
                        let puzzle = maker.puzzle(self.seed, id)?;
                        let file = RelationFile::of_puzzle(&puzzle);
                        progress.add(1);
                        Ok::<_, Failure>((file, TruthLine { name: puzzle.name(id), puzzle }))
                    })
                    .collect::<Result<_, _>>()?;
                for (file, truth) in &made {
                    let (folder, split) = (Path::new(truth.name.regime()), truth.name.split());
                    let name = truth.name.to_string();
                    tables.put_relations(folder, split, &name, file, Some(truth), Some(plan))?;
                }
            }
        }
        Ok(tables.finish()?)
    }

    fn report(&self, total: u64, begun: Instant, console: &Console) -> Result<Answer, Failure> {
        let seconds = begun.elapsed().as_secs_f64();
        let rate = total as f64 / seconds;
        console.note(&format!(
            "{total} puzzles in {} ({seconds:.1} s, {rate:.0} a second)",
            self.out.display()
        ));
        if self.json {
            let report = json!({ "made": total, "seconds": seconds, "per_second": rate });
            writeln!(stdout(), "{report}")?;
        }
        Ok(Answer::Yes)
    }
}
