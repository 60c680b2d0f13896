//! `genvp dataset make`.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use genvp_data::dataset::{DatasetWriter, Manifest, Plan, Shard, Start};
use genvp_puzzle::make::{HeldOut, Maker, Request};
use genvp_puzzle::{Domain, Layout, PuzzleError, RuleMatrix, Set};
use serde_json::json;

use super::tables::{self, Tables};
use crate::console::{Console, Progress};
use crate::failure::{Answer, Failure};

/// Make puzzles in the file formats of the original datasets.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Make {
    /// Kind of wrong choices
    #[arg(value_enum)]
    set: SetName,
    #[arg(long, default_value = "all", value_name = "NAME,..", help = layouts_help("Layouts"))]
    layout: Layouts,
    /// Puzzles per layout
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
    /// Out-of-distribution variant (see below)
    #[arg(long, value_name = "NAME")]
    ood: Option<Ood>,
    /// RAISE's *_uniform variants: all objects of a component alike and upright (2x2, 3x3, o-ig)
    #[arg(long)]
    uniform: bool,
    /// Reproduce the originals' faults: choices that look alike, rarely two right answers
    #[arg(long)]
    faithful: bool,
    /// Leave out puzzles in which other rules also fit and lead to another choice
    #[arg(long)]
    no_rivals: bool,
    /// Rule that must hold, e.g. size=progression:+1 or in.color=arithmetic:- (repeatable)
    #[arg(long, value_name = "RULE")]
    rule: Vec<String>,
    /// Resume an interrupted run
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// Make only shard I of N (counted from 1), to share the work among machines
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// Print {"made":N, "seconds":s, "per_second":r} at the end
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
Out-of-distribution variants, and our reading where the paper is unclear:
  angle-i        angles half-way between the usual ones
  color-i        grey values half-way between; Out, which is always white, takes 238
  size-i         sizes half-way between; Out takes those from 0.65, the inner grid those from
                 0.55, because the layouts' own limits are not in the paper's list
  size-e         sizes 0.25 to 0.95. The paper calls it extrapolation, but of its list only
                 0.25, 0.35 and 0.95 lie outside the usual range; all of it is used
  cs-held-out    training set of c-s without (constant, type): the paper's definition; its
                 discussion says \"constant size\"
  o-ic-held-out  training set of o-ic without arithmetic and distribute-three on the inner
                 object: five pairs; the sixth that the paper lists, arithmetic on type, does
                 not exist

Rules: attribute=rule[:parameter], with out., in., left., right., up. or down. in front where a
layout has two components. Attributes number, position, number/position, type, size, color;
rules constant, progression:+1|+2|-1|-2, arithmetic:+|-, distribute-three[:VALUE/VALUE/VALUE].
Rules that are not stated are drawn at random.

Exactly one choice satisfies the rules of a puzzle. In about one of two hundred puzzles (and in
some of the originals') other rules also fit the question and lead to another choice: `dataset
check` counts these rivals, --no-rivals leaves such puzzles out. It works with every other
option; stated rules are rejected when 1000 puzzles in a row have rivals.

Examples:
  genvp dataset make iraven --layout all -n 1000 --seed 7 --out I-RAVEN
  genvp dataset make raven --layout 3x3 -n 20 --rule number=arithmetic:+ --out thirds
  genvp dataset make raven-fair --layout o-ig,2x2 -n 100 --uniform --out uniform
  genvp dataset make iraven -n 200 --ood size-e --out size-e
  genvp dataset make iraven -n 1000 --no-rivals --out one-reading";

/// The sets by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SetName {
    /// Each wrong choice changes one attribute (leaks the answer to a vote)
    Raven,
    /// All subsets of three changes (balanced)
    Iraven,
    /// A random tree of changes
    RavenFair,
}

impl From<SetName> for Set {
    fn from(name: SetName) -> Self {
        match name {
            SetName::Raven => Self::Raven,
            SetName::Iraven => Self::IRaven,
            SetName::RavenFair => Self::RavenFair,
        }
    }
}

/// File formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One npz and xml per puzzle, as the original programs write
    Npz,
    /// One table per layout and split, with the columns of the public HuggingFace copies
    Parquet,
}

/// A list of layouts.
#[derive(Clone, Debug)]
pub struct Layouts(pub Vec<Layout>);

impl std::str::FromStr for Layouts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Self(Layout::ALL.to_vec()));
        }
        let mut layouts = Vec::new();
        for name in text.split(',') {
            let layout = Layout::parse(name).ok_or_else(|| {
                let known = Layout::ALL.map(Layout::short).join(", ");
                format!("`{name}` is not a layout: all, {known}, or a dataset's folder name")
            })?;
            if !layouts.contains(&layout) {
                layouts.push(layout);
            }
        }
        Ok(Self(layouts))
    }
}

/// The help of an option that takes a list of layouts.
pub fn layouts_help(what: &str) -> String {
    let names = Layout::ALL.map(Layout::short).join(", ");
    format!("{what}: all, or a list of {names} or the datasets' folder names")
}

/// A shifted domain or a held-out training set.
#[derive(Clone, Copy, Debug)]
pub enum Ood {
    /// Other values.
    Domain(Domain),
    /// Fewer rules.
    HeldOut(HeldOut),
}

impl std::str::FromStr for Ood {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let domain = Domain::parse(text).filter(|d| *d != Domain::Standard).map(Self::Domain);
        domain.or_else(|| HeldOut::parse(text).map(Self::HeldOut)).ok_or_else(|| {
            "known are angle-i, color-i, size-i, size-e, cs-held-out and o-ic-held-out".to_owned()
        })
    }
}

impl Make {
    /// The layouts that are asked for, as far as the variant has them.
    fn layouts(&self) -> Vec<Layout> {
        let mut layouts = self.layout.0.clone();
        let all = layouts.len() == Layout::ALL.len();
        if all && self.uniform {
            layouts.retain(|&layout| Request::has_uniform(layout));
        }
        if all && let Some(Ood::HeldOut(held_out)) = self.ood {
            layouts = vec![held_out.layout()];
        }
        layouts
    }

    fn makers(&self) -> Result<Vec<Maker>, PuzzleError> {
        let maker = |layout| {
            let mut request = Request::new(self.set.into(), layout);
            request.uniform = self.uniform;
            request.faithful = self.faithful;
            request.no_rivals = self.no_rivals;
            match self.ood {
                Some(Ood::Domain(domain)) => request.domain = domain,
                Some(Ood::HeldOut(held_out)) => request.held_out = Some(held_out),
                None => {}
            }
            request.rules = RuleMatrix::parse(&self.rule.join(" "), layout)?;
            Maker::new(request)
        };
        self.layouts().into_iter().map(maker).collect()
    }

    fn start(&self) -> Start {
        match (self.resume, self.force) {
            (true, _) => Start::Resume,
            (_, true) => Start::Force,
            _ => Start::Create,
        }
    }

    /// Makes the dataset.
    pub fn run(&self, console: &Console) -> Result<Answer, Failure> {
        let makers = self.makers()?;
        let requests: Vec<Request> = makers.iter().map(|m| m.request().clone()).collect();
        let mut plan = Plan::of_requests(&requests, self.seed, self.n);
        plan.shard = self.shard;
        if self.format == Format::Parquet && (self.resume || self.shard.is_some()) {
            return Err(Failure::bad("tables are written in one go, without --resume and --shard")
                .hint("make npz files, then `genvp dataset convert --to parquet`"));
        }
        let total = plan.share() * makers.len() as u64;
        let begun = Instant::now();
        let progress = console.progress("making", total);
        match self.format {
            Format::Npz => {
                let manifest = self.write_files(plan, &makers, &progress)?;
                progress.finish();
                for (folder, record) in &manifest.layouts {
                    console.detail(&format!(
                        "{folder}: {} puzzles, sha256 {}",
                        record.puzzles, record.sha256
                    ));
                }
            }
            Format::Parquet => {
                let mut tables = Tables::new(&self.out, self.set.into(), self.force);
                tables::make(&mut tables, &makers, self.seed, self.n, &progress)?;
                tables.finish()?;
                progress.finish();
            }
        }
        let seconds = begun.elapsed().as_secs_f64();
        let rate = total as f64 / seconds;
        console.note(&format!(
            "{total} {} puzzles in {} ({seconds:.1} s, {rate:.0} a second)",
            Set::from(self.set).key(),
            self.out.display()
        ));
        if self.json {
            let report = json!({ "made": total, "seconds": seconds, "per_second": rate });
            writeln!(stdout(), "{report}")?;
        }
        Ok(Answer::Yes)
    }

    fn write_files(
        &self,
        plan: Plan,
        makers: &[Maker],
        progress: &Progress,
    ) -> Result<Manifest, Failure> {
        let writer = DatasetWriter::open(&self.out, plan, self.start())?;
        for maker in makers {
            writer.fill(maker.request().layout, |index| {
                let puzzle = maker.puzzle(self.seed, index)?;
                progress.add(1);
                Ok::<_, Failure>(puzzle)
            })?;
        }
        Ok(writer.finish()?)
    }
}

/// Reads `I/N`.
pub fn parse_shard(text: &str) -> Result<Shard, String> {
    Shard::parse(text).ok_or_else(|| "write I/N with I from 1 to N, for example 2/4".to_owned())
}
