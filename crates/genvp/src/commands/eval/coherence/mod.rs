//! `genvp eval coherence`: whether a model draws what it is asked for.

mod relations;

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use genvp_infer::answers::{self, AnswerSettings, Answers, ENOUGH};
use genvp_infer::coherence::{
    LayoutCoherence, RuleMarks, SAMPLES, Sample, frozen_matrices, measure,
};
use genvp_infer::complete::{Gap, Protocol};
use genvp_infer::diversity::COMPARED;
use genvp_infer::imagine::{Artist, ImagineError};
use genvp_infer::judge::stress::{Marks, Spoil, trial};
use genvp_infer::{Model, Weights};
use genvp_model::DeviceChoice;
use genvp_puzzle::raven::{Grid, Raven};
use genvp_puzzle::{Combination, Layout};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::commands::dataset::{Layouts, layouts_help};
use crate::commands::eval::common_args::{SEED, Subject};
use crate::console::{Console, Progress};
use crate::failure::{Answer, Failure};

/// How often imagined puzzles follow the requested rules.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Coherence {
    #[arg(long, default_value = "all", value_name = "NAME,..", help = layouts_help("Layouts"))]
    layout: Layouts,
    /// Of models of pgm or vad: the regimes whose rules are drawn [default: neutral, or
    /// novel.domain.transfer]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    regime: Vec<String>,
    /// Puzzles per layout or regime
    #[arg(short, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    n: u64,
    /// Seed of the rule matrices and of the drawings
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// Model: a built-in name (see `genvp model list`) or a weights file
    #[arg(long, value_name = "NAME|PATH", default_value = Model::DEFAULT)]
    model: PathBuf,
    /// Rule matrices per layout for which the diversity of several drawings is measured
    #[arg(long, value_name = "N", default_value_t = 4)]
    diversity: u64,
    /// Only rule matrices with one of these rules in a component: RULE, or RULE+RULE, such as
    /// size=arithmetic+color=progression
    #[arg(long, value_name = "RULES,..", value_delimiter = ',', value_parser = Combination::parse)]
    having: Vec<Combination>,
    /// Also request the parameters of the rules (those of a generated puzzle)
    #[arg(long, conflicts_with_all = ["missing", "judge_check"])]
    parameters: bool,
    /// Draw from the frozen list of rule matrices, which no development has used (100 a layout)
    #[arg(long, conflicts_with_all = ["missing", "judge_check", "having"])]
    frozen: bool,
    /// Instead of imagining puzzles, complete these missing panels of generated ones: 9, or 3,7
    #[arg(long, value_name = "PANELS", conflicts_with_all = ["diversity", "having", "judge_check"], value_parser = panels)]
    missing: Option<Missing>,
    /// Answers per question, with --missing
    #[arg(long, value_name = "N", default_value_t = 8, requires = "missing", value_parser = clap::value_parser!(u64).range(1..=1000))]
    samples: u64,
    /// Measure the judge's own errors: on blurred and noisy drawings of the engine, and on wrong
    /// ones
    #[arg(long, conflicts_with_all = ["model", "diversity", "having"])]
    judge_check: bool,
    /// Print {"own_encoder":{"average":.., "per_layout":{..}}, "judge":{..}, ..}; with --missing
    /// {"honest":{..}, "leaking":{..}, ..}, each with the same keys
    #[arg(long)]
    json: bool,
}

/// The panels that are missing.
#[derive(Clone, Copy, Debug)]
struct Missing(Grid<bool>);

fn panels(text: &str) -> Result<Missing, ImagineError> {
    Gap::parse(text).map(Missing)
}

const MORE: &str = "\
Rule matrices are those of generated puzzles; each is drawn once and nothing is rejected. The
same drawings are measured twice: by the model's own encoder and experts, which may share the
mistakes of its decoder, and by the judge, which reads the pixels with the engine's reader and
checks the rules symbolically. `written` checks the values that the model chose before drawing.
`chance` checks the same drawings against the rules of other puzzles. With --missing the rules
are those of the complete puzzle, and both protocols are measured: honest (rules inferred from
the given panels) and leaking (from the whole puzzle). See docs/imagining.md for what is
counted. Of models of pgm and vad the columns are per regime, relations may run along either
axis unless --parameters asks for that of the engine's puzzle, and `others` counts drawings with
a relation that was not asked for.

Examples:
  genvp eval coherence --layout c-s -n 2
  genvp eval coherence --layout l-r,u-d -n 1 --diversity 1 --json
  genvp eval coherence --layout c-s -n 2 --diversity 0 --parameters
  genvp eval coherence --layout c-s -n 2 --diversity 0 --having size=arithmetic+color=progression
  genvp eval coherence --layout c-s -n 2 --diversity 0 --frozen --parameters
  genvp eval coherence --layout 2x2 -n 2 --missing 9
  genvp eval coherence --model pgm-64-cpu -n 2
  genvp eval coherence --judge-check --layout c-s -n 2";

impl Coherence {
    /// Measures.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        if self.judge_check {
            return self.check_judge(console);
        }
        let card = Weights::find(&self.model)?.card()?;
        let family = card.config().puzzle().family();
        if let Some(family) = family.filter(|family| !family.has_layouts()) {
            return self.relations(family, console, device);
        }
        if !self.regime.is_empty() {
            return Err(Failure::bad("--regime is for models of pgm or vad"));
        }
        let subject = Subject::open(&self.model, &Raven, self.seed, console, device)?;
        let artist = Artist::new(subject.model.genvp(), subject.model.device())?;
        if let Some(missing) = self.missing {
            self.answer(&artist, missing.0, console)?;
            return Ok(Answer::Yes);
        }
        let per_layout = self.n + self.diversity * SAMPLES as u64;
        let progress = console.progress("imagining", per_layout * self.layout.0.len() as u64);
        let mut found: BTreeMap<Layout, LayoutCoherence> = BTreeMap::new();
        for &layout in &self.layout.0 {
            let listed = self.frozen.then(|| frozen_matrices(layout)).transpose()?;
            let most = listed.as_ref().map_or(u64::MAX, |list| list.len() as u64);
            let sample = Sample {
                n: self.n.min(most),
                matrices: self.diversity.min(most),
                seed: self.seed,
                having: &self.having,
                listed: listed.as_deref(),
                parameters: self.parameters,
            };
            let own = measure(&artist, layout, &sample, &|n| progress.add(n))?;
            found.insert(layout, own);
        }
        progress.finish();
        let mut out = stdout().lock();
        if self.json {
            writeln!(out, "{}", report(&found, self.n, self.seed))?;
        } else {
            print(&mut out, &found)?;
        }
        Ok(Answer::Yes)
    }

    /// Several answers to one question.
    fn answer(
        &self,
        artist: &Artist<'_>,
        missing: Grid<bool>,
        console: &Console,
    ) -> Result<(), Failure> {
        let questions =
            AnswerSettings { n: self.n, samples: self.samples, missing, seed: self.seed };
        let layouts = &self.layout.0;
        let progress =
            console.progress("completing", 2 * self.n * self.samples * layouts.len() as u64);
        let mut found = BTreeMap::new();
        for &layout in layouts {
            let measure = |protocol| {
                answers::measure(artist, layout, protocol, &questions, &|n| progress.add(n))
            };
            found.insert(layout, [measure(Protocol::Honest)?, measure(Protocol::Leaking)?]);
        }
        progress.finish();
        let mut out = stdout().lock();
        if self.json {
            writeln!(out, "{}", answers_report(&found, self))?;
        } else {
            print_answers(&mut out, &found, self.samples)?;
        }
        Ok(())
    }

    /// The judge's own error rates.
    fn check_judge(&self, console: &Console) -> Result<Answer, Failure> {
        let cases = self.layout.0.len() as u64 * Spoil::ALL.len() as u64;
        let progress = console.progress("judging", cases * self.n);
        let mut rows = Vec::new();
        for &layout in &self.layout.0 {
            for spoil in Spoil::ALL {
                rows.push(JudgeCheck::of(layout, spoil, self.n, self.seed, &progress)?);
            }
        }
        progress.finish();
        let mut out = stdout().lock();
        if self.json {
            let rows: Vec<Value> = rows.iter().map(JudgeCheck::json).collect();
            writeln!(out, "{}", json!({ "judge_check": rows, "n": self.n, "seed": self.seed }))?;
            return Ok(Answer::Yes);
        }
        writeln!(
            out,
            "{:<6} {:>5} {:>6} {:>12} {:>16} {:>13} {:>20} {:>11}",
            "layout",
            "blur",
            "noise",
            "own rules %",
            "unlike objects %",
            "other rules %",
            "wrong panel caught %",
            "confidence"
        )?;
        for row in &rows {
            writeln!(
                out,
                "{:<6} {:>5} {:>6} {:>12.2} {:>16} {:>13.1} {:>20.1} {:>11.2}",
                row.layout.short(),
                row.spoil.blur,
                row.spoil.noise,
                row.own.percent(),
                row.unlike_percent().map_or("-".to_owned(), |share| format!("{share:.2}")),
                row.other.percent(),
                row.broken.percent(),
                row.confidence
            )?;
        }
        Ok(Answer::Yes)
    }
}

/// How the judge does on the drawings of one layout, spoiled in one way.
struct JudgeCheck {
    layout: Layout,
    spoil: Spoil,
    own: Marks,
    /// Of those, in puzzles in which some panel holds unlike objects.
    own_of_unlike: Marks,
    other: Marks,
    broken: Marks,
    confidence: f64,
}

impl JudgeCheck {
    fn of(
        layout: Layout,
        spoil: Spoil,
        n: u64,
        seed: u64,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let trials = (0..n).into_par_iter().map(|index| {
            let trial = trial(layout, spoil, seed, index);
            progress.add(1);
            trial
        });
        let trials = trials.collect::<Result<Vec<_>, _>>()?;
        let (mut own, mut own_of_unlike) = (Marks::default(), Marks::default());
        let (mut other, mut broken) = (Marks::default(), Marks::default());
        for trial in &trials {
            own.join(trial.own);
            if trial.unlike {
                own_of_unlike.join(trial.own);
            }
            other.join(trial.other);
            if let Some(caught) = trial.broken {
                broken.mark(caught);
            }
        }
        let sure = trials.iter().map(|t| f64::from(t.confidence)).sum::<f64>();
        let confidence = sure / trials.len() as f64;
        Ok(Self { layout, spoil, own, own_of_unlike, other, broken, confidence })
    }

    fn unlike_percent(&self) -> Option<f64> {
        (self.own_of_unlike.asked > 0).then(|| self.own_of_unlike.percent())
    }

    fn json(&self) -> Value {
        json!({
            "layout": self.layout.folder(), "blur": self.spoil.blur, "noise": self.spoil.noise,
            "own_rules": self.own.percent(), "rules": self.own.asked,
            "own_rules_of_unlike_objects": self.unlike_percent(),
            "other_rules": self.other.percent(), "wrong_panel_caught": self.broken.percent(),
            "confidence": self.confidence,
        })
    }
}

const PROTOCOLS: [&str; 2] = ["honest", "leaking"];

fn print_answers(
    out: &mut impl Write,
    found: &BTreeMap<Layout, [Answers; 2]>,
    samples: u64,
) -> Result<(), Failure> {
    writeln!(
        out,
        "{:<8} {:<8} {:>5} {:>8} {:>8} {:>8} {:>8} {:>9} {:>20}",
        "rules",
        "layout",
        "n",
        "encoder",
        "judge",
        "chance",
        "whole",
        "distinct",
        format!("{ENOUGH} distinct (of)")
    )?;
    for (place, protocol) in PROTOCOLS.iter().enumerate() {
        let mut sums = [0.0; 4];
        let mut enough = Marks::default();
        for (layout, both) in found {
            let own = &both[place];
            let values = shares(own);
            sums.iter_mut().zip(values).for_each(|(sum, v)| *sum += v / found.len() as f64);
            enough.join(own.enough);
            let distinct = own.distinct as f64 / own.n.max(1) as f64;
            let distinct = format!("{distinct:.1}/{samples}");
            let name = layout.short();
            writeln!(
                out,
                "{}",
                answers_line(protocol, name, own.n, values, &distinct, own.enough)
            )?;
        }
        let n: u64 = found.values().map(|both| both[place].n).sum();
        writeln!(out, "{}", answers_line(protocol, "average", n, sums, "-", enough))?;
    }
    writeln!(out)?;
    writeln!(
        out,
        "percent of the rules that count; whole: answers that keep every rule; distinct: different scenes among those;\n{ENOUGH} distinct: percent of the questions that got so many, of those whose rules allow it (how many these are)"
    )?;
    Ok(())
}

/// A row of the table of answers.
fn answers_line(
    protocol: &str,
    name: &str,
    n: u64,
    values: [f64; 4],
    distinct: &str,
    enough: Marks,
) -> String {
    let [encoder, judge, chance, whole] = values;
    let enough = match enough.asked {
        0 => "-".to_owned(),
        asked => format!("{:.1} ({asked})", enough.percent()),
    };
    format!(
        "{protocol:<8} {name:<8} {n:>5} {encoder:>8.1} {judge:>8.1} {chance:>8.1} {whole:>8.1} \
         {distinct:>9} {enough:>20}"
    )
}

/// Own encoder, judge, judge by chance, whole.
fn shares(own: &Answers) -> [f64; 4] {
    [
        own.own_encoder.percent(),
        own.judge.percent(),
        own.judge_by_chance.percent(),
        own.whole.percent(),
    ]
}

fn answers_report(found: &BTreeMap<Layout, [Answers; 2]>, args: &Coherence) -> Value {
    let of = |place: usize| {
        let measure = |of: &dyn Fn(&Answers) -> f64| {
            let layouts: BTreeMap<&str, f64> =
                found.iter().map(|(layout, both)| (layout.folder(), of(&both[place]))).collect();
            let average = layouts.values().sum::<f64>() / layouts.len().max(1) as f64;
            json!({ "average": average, "per_layout": layouts })
        };
        let mut enough = Marks::default();
        found.values().for_each(|both| enough.join(both[place].enough));
        json!({
            "own_encoder": measure(&|own| own.own_encoder.percent()),
            "judge": measure(&|own| own.judge.percent()),
            "other_rules": measure(&|own| own.judge_by_chance.percent()),
            "every_rule_holds": measure(&|own| own.whole.percent()),
            "distinct": measure(&|own| own.distinct as f64 / own.n.max(1) as f64),
            "four_distinct": (enough.asked > 0).then(|| enough.percent()),
            "allow_four": enough.asked,
            "per_layout_four_distinct": found.iter().map(|(layout, both)| {
                let own = both[place].enough;
                let of = json!({
                    "percent": (own.asked > 0).then(|| own.percent()), "allow": own.asked,
                });
                (layout.folder(), of)
            }).collect::<BTreeMap<_, _>>(),
        })
    };
    let missing: Vec<usize> =
        args.missing.map(|m| (1..=m.0.len()).filter(|i| m.0[i - 1]).collect()).unwrap_or_default();
    json!({
        "honest": of(0), "leaking": of(1), "missing": missing, "samples": args.samples,
        "n": args.n, "seed": args.seed,
    })
}

fn print(out: &mut impl Write, found: &BTreeMap<Layout, LayoutCoherence>) -> Result<(), Failure> {
    print_layouts(out, found)?;
    writeln!(out)?;
    print_rules(out, found)?;
    writeln!(out)?;
    print_distances(out, found)
}

fn print_layouts(
    out: &mut impl Write,
    found: &BTreeMap<Layout, LayoutCoherence>,
) -> Result<(), Failure> {
    writeln!(
        out,
        "{:<8} {:>5} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>8} {:>9}",
        "layout",
        "n",
        "written",
        "encoder",
        "chance",
        "judge",
        "chance",
        "readable",
        "whole",
        "distinct"
    )?;
    let line = |name: &str, n: u64, values: [f64; 7], distinct: Option<f64>| {
        let [written, encoder, encoder_chance, judge, judge_chance, legible, whole] = values;
        let distinct = distinct.map_or("-".to_owned(), |d| format!("{d:.1}/{SAMPLES}"));
        let written = or_dash(written);
        format!(
            "{name:<8} {n:>5} {written:>8} {encoder:>8.1} {encoder_chance:>8.1} {judge:>8.1} {judge_chance:>8.1} \
             {legible:>9.1} {whole:>8.1} {distinct:>9}"
        )
    };
    let mut sums = [0.0; 7];
    for (layout, own) in found {
        let values = [
            written(own.written),
            own.own_encoder.percent(),
            own.own_encoder_by_chance.percent(),
            own.judge.percent(),
            own.judge_by_chance.percent(),
            share(own.legible, own.n),
            share(own.whole, own.n),
        ];
        sums.iter_mut().zip(values).for_each(|(sum, v)| *sum += v / found.len() as f64);
        writeln!(out, "{}", line(layout.short(), own.n, values, own.distinct))?;
    }
    let n = found.values().map(|own| own.n).sum();
    writeln!(out, "{}", line("average", n, sums, None))?;
    Ok(())
}

fn print_rules(
    out: &mut impl Write,
    found: &BTreeMap<Layout, LayoutCoherence>,
) -> Result<(), Failure> {
    writeln!(
        out,
        "percent of the asked rules that count; by attribute and rule (written, encoder, judge):"
    )?;
    for ((what, rule), marks) in &by_rule(found) {
        writeln!(
            out,
            "  {what:<16} {rule:<17} {:>6} {:>6.1} {:>6.1}   of {}",
            or_dash(written(marks.written)),
            marks.own_encoder.percent(),
            marks.judge.percent(),
            marks.judge.asked
        )?;
    }
    Ok(())
}

fn print_distances(
    out: &mut impl Write,
    found: &BTreeMap<Layout, LayoutCoherence>,
) -> Result<(), Failure> {
    write!(out, "distance of values from the engine's (0-1)")?;
    for attribute in COMPARED {
        write!(out, " {:>9}", attribute.key())?;
    }
    writeln!(out)?;
    for (layout, own) in found {
        for (name, values) in
            [("drawn", own.distances), ("another engine sample", own.distances_of_engine)]
        {
            write!(out, "  {:<6} {name:<33}", layout.short())?;
            values.iter().try_for_each(|v| write!(out, " {v:>9.2}"))?;
            writeln!(out)?;
        }
    }
    for (layout, own) in found {
        let (layout, error) = (layout.short(), own.error());
        writeln!(
            out,
            "squared difference of a pixel from the engine's drawing of what was read, {layout}: {error:.5}"
        )?;
    }
    for (layout, own) in found {
        if let (Some(drawn), Some(engine)) = (own.unlike, own.unlike_of_engine) {
            let layout = layout.short();
            writeln!(
                out,
                "unlike objects, {layout}: {drawn:.0} % of the groups of objects drawn, {engine:.0} % of the engine's"
            )?;
        }
    }
    Ok(())
}

/// A part in percent.
fn share(part: u64, n: u64) -> f64 {
    100.0 * part as f64 / n.max(1) as f64
}

/// In percent; not a number (`null` in JSON) for models whose latents say no scene.
fn written(marks: Marks) -> f64 {
    if marks.asked == 0 { f64::NAN } else { marks.percent() }
}

fn or_dash(percent: f64) -> String {
    if percent.is_nan() { "-".to_owned() } else { format!("{percent:.1}") }
}

/// By attribute and rule, all layouts together.
fn by_rule(
    found: &BTreeMap<Layout, LayoutCoherence>,
) -> BTreeMap<(&'static str, &'static str), RuleMarks> {
    let mut all: BTreeMap<_, RuleMarks> = BTreeMap::new();
    for ((attribute, kind), own) in found.values().flat_map(|own| &own.rules) {
        let marks = all.entry((attribute.key(), kind.key())).or_default();
        marks.written.join(own.written);
        marks.own_encoder.join(own.own_encoder);
        marks.judge.join(own.judge);
    }
    all
}

fn report(found: &BTreeMap<Layout, LayoutCoherence>, n: u64, seed: u64) -> Value {
    let measure = |of: &dyn Fn(&LayoutCoherence) -> f64| {
        let layouts: BTreeMap<&str, f64> =
            found.iter().map(|(layout, own)| (layout.folder(), of(own))).collect();
        let average = layouts.values().sum::<f64>() / layouts.len().max(1) as f64;
        json!({ "average": average, "per_layout": layouts })
    };
    let rules: Vec<Value> = by_rule(found)
        .iter()
        .map(|((what, rule), marks)| {
            json!({
                "attribute": what, "rule": rule, "written": written(marks.written),
                "own_encoder": marks.own_encoder.percent(), "judge": marks.judge.percent(),
                "n": marks.judge.asked,
            })
        })
        .collect();
    let distances = |values: &[f64; 5]| -> BTreeMap<&str, f64> {
        COMPARED.iter().map(|a| a.key()).zip(values.iter().copied()).collect()
    };
    let diversity: BTreeMap<&str, Value> = found
        .iter()
        .map(|(layout, own)| {
            let of = json!({
                "distinct": own.distinct, "of": SAMPLES, "distance": distances(&own.distances),
                "distance_of_engine": distances(&own.distances_of_engine),
                "squared_difference": own.error(), "unlike": own.unlike, "unlike_of_engine": own.unlike_of_engine,
            });
            (layout.folder(), of)
        })
        .collect();
    json!({
        "written": measure(&|own| written(own.written)),
        "own_encoder": measure(&|own| own.own_encoder.percent()),
        "judge": measure(&|own| own.judge.percent()),
        "other_rules": {
            "own_encoder": measure(&|own| own.own_encoder_by_chance.percent()),
            "judge": measure(&|own| own.judge_by_chance.percent()),
        },
        "readable": measure(&|own| share(own.legible, own.n)),
        "every_rule_holds": measure(&|own| share(own.whole, own.n)),
        "rules": rules,
        "diversity": diversity,
        "n": n,
        "seed": seed,
    })
}
